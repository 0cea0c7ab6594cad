import type { PaymentMethods } from '#features/settings/contract.ts'

/** The kinds of work that wait for an administrator. `payment` is a submitted order, `received` an open received payment. */
export const workKinds = ['payment', 'card_link', 'received', 'line', 'trial', 'report', 'inquiry', 'ticket'] as const
export type WorkKind = (typeof workKinds)[number]

/** The promised turnaround of each kind of work in minutes, unless the settings define another. */
const defaultMinutes: Record<WorkKind, number> = {
  payment: 24 * 60,
  card_link: 60,
  received: 24 * 60,
  line: 15,
  trial: 12 * 60,
  report: 24 * 60,
  inquiry: 24 * 60,
  ticket: 8 * 60,
}

export type PromisedHours = Pick<PaymentMethods, 'verificationHours' | 'cardHours'>
/** Returns the promised turnaround of a kind of work in minutes. For payments and card links, the payment settings define it. */
export function promiseFor(kind: WorkKind, hours?: PromisedHours): number {
  if (hours && (kind === 'payment' || kind === 'received')) return hours.verificationHours * 60
  if (hours && kind === 'card_link') return hours.cardHours * 60
  return defaultMinutes[kind]
}

const minuteMs = 60_000
/** Returns the milliseconds left of a promised time of `minutes` that began at `since`; negative once the work is late. */
export const timeLeft = (minutes: number, since: Date, now: Date): number =>
  since.getTime() + minutes * minuteMs - now.getTime()

/** Whether a promised time of `minutes` that began at `since` has ended. */
export const isLate = (minutes: number, since: Date, now: Date): boolean => timeLeft(minutes, since, now) < 0

export type Urgency = 'on_time' | 'due_soon' | 'late'
/** The fraction of the promised time after which work is due soon. */
const dueSoonFrom = 0.75
/** Returns how urgent work is that has been waiting since `since`: due soon after three quarters of the promised `minutes`, late after all of them. */
export function urgencyOf(minutes: number, since: Date, now: Date): Urgency {
  const left = timeLeft(minutes, since, now)
  if (left < 0) return 'late'
  return left <= minutes * minuteMs * (1 - dueSoonFrom) ? 'due_soon' : 'on_time'
}

type Waiting = { count: number; oldest: string | null; promiseMinutes: number }
/** Returns the counts of the kind of work whose oldest item has the least time left; undefined if nothing is waiting. */
export function mostUrgent<Work extends Waiting>(
  kinds: readonly WorkKind[],
  counts: Record<WorkKind, Work>,
  now: Date,
): (Work & { oldest: string }) | undefined {
  const left = (work: Waiting) => timeLeft(work.promiseMinutes, new Date(work.oldest!), now)
  const waiting = kinds.map((kind) => counts[kind]).filter((work) => work.oldest !== null)
  return waiting.sort((a, b) => left(a) - left(b))[0] as (Work & { oldest: string }) | undefined
}

const short = { m: 'm', h: 'h', d: 'd' }
const words = { m: 'min', h: 'h', d: 'd' }
/** Formats a duration, rounded down: in minutes up to 90, then in hours, and in days from 48 hours. */
function formatSpan(ms: number, units: typeof short): string {
  const minutes = Math.floor(Math.max(0, ms) / minuteMs)
  if (minutes <= 90) return `${minutes} ${units.m}`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} ${units.h}` : `${Math.floor(hours / 24)} ${units.d}`
}

/** Returns how long work has been waiting, for a badge: `45 m`, `21 h`, `3 d`. */
export const formatAge = (since: Date, now: Date): string => formatSpan(now.getTime() - since.getTime(), short)

/** Returns the time left of a promised time in words: `22 min left`, `3 h late`. */
export function formatTimeLeft(minutes: number, since: Date, now: Date): string {
  const left = timeLeft(minutes, since, now)
  return left < 0 ? `${formatSpan(-left, words)} late` : `${formatSpan(left, words)} left`
}

export type HealthFacts = {
  /** `downSince`: the time since which the panel has not been responding. `panel` is null if lines are provisioned manually. */
  panel: { downSince: string | null } | null
  /**
   * `isSetUp`: whether a mail server is configured. `failedAt`: when the newest failed email was written. `dueSince`: when the oldest unsent email
   * became due.
   */
  mail: { isSetUp: boolean; failedAt: string | null; dueSince: string | null }
  backup: { at: string | null }
  /** The payment mailbox; null if it is turned off. `unreadSince`: the time since which it has been paused or not read; null if it is being read. */
  mailbox: { unreadSince: string | null; isPaused: boolean } | null
}
export type HealthPart = 'panel' | 'mail' | 'mailbox' | 'database' | 'backup'
export type Health = { part: HealthPart; state: 'ok' | 'warn' | 'bad'; text: string }

const hourMs = 60 * minuteMs
const ageOf = (instant: string, now: Date) => now.getTime() - Date.parse(instant)
/** Returns the state of each part of the installation in words, worst first. The database is always available, because the facts were read from it. */
export function healthOf({ panel, mail, backup, mailbox }: HealthFacts, now: Date): Health[] {
  const parts: Health[] = [
    mailHealth(mail, now),
    backupHealth(backup, now),
    { part: 'database', state: 'ok', text: 'Database available' },
  ]
  if (panel)
    parts.unshift(
      panel.downSince
        ? {
            part: 'panel',
            state: 'bad',
            text: `Panel not responding for ${formatSpan(ageOf(panel.downSince, now), words)}`,
          }
        : { part: 'panel', state: 'ok', text: 'Panel available' },
    )
  if (mailbox) parts.push(mailboxHealth(mailbox, now))
  const order = { bad: 0, warn: 1, ok: 2 }
  return parts.sort((a, b) => order[a.state] - order[b.state])
}

function mailHealth({ isSetUp, failedAt, dueSince }: HealthFacts['mail'], now: Date): Health {
  const part = 'mail'
  if (!isSetUp) return { part, state: 'warn', text: 'No mail server set up' }
  if (dueSince && ageOf(dueSince, now) > 15 * minuteMs) return { part, state: 'bad', text: 'Email is delayed' }
  if (failedAt && ageOf(failedAt, now) < 24 * hourMs) return { part, state: 'warn', text: 'Some emails failed' }
  return { part, state: 'ok', text: 'Email working' }
}

function mailboxHealth({ unreadSince, isPaused }: NonNullable<HealthFacts['mailbox']>, now: Date): Health {
  const part = 'mailbox'
  if (isPaused) return { part, state: 'bad', text: 'Payment mailbox paused' }
  return unreadSince
    ? { part, state: 'bad', text: `Payment mailbox not read for ${formatSpan(ageOf(unreadSince, now), words)}` }
    : { part, state: 'ok', text: 'Payment mailbox working' }
}

function backupHealth({ at }: HealthFacts['backup'], now: Date): Health {
  const part = 'backup'
  if (!at) return { part, state: 'warn', text: 'No backup yet' }
  const age = ageOf(at, now)
  return age > 48 * hourMs
    ? { part, state: 'warn', text: `Last backup ${formatSpan(age, words)} ago` }
    : { part, state: 'ok', text: 'Backup up to date' }
}
