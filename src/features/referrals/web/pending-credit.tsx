import { Clock } from 'lucide-react'
import type { Output } from '#kit/endpoint.ts'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { getAccountCredit } from '../contract.ts'

/** Pending referral bonuses, each with the date from which it can be spent. */
export function PendingCredit({ pending }: { pending: Output<typeof getAccountCredit>['pending'] }) {
  if (pending.length === 0) return null
  return (
    <ul className="divide-y divide-line border-b" aria-label="Pending credit">
      {pending.map(({ formattedAmount, availableAt }) => (
        <li key={availableAt} className="flex items-baseline justify-between gap-4 px-4.5 py-3.5 sm:px-6">
          <div className="min-w-0">
            <p className="flex items-center gap-2">
              <Clock size={16} className="flex-none text-fg-2" />
              Referral bonus, pending
            </p>
            <p className="text-sm text-fg-2">
              Available from <DateText value={availableAt} />
            </p>
          </div>
          <b className="num font-semibold text-fg-2">{formattedAmount}</b>
        </li>
      ))}
    </ul>
  )
}
