// What only administrators say about invoices: the evidence, rejections, payment links, several confirmations at once.
import * as z from 'zod/mini'
import { paidTime } from '#features/subscriptions/contract.ts'
import { get, post, put } from '#kit/endpoint.ts'
import { csvOf, listQuery } from '#kit/lists.ts'
import { cents, id, idText, instant, line, paragraph, rowVersion, shownCents } from '#kit/text.ts'
import {
  creditNote,
  invoice,
  invoiceItem,
  invoiceStatus,
  paymentMethod,
  refundRequest,
  refundStatus,
} from './contract.ts'
import { noteMatches } from './rules.ts'

const noteMatch = z.enum(noteMatches)
export const adminInvoice = z.extend(invoice, {
  username: z.string(),
  email: z.string(),
  duplicateCode: z.boolean(),
  /** The newest invoice whose code is one edit away; null without one, where `duplicateCode` says more, and once this one was paid. */
  similarCode: z.nullable(z.string()),
  /** The note the customer was asked for, and how the one given compares; null when none was given. */
  expectedNote: z.string(),
  noteMatch: z.nullable(noteMatch),
  /** A submitted payment that waits longer than `promisedHours`. */
  overdue: z.boolean(),
  promisedHours: z.int(),
  /** What became of the customer's wish to have the money back; null where there was none. */
  refund: z.nullable(refundStatus),
})
export type AdminInvoice = z.output<typeof adminInvoice>
export const invoiceSorts = ['createdAt', 'amount', 'status', 'invoiceNumber'] as const
export const invoiceListQuery = listQuery(invoiceSorts, {
  status: z.optional(invoiceStatus),
  paymentMethod: z.optional(paymentMethod),
  refund: z.optional(refundStatus),
})
export const listAllInvoices = get('/api/admin/invoices', {
  summary: 'Invoices of all customers, newest first',
  access: 'admin',
  paged: true,
  query: invoiceListQuery,
  output: z.array(adminInvoice),
})
export const exportInvoices = csvOf('/admin/invoices.csv', {
  summary: 'Invoices of all customers as CSV',
  query: invoiceListQuery,
})

/** Not of another age: the year 0, which a date may spell, is none to a database. */
const paymentDay = z
  .union([z.iso.datetime('Please enter a valid date'), z.iso.date('Please enter a valid date')])
  .check(z.refine((day) => day >= '2000', 'Please enter a valid date'))
const decidedStatus = z.enum(['pending', 'paid', 'cancelled'])
export const invoiceDecision = z.object({
  status: decidedStatus,
  paidAt: z.optional(z.nullable(paymentDay)),
  /** What the dialog showed; a different amount or version on the server is refused instead of confirmed. */
  expectedAmount: z.optional(shownCents),
  version: z.optional(rowVersion),
  acknowledgeDuplicate: z.optional(z.boolean()),
})
const invoiceParams = z.object({ invoiceId: idText })
export const updateInvoice = put('/api/admin/invoices/:invoiceId', {
  summary: 'Confirm, move back or cancel an invoice',
  access: 'admin',
  limit: 'adminWrite',
  params: invoiceParams,
  body: invoiceDecision,
  output: adminInvoice,
})

const rejection = z.object({
  reason: paragraph(3, 500, 'Please give a reason of at least 3 characters'),
  version: rowVersion,
})
/** What the dialog asks for; the version comes with the invoice. */
export const rejectionForm = z.pick(rejection, { reason: true })
export const rejectPayment = put('/api/admin/invoices/:invoiceId/rejection', {
  summary: 'Send a submitted payment back to the customer, with a reason',
  access: 'admin',
  limit: 'adminWrite',
  params: invoiceParams,
  body: rejection,
  output: adminInvoice,
})
const linkMessage = 'Please enter an address that starts with https://'
const secureLink = line(1, 500, linkMessage).check(
  z.refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return (
      url?.protocol === 'https:' &&
      text.startsWith('https://') &&
      url.username + url.password === '' &&
      url.hostname.includes('.')
    )
  }, linkMessage),
)
export const paymentLinkForm = z.object({ paymentLink: secureLink })
export const updatePaymentLink = put('/api/admin/invoices/:invoiceId/payment-link', {
  summary: "Put the secure payment link on an invoice and send it to the customer's account address",
  access: 'admin',
  limit: 'adminWrite',
  params: invoiceParams,
  /** Null takes a wrong link away. */
  body: z.object({ paymentLink: z.nullable(secureLink), version: rowVersion }),
  output: adminInvoice,
})

