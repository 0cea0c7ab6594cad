import type { Instant } from '#kit/dates.ts'
import type { Provisioning } from './contract.ts'

export const steps = ['create', 'extend', 'connections', 'enable', 'disable'] as const
export type Step = (typeof steps)[number]

/** What a line should be at a given time. `until` is the end of the paid time, null for no end. `months` is the length of the bought plan. */
export type DesiredState = {
  enabled: boolean
  until: Instant | null
  connections: number
  trial: boolean
  planId: number | null
  months: number
}
/** What a customer is entitled to. `connections` and `months` are those of the bought plan. */
export type Entitlement = {
  status: 'active' | 'pending' | 'expired' | 'cancelled' | 'none'
  endDate: Instant | null
  planId: number | null
  connections: number | null
  months: number | null
  trialUntil: Instant | null
}
/** What the panel reports about a line. `connections` is null or 0 if there is no limit. */
export type ActualState = { enabled: boolean; expiresAt: Instant | null; connections: number | null }
/** The facts about a panel that the rules need. */
type PanelTraits = { kind: string; can: { setConnections: boolean } }

/** How many minutes a one-time link to a line works. */
export const linkMinutes = 10
export const usedLinkMessage = 'This code was used or has expired. Show a new one in your account.'

const minuteMs = 60_000
const dayMs = 86_400_000

/** The end of the paid time plus the grace days. */
export const withGrace = (until: Instant, graceDays: number): Instant =>
  new Date(Date.parse(until) + graceDays * dayMs).toISOString()

/**
 * What a customer's line should be now. An expired subscription keeps its line during the grace days; a cancelled one does not. A trial
 * counts only while no subscription runs.
 */
export function desiredState(
  { status, endDate, planId, connections, months, trialUntil }: Entitlement,
  now: Instant,
  graceDays: number,
): DesiredState {
  const nowMs = Date.parse(now)
  const bought = { connections: connections ?? 1, trial: false, planId, months: months ?? 1 }
  const isPast = endDate !== null && Date.parse(endDate) <= nowMs
  const isRunning =
    planId !== null &&
    ((status === 'active' && !isPast) ||
      ((status === 'active' || status === 'expired') && isPast && nowMs < Date.parse(withGrace(endDate, graceDays))))
  if (isRunning) return { ...bought, enabled: true, until: endDate }
  const trial = { connections: 1, trial: true, planId: null, months: 1, until: trialUntil }
  if (trialUntil !== null && Date.parse(trialUntil) > nowMs) return { ...trial, enabled: true }
  return planId === null && trialUntil !== null
    ? { ...trial, enabled: false }
    : { ...bought, enabled: false, until: endDate }
}

/** Whether panels of this type sell whole periods: an expiry date cannot be set, and each extension costs credits. */
export const sellsPeriods = (kind: string): boolean =>
  kind === 'xui-reseller' || kind === 'onestream' || kind === 'panel-api'

/**
 * How many milliseconds a line's expiry date may differ from the desired one. Panels that sell periods count months differently, and
 * Ministra rounds to days.
 */
export function expiryTolerance({ months, trial }: DesiredState, kind: string): number {
  if (kind === 'ministra') return dayMs
  if (!sellsPeriods(kind)) return minuteMs
  return trial ? Number.POSITIVE_INFINITY : months * 15 * dayMs
}

/** The expiry date for the panel: the end of the paid time plus the grace days, or the end of the trial. */
export const expiryAtPanel = ({ until, trial }: DesiredState, graceDays: number): Instant | null =>
  until === null || trial ? until : withGrace(until, graceDays)

const desiredExpiry = (desired: DesiredState, kind: string, graceDays: number): Instant | null =>
  sellsPeriods(kind) ? desired.until : expiryAtPanel(desired, graceDays)

function expiryDiffers(desired: DesiredState, expiresAt: Instant | null, kind: string, graceDays: number): boolean {
  const until = desiredExpiry(desired, kind, graceDays)
  if (until === null || expiresAt === null) return until !== expiresAt
  return Math.abs(Date.parse(until) - Date.parse(expiresAt)) > expiryTolerance(desired, kind)
}

