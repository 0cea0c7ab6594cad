import { Button } from '#web/ui/button/button.tsx'
import type { IdenticalPayments as Group, PaymentRow } from '../../admin-contract.ts'
import { moneyText, railNames } from '../../rules.ts'
import { useMarkAll } from './use-mark-all.ts'

interface Props {
  groups: readonly Group[]
  /** The key of the group whose payments are listed; undefined shows all groups. */
  chosen: string | undefined
  /** The listed payments. */
  rows: readonly PaymentRow[]
  onChoose: (key: string | undefined) => void
}

/** Groups of many identical payments from unknown senders. A group can be opened, and its payments can be marked as not ours together. */
export function IdenticalPayments({ groups, chosen, rows, onChoose }: Props) {
  const { markAll, isRunning } = useMarkAll()
  if (chosen !== undefined)
    return (
      <div className="payment-group flex-wrap">
        <h2>Identical payments</h2>
        <Button size="sm" variant="line" onClick={() => onChoose(undefined)}>
          All Payments
        </Button>
        {rows.length > 0 && (
          <Button size="sm" variant="ink" pending={isRunning} onClick={() => markAll(rows)}>
            Mark {rows.length} as Not Ours
          </Button>
        )}
      </div>
    )
  return (
    <ul aria-label="Groups of identical payments">
      {groups.map((group) => (
        <li key={group.key} className="payment-group">
          <span>
            <b className="num">
              {group.count} of {moneyText(group.amount, group.currency)}
            </b>{' '}
            <span className="text-fg-2">{railNames[group.rail]}, unknown senders</span>
          </span>
          <Button size="sm" variant="line" onClick={() => onChoose(group.key)}>
            Show
            <span className="sr-only">
              {' '}
              {group.count} payments of {moneyText(group.amount, group.currency)}
            </span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
