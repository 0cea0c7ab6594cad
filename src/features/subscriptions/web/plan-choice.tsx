import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { listPlans } from '#features/catalog/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { isRunning } from '../rules.ts'
import { ChangePlan } from './change-plan.tsx'
import { PlanOffers } from './plan-offers.tsx'

/**
 * Plan changes for an active subscription, otherwise all plans on sale. The browser fetches the plans, so that the page that the server sends stays
 * small.
 */
export function PlanChoice() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  const { data: plans, error, isFetching, refetch } = useQuery(query(listPlans))
  if (!user) return null
  if (plans)
    return user.planId !== null && isRunning(user, new Date()) ? (
      <ChangePlan plans={plans} planId={user.planId} />
    ) : (
      <PlanOffers plans={plans} />
    )
  return (
    <div className="col-span-full mt-7">
      {error ? (
        <ErrorState
          title="The plans could not be loaded"
          message={messageOf(error)}
          pending={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <div className="grid gap-5 lg:grid-cols-2" role="status" aria-label="Loading plans">
          <Skeleton className="h-120" />
          <Skeleton className="h-120" />
        </div>
      )}
    </div>
  )
}
