import type { UseQueryResult } from '@tanstack/react-query'
import type { OrderQuote } from '#features/subscriptions/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Money } from '#web/ui/money.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The items of an order before it exists, and its total. */
export function CustomerOrderQuote({ quote: { data, error, refetch } }: { quote: UseQueryResult<OrderQuote> }) {
  if (error) return <FormError message={messageOf(error)} onReload={async () => void (await refetch())} />
  if (!data) return <Skeleton className="h-12" />
  return (
    <dl className="grid gap-1 text-15" aria-live="polite">
      {data.lines.length > 1 &&
        data.lines.map(({ description, amount }) => (
          <div key={description} className="flex justify-between gap-4 text-fg-2">
            <dt>{description}</dt>
            <dd>
              <Money cents={amount} />
            </dd>
          </div>
        ))}
      <div className="flex justify-between gap-4 font-semibold">
        <dt>Total</dt>
        <dd>
          <Money cents={data.amount} />
        </dd>
      </div>
    </dl>
  )
}