/** A panel that reports null or 0 connections has no limit, so there is nothing to set. */
const connectionsDiffer = (desired: DesiredState, { connections }: ActualState): boolean =>
  connections !== null && connections > 0 && connections !== desired.connections

/**
 * The next step from the actual to the desired state; null if they agree. An expiry date that is later than desired is not changed, because the line is
 * disabled at the end of the paid time anyway. With `exact`, which an administrator's repair uses, such a date is corrected on panels that can set one.
 */
export function nextStep(
  desired: DesiredState,
  actual: ActualState,
  { kind, can }: PanelTraits,
  graceDays: number,
  exact = false,
): Exclude<Step, 'create'> | null {
  if (!desired.enabled) return actual.enabled ? 'disable' : null
  if (exact && !sellsPeriods(kind) && expiryDiffers(desired, actual.expiresAt, kind, graceDays)) return 'extend'
  const until = desiredExpiry(desired, kind, graceDays)
  if (
    actual.expiresAt !== null &&
    until !== null &&
    Date.parse(until) - Date.parse(actual.expiresAt) > expiryTolerance(desired, kind)
  )
    return 'extend'
  if (can.setConnections && connectionsDiffer(desired, actual)) return 'connections'
  return actual.enabled ? null : 'enable'
}

/** Whether the line's state after a call with an unknown outcome shows that the step took effect. `before` is the state before the call. */
export function hasTakenEffect(
  step: Step,
  desired: DesiredState,
  actual: ActualState,
  before: { until?: Instant | null },
  kind: string,
  graceDays: number,
): boolean {
  if (step === 'create') return true
  if (step === 'enable') return actual.enabled
  if (step === 'disable') return !actual.enabled
  if (step === 'connections') return actual.connections === desired.connections
  if (!expiryDiffers(desired, actual.expiresAt, kind, graceDays)) return true
  return actual.expiresAt === null || (before.until != null && Date.parse(actual.expiresAt) > Date.parse(before.until))
}

/** The fields in which the actual state differs from the desired one. For a line that should be disabled, only the enabled state is compared. */
export function findDrift(
  desired: DesiredState,
  actual: ActualState,
  kind: string,
  graceDays: number,
): ('state' | 'end' | 'connections')[] {
  const found: ('state' | 'end' | 'connections')[] = []
  if (desired.enabled !== actual.enabled) found.push('state')
  if (!desired.enabled) return found
  if (expiryDiffers(desired, actual.expiresAt, kind, graceDays)) found.push('end')
  if (connectionsDiffer(desired, actual)) found.push('connections')
  return found
}

/** Minutes until the next try after `tries` unreadable answers in a row; undefined if an administrator has to check. */
export const retryMinutes = (tries: number): number | undefined => [1, 5, 15, 60][tries - 1]
/** Minutes until an unknown outcome is checked again, after `checks` checks; undefined if there is no further check. */
export const recheckMinutes = (checks: number): number | undefined => [1, 5, 15][checks - 1]
/** Minutes without calls after `failures` failed calls in a row. At most five, so that lines are processed soon after the panel is available again. */
export const backoffMinutes = (failures: number): number => (failures < 5 ? 1 : 5)

type Difference = {
  kind: 'no_line' | 'missing' | 'end' | 'connections' | 'state' | 'stray'
  userId: number | null
  theirs: { until?: Instant | null }
}
/** Whether the panel's state can be applied to our records. True for an expiry date, and for an orphan line whose account exactly one customer synced. */
export const canApplyPanelState = ({ kind, userId, theirs }: Difference): boolean =>
  userId !== null && ((kind === 'end' && Boolean(theirs.until)) || kind === 'stray')

/** The settings of a new installation: administrators create the lines. */
export const defaultProvisioning: Provisioning = {
  kind: 'manual',
  address: '',
  username: '',
  ca: '',
  server: '',
  graceDays: 3,
  packages: {},
  trialPackage: '',
}
