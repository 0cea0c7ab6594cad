import { SubscriptionPanel } from '#features/subscriptions/web/subscription-panel.tsx'
import { GetWatching } from './get-watching/get-watching.tsx'

/** The guided setup of a new customer, and the subscription. */
export function SubscriptionTab() {
  return (
    <>
      <GetWatching />
      <SubscriptionPanel />
    </>
  )
}
