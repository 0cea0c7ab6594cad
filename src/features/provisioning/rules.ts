import type { Instant } from '#kit/dates.ts'
import type { ListedPackage } from './admin-contract.ts'
import type { PanelKind, Provisioning } from './contract.ts'

export const steps = ['create', 'extend', 'connections', 'enable', 'disable'] as const
export type Step = (typeof steps)[number]

/** What we want a line to be at a moment. `until` is what was paid for, null without end. */
export type Wanted = {
  enabled: boolean
  until: Instant | null
  connections: number
  trial: boolean
  planId: number | null
  months: number
}
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
export const withGrace = (until: Instant, graceDays: number): Instant =>
  new Date(Date.parse(until) + graceDays * dayMs).toISOString()

/**
 * What a customer's line should be now. A subscription that ran out keeps its line for the days of grace; one that was cancelled or undone
 * does not. A trial counts only where no subscription runs.
 */
export function wantedLine(
  { status, endDate, planId, connections, months, trialUntil }: Standing,
  now: Instant,
  graceDays: number,
): Wanted {
  const at = Date.parse(now)
  const bought = { connections: connections ?? 1, trial: false, planId, months: months ?? 1 }
  const isPast = endDate !== null && Date.parse(endDate) <= at
  const runs =
    planId !== null &&
    ((status === 'active' && !isPast) ||
      ((status === 'active' || status === 'expired') && isPast && inGrace(endDate, at, graceDays)))
  if (runs) return { ...bought, enabled: true, until: endDate }
  const trial = { connections: 1, trial: true, planId: null, months: 1, until: trialUntil }
  if (trialUntil !== null && Date.parse(trialUntil) > at) return { ...trial, enabled: true }
  return planId === null && trialUntil !== null
    ? { ...trial, enabled: false }
    : { ...bought, enabled: false, until: endDate }
}
const inGrace = (endDate: Instant, at: number, graceDays: number) => at < Date.parse(withGrace(endDate, graceDays))

/** Makes of panel that sell whole periods: they cannot be told a date, and every extension costs. */
export const sellsPeriods = (kind: string): boolean =>
  kind === 'xui-reseller' || kind === 'onestream' || kind === 'panel-api'

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
export const endAtPanel = ({ until, trial }: Wanted, graceDays: number): Instant | null =>
  until === null || trial ? until : withGrace(until, graceDays)

/**
 * The next call that brings a line closer to what we want; null when it is there. A line is not shortened, since it is suspended at its end:
 * only `exact`, where an administrator wants it to end when we say.
 */
export function nextStep(
  wanted: Wanted,
  seen: Seen,
  { kind, can }: Panel,
  graceDays: number,
  exact = false,
): Exclude<Step, 'create'> | null {
  if (!wanted.enabled) return seen.enabled ? 'disable' : null
  if (exact && !sellsPeriods(kind) && endDiffers(wanted, seen.expiresAt, kind, graceDays)) return 'extend'
  const until = sellsPeriods(kind) ? wanted.until : endAtPanel(wanted, graceDays)
  if (
    seen.expiresAt !== null &&
    until !== null &&
    Date.parse(until) - Date.parse(seen.expiresAt) > tolerance(wanted, kind)
  )
    return 'extend'
  if (
    can.setConnections &&
    seen.connections !== null &&
    seen.connections > 0 &&
    seen.connections !== wanted.connections
  )
    return 'connections'
  return seen.enabled ? null : 'enable'
}

/** Whether the panel's words after a call show that it took effect. `before` is what it said before. */
export function tookEffect(
  step: Step,
  wanted: Wanted,
  now: Seen,
  before: { until?: Instant | null },
  kind: string,
  graceDays: number,
): boolean {
  if (step === 'create') return true
  if (step === 'enable') return now.enabled
  if (step === 'disable') return !now.enabled
  if (step === 'connections') return now.connections === wanted.connections
  if (!endDiffers(wanted, now.expiresAt, kind, graceDays)) return true
  return now.expiresAt === null || (before.until != null && Date.parse(now.expiresAt) > Date.parse(before.until))
}

/** Minutes until the next try after so many; undefined when an administrator has to look. */
export const pauseAfter = (tries: number): number | undefined => [1, 5, 15, 60][tries - 1]
/** The same for asking what became of a call: three times. */
export const askAgainAfter = (asked: number): number | undefined => [1, 5, 15][asked - 1]
/** How long a panel that does not answer is left alone: never so long that its lines wait for us when it is back. */
export const restAfter = (failures: number): number => (failures < 5 ? 1 : 5)

export const stateNames = {
  queued: 'Queued',
  sent: 'Sent',
  done: 'Done',
  rejected: 'Rejected',
  unknown: 'Unknown',
} as const

export const stepNames = {
  create: 'Make the line',
  extend: 'Set its end',
  connections: 'Set its connections',
  enable: 'Switch it on',
  disable: 'Switch it off',
} as const

export const causeNames = {
  purchase: 'Payment confirmed',
  plan_change: 'Plan changed',
  grant: 'Set by an administrator',
  undo: 'Payment undone',
  segment: 'Next plan began',
  end: 'Ended',
  trial: 'Trial line',
  trial_change: 'Trial changed',
  repair: 'Brought in line',
  stray: 'Suspended at the panel',
} as const

export const taskNames = {
  manual: 'Do it in your panel, then mark it as done.',
  rejected: 'The panel refused. Mend the reason, then retry.',
  unknown: 'The panel does not tell what became of our call. Look there, then retry or mark it as done.',
  tries: 'Several tries did not help. Look at the panel, then retry.',
  package: 'No package is chosen for this plan. Choose one under Settings, Provisioning, then retry.',
  mismatch: 'The panel said yes, but the line is not as it should be. Look there, then retry or mark it as done.',
  gone: 'The panel no longer knows this line. Compare with the panel below, then make it anew or leave it.',
} as const

