import { lazy, Suspense, useEffect, useState } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'

const PlanChoice = lazy(() =>
  import('#features/subscriptions/web/change/plan-choice.tsx').then((module) => ({ default: module.PlanChoice })),
)

/** The plans to choose from. The browser loads them after the page has opened. */
export function LaterPlanChoice() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(true), [])
  const loading = (
    <div role="status" aria-label="Loading plans">
      <Skeleton className="h-120 rounded-lg" />
    </div>
  )
  return isOpen ? (
    <Suspense fallback={loading}>
      <PlanChoice />
    </Suspense>
  ) : (
    loading
  )
}
