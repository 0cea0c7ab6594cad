// The queue of the overview: everything that waits for an administrator, sorted by the time left until its promise.
import * as z from 'zod/mini'
import { paymentMethod } from '#features/billing/contract.ts'
import { caseKinds, rails } from '#features/payments/rules.ts'
import { jobTask } from '#features/provisioning/admin-contract.ts'
import { reportIssue } from '#features/reports/contract.ts'
import { get, type Output } from '#kit/endpoint.ts'
import { cents, id, instant, rowVersion } from '#kit/text.ts'
import { type QueueKind, queueFilterNames, queueKinds } from './queue-rules.ts'

/** `since` is when the promise began. `key` identifies the entry among all kinds. */
const waiting = { key: z.string(), since: instant, promiseMinutes: z.int() }
const ofInvoice = {
  ...waiting,
  invoiceId: id,
  invoiceNumber: z.string(),
  userId: id,
  username: z.string(),
  amount: cents,
}
export const queueItem = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('payment'),
    ...ofInvoice,
    version: rowVersion,
    planName: z.string(),
    method: z.nullable(paymentMethod),
    /** The labels of the review flags. */
    flags: z.array(z.string()),
  }),
  z.object({ kind: z.literal('card_link'), ...ofInvoice, version: rowVersion }),
  z.object({
    kind: z.literal('line'),
    ...waiting,
    jobId: z.int(),
    task: jobTask,
    userId: z.nullable(id),
    username: z.nullable(z.string()),
    invoiceNumber: z.nullable(z.string()),
    message: z.nullable(z.string()),
    /** Whether a connected panel can be asked again. */
    canRetry: z.boolean(),
  }),
  z.object({
    kind: z.literal('trial'),
    ...waiting,
    requestId: id,
    version: rowVersion,
    userId: id,
    username: z.string(),
    device: z.string(),
    /** This customer, or another account with the same mailbox, requested a trial before. */
    isRepeated: z.boolean(),
    /** Whether a panel is connected that creates the line. */
    canApprove: z.boolean(),
  }),
  z.object({
    kind: z.literal('report'),
    ...waiting,
    /** The reports of one case, oldest first. The other fields are those of the oldest. */
    reports: z.array(id),
    /** Null for a report that is not grouped yet. */
    caseId: z.nullable(id),
    /** The customers who sent them. */
    reporters: z.int(),
    userId: id,
    username: z.string(),
    contentName: z.string(),
    issue: reportIssue,
  }),
  /** `message` is its beginning. */
  z.object({ kind: z.literal('inquiry'), ...waiting, inquiryId: id, name: z.string(), message: z.string() }),
  /** A ticket whose customer waits for an answer; `message` is the beginning of the newest message. */
  z.object({
    kind: z.literal('ticket'),
    ...waiting,
    ticketId: id,
    version: rowVersion,
    userId: z.nullable(id),
    from: z.string(),
    subject: z.string(),
    message: z.string(),
    assignee: z.nullable(z.string()),
  }),
  z.object({ kind: z.literal('refund'), ...ofInvoice, reason: z.string() }),
  /** A received payment that is not an exact match: what it is, the invoice it is proposed for, and how much it differs from what is due, in cents. */
  z.object({
    kind: z.literal('received'),
    ...waiting,
    paymentId: z.int(),
    payer: z.string(),
    amount: cents,
    /** The currency of the amount (ISO 4217). */
    currency: z.string(),
    rail: z.enum(rails),
    caseKind: z.enum(caseKinds),
    difference: z.nullable(cents),
    invoiceNumber: z.nullable(z.string()),
  }),
  /** The mailbox of payment emails: the server refused its password, or it has not been read for a long time. `message` is the last failure. */
  z.object({ kind: z.literal('mailbox'), ...waiting, isPaused: z.boolean(), message: z.nullable(z.string()) }),
])
export type QueueItem = z.output<typeof queueItem>

/** How many entries are fetched. */
export const queueLength = 50
const total = z.object({
  count: z.int(),
  /** `count` is a lower bound. */
  isMinimum: z.boolean(),
})
export const getQueue = get('/api/admin/desk/queue', {
  summary: `The ${queueLength} entries with the least time left that wait for an administrator, and how many wait of each kind`,
  access: 'admin',
  needs: 'desk.use',
  dependsOn: [
    'invoice',
    'refund',
    'trial_request',
    'report',
    'inquiry',
    'ticket',
    'line_job',
    'setting',
    'panel',
    'mailbox',
    'payment',
  ],
  query: z.object({ show: z.optional(z.enum(queueFilterNames)) }),
  output: z.object({
    /** The time of the server, from which the time left is computed. */
    now: instant,
    /** Received payments that match exactly. They are confirmed together and are not among the items. */
    exact: total,
    totals: z.object(Object.fromEntries(queueKinds.map((kind) => [kind, total])) as Record<QueueKind, typeof total>),
    items: z.array(queueItem),
  }),
})
export type Queue = Output<typeof getQueue>
