import { useSuspenseQuery } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { isRunning } from '#features/subscriptions/running-rules.ts'
import type { Instant } from '#kit/dates.ts'
import { query } from '../data.ts'

/** Returns the plan id and the end date of the user's running subscription; undefined if there is none. */
export function useRunningPlan(): { planId: number; until: Instant | null } | undefined {
  const { data: user } = useSuspenseQuery(query(currentUser))
  return user && user.planId !== null && isRunning(user, new Date())
    ? { planId: user.planId, until: user.subscriptionEndDate }
    : undefined
}