/** Where a panel's line differs from what we want; of a line that is off only that it should be matters. */
export function differences(
  wanted: Wanted,
  seen: Seen,
  kind: string,
  graceDays: number,
): ('state' | 'end' | 'connections')[] {
  const found: ('state' | 'end' | 'connections')[] = []
  if (wanted.enabled !== seen.enabled) found.push('state')
  if (!wanted.enabled) return found
  if (endDiffers(wanted, seen.expiresAt, kind, graceDays)) found.push('end')
  if (seen.connections !== null && seen.connections > 0 && seen.connections !== wanted.connections)
    found.push('connections')
  return found
}

function endDiffers(wanted: Wanted, expiresAt: Instant | null, kind: string, graceDays: number): boolean {
  const until = sellsPeriods(kind) ? wanted.until : endAtPanel(wanted, graceDays)
  if (until === null || expiresAt === null) return until !== expiresAt
  return Math.abs(Date.parse(until) - Date.parse(expiresAt)) > tolerance(wanted, kind)
}

type Difference = {
  kind: 'no_line' | 'missing' | 'end' | 'connections' | 'state' | 'stray'
  userId: number | null
  theirs: { until?: Instant | null }
}
/** Whether our books can be made as the panel says: the end of a subscription, and whose a stranger's line is where one customer proved it. */
export const canTakeTheirs = ({ kind, userId, theirs }: Difference): boolean =>
  userId !== null && ((kind === 'end' && Boolean(theirs.until)) || kind === 'stray')

export const driftTexts = {
  no_line: { title: 'paid for, but without a line', ours: 'Make the line', theirs: '' },
  missing: { title: 'the panel no longer knows the line', ours: 'Make it anew, same credentials', theirs: '' },
  end: { title: 'another end', ours: 'Set the panel to our end', theirs: 'Take the panel’s end' },
  connections: { title: 'other connections', ours: 'Set the panel to ours', theirs: '' },
  state: { title: 'switched otherwise', ours: 'Switch it as we say', theirs: '' },
  stray: {
    title: 'a line that is nobody’s here',
    ours: 'Switch it off at the panel',
    theirs: 'Give it to this customer',
  },
} as const

/** What repairing differences together does, and why there is something to repair. */
export const repairTexts = {
  no_line: { does: 'make the line', why: 'Paid for, but without a line on this panel. Known credentials are kept.' },
  missing: { does: 'make the line again', why: 'The panel no longer has it. The credentials stay the same.' },
  end: { does: 'set the expiry date', why: 'The expiry date differs from what was paid for.' },
  connections: { does: 'set the connections', why: 'The number of connections differs from the plan.' },
  state: { does: 'switch it on or off', why: 'The enabled state differs from the subscription.' },
} as const

/** What an installation starts with: administrators type in what they made on the panel. */
export const noProvisioning: Provisioning = {
  kind: 'manual',
  address: '',
  username: '',
  ca: '',
  server: '',
  graceDays: 3,
  packages: {},
  trialPackage: '',
}

type Make = { kind: PanelKind; name: string; hint: string; address: string; user?: true }
/** The makes of panels in the order they are offered: what the form says of each. */
export const panelMakes: readonly Make[] = [
  { kind: 'manual', name: 'By hand', hint: 'You make each line on your panel and type in what it is.', address: '' },
  {
    kind: 'xui-reseller',
    name: 'XUI or Xtream-Masters, reseller API',
    hint: 'Packages say what a line holds and how long it lasts; each costs credits.',
    address: 'With its access code, such as https://panel.example:8443/code/reseller/index.php',
  },
  {
    kind: 'xui-admin',
    name: 'XUI or XC_VM, admin API',
    hint: 'The key of this API may do everything on your panel: a reseller’s is the safer one.',
    address: 'With its access code, such as https://panel.example:8443/code',
  },
  {
    kind: 'xc-api',
    name: 'Xtream Codes (api.php)',
    hint: 'The panel has to have this server’s address on its list.',
    address: 'Such as https://panel.example:25463',
  },
  {
    kind: 'onestream',
    name: '1-Stream billing API',
    hint: 'Wants a key and the user it belongs to.',
    address: 'Such as https://panel.example',
    user: true,
  },
  {
    kind: 'panel-api',
    name: 'Reseller panel API (api.php, action=new)',
    hint: 'The panel may draw user names and passwords itself. It neither suspends lines nor lists them.',
    address: 'Such as https://panel.example/api.php',
  },
  {
    kind: 'ministra',
    name: 'Ministra or Stalker',
    hint: 'Wants user and password of its REST API. It counts no connections.',
    address: 'Such as https://portal.example',
    user: true,
  },
]

/** `Full, a month · 2 connections · 30 days · 10 credits`; what the panel did not say is left out. */
export function packageText({ name, connections, hours, credits, trial }: ListedPackage): string {
  const length =
    hours === null
      ? ''
      : hours % 24 === 0
        ? `${hours / 24} ${hours === 24 ? 'day' : 'days'}`
        : hours > 48
          ? `${Math.round(hours / 24)} days`
          : `${hours} hours`
  const parts = [
    name,
    connections === null ? '' : `${connections} ${connections === 1 ? 'connection' : 'connections'}`,
    length,
    credits === null ? '' : `${credits} ${credits === 1 ? 'credit' : 'credits'}`,
    trial ? 'trial' : '',
  ]
  return parts.filter(Boolean).join(' · ')
}
