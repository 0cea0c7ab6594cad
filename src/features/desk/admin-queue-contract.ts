// Admin endpoint of the queue: everything that waits for an administrator, sorted by the time left until its promised time ends.
import * as z from 'zod/mini'
import { paymentMethod } from '#features/billing/contract.ts'
import { caseKinds, rails } from '#features/payments/rules.ts'
import { jobTask } from '#features/provisioning/admin-contract.ts'
import { reportIssue } from '#features/reports/contract.ts'
import { get, type Output } from '#kit/endpoint.ts'
import { cents, id, instant, rowVersion } from '#kit/text.ts'
import { type QueueKind, queueFilterNames, queueKinds } from './queue-rules.ts'

/** `since` is the time at which the promised time began. `key` is unique among the entries of all kinds. */
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
    /** Whether a panel is connected, so that the request can be repeated. */
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
    /** Whether this customer, or another account with the same mailbox, has requested a trial before. */
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
    /** The number of customers who sent them. */
    reporters: z.int(),
    userId: id,
    username: z.string(),
    contentName: z.string(),
    issue: reportIssue,
  }),
  /** `message` is the beginning of the inquiry. */
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
  /**
   * A received payment that is not an exact match: what kind of match it is, the invoice that it is proposed for, and by how many cents it differs
   * from the amount due.
   */
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
  /** The payment mailbox: the server refused the password (`isPaused`), or the mailbox has not been read for too long. `message` describes the last failure. */
  z.object({ kind: z.literal('mailbox'), ...waiting, isPaused: z.boolean(), message: z.nullable(z.string()) }),
])
export type QueueItem = z.output<typeof queueItem>

/** The maximum number of entries that are returned. */
export const queueLength = 50
const total = z.object({
  count: z.int(),
  /** Whether `count` is a lower bound. */
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
