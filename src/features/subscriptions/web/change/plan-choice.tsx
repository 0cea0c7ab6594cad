import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { listPlans } from '#features/catalog/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { getOwnSubscription } from '../../contract.ts'
import { isRunning } from '../../running-rules.ts'
import { ChangePlan } from './change-plan.tsx'
import { PlanOffers } from './plan-offers.tsx'

/**
 * Shows plan changes for an active subscription, otherwise all plans on sale. The plans are collapsed while a payment is being checked, so that
 * customers do not pay twice. The browser fetches the plans, so that the server's HTML stays small.
 */
export function PlanChoice() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  const { data: subscription } = useSuspenseQuery(query(getOwnSubscription))
  const { data: plans, error, isFetching, refetch } = useQuery(query(listPlans))
  if (!user) return null
  const isBeingChecked = subscription.purchase !== null && !subscription.purchase.awaitsPayment
  if (plans)
    return user.planId !== null && isRunning(user, new Date()) ? (
      <ChangePlan plans={plans} planId={user.planId} />
    ) : isBeingChecked ? (
      <details>
        <summary className="link mb-4 w-fit cursor-pointer font-semibold">Show all plans</summary>
        <PlanOffers plans={plans} />
      </details>
    ) : (
      <PlanOffers plans={plans} />
    )
  return (
    <div>
      {error ? (
        <ErrorState
          title="The plans could not be loaded"
          message={messageOf(error)}
          pending={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <div role="status" aria-label="Loading plans">
          <Skeleton className="h-120 rounded-lg" />
        </div>
      )}
    </div>
  )
}
