import { useSuspenseQuery } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { query } from '#web/data.ts'
import { isRunning } from '../rules.ts'
import { ChangePlan } from './change-plan.tsx'
import { PlanOffers } from './plan-offers.tsx'

/** What stands below the subscription: another plan for one that runs, all of them for none and for one that has ended. */
export function PlanChoice() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  if (!user) return null
  return user.planId !== null && isRunning(user, new Date()) ? <ChangePlan planId={user.planId} /> : <PlanOffers />
}
