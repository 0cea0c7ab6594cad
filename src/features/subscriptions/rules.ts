import { addMonths, type Instant, isBefore } from '#kit/dates.ts'
import { roundedRatio } from '#kit/money.ts'

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
  /** A change to a plan of the same length: what runs keeps its dates. */
  keepsPeriod: boolean
  effectiveAt: Instant
  /** Only for a grant: the state an administrator set. */
  granted?: SubscriptionState
}

const runsAt = (state: SubscriptionState, at: Instant): boolean => state.status === 'active' && state.endDate !== null && isBefore(at, state.endDate)

/**
 * The subscription after a payment (decisions, Marking an invoice paid): new or lapsed starts at the payment date and ends
 * after the plan's calendar months; active is extended from its current end; a change of plan keeps the running period
 * (same length) or starts a new one.
 */
export function afterActivation(before: SubscriptionState, activation: Activation): SubscriptionState {
  if (activation.granted) return activation.granted
  const { planId, months, connections, effectiveAt } = activation
  const bought = { planId, status: 'active' as const, maxConnections: connections }
  if (runsAt(before, effectiveAt)) {
    if (activation.kind === 'purchase') return { ...bought, startDate: before.startDate, endDate: addMonths(before.endDate!, months) }
    if (activation.keepsPeriod) return { ...bought, startDate: before.startDate, endDate: before.endDate }
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

type Sold = { price: number; months: number }
export type PlanChange = {
  /** Whether the end date stays (same length) or a new period starts when paid. */
  keepsPeriod: boolean
  /** What has to be paid, in cents; 0 when the old plan's unused part is worth more. */
  charge: number
  /** What becomes account credit when an administrator approves, in cents. */
  credit: number
  /** The old plan's share of what is left, in cents. */
  unused: number
  leftDays: number
  periodDays: number
}

/**
 * What changing from one plan to another costs now (decisions, Plan change). Same length: the price difference for the days that are left.
 * Another length: the new price less the unused part of the old. Cents are rounded half up; nothing is ever charged below 0.
 */
export function planChange(from: Sold, to: Sold, { startDate, endDate, now }: { startDate: Instant; endDate: Instant; now: Instant }): PlanChange {
  const leftDays = Math.max(0, Math.ceil((Date.parse(endDate) - Date.parse(now)) / dayMs))
  const periodDays = Math.max(1, daysOfPeriod(from.months, startDate, endDate))
  const unused = roundedRatio(from.price, leftDays, periodDays)
  const keepsPeriod = from.months === to.months
  const due = keepsPeriod ? roundedRatio(to.price - from.price, leftDays, periodDays) : to.price - unused
  return { keepsPeriod, charge: Math.max(0, due), credit: Math.max(0, -due), unused, leftDays, periodDays }
}

/** The length of the period that ends at `endDate`. A first period is measured from its start, since Jan 31 to Feb 28 is shorter than the month before Feb 28. */
function daysOfPeriod(months: number, startDate: Instant, endDate: Instant): number {
  const start = addMonths(startDate, months) === new Date(endDate).toISOString() ? startDate : addMonths(endDate, -months)
  return Math.round((Date.parse(endDate) - Date.parse(start)) / dayMs)
}

export const noPlanMessage = 'Please select a plan'
export const noDateMessage = 'Please enter a valid date'

/** What an administrator sets. Days are yyyy-MM-dd in UTC; undefined leaves a date as it is, empty or null clears it. */
export type Grant = { planId: number | null; status: SubscriptionState['status']; startDate?: string | null | undefined; endDate?: string | null | undefined }
type Problem = { path: 'planId' | 'startDate' | 'endDate'; message: string }

/**
 * The subscription an administrator makes of another one. A day that is not changed keeps its moment; a new first day counts from
 * its beginning, a new last day until its end. `connections` are the plan's; what the same plan has at the panel stays.
 */
export function afterGrant(before: SubscriptionState, grant: Grant, connections: number | null, now: Instant): SubscriptionState {
  const { planId, status } = grant
  const startDate = momentOf(grant.startDate, before.startDate, 'T00:00:00.000Z')
  const endDate = momentOf(grant.endDate, before.endDate, 'T23:59:59.000Z')
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
export function grantProblem({ planId, status, startDate, endDate }: SubscriptionState, now: Instant): Problem | undefined {
  if (status === 'active' && planId === null) return { path: 'planId', message: 'An active subscription needs a plan' }
  if (status === 'active' && endDate === null) return { path: 'endDate', message: 'An active subscription needs an end date' }
  if (startDate !== null && endDate !== null && isBefore(endDate, startDate))
    return { path: 'endDate', message: 'The end date must not lie before the start date' }
  if (status === 'active' && !isBefore(now, endDate!)) return { path: 'endDate', message: 'An active subscription must end in the future' }
  return undefined
}

function momentOf(day: string | null | undefined, before: Instant | null, time: string): Instant | null {
  if (day === undefined) return before
  if (!day) return null
  return before?.slice(0, 10) === day ? before : day + time
}

/** What the plan of a user is called in lists: its name, its number where it has none, or a dash. */
export const planLabel = ({ planId, planName }: { planId: number | null; planName: string | null }): string =>
  planName ?? (planId === null ? '-' : `Plan #${planId}`)

/** What a status is called on the pages. */
export const statusNames = { active: 'Active', pending: 'Pending', expired: 'Expired', cancelled: 'Cancelled', none: 'None' } as const
