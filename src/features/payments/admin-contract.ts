// Admin endpoints for the payment desk: the list, one payment with its evidence, decisions and their undo.
import * as z from 'zod/mini'
import { decisionOutcome } from '#features/billing/admin-contract.ts'
import { mailAuths } from '#features/receipts/mailbox-rules.ts'
import { processors } from '#features/receipts/processor-rules.ts'
import { get, post } from '#kit/endpoint.ts'
import { cents, id, idParam, instant, rowVersion, singleLine } from '#kit/text.ts'
import { paymentCandidate } from './admin-candidate-contract.ts'
import { allocationTargets, caseKinds, deskTabs, paymentActions, rails } from './rules.ts'

const write = { access: 'admin', needs: 'payments.decide', limit: 'adminWrite' } as const
const read = { access: 'admin', needs: 'payments.read', dependsOn: ['payment', 'invoice'] } as const

const nullableText = z.nullable(z.string())
/** A payment in a list. Amounts are in cents. */
export const paymentRow = z.object({
  id: z.int(),
  rail: z.enum(rails),
  amount: cents,
  /** ISO 4217, or `ZZZ` if the source names no currency. Amounts are in hundredths of this currency. */
  currency: z.string(),
  /** The part of the amount that no decision has allocated. */
  openCents: cents,
  payerName: z.string(),
  payerHandle: z.string(),
  note: z.string(),
  paidAt: z.nullable(instant),
  paidOn: z.string(),
  createdAt: instant,
  status: z.enum(['open', 'held', 'done', 'set_aside']),
  kind: z.enum(caseKinds),
  ready: z.boolean(),
  version: rowVersion,
  setAsideUntil: nullableText,
  /** The invoice that the payment is proposed for or was allocated to. `customer` is its customer, and `difference` is the payment minus what is due. */
  invoiceId: z.nullable(id),
  invoiceNumber: nullableText,
  customer: nullableText,
  difference: z.nullable(cents),
  /** The latest decision that was not undone. */
  decision: z.nullable(z.object({ action: z.string(), by: nullableText, at: instant })),
})
export type PaymentRow = z.output<typeof paymentRow>

export const paymentListQuery = z.object({
  tab: z.optional(z.enum(deskTabs)),
  /** Part of the payer, the note or the transaction number, or a complete order number. */
  search: z.optional(singleLine(3, 120, 'Please enter at least 3 characters')),
  /** The key of a group of identical payments. If it is set, only the payments of this group are listed. */
  alike: z.optional(singleLine(1, 40, 'Please choose a group')),
  /** The cursor of the next page. */
  after: z.optional(z.string().check(z.maxLength(200))),
})
/** A number of payments with the sums of their open parts: US dollars first, then other currencies by code. */
const group = z.object({ count: z.int(), sums: z.array(z.object({ currency: z.string(), cents })) })
export type PaymentGroup = z.output<typeof group>
const identicalPayments = z.object({
  key: z.string(),
  rail: z.enum(rails),
  amount: cents,
  currency: z.string(),
  count: z.int(),
})
export type IdenticalPayments = z.output<typeof identicalPayments>
export const listPayments = get('/api/admin/payments', {
  summary: 'Payments of the desk, those that can be confirmed first, then the oldest',
  ...read,
  query: paymentListQuery,
  output: z.object({
    rows: z.array(paymentRow),
    next: nullableText,
    ready: group,
    decide: group,
    /** Groups of many identical payments from unknown senders. These payments are not among the rows. */
    alike: z.array(identicalPayments),
    /** A payment should be decided within this number of minutes after it arrived. */
    promiseMinutes: z.int(),
    counts: z.object({ held: z.int(), set_aside: z.int(), refunds: z.int() }),
    /** Set only if no payment waits for a decision: whether any payment was ever recorded, and when the last one was confirmed. */
    idle: z.nullable(z.object({ hasPayments: z.boolean(), confirmedAt: z.nullable(instant) })),
  }),
})

