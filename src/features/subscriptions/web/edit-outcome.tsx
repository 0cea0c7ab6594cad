import { formatCents } from '#kit/money.ts'
import { PaidPeriodsText } from '#web/ui/time/paid-periods-text.tsx'
import type { SubscriptionOutcome } from '../admin-contract.ts'

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

/** The effect of an edit, or of undoing one, on paid time and the amounts paid for it. */
export function EditOutcome({ outcome }: { outcome: SubscriptionOutcome }) {
  const { addedDays, removedDays, keptCents, withdrawnCents, time } = outcome
  return (
    <ul className="grid list-disc gap-1 pl-5 text-15">
      {addedDays > 0 && (
        <li>
          Adds {days(addedDays)}.{withdrawnCents >= 0 && ' They were not paid for, so they never become credit.'}
        </li>
      )}
      {removedDays > 0 && <li>Removes {days(removedDays)}.</li>}
      {withdrawnCents > 0 && (
        <li>{formatCents(withdrawnCents)} was paid for the removed time. It stays on record and is not refunded.</li>
      )}
      {withdrawnCents < 0 && <li>{formatCents(-withdrawnCents)} paid for previously removed time counts again.</li>}
      {keptCents > 0 && <li>{formatCents(keptCents)} was paid for the remaining time.</li>}
      {time.length > 0 && (
        <li>
          Paid time: <PaidPeriodsText periods={time} />
        </li>
      )}
    </ul>
  )
}
