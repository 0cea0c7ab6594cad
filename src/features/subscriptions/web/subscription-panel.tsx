import { useSuspenseQuery } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { Ticks } from '#web/ui/ticks.tsx'
import { getOwnSubscription } from '../contract.ts'
import { isRunning } from '../running-rules.ts'
import { CurrentPlan } from './current-plan.tsx'
import { GuaranteeNotice } from './guarantee-notice.tsx'
import { NoSubscription } from './no-subscription.tsx'
import { SubscriptionNotices } from './subscription-notices.tsx'

/** The Subscription tab of My Account. */
export function SubscriptionPanel() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  const { data: subscription } = useSuspenseQuery(query(getOwnSubscription))
  if (!user) return null
  const running = isRunning(user, new Date())
  const { plan, guarantee } = subscription
  const features = plan?.features ?? []

  return (
    <Card
      title="Subscription"
      titleId="subscription-title"
      aside={<StatusBadge status={running ? 'active' : 'inactive'} />}
    >
      {user.planId === null ? (
        <NoSubscription isBeingChecked={subscription.purchase !== null && !subscription.purchase.awaitsPayment} />
      ) : (
        <CurrentPlan user={user} planId={user.planId} subscription={subscription} running={running} />
      )}
      <SubscriptionNotices subscription={subscription} />
      {guarantee && <GuaranteeNotice guarantee={guarantee} />}
      {features.length > 0 && (
        <div className="mt-6 border-t pt-5.5 sm:[&_.ticks]:grid-cols-2">
          <Ticks items={features} />
        </div>
      )}
    </Card>
  )
}
