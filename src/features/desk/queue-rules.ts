import type { Permission } from '#kit/permissions.ts'
import { type PromisedHours, promiseFor, timeLeft } from './rules.ts'

/** The work whose promises are evaluated. */
export const promisedKinds = ['payment', 'card_link', 'line', 'trial', 'report', 'inquiry', 'ticket', 'refund'] as const
export type PromisedKind = (typeof promisedKinds)[number]
/** What the queue lists: also received payments that a person has to match, and a payment mailbox that is not read. */
export const queueKinds = [...promisedKinds, 'received', 'mailbox'] as const
export type QueueKind = (typeof queueKinds)[number]

/** The permission to see each kind of work. */
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

/** The permission for the next step of each kind of work. */
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

/** The filters of the queue, each with its kinds. */
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
/** From this number of reports in a cluster, its promise is shorter. */
const largeCluster = 5
const largeClusterMinutes = 2 * 60
const clusterMs = 2 * 3_600_000

/** The minutes within which an entry of the queue is promised to be done; `count` is the number of reports in a cluster. */
export function queuePromise(kind: QueueKind, hours: PromisedHours, count = 1): number {
  if (kind === 'refund') return refundMinutes
  if (kind === 'mailbox') return mailboxMinutes
  if (kind === 'report' && count >= largeCluster) return largeClusterMinutes
  return promiseFor(kind, hours)
}

type Reported = { id: number; contentType: string; contentName: string; since: string }
export type Cluster = { ids: number[]; since: string }
/** Joins reports on the same content that came within two hours of the first of them. `reports` are sorted by time. */
export function clusterReports(reports: readonly Reported[]): Cluster[] {
  const clusters: Cluster[] = []
  const open = new Map<string, Cluster>()
  for (const { id, contentType, contentName, since } of reports) {
    const content = `${contentType} ${contentName.trim().toLowerCase()}`
    const known = open.get(content)
    if (known && Date.parse(since) - Date.parse(known.since) <= clusterMs) known.ids.push(id)
    else {
      const cluster = { ids: [id], since }
      open.set(content, cluster)
      clusters.push(cluster)
    }
  }
  return clusters
}

type Timed = { since: string; promiseMinutes: number; key: string }
const dueAt = ({ since, promiseMinutes }: Timed): number => timeLeft(promiseMinutes, new Date(since), new Date(0))
/** Sorts by the end of the promise, the earliest first. */
export const byTimeLeft = (a: Timed, b: Timed): number => dueAt(a) - dueAt(b) || (a.key < b.key ? -1 : 1)

export const queueGroups = { late: 'Late', soon: 'Next hour', later: 'Later' } as const
export type QueueGroup = keyof typeof queueGroups
/** The group of an entry at a moment. */
export function groupOf({ since, promiseMinutes }: Timed, now: Date): QueueGroup {
  const left = timeLeft(promiseMinutes, new Date(since), now)
  if (left < 0) return 'late'
  return left <= 3_600_000 ? 'soon' : 'later'
}
