import { DateText } from '#web/ui/time/date-text.tsx'
import type { OwnSubscription } from '../contract.ts'

/** Days that were added to the paid time without a payment, with the reason. */
export function GiftList({ gifts }: Pick<OwnSubscription, 'gifts'>) {
  if (gifts.length === 0) return null
  return (
    <ul aria-label="Added days" className="mt-3 grid gap-1 text-15 text-fg-2">
      {gifts.map(({ days, reason, at }) => (
        <li key={at} className="wrap-anywhere">
          <b className="font-semibold">{days === 1 ? '1 day' : `${days} days`} added</b> on <DateText value={at} />:{' '}
          {reason}
        </li>
      ))}
    </ul>
  )
}
