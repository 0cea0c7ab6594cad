import { SubscriptionPanel } from '#features/subscriptions/web/subscription-panel.tsx'
// Not loaded lazily, because after a live update before hydration it would not match the server's HTML.
import { FirstSteps } from './first-steps.tsx'

/** The guided setup or the next step, and the subscription. */
export function SubscriptionTab() {
  return (
    <>
      <FirstSteps />
      <SubscriptionPanel />
    </>
  )
}
