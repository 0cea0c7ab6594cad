import { addMonths, type Instant, isBefore } from '#kit/dates.ts'

export type SubscriptionState = {
  planId: number | null
  status: 'active' | 'pending' | 'expired' | 'cancelled' | 'none'
  startDate: Instant | null
  endDate: Instant | null
  maxConnections: number | null
}

const dayMs = 86_400_000
/** Returns the progress of a period in whole days. Remaining days are rounded up, so the last hours count as `1 day left`. */
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
/** Returns the remaining paid time after an order for a plan is paid. `time` must not be empty, because the order starts at its end. */
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

/** The values set by an administrator. Dates are yyyy-MM-dd in UTC; undefined keeps a date, an empty string or null clears it. */
export type Grant = {
  planId: number | null
  status: SubscriptionState['status']
  startDate?: string | null | undefined
  endDate?: string | null | undefined
}
type Problem = { path: 'planId' | 'startDate' | 'endDate'; message: string }

/**
 * Returns the subscription after an administrator's edit. An unchanged day keeps its time of day; a new start date begins at 00:00 UTC and a new
 * end date ends at 23:59:59 UTC. `connections` are those of the new plan. If the plan stays the same, the connections at the panel are kept.
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

/** Validates an edited subscription. Returns the problem and its form field; undefined if it is valid. */
export function grantProblem(
  { planId, status, startDate, endDate }: SubscriptionState,
  now: Instant,
): Problem | undefined {
  if (status === 'active' && planId === null) return { path: 'planId', message: 'An active subscription needs a plan' }
  if (status === 'active' && endDate === null)
    return { path: 'endDate', message: 'An active subscription needs an end date' }
  if (startDate !== null && endDate !== null && isBefore(endDate, startDate))
    return { path: 'endDate', message: 'The end date must not be before the start date' }
  if (status === 'active' && !isBefore(now, endDate!))
    return { path: 'endDate', message: 'An active subscription must end in the future' }
  return undefined
}

function instantFor(day: string | null | undefined, before: Instant | null, time: string): Instant | null {
  if (day === undefined) return before
  if (!day) return null
  return before?.slice(0, 10) === day ? before : day + time
}

/** Returns the plan as shown in lists: its name, `Plan #id` if the name is unknown, or a dash without a plan. */
export const planLabel = ({ planId, planName }: { planId: number | null; planName: string | null }): string =>
  planName ?? (planId === null ? '-' : `Plan #${planId}`)

/** The labels of the statuses. */
export const statusNames = {
  active: 'Active',
  pending: 'Pending',
  expired: 'Expired',
  cancelled: 'Cancelled',
  none: 'None',
} as const