const invoiceSummary = z.object({
  id,
  invoiceNumber: z.string(),
  username: z.string(),
  planName: z.string(),
  amount: cents,
  status: invoiceStatus,
  createdAt: instant,
  paidAt: z.nullable(instant),
})
const subscriptionState = z.object({
  planName: z.nullable(z.string()),
  status: z.string(),
  startDate: z.nullable(instant),
  endDate: z.nullable(instant),
  maxConnections: z.nullable(z.int()),
})
const pendingBonus = z.nullable(z.object({ username: z.string(), amount: cents, availableAt: instant }))
/** What a decision would do now: it was made and rolled back, by the code that makes it. */
export const decisionOutcome = z.object({
  status: z.enum([...decidedStatus.options, 'refunded']),
  refusal: z.nullable(z.object({ code: z.string(), message: z.string() })),
  subscription: z.nullable(z.object({ before: subscriptionState, after: subscriptionState })),
  bookings: z.array(z.object({ username: z.string(), amount: cents, type: z.string() })),
  /** The customer's time left afterwards: which plan runs from when until when. */
  time: z.array(paidTime),
  /** The referrer's bonus: it can be spent once the guarantee of this payment has run out. */
  pendingBonus,
  /** The same where the decision takes it back. */
  droppedBonus: pendingBonus,
})
export type DecisionOutcome = z.output<typeof decisionOutcome>
export const invoiceEvidence = z.object({
  invoice: adminInvoice,
  lines: z.array(invoiceItem),
  /** Other invoices with this confirmation code, or with one that is one edit away. */
  sameCode: z.array(invoiceSummary),
  similarCode: z.array(invoiceSummary),
  /** The customer's latest payments, and their other open invoices. */
  payments: z.object({ count: z.int(), total: cents, latest: z.array(invoiceSummary) }),
  open: z.array(invoiceSummary),
  ownInvoice: z.boolean(),
  /** The reader referred this customer and would earn the bonus. */
  ownReferral: z.boolean(),
  history: z.array(
    z.object({
      at: instant,
      by: z.nullable(z.string()),
      action: z.string(),
      reason: z.nullable(z.string()),
      version: z.nullable(rowVersion),
    }),
  ),
  outcomes: z.array(decisionOutcome),
})
export type InvoiceEvidence = z.output<typeof invoiceEvidence>
export const getInvoiceEvidence = get('/api/admin/invoices/:invoiceId/evidence', {
  summary: 'All that speaks for or against confirming a payment, and what each decision would do',
  access: 'admin',
  params: invoiceParams,
  query: z.object({ paidAt: z.optional(paymentDay) }),
  output: invoiceEvidence,
})

/** A customer's wish to have an invoice paid back, with what an administrator weighs and what approving it would do now. */
export const invoiceRefund = z.object({
  request: refundRequest,
  decidedBy: z.nullable(z.string()),
  /** How many of the customer's other invoices were paid back before. */
  earlierRefunds: z.int(),
  creditNote: z.nullable(creditNote),
  /** Null once it is decided. */
  outcome: z.nullable(decisionOutcome),
})
export type InvoiceRefund = z.output<typeof invoiceRefund>
export const getInvoiceRefund = get('/api/admin/invoices/:invoiceId/refund', {
  summary: "A customer's wish to have an invoice paid back, and what approving it would do",
  access: 'admin',
  params: invoiceParams,
  output: invoiceRefund,
})
const paymentReference = line(3, 120, 'Please enter the reference of the payment you sent back')
const emptyOr = <S extends z.core.$ZodType<string, string>>(schema: S) => z.union([z.literal(''), schema])
const refundNote = emptyOr(paragraph(3, 500, 'Please use at least 3 characters'))
/** What the dialog asks for; without money to send back there is no reference. */
export const refundApprovalForm = (isPaid: boolean) =>
  z.object({ paymentReference: isPaid ? paymentReference : emptyOr(paymentReference), reason: refundNote })
export const refundDecision = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('approved'),
    /** How the money went back: what the payment app or the card processor calls it. Empty only where nothing was paid but credit. */
    paymentReference: emptyOr(paymentReference),
    reason: refundNote,
    expectedAmount: shownCents,
  }),
  z.object({
    status: z.literal('declined'),
    reason: paragraph(3, 500, 'Please give a reason of at least 3 characters'),
  }),
])
export const decideRefund = put('/api/admin/invoices/:invoiceId/refund', {
  summary: 'Approve or decline a refund; approving takes back all that the payment did',
  access: 'admin',
  limit: 'adminWrite',
  params: invoiceParams,
  body: refundDecision,
  output: invoiceRefund,
})

/** How many payments can be confirmed together. */
export const maxConfirmations = 50
const isListOfIds = (text: string) =>
  /^[1-9]\d{0,9}(,[1-9]\d{0,9}){0,49}$/.test(text) && text.split(',').every((each) => Number(each) <= 2147483647)
export const getInvoicesToConfirm = get('/api/admin/invoices/to-confirm', {
  summary: 'Several invoices as they are now, before they are confirmed together',
  access: 'admin',
  query: z.object({
    invoiceIds: z.string().check(z.refine(isListOfIds, `Please choose 1 to ${maxConfirmations} invoices`)),
  }),
  output: z.array(adminInvoice),
})
const confirmation = z.object({
  invoiceId: id,
  version: rowVersion,
  expectedAmount: shownCents,
  acknowledged: z.boolean(),
})
export const confirmPayments = post('/api/admin/invoices/confirm', {
  summary: 'Confirm several payments, each for itself',
  access: 'admin',
  limit: 'adminWrite',
  body: z.object({
    invoices: z
      .array(confirmation)
      .check(
        z.minLength(1, 'Please choose at least one invoice'),
        z.maxLength(maxConfirmations, `Please choose at most ${maxConfirmations} invoices`),
      ),
  }),
  output: z.array(
    z.object({
      invoiceId: id,
      invoiceNumber: z.nullable(z.string()),
      done: z.boolean(),
      code: z.nullable(z.string()),
      message: z.nullable(z.string()),
    }),
  ),
})
