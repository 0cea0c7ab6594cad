import type { ReactNode } from 'react'
import type { Instant } from '#kit/dates.ts'
import { Money } from '#web/ui/money.tsx'
import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { PaidPeriodsText } from '#web/ui/time/paid-periods-text.tsx'
import type { AdminInvoice, DecisionOutcome } from '../../admin-contract.ts'

interface Props {
  invoice: AdminInvoice
  /** Undefined while it is loading. */
  outcome: DecisionOutcome | undefined
}

const bookingLabels: Record<string, string> = {
  referral_bonus: 'referral bonus',
  payment: 'account credit used for this invoice',
  refund: 'account credit for the unused part of the old plan',
  admin_adjustment: 'adjustment',
}

/** The effect of a decision as previewed by the server: subscription, dates, credit and email. */
export function AdminInvoiceOutcome({ invoice, outcome }: Props) {
  if (!outcome) return <p className="text-fg-2">Calculating the effect…</p>
  if (outcome.refusal) return <Note tone="bad">{outcome.refusal.message}</Note>
  const { subscription } = outcome
  return (
    <ul className="grid list-disc gap-1 pl-5">
      {subscription ? (
        <>
          <li>
            Subscription: <Plan state={subscription.before} /> <Arrow /> <Plan state={subscription.after} />
          </li>
          <DateChange label="Starts" before={subscription.before.startDate} after={subscription.after.startDate} />
          <DateChange label="Ends" before={subscription.before.endDate} after={subscription.after.endDate} />
          {subscription.before.maxConnections !== subscription.after.maxConnections && (
            <li>
              Connections:{' '}
              {subscription.before.maxConnections !== null && (
                <>
                  {subscription.before.maxConnections} <Arrow />{' '}
                </>
              )}
              {subscription.after.maxConnections ?? 'none'}
            </li>
          )}
        </>
      ) : (
        <li>The subscription does not change</li>
      )}
      {outcome.bookings.map(({ username, amount, type }) => (
        <li key={`${type} ${username} ${amount}`}>
          <Money cents={amount} signed className="font-semibold" /> for {username}: {bookingLabels[type] ?? type}
        </li>
      ))}
      {outcome.pendingBonus && (
        <li>
          <Money cents={outcome.pendingBonus.amount} signed className="font-semibold" /> for{' '}
          {outcome.pendingBonus.username}: referral bonus, can be spent from{' '}
          <DateText value={outcome.pendingBonus.availableAt} />
        </li>
      )}
      {outcome.droppedBonus && (
        <li>
          <Money cents={-outcome.droppedBonus.amount} signed className="font-semibold" /> for{' '}
          {outcome.droppedBonus.username}: referral bonus, which was pending
        </li>
      )}
      {outcome.time.length > 1 && (
        <li>
          Paid time: <PaidPeriodsText periods={outcome.time} />
        </li>
      )}
      {outcome.status === 'refunded' && <li>A credit note is issued. This cannot be undone</li>}
      {(subscription || outcome.status === 'cancelled') && <li>{invoice.username} is notified by email</li>}
    </ul>
  )
}

type State = NonNullable<DecisionOutcome['subscription']>['before']
const Plan = ({ state: { planName, status } }: { state: State }): ReactNode =>
  planName ? `${planName} (${status})` : 'none'

const Arrow = () => (
  <>
    <span aria-hidden="true">→</span>
    <span className="sr-only">becomes</span>
  </>
)

function DateChange({ label, before, after }: { label: string; before: Instant | null; after: Instant | null }) {
  if (before === after) return null
  return (
    <li>
      {label}:{' '}
      {before && (
        <>
          <DateText value={before} /> <Arrow />{' '}
        </>
      )}
      <DateText value={after} fallback="none" className="font-semibold" />
    </li>
  )
}
