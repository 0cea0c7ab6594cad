import { useSuspenseQuery } from '@tanstack/react-query'
import type { Plan } from '#features/catalog/contract.ts'
import { listPaidTime } from '#features/subscriptions/contract.ts'
import { timeAfterPurchase } from '#features/subscriptions/rules.ts'
import { query } from '#web/data.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Note } from '#web/ui/note.tsx'
import { PaidPeriodsText } from '#web/ui/time/paid-periods-text.tsx'

/** Shows how an order extends an active subscription, and offers a plan change as an alternative. */
export function CheckoutTimeNote({ plan }: { plan: Pick<Plan, 'id' | 'name' | 'months' | 'connections'> }) {
  const { data: time } = useSuspenseQuery(query(listPaidTime))
  const last = time.at(-1)
  if (!last) return null
  const after = timeAfterPurchase(time, plan)
  const extendsLast = after.length === time.length
  return (
    <Note
      role="status"
      tone={extendsLast ? 'info' : 'warn'}
      className="mb-5"
      action={
        !extendsLast && (
          <ButtonLink to="/dashboard" hash="change-title" variant="line" size="sm">
            Change Plan
          </ButtonLink>
        )
      }
    >
      <p>
        <PaidPeriodsText periods={after} />.
      </p>
      <p className="mt-1 text-15 text-fg-2">
        You have {time[0]?.planName} now.{' '}
        {extendsLast
          ? 'This order extends your subscription. You lose no days by paying early.'
          : `${plan.name} starts when the time you have already paid for ends. To switch sooner, change your plan instead.`}
      </p>
    </Note>
  )
}
