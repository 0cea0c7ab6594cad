import { burstSince } from '#features/reports/case-rules.ts'
import type { Permission } from '#kit/permissions.ts'
import { type PromisedHours, promiseFor, timeLeft } from './rules.ts'

/** The kinds of work for which the overview shows how many promises were kept. */
export const promisedKinds = ['payment', 'card_link', 'line', 'trial', 'report', 'inquiry', 'ticket', 'refund'] as const
export type PromisedKind = (typeof promisedKinds)[number]
/** The kinds of queue entries: promised work, received payments that an administrator has to match, and a payment mailbox that is not being read. */
export const queueKinds = [...promisedKinds, 'received', 'mailbox'] as const
export type QueueKind = (typeof queueKinds)[number]

/** The permission needed to see each kind of work. */
export const workPermission: Record<QueueKind, Permission> = {
  payment: 'invoices.read',
  card_link: 'invoices.read',
  refund: 'invoices.read',
  received: 'payments.read',
  mailbox: 'payments.read',
  line: 'lines.read',
  trial: 'trials.read',
  report: 'reports.read',
  inquiry: 'inquiries.read',
  ticket: 'tickets.read',
}

/** The permission needed for the next step of each kind of work. */
export const actionPermission: Record<QueueKind, Permission> = {
  payment: 'payments.decide',
  card_link: 'invoices.edit',
  refund: 'refunds.decide',
  received: 'payments.decide',
  mailbox: 'settings.edit',
  line: 'lines.edit',
  trial: 'trials.decide',
  report: 'reports.edit',
  inquiry: 'inquiries.edit',
  ticket: 'tickets.edit',
}

/** The filters of the queue, each with the kinds that it shows. */
export const queueFilters = {
  all: { label: 'All', kinds: queueKinds },
  payments: { label: 'Payments', kinds: ['payment', 'received', 'card_link', 'refund', 'mailbox'] },
  service: { label: 'Service', kinds: ['line', 'report'] },
  trials: { label: 'Trials', kinds: ['trial'] },
  messages: { label: 'Messages', kinds: ['inquiry', 'ticket'] },
} as const satisfies Record<string, { label: string; kinds: readonly QueueKind[] }>
export type QueueFilter = keyof typeof queueFilters
export const queueFilterNames = Object.keys(queueFilters) as [QueueFilter, ...QueueFilter[]]

const refundMinutes = 24 * 60
const mailboxMinutes = 60
/** The promised time for a burst: a case with five reports within two hours. */
const burstMinutes = 2 * 60

/** Returns the promised turnaround of a queue entry in minutes. `isBurst`: a case with many reports in a short time. */
export function queuePromise(kind: QueueKind, hours: PromisedHours, isBurst = false): number {
  if (kind === 'refund') return refundMinutes
  if (kind === 'mailbox') return mailboxMinutes
  if (kind === 'report' && isBurst) return burstMinutes
  return promiseFor(kind, hours)
}

type Reported = { id: number; caseId: number | null; since: string }
export type WaitingCase = { ids: number[]; since: string; isBurst: boolean }
/** Groups reports by case. `reports` must be sorted by time. A burst has a shorter promised time, which applies if it ends earlier. */
export function groupCases(reports: readonly Reported[], hours: PromisedHours): WaitingCase[] {
  const groups = Map.groupBy(reports, ({ id, caseId }) => (caseId === null ? `report ${id}` : `case ${caseId}`))
  return [...groups.values()].map((group) => {
    const ids = group.map(({ id }) => id)
    const since = group[0]!.since
    const burst = burstSince(group.map((report) => report.since))
    const ends = (at: string, isBurst: boolean) => Date.parse(at) + queuePromise('report', hours, isBurst) * 60_000
    const isBurst = burst !== null && ends(burst, true) < ends(since, false)
    return { ids, since: isBurst ? burst : since, isBurst }
  })
}

type Timed = { since: string; promiseMinutes: number; key: string }
const dueAt = ({ since, promiseMinutes }: Timed): number => timeLeft(promiseMinutes, new Date(since), new Date(0))
/** Compares two entries by the end of their promised time, earliest first. */
export const byTimeLeft = (a: Timed, b: Timed): number => dueAt(a) - dueAt(b) || (a.key < b.key ? -1 : 1)

export const queueGroups = { late: 'Late', soon: 'Next hour', later: 'Later' } as const
export type QueueGroup = keyof typeof queueGroups
/** Returns the group of an entry at a given time. */
export function groupOf({ since, promiseMinutes }: Timed, now: Date): QueueGroup {
  const left = timeLeft(promiseMinutes, new Date(since), now)
  if (left < 0) return 'late'
  return left <= 3_600_000 ? 'soon' : 'later'
}
