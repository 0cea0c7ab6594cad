import { addMonths, type Instant, isBefore } from '#kit/dates.ts'

export type SubscriptionState = {
  planId: number | null
  status: 'active' | 'pending' | 'expired' | 'cancelled' | 'none'
  startDate: Instant | null
  endDate: Instant | null
  maxConnections: number | null
}

export type Activation = {
  kind: 'purchase' | 'plan_change' | 'grant'
  planId: number | null
  months: number
  connections: number | null
  effectiveAt: Instant
  /** Only for a grant: the state an administrator set. */
  granted?: SubscriptionState
}

const runsAt = (state: SubscriptionState, at: Instant): boolean => state.status === 'active' && state.endDate !== null && isBefore(at, state.endDate)

/**
 * The subscription after a payment (decisions, Marking an invoice paid): new or lapsed starts at the payment date and ends
 * after the plan's calendar months; active is extended from its current end; a plan change with `months` 0 keeps the dates,
 * one with months starts a new period.
 */
export function afterActivation(before: SubscriptionState, activation: Activation): SubscriptionState {
  if (activation.granted) return activation.granted
  const { planId, months, connections, effectiveAt } = activation
  const bought = { planId, status: 'active' as const, maxConnections: connections }
  if (runsAt(before, effectiveAt)) {
    if (activation.kind === 'purchase') return { ...bought, startDate: before.startDate, endDate: addMonths(before.endDate!, months) }
    if (months === 0) return { ...bought, startDate: before.startDate, endDate: before.endDate }
  }
  return { ...bought, startDate: effectiveAt, endDate: addMonths(effectiveAt, months) }
}

type Running = { subscriptionStatus: SubscriptionState['status']; subscriptionEndDate: Instant | null }
/** Active or Inactive, as the customer sees it: an ended subscription is inactive before the job has written so. */
export const isRunning = ({ subscriptionStatus, subscriptionEndDate }: Running, now: Date): boolean =>
  subscriptionStatus === 'active' && (subscriptionEndDate === null || now < new Date(subscriptionEndDate))

const dayMs = 86_400_000
/** How far a period has got, in whole days; days left are rounded up, so the last hours still are `1 day left`. */
export function periodAt(start: Instant, end: Instant, now: Date): { usedDays: number; totalDays: number; leftDays: number } {
  const days = (from: number, to: number) => Math.max(0, Math.ceil((to - from) / dayMs))
  const [first, last] = [new Date(start).getTime(), new Date(end).getTime()]
  const totalDays = days(first, last)
  const leftDays = Math.min(totalDays, days(now.getTime(), last))
  return { usedDays: totalDays - leftDays, totalDays, leftDays }
}
