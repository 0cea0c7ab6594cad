import { SubscriptionPanel } from '#features/subscriptions/web/subscription-panel.tsx'
// Not loaded lazily: a live update before its hydration would not match the server's HTML.
import { FirstSteps } from './first-steps.tsx'

/** What to do first or next, and the subscription. */
export function SubscriptionTab() {
  return (
    <>
      <FirstSteps />
      <SubscriptionPanel />
    </>
  )
}