const allocation = z.object({
  id: z.int(),
  target: z.enum(allocationTargets),
  amount: cents,
  invoiceNumber: nullableText,
  customer: nullableText,
  refundReference: nullableText,
})
const reversed = z.object({
  paymentId: z.int(),
  payer: z.string(),
  paidOn: z.string(),
  amount: cents,
  /** Whether the provider names this payment as the one that was taken back. */
  isNamed: z.boolean(),
  openCents: cents,
  allocations: z.array(allocation),
})
export type ReversedPayment = z.output<typeof reversed>
export const paymentDetail = z.extend(paymentRow, {
  source: z.enum(['typed', 'mail', 'statement', 'event']),
  providerReference: nullableText,
  recordedBy: nullableText,
  /** The rows of uploaded statements that reported the payment. */
  statements: z.array(z.object({ name: z.string(), line: z.int() })),
  /** The emails that reported the payment. */
  emails: z.array(
    z.object({
      id: z.int(),
      sender: z.string(),
      subject: z.string(),
      messageId: z.string(),
      receivedAt: instant,
      auth: z.enum(mailAuths),
      signedBy: nullableText,
      isKnownLayout: z.boolean(),
      /** Whether the content of the email is still stored. */
      canOpen: z.boolean(),
    }),
  ),
  /** The events of payment processors that reported the payment. */
  events: z.array(
    z.object({
      id: z.int(),
      processor: z.enum(processors),
      eventId: z.string(),
      type: z.string(),
      receivedAt: instant,
    }),
  ),
  /** For a payment from an email or event: whether every condition of automatic confirmation holds, and the reasons if not. */
  rules: z.nullable(z.object({ wouldConfirm: z.boolean(), against: z.array(z.string()) })),
  /** What automatic confirmation did with the payment, if every condition held when it was compared; otherwise null. */
  rule: z.nullable(z.object({ state: z.enum(['waiting', 'confirmed', 'shadow', 'refused']), refusal: nullableText })),
  candidates: z.array(paymentCandidate),
  /** For an undecided reversal: the payments that it may take back. The one that the provider names is first. */
  reversed: z.array(reversed),
  allocations: z.array(allocation),
  history: z.array(z.object({ action: z.string(), by: nullableText, at: instant, reason: nullableText })),
  /** The latest paid invoices of the customers for whom this payer paid before. */
  before: z.array(z.object({ paidOn: z.string(), amount: cents, customer: z.string() })),
  undoable: z.boolean(),
  /** The maximum number of cents by which a payment may be short and still be accepted. */
  acceptedCents: cents,
  /** The number of days after the deadline of an order during which a payment can still confirm the order. */
  lateDays: z.int(),
  /** Set if a decision takes effect only when a second administrator makes the same decision. `asked` is the request of the first administrator. */
  secondPerson: z.nullable(
    z.object({ aboveDollars: z.int(), asked: z.nullable(z.object({ by: z.string(), at: instant })) }),
  ),
})
export type PaymentDetail = z.output<typeof paymentDetail>
const paymentParams = z.object({ paymentId: idParam })
export const getPayment = get('/api/admin/payments/:paymentId', {
  summary: 'One payment with the invoices it may belong to and the evidence',
  ...read,
  params: paymentParams,
  /** `invoiceId` is an invoice that the administrator chose. */
  query: z.object({ invoiceId: z.optional(idParam) }),
  output: paymentDetail,
})

const wrongDay = 'Please enter a valid date'
const day = z.iso.date(wrongDay).check(z.refine((text) => text >= '2000', wrongDay))
export const paymentDecision = z.object({
  action: z.enum(paymentActions),
  version: rowVersion,
  /** The invoices to confirm, or the one invoice that another decision is about. */
  invoiceIds: z.optional(z.array(id).check(z.maxLength(10, 'Please choose at most 10 invoices'))),
  /** The open cents of the payment as they were displayed. If they have changed, the decision is refused. */
  expectedOpen: z.optional(cents),
  /** What happens to money that is left over after the invoices are paid. */
  rest: z.optional(z.enum(['credit', 'refund'])),
  /**
   * How a shortfall of a single invoice is covered: `accept` reduces the invoice and requires a reason, `credit` takes the missing amount from the customer's
   * account credit.
   */
  short: z.optional(z.enum(['accept', 'credit'])),
  /** The account to which a refund is sent. */
  refundTo: z.optional(singleLine(0, 200, '')),
  reason: z.optional(singleLine(0, 200, '')),
  /** The payment that a reversal takes back. */
  reversesId: z.optional(z.int()),
  until: z.optional(day),
})
export type PaymentDecision = z.output<typeof paymentDecision>
export const decidePayment = post('/api/admin/payments/:paymentId/decision', {
  summary: 'Decide about a payment: confirm, link, hold, credit, send back, take back, set aside',
  ...write,
  params: paymentParams,
  body: paymentDecision,
  output: paymentRow,
})
/** The effect of a decision, determined by running the decision and rolling it back. */
export const paymentPreview = z.object({
  refusal: z.nullable(z.object({ code: z.string(), message: z.string() })),
  invoices: z.array(
    z.object({
      invoiceNumber: z.string(),
      planName: z.string(),
      /** Whether the invoice is paid after the decision; otherwise it is open again. */
      isPaid: z.boolean(),
      /** When the subscription ends before and after the decision; null if there is no subscription then. */
      endsBefore: z.nullable(instant),
      endsAfter: z.nullable(instant),
    }),
  ),
  bookings: decisionOutcome.shape.bookings,
  /** The IPTV lines that change, in the order of their customers' usernames. */
  lines: z.array(
    z.object({
      username: z.string(),
      /** The username of the line; null for a new line. */
      line: z.nullable(z.string()),
      change: z.enum(['create', 'enable', 'extend', 'disable']),
    }),
  ),
  /** Whether the payer becomes a known payer of a customer through this decision. */
  remembersPayer: z.boolean(),
  /** The templates of the emails that the decision sends. `recipients` are the addresses. */
  emails: z.array(z.string()),
  recipients: z.array(z.string()),
})
export type PaymentPreview = z.output<typeof paymentPreview>
export const previewPayment = post('/api/admin/payments/:paymentId/preview', {
  summary: 'Preview a decision about a payment',
  ...({ access: 'admin', needs: 'payments.decide' } as const),
  params: paymentParams,
  body: paymentDecision,
  output: paymentPreview,
})
export const undoPayment = post('/api/admin/payments/:paymentId/undo', {
  summary: 'Undo the latest decision about a payment',
  ...write,
  params: paymentParams,
  body: z.object({ version: rowVersion }),
  output: paymentRow,
})
