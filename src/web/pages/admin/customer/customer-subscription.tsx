import type { Customer } from '#features/customers/admin-contract.ts'
import { connectionsText } from '#features/iptv/rules.ts'
import { planLabel } from '#features/subscriptions/rules.ts'
import { Card } from '#web/ui/card.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DateText } from '../../../ui/time/date-text.tsx'
import { TimeText } from '../../../ui/time/time-text.tsx'

export function CustomerSubscription({ user, time }: Pick<Customer, 'user' | 'time'>) {
  const { iptvUsername, iptvMaxConnections, iptvSyncedAt } = user
  return (
    <Card title="Subscription" titleId="customer-subscription" aside={<StatusBadge status={user.subscriptionStatus} />}>
      <dl className="grid grid-cols-2 gap-4 [&_dd]:font-semibold [&_dd]:wrap-anywhere [&_dt]:text-sm [&_dt]:text-fg-2">
        <div>
          <dt>Plan</dt>
          <dd>{planLabel(user)}</dd>
        </div>
        <div>
          <dt>Connections</dt>
          <dd>{iptvMaxConnections === null ? '-' : connectionsText(iptvMaxConnections)}</dd>
        </div>
        <div>
          <dt>Start Date</dt>
          <dd>
            <DateText value={user.subscriptionStartDate} />
          </dd>
        </div>
        <div>
          <dt>End Date</dt>
          <dd>
            <DateText value={user.subscriptionEndDate} />
          </dd>
        </div>
        {time.length > 1 && (
          <div className="col-span-full">
            <dt>Paid time</dt>
            <dd>
              <TimeText time={time} />
            </dd>
          </div>
        )}
        <div>
          <dt>IPTV Account</dt>
          <dd>{iptvUsername ?? <StatusBadge status="not_linked" />}</dd>
        </div>
        <div>
          <dt>Last synced</dt>
          <dd>
            <DateText value={iptvSyncedAt} look="minute" />
          </dd>
        </div>
      </dl>
    </Card>
  )
}
