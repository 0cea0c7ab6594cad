import type { User } from '#features/accounts/contract.ts'
import { Money } from '#web/ui/money.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { OwnSubscription } from '../contract.ts'
import { periodAt } from '../rules.ts'
import { GiftList } from './gift-list.tsx'
import { PaidTimeList } from './paid-time-list.tsx'
import { PeriodMeter } from './period-meter.tsx'
import { PlanActions } from './plan-actions.tsx'
import { PlanTile } from './plan-tile.tsx'

interface Props {
  user: User
  planId: number
  subscription: OwnSubscription
  running: boolean
}

/** The renewal button is shown within this many days of the end date. */
const renewableDays = 14

export function CurrentPlan({ user, planId, subscription, running }: Props) {
  const { plan, planName, time } = subscription
  const { subscriptionStartDate: start, subscriptionEndDate: end } = user
  const isEnding =
    !running || (start !== null && end !== null && periodAt(start, end, new Date()).leftDays <= renewableDays)

  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        {plan && <PlanTile plan={plan} size="large" />}
        <h3 className="min-w-0 flex-1 basis-48 text-2xl max-sm:text-xl">{planName ?? `Plan #${planId}`}</h3>
        {plan && (
          <p className="max-sm:flex max-sm:w-full max-sm:items-baseline max-sm:gap-2 sm:text-right">
            <Money cents={plan.price} className="display text-2xl max-sm:text-xl" />{' '}
            <span className="block text-fg-2">per {plan.billing}</span>
          </p>
        )}
      </div>

      {running && start && end && <PeriodMeter start={start} end={end} />}

      <dl className="mt-5.5 grid grid-cols-2 gap-4 border-t pt-5.5 sm:grid-cols-3 [&_dd]:font-semibold [&_dt]:text-sm [&_dt]:text-fg-2">
        <div>
          <dt>Status</dt>
          <dd>
            <StatusBadge status={user.subscriptionStatus} />
          </dd>
        </div>
        <div>
          <dt>Start date</dt>
          <dd>
            <DateText value={start} />
          </dd>
        </div>
        <div>
          <dt>{running ? 'Renewal date' : 'End date'}</dt>
          <dd>
            <DateText value={end} />
          </dd>
        </div>
      </dl>

      <PaidTimeList time={time} />
      <GiftList gifts={subscription.gifts} />

      <PlanActions subscription={subscription} isEnding={isEnding} running={running} />
    </>
  )
}
