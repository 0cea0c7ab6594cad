import { lazy, Suspense } from 'react'
import { SubscriptionPanel } from '#features/subscriptions/web/subscription-panel.tsx'

// Server rendering is synchronous, so the component is loaded before. In the browser it comes after the page, and is hydrated then.
const load = () => import('./first-steps.tsx')
const FirstSteps = import.meta.env.SSR
  ? (await load()).FirstSteps
  : lazy(() => load().then((module) => ({ default: module.FirstSteps })))

/** What to do first or next, and the subscription. */
export function SubscriptionTab() {
  return (
    <>
      <Suspense>
        <FirstSteps />
      </Suspense>
      <SubscriptionPanel />
    </>
  )
}
