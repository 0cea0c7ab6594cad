import { formatCents } from '#kit/money.ts'
import { TimeText } from '#web/ui/time-text.tsx'
import type { SubscriptionOutcome } from '../admin-contract.ts'

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

/** What an edit, or undoing one, does to paid time and to what was paid for it. */
export function EditOutcome({ outcome }: { outcome: SubscriptionOutcome }) {
  const { addedDays, removedDays, keptCents, withdrawnCents, time } = outcome
  return (
    <ul className="grid list-disc gap-1 pl-5 text-15">
      {addedDays > 0 && (
        <li>
          Adds {days(addedDays)}.{withdrawnCents >= 0 && ' Nothing was paid for them, so they never become credit.'}
        </li>
      )}
      {removedDays > 0 && <li>Takes away {days(removedDays)}.</li>}
      {withdrawnCents > 0 && (
        <li>
          {formatCents(withdrawnCents)} was paid for time that is taken away. It stays on record and is not paid back.
        </li>
      )}
      {withdrawnCents < 0 && (
        <li>{formatCents(-withdrawnCents)} that was paid for time taken away before counts again.</li>
      )}
      {keptCents > 0 && <li>{formatCents(keptCents)} was paid for the time that is left.</li>}
      {time.length > 0 && (
        <li>
          Paid time: <TimeText time={time} />
        </li>
      )}
    </ul>
  )
}
