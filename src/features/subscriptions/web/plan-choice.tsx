import { useSuspenseQuery } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { query } from '#web/data.ts'
import { isRunning } from '../rules.ts'
import { ChangePlan } from './change-plan.tsx'
import { PlanOffers } from './plan-offers.tsx'

/** Plan changes for an active subscription, otherwise all plans on sale. */
export function PlanChoice() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  if (!user) return null
  return user.planId !== null && isRunning(user, new Date()) ? <ChangePlan planId={user.planId} /> : <PlanOffers />
}
