import type { Customer } from '#features/customers/admin-contract.ts'
import { connectionsText } from '#features/iptv/rules.ts'
import { periodAt, planLabel } from '#features/subscriptions/rules.ts'
import { formatCents } from '#kit/money.ts'
import { MascotTile } from '#web/brand/mascot-tile.tsx'
import { Card } from '#web/ui/card.tsx'
import { Meter } from '#web/ui/meter.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { PaidPeriodsText } from '#web/ui/time/paid-periods-text.tsx'

/** The plan and how much of its time is left. */
export function CustomerSubscription({ user, plan, time }: Pick<Customer, 'user' | 'plan' | 'time'>) {
  const { subscriptionStartDate: start, subscriptionEndDate: end } = user
  const period = start && end && user.subscriptionStatus === 'active' ? periodAt(start, end, new Date()) : null
  return (
    <Card title="Subscription" titleId="customer-subscription" aside={<StatusBadge status={user.subscriptionStatus} />}>
      {plan ? <Plan name={planLabel(user)} plan={plan} /> : <p className="text-fg-2">No plan</p>}
      {period && (
        <Meter
          className="mt-4"
          value={period.usedDays}
          max={period.totalDays}
          label={`${period.usedDays} of ${period.totalDays} days used`}
          start={<DateText value={start} />}
          middle={`${period.leftDays} ${period.leftDays === 1 ? 'day' : 'days'} left`}
          end={<DateText value={end} />}
        />
      )}
      {time.length > 1 && (
        <p className="mt-3 text-sm">
          <PaidPeriodsText periods={time} />
        </p>
      )}
    </Card>
  )
}

function Plan({ name, plan }: { name: string; plan: NonNullable<Customer['plan']> }) {
  return (
    <div className="flex items-center gap-3.5">
      <MascotTile tier={plan.tier as 1} connections={plan.connections} />
      <span>
        <b className="block text-lg">{name}</b>
        <span className="text-sm text-fg-2">
          {plan.months} {plan.months === 1 ? 'month' : 'months'}, {connectionsText(plan.connections)},{' '}
          {formatCents(plan.price)}
        </span>
      </span>
    </div>
  )
}
