// Admin endpoints for invoices: the list, evidence, decisions, rejections, payment links and bulk confirmation.
import * as z from 'zod/mini'
import { paidTime } from '#features/subscriptions/contract.ts'
import { get, post, put } from '#kit/endpoint.ts'
import { csvOf, listQuery } from '#kit/lists.ts'
import { cents, id, idParam, instant, paragraph, rowVersion, shownCents, singleLine } from '#kit/text.ts'
import { invoice, invoiceItem, invoiceStatus, paymentMethod, refundStatus } from './contract.ts'
import { noteMatches } from './rules.ts'

const decision = { access: 'admin', needs: 'payments.decide', limit: 'adminWrite' } as const
const noteMatch = z.enum(noteMatches)
export const adminInvoice = z.extend(invoice, {
  username: z.string(),
  email: z.string(),
  duplicateCode: z.boolean(),
  /**
   * The number of the newest other invoice whose confirmation code is one edit away from this one's. Null if there is none, if `duplicateCode` is true,
   * or once this invoice is paid.
   */
  similarCode: z.nullable(z.string()),
  /** The payment note that the customer was asked to enter. `noteMatch` compares it with the note that was entered; null if none was entered. */
  expectedNote: z.string(),
  noteMatch: z.nullable(noteMatch),
  /** Whether the submitted payment has been waiting longer than `promisedHours`. */
  overdue: z.boolean(),
  promisedHours: z.int(),
  /** The status of the refund request; null without one. */
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
  needs: 'invoices.read',
  dependsOn: ['invoice', 'refund'],
  paged: true,
  query: invoiceListQuery,
  output: z.array(adminInvoice),
})
export const exportInvoices = csvOf('/admin/invoices.csv', {
  needs: 'invoices.read',
  summary: 'Invoices of all customers as CSV',
  query: invoiceListQuery,
})

/** Dates before 2000 are rejected: PostgreSQL cannot store the year 0, which ISO dates allow. */
const paymentDay = z
  .union([z.iso.datetime('Please enter a valid date'), z.iso.date('Please enter a valid date')])
  .check(z.refine((day) => day >= '2000', 'Please enter a valid date'))
const decidedStatus = z.enum(['pending', 'paid', 'cancelled'])
export const invoiceDecision = z.object({
  status: decidedStatus,
  paidAt: z.optional(z.nullable(paymentDay)),
  /** The amount (cents) and version that the dialog displayed. The decision is refused if the invoice no longer has them. */
  expectedAmount: z.optional(shownCents),
  version: z.optional(rowVersion),
  acknowledgeDuplicate: z.optional(z.boolean()),
})
export const invoiceParams = z.object({ invoiceId: idParam })
export const updateInvoice = put('/api/admin/invoices/:invoiceId', {
  summary: 'Confirm, reopen or cancel an invoice',
  ...decision,
  params: invoiceParams,
  body: invoiceDecision,
  output: adminInvoice,
})

const rejection = z.object({
  reason: paragraph(3, 500, 'Please give a reason of at least 3 characters'),
  version: rowVersion,
})
/** The fields of the dialog; the version comes from the invoice. */
export const rejectionForm = z.pick(rejection, { reason: true })
export const rejectPayment = put('/api/admin/invoices/:invoiceId/rejection', {
  summary: 'Send a submitted payment back to the customer, with a reason',
  ...decision,
  params: invoiceParams,
  body: rejection,
  output: adminInvoice,
})
const linkMessage = 'Please enter an address that starts with https://'
const secureLink = singleLine(1, 500, linkMessage).check(
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
  summary: "Set the secure payment link of an invoice and email it to the customer's account address",
  access: 'admin',
  needs: 'invoices.edit',
  limit: 'adminWrite',
  params: invoiceParams,
  /** Null removes the link. */
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
/** The effect of a decision, computed by running it in a transaction that is rolled back. */
export const decisionOutcome = z.object({
  status: z.enum([...decidedStatus.options, 'refunded']),
  refusal: z.nullable(z.object({ code: z.string(), message: z.string() })),
  subscription: z.nullable(z.object({ before: subscriptionState, after: subscriptionState })),
  bookings: z.array(z.object({ username: z.string(), amount: cents, type: z.string() })),
  /** The customer's remaining paid time after the decision. */
  time: z.array(paidTime),
  /** The referrer's bonus, which can be spent once the money-back guarantee of this payment has ended. */
  pendingBonus,
  /** The pending bonus that the decision withdraws. */
  droppedBonus: pendingBonus,
})
export type DecisionOutcome = z.output<typeof decisionOutcome>
export const invoiceEvidence = z.object({
  invoice: adminInvoice,
  lines: z.array(invoiceItem),
  /** `sameCode`: other invoices with the same confirmation code. `similarCode`: other invoices whose code is one edit away. */
  sameCode: z.array(invoiceSummary),
  similarCode: z.array(invoiceSummary),
  /** `payments`: the customer's other paid invoices. `open`: the customer's other open invoices. */
  payments: z.object({ count: z.int(), total: cents, latest: z.array(invoiceSummary) }),
  open: z.array(invoiceSummary),
  ownInvoice: z.boolean(),
  /** Whether the requesting administrator referred this customer and would earn the bonus. */
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
  summary: 'Evidence for reviewing a payment, and the effect of each possible decision',
  access: 'admin',
  needs: 'invoices.read',
  dependsOn: ['invoice', 'refund'],
  params: invoiceParams,
  query: z.object({ paidAt: z.optional(paymentDay) }),
  output: invoiceEvidence,
})

/** The maximum number of payments in one bulk confirmation. */
export const maxConfirmations = 50
const isListOfIds = (text: string) =>
  /^[1-9]\d{0,9}(,[1-9]\d{0,9}){0,49}$/.test(text) && text.split(',').every((each) => Number(each) <= 2147483647)
export const getInvoicesToConfirm = get('/api/admin/invoices/to-confirm', {
  summary: 'The current state of several invoices, before they are confirmed together',
  access: 'admin',
  needs: 'payments.decide',
  dependsOn: ['invoice'],
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
  summary: 'Confirm several payments, each in its own transaction',
  ...decision,
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
