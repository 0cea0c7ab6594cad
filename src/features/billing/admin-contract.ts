// What only administrators say about invoices: the evidence, rejections, payment links, several confirmations at once.
import * as z from 'zod/mini'
import { paidTime } from '#features/subscriptions/contract.ts'
import { get, post, put } from '#kit/endpoint.ts'
import { cents, id, instant, line, paragraph, rowVersion, shownCents } from '#kit/text.ts'
import {
  adminInvoice,
  creditNote,
  decidedStatus,
  invoiceLine,
  invoiceStatus,
  oneInvoice,
  paymentDay,
  refundRequest,
} from './contract.ts'
import { mostConfirmed } from './rules.ts'

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
  params: oneInvoice,
  body: rejection,
  output: adminInvoice,
})
const badLink = 'Please enter an address that starts with https://'
const secureLink = line(1, 500, badLink).check(
  z.refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return (
      url?.protocol === 'https:' &&
      text.startsWith('https://') &&
      url.username + url.password === '' &&
      url.hostname.includes('.')
    )
  }, badLink),
)
export const paymentLinkForm = z.object({ paymentLink: secureLink })
export const updatePaymentLink = put('/api/admin/invoices/:invoiceId/payment-link', {
  summary: "Put the secure payment link on an invoice and send it to the customer's account address",
  access: 'admin',
  limit: 'adminWrite',
  params: oneInvoice,
  /** Null takes a wrong link away. */
  body: z.object({ paymentLink: z.nullable(secureLink), version: rowVersion }),
  output: adminInvoice,
})

const invoiceMention = z.object({
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
  lines: z.array(invoiceLine),
  /** Other invoices with this confirmation code, or with one that is one edit away. */
  sameCode: z.array(invoiceMention),
  similarCode: z.array(invoiceMention),
  /** The customer's latest payments, and their other open invoices. */
  payments: z.object({ count: z.int(), total: cents, latest: z.array(invoiceMention) }),
  open: z.array(invoiceMention),
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
  params: oneInvoice,
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
  params: oneInvoice,
  output: invoiceRefund,
})
const paymentReference = line(3, 120, 'Please enter the reference of the payment you sent back')
const emptyOr = <S extends z.core.$ZodType<string, string>>(schema: S) => z.union([z.literal(''), schema])
const refundNote = emptyOr(paragraph(3, 500, 'Please use at least 3 characters'))
/** What the dialog asks for; without money to send back there is no reference. */
export const paidRefundForm = (isPaid: boolean) =>
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
  params: oneInvoice,
  body: refundDecision,
  output: invoiceRefund,
})

const isListOfIds = (text: string) =>
  /^[1-9]\d{0,9}(,[1-9]\d{0,9}){0,49}$/.test(text) && text.split(',').every((each) => Number(each) <= 2147483647)
export const getInvoicesToConfirm = get('/api/admin/invoices/to-confirm', {
  summary: 'Several invoices as they are now, before they are confirmed together',
  access: 'admin',
  query: z.object({
    invoiceIds: z.string().check(z.refine(isListOfIds, `Please choose 1 to ${mostConfirmed} invoices`)),
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
        z.maxLength(mostConfirmed, `Please choose at most ${mostConfirmed} invoices`),
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
