import type { ReactNode } from 'react'
import type { Customer } from '#features/customers/admin-contract.ts'
import { periodAt } from '#features/subscriptions/rules.ts'
import { formatCents } from '#kit/money.ts'
import { DateText } from '#web/ui/time/date-text.tsx'

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The five figures of a customer. */
export function CustomerFigures({ customer }: { customer: Customer }) {
  const { user, paid, pendingBonuses, reports, referred } = customer
  const { subscriptionStartDate: start, subscriptionEndDate: end } = user
  const isActive = user.subscriptionStatus === 'active'
  const leftDays = isActive && end ? periodAt(start ?? user.createdAt, end, new Date()).leftDays : null
  const pending = pendingBonuses.reduce((sum, { amount }) => sum + amount, 0)
  return (
    <section className="card customer-figures" aria-label="Key figures">
      <dl>
        {paid && (
          <Figure label="Paid in total" value={formatCents(paid.total)}>
            {counted(paid.payments, 'payment')}
            {paid.refunds > 0 && `, ${counted(paid.refunds, 'refund')}`}
          </Figure>
        )}
        <Figure label="Account credit" value={formatCents(user.accountCredit)}>
          {pending > 0 ? `${formatCents(pending)} pending` : counted(referred, 'referral')}
        </Figure>
        <Figure
          label={isActive || !end ? 'Subscription ends' : 'Subscription ended'}
          value={leftDays === null ? <DateText value={end} /> : counted(leftDays, 'day')}
        >
          {leftDays === null ? null : <DateText value={end} />}
        </Figure>
        <Figure label="Screens" value={user.iptvMaxConnections === 0 ? 'Unlimited' : (user.iptvMaxConnections ?? '-')}>
          {user.iptvUsername ?? 'No IPTV account'}
        </Figure>
        <Figure label="Reports" value={reports.total}>
          {reports.total > 0 && `${reports.open} open, ${reports.total - reports.open} closed`}
        </Figure>
      </dl>
    </section>
  )
}

function Figure({ label, value, children }: { label: string; value: ReactNode; children?: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <b className="num">{value}</b>
        <small>{children}</small>
      </dd>
    </div>
  )
}
