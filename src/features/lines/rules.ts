import type { Instant } from '#kit/dates.ts'

export const steps = ['create', 'extend', 'connections', 'enable', 'disable'] as const
export type Step = (typeof steps)[number]

/** What we want a line to be at a moment. `until` is what was paid for, null without end. */
export type Wanted = { enabled: boolean; until: Instant | null; connections: number; trial: boolean; planId: number | null; months: number }
/** What is known of its customer. `connections` and `months` are the bought plan's. */
export type Standing = {
  status: 'active' | 'pending' | 'expired' | 'cancelled' | 'none'
  endDate: Instant | null
  planId: number | null
  connections: number | null
  months: number | null
  trialUntil: Instant | null
}

const dayMs = 86_400_000
/** What stands on a line between its paid end and its suspension. */
export const withGrace = (until: Instant, graceDays: number): Instant => new Date(Date.parse(until) + graceDays * dayMs).toISOString()

/**
 * What a customer's line should be now. A subscription that ran out keeps its line for the days of grace; one that was cancelled or undone
 * does not. A trial counts only where no subscription runs.
 */
export function wantedLine({ status, endDate, planId, connections, months, trialUntil }: Standing, now: Instant, graceDays: number): Wanted {
  const at = Date.parse(now)
  const bought = { connections: connections ?? 1, trial: false, planId, months: months ?? 1 }
  const isPast = endDate !== null && Date.parse(endDate) <= at
  const runs =
    planId !== null && ((status === 'active' && !isPast) || ((status === 'active' || status === 'expired') && isPast && inGrace(endDate, at, graceDays)))
  if (runs) return { ...bought, enabled: true, until: endDate }
  const trial = { connections: 1, trial: true, planId: null, months: 1, until: trialUntil }
  if (trialUntil !== null && Date.parse(trialUntil) > at) return { ...trial, enabled: true }
  return planId === null && trialUntil !== null ? { ...trial, enabled: false } : { ...bought, enabled: false, until: endDate }
}
const inGrace = (endDate: Instant, at: number, graceDays: number) => at < Date.parse(withGrace(endDate, graceDays))

/** Makes of panel that sell whole periods: they cannot be told a date, and every extension costs. */
export const sellsPeriods = (kind: string): boolean => kind === 'xui-reseller' || kind === 'onestream' || kind === 'panel-api'

type Seen = { enabled: boolean; expiresAt: Instant | null; connections: number | null }
type Panel = { kind: string; can: { suspend: boolean; extend: boolean; setConnections: boolean } }
const minuteMs = 60_000

/** How long a line may end before what we want without being extended: a panel that sells periods has other months than a calendar, one with dates only rounds to days. */
export function tolerance({ months, trial }: Wanted, kind: string): number {
  if (kind === 'ministra') return dayMs
  if (!sellsPeriods(kind)) return minuteMs
  return trial ? Number.POSITIVE_INFINITY : months * 15 * dayMs
}

/** The moment a panel is told: the paid end with the days of grace, or the end of the trial. */
export const endAtPanel = ({ until, trial }: Wanted, graceDays: number): Instant | null => (until === null || trial ? until : withGrace(until, graceDays))

/** The next call that brings a line closer to what we want; null when it is there. Never shortens a line: it is suspended at its end. */
export function nextStep(wanted: Wanted, seen: Seen, { kind, can }: Panel, graceDays: number): Exclude<Step, 'create'> | null {
  if (!wanted.enabled) return seen.enabled ? 'disable' : null
  const until = sellsPeriods(kind) ? wanted.until : endAtPanel(wanted, graceDays)
  if (seen.expiresAt !== null && until !== null && Date.parse(until) - Date.parse(seen.expiresAt) > tolerance(wanted, kind)) return 'extend'
  if (can.setConnections && seen.connections !== null && seen.connections > 0 && seen.connections !== wanted.connections) return 'connections'
  return seen.enabled ? null : 'enable'
}

/** Whether the panel's words after a call show that it took effect. `before` is what it said before. */
export function tookEffect(step: Step, wanted: Wanted, now: Seen, before: { until?: Instant | null }): boolean {
  if (step === 'create') return true
  if (step === 'enable') return now.enabled
  if (step === 'disable') return !now.enabled
  if (step === 'connections') return now.connections === wanted.connections
  return now.expiresAt === null || !before.until || Date.parse(now.expiresAt) > Date.parse(before.until)
}

/** Minutes until the next try after so many; undefined when an administrator has to look. */
export const pauseAfter = (tries: number): number | undefined => [1, 5, 15, 60][tries - 1]
/** The same for asking what became of a call: three times. */
export const askAgainAfter = (asked: number): number | undefined => [1, 5, 15][asked - 1]
/** How long a panel that does not answer is left alone: never so long that its lines wait for us when it is back. */
export const restAfter = (failures: number): number => (failures < 5 ? 1 : 5)
