import { addMonths, type Instant, isBefore } from '#kit/dates.ts'

export type SubscriptionState = {
  planId: number | null
  status: 'active' | 'pending' | 'expired' | 'cancelled' | 'none'
  startDate: Instant | null
  endDate: Instant | null
  maxConnections: number | null
}

type Running = { subscriptionStatus: SubscriptionState['status']; subscriptionEndDate: Instant | null }
/** Active or Inactive, as the customer sees it: an ended subscription is inactive before the job has written so. */
export const isRunning = ({ subscriptionStatus, subscriptionEndDate }: Running, now: Date): boolean =>
  subscriptionStatus === 'active' && (subscriptionEndDate === null || now < new Date(subscriptionEndDate))

const dayMs = 86_400_000
/** How far a period has got, in whole days; days left are rounded up, so the last hours still are `1 day left`. */
export function periodAt(
  start: Instant,
  end: Instant,
  now: Date,
): { usedDays: number; totalDays: number; leftDays: number } {
  const days = (from: number, to: number) => Math.max(0, Math.ceil((to - from) / dayMs))
  const [first, last] = [new Date(start).getTime(), new Date(end).getTime()]
  const totalDays = days(first, last)
  const leftDays = Math.min(totalDays, days(now.getTime(), last))
  return { usedDays: totalDays - leftDays, totalDays, leftDays }
}

type PaidTimeEntry = { planId: number; planName: string; connections: number; startsAt: Instant; endsAt: Instant }
/** The time a customer has left once an order for this plan is paid. It has to have some left now: the order begins where that ends. */
export function timeAfterPurchase(
  time: readonly PaidTimeEntry[],
  { id, name, months, connections }: { id: number; name: string; months: number; connections: number },
): PaidTimeEntry[] {
  const last = time.at(-1)!
  const endsAt = addMonths(last.endsAt, months)
  if (last.planId === id && last.connections === connections) return [...time.slice(0, -1), { ...last, endsAt }]
  return [...time, { planId: id, planName: name, connections, startsAt: last.endsAt, endsAt }]
}

export const noDateMessage = 'Please enter a valid date'

/** What an administrator sets. Days are yyyy-MM-dd in UTC; undefined leaves a date as it is, empty or null clears it. */
export type Grant = {
  planId: number | null
  status: SubscriptionState['status']
  startDate?: string | null | undefined
  endDate?: string | null | undefined
}
type Problem = { path: 'planId' | 'startDate' | 'endDate'; message: string }

/**
 * The subscription an administrator makes of another one. A day that is not changed keeps its moment; a new first day counts from
 * its beginning, a new last day until its end. `connections` are the plan's; what the same plan has at the panel stays.
 */
export function stateAfterGrant(
  before: SubscriptionState,
  grant: Grant,
  connections: number | null,
  now: Instant,
): SubscriptionState {
  const { planId, status } = grant
  const startDate = instantFor(grant.startDate, before.startDate, 'T00:00:00.000Z')
  const endDate = instantFor(grant.endDate, before.endDate, 'T23:59:59.000Z')
  const kept = planId === before.planId ? before.maxConnections : null
  return {
    planId,
    status,
    startDate: startDate === null && status === 'active' ? now : startDate,
    endDate,
    maxConnections: planId === null ? null : (kept ?? connections),
  }
}

/** Why a subscription cannot be made so, on the field it can be mended in; undefined when it can. */
export function grantProblem(
  { planId, status, startDate, endDate }: SubscriptionState,
  now: Instant,
): Problem | undefined {
  if (status === 'active' && planId === null) return { path: 'planId', message: 'An active subscription needs a plan' }
  if (status === 'active' && endDate === null)
    return { path: 'endDate', message: 'An active subscription needs an end date' }
  if (startDate !== null && endDate !== null && isBefore(endDate, startDate))
    return { path: 'endDate', message: 'The end date must not lie before the start date' }
  if (status === 'active' && !isBefore(now, endDate!))
    return { path: 'endDate', message: 'An active subscription must end in the future' }
  return undefined
}

function instantFor(day: string | null | undefined, before: Instant | null, time: string): Instant | null {
  if (day === undefined) return before
  if (!day) return null
  return before?.slice(0, 10) === day ? before : day + time
}

/** What the plan of a user is called in lists: its name, its number where it has none, or a dash. */
export const planLabel = ({ planId, planName }: { planId: number | null; planName: string | null }): string =>
  planName ?? (planId === null ? '-' : `Plan #${planId}`)

/** What a status is called on the pages. */
export const statusNames = {
  active: 'Active',
  pending: 'Pending',
  expired: 'Expired',
  cancelled: 'Cancelled',
  none: 'None',
} as const
