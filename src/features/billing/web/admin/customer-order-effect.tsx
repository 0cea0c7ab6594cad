import type { UseQueryResult } from '@tanstack/react-query'
import type { SubscriptionOutcome } from '#features/subscriptions/admin-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Note } from '#web/ui/note.tsx'
import { PaidPeriodsText } from '#web/ui/time/paid-periods-text.tsx'

interface Props {
  effect: UseQueryResult<SubscriptionOutcome>
  isReceived: boolean
}

/** The customer's paid time once the order is paid. */
export function CustomerOrderEffect({ effect: { data, error, refetch }, isReceived }: Props) {
  if (error) return <FormError message={messageOf(error)} onReload={async () => void (await refetch())} />
  return (
    <div role="status" className="text-15">
      {!data && <p className="text-fg-2">Calculating the effect…</p>}
      {data?.refusal && <Note tone="bad">{data.refusal.message}</Note>}
      {data && !data.refusal && (
        <p>
          {isReceived ? 'Paid time after this order' : 'Paid time once it is paid'}:{' '}
          <PaidPeriodsText periods={data.time} />
        </p>
      )}
    </div>
  )
}
