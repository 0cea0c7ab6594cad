import { format, isToday, isYesterday } from 'date-fns'
import { use } from 'react'
import { formatTimeLeft, urgencyOf } from '#features/desk/rules.ts'
import { HeldBy } from '#web/ui/held-by.tsx'
import { HeldItemsContext } from '#web/ui/opened-item.ts'
import { useNow } from '#web/ui/time/use-now.ts'
import type { PaymentRow } from '../../admin-contract.ts'
import { amountText, railNames } from '../../rules.ts'
import { payerOf } from '../decisions.ts'
import { KindBadge } from '../kind-badge.tsx'

interface Props {
  row: PaymentRow
  /** Within how many minutes a payment should be decided; undefined on tabs without this promise. */
  promiseMinutes: number | undefined
  selected: boolean
  onSelect: () => void
}

/** A payment in the list of the desk. Selects it when pressed. */
export function PaymentRowButton({ row, promiseMinutes, selected, onSelect }: Props) {
  const now = useNow()
  const holder = use(HeldItemsContext).get(`received:${row.id}`)
  const since = new Date(row.createdAt)
  return (
    <button
      type="button"
      id={`payment-${row.id}`}
      className="payment-row"
      aria-current={selected || undefined}
      onClick={onSelect}
    >
      <span className={`rail rail-${row.rail}`} aria-hidden="true">
        {railNames[row.rail].charAt(0)}
      </span>
      <span className="payment-row-main">
        <span className="payment-row-line">
          <b className="truncate">{payerOf(row)}</b>
          <b className="num">{amountText(row)}</b>
        </span>
        <span className="payment-row-line text-fg-2">
          <span className="truncate">
            <span className="sr-only">{railNames[row.rail]}, </span>
            {row.note || 'No note'}
          </span>
          <time dateTime={row.paidAt ?? row.paidOn} className="shrink-0">
            {shortTime(row)}
          </time>
        </span>
        <span className="payment-row-line">
          <KindBadge row={row} />
          {holder ? (
            <HeldBy {...holder} />
          ) : (
            promiseMinutes !== undefined &&
            now && (
              <span className="queue-due num" data-urgency={urgencyOf(promiseMinutes, since, now)}>
                {formatTimeLeft(promiseMinutes, since, now)}
              </span>
            )
          )}
        </span>
      </span>
    </button>
  )
}

/** Returns the time if the payment is from today, otherwise `Yesterday` or the day. */
function shortTime({ paidAt, paidOn }: PaymentRow): string {
  const date = paidAt ? new Date(paidAt) : new Date(`${paidOn}T12:00:00`)
  if (isToday(date)) return paidAt ? format(date, 'h:mm a') : 'Today'
  return isYesterday(date) ? 'Yesterday' : format(date, 'MMM d')
}
