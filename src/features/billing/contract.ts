import * as z from 'zod/mini'
import { planId } from '#features/catalog/contract.ts'
import { download } from '#kit/download.ts'
import { get, getFile, post, put } from '#kit/endpoint.ts'
import { asciiLine, cents, emailAddress, id, idParam, instant, paragraph, rowVersion, singleLine } from '#kit/text.ts'

export const paymentMethod = z.enum(['cashapp', 'venmo', 'creditcard'])
export type PaymentMethod = z.output<typeof paymentMethod>
export const invoiceStatus = z.enum(['draft', 'pending', 'paid', 'cancelled', 'expired', 'refunded'])
export type InvoiceStatus = z.output<typeof invoiceStatus>
export const invoiceNumberPattern = /^ORD-[A-Z0-9]{6}$/
export const invoiceNumber = z.string().check(z.regex(invoiceNumberPattern, 'This is not an order number'))

export const invoiceItem = z.object({
  kind: z.enum(['plan', 'plan_change', 'referral_discount', 'credit', 'adjustment', 'payment_cents']),
  description: z.string(),
  amount: cents,
})
export const invoice = z.object({
  id,
  invoiceNumber: z.string(),
  userId: id,
  kind: z.enum(['purchase', 'plan_change']),
  planId: id,
  planName: z.string(),
  description: z.string(),
  customerDetails: z.string(),
  notes: z.nullable(z.string()),
  amount: cents,
  paymentMethod: z.nullable(paymentMethod),
  paymentNote: z.nullable(z.string()),
  confirmationCode: z.nullable(z.string()),
  paymentLink: z.nullable(z.string()),
  /** The phrase used in the payment note instead of the invoice number, if notes are phrases. */
  paymentReference: z.nullable(z.string()),
  /** Why an administrator rejected the payment; cleared when the payment is submitted again. */
  rejectionReason: z.nullable(z.string()),
  rejectedAt: z.nullable(instant),
  status: invoiceStatus,
  createdAt: instant,
  submittedAt: z.nullable(instant),
  paidAt: z.nullable(instant),
  expiresAt: instant,
  /** The end date of the period that this invoice renews; null if it is not a renewal. */
  renewsEnd: z.nullable(instant),
  version: rowVersion,
})
export type Invoice = z.output<typeof invoice>

const planSummary = z.nullable(
  z.object({
    id,
    name: z.string(),
    /** The plan's current price. The price at the time of the order is in the invoice. */
    price: cents,
    billing: z.string(),
    months: z.int(),
    connections: z.int(),
    features: z.array(z.string()),
    popular: z.boolean(),
  }),
)
/** One invoice with its items (`lines`), which add up to its amount. */
export const invoiceDetail = z.object({
  invoice,
  lines: z.array(invoiceItem),
  plan: planSummary,
  user: z.object({ username: z.string(), email: z.string() }),
  status: invoiceStatus,
  customerDetails: z.string(),
  /** Account credit in cents that can be used for this invoice, including what it already uses. */
  usableCredit: cents,
  /** Cents of partial payments that are held for this invoice until the rest arrives. */
  received: cents,
})
export type InvoiceDetail = z.output<typeof invoiceDetail>

export const checkoutDetails = z.object({
  planId,
  email: emailAddress('Please enter a valid email address'),
  useCredit: z.optional(z.boolean()),
  /** The order number that the checkout already shows. The invoice gets this number if it is valid and unused. */
  orderId: z.optional(invoiceNumber),
})

const emptyOr = (schema: ReturnType<typeof singleLine>) => z.optional(z.nullable(z.union([z.literal(''), schema])))
export const payment = z.object({
  planId: id,
  email: z.optional(z.string().check(z.maxLength(254))),
  /** Null only when the amount is 0. */
  paymentMethod: z.nullable(paymentMethod),
  confirmationCode: emptyOr(
    asciiLine(
      4,
      120,
      'Please enter a payment confirmation code',
      'Please use only letters A to Z, digits and punctuation',
    ),
  ),
  paymentNote: emptyOr(singleLine(4, 120, 'Please enter the note you included with your payment')),
  invoiceNumber,
})
/** The fields of the payment step; the rest of the payload comes from the invoice. */
export const paymentForm = z.extend(z.pick(payment, { confirmationCode: true, paymentNote: true }), { paymentMethod })

export const createdInvoice = z.object({
  invoiceNumber: z.string(),
  paymentReference: z.nullable(z.string()),
  amount: cents,
  expiresAt: instant,
  status: invoiceStatus,
})
export const paymentReceipt = z.object({ invoiceNumber: z.string(), orderId: z.string(), status: invoiceStatus })

export const createInvoice = post('/api/create-invoice', {
  summary: 'Create the draft invoice for a plan, or return the existing one',
  access: 'member',
  limit: 'createInvoice',
  body: checkoutDetails,
  output: createdInvoice,
})
export const submitPayment = post('/api/submit-payment', {
  summary: 'Submit the payment details of an invoice',
  access: 'member',
  limit: 'submitPayment',
  body: payment,
  output: paymentReceipt,
})
const planInChange = z.object({ id, name: z.string(), price: cents, billing: z.string() })
/** The current price of a plan change, computed by the code that also charges it. Amounts are cents. */
export const planChangeQuote = z.object({
  current: planInChange,
  next: planInChange,
  difference: cents,
  charge: cents,
  credit: cents,
  explanation: z.string(),
})
export type PlanChangeQuote = z.output<typeof planChangeQuote>
export const quotePlanChange = get('/api/change-subscription/quote', {
  summary: 'Quote a plan change',
  access: 'member',
  query: z.object({ planId: idParam }),
  output: planChangeQuote,
})
export const changeSubscription = post('/api/change-subscription', {
  summary: 'Request a plan change; an administrator approves it',
  access: 'member',
  limit: 'changeSubscription',
  body: z.object({ planId, prorated: z.optional(z.boolean()) }),
  output: z.object({ invoice }),
})
export const setInvoiceCredit = put('/api/invoices/:invoiceNumber/credit', {
  summary: 'Apply account credit to an invoice, or remove it',
  access: 'member',
  limit: 'write',
  params: z.object({ invoiceNumber: singleLine(1, 64, 'Not found') }),
  body: z.object({ useCredit: z.boolean() }),
  output: z.object({ amount: cents }),
})
export const listInvoices = get('/api/invoices', {
  summary: "The customer's invoices, newest first",
  access: 'member',
  dependsOn: ['invoice'],
  output: z.array(invoice),
})
export const getInvoice = get('/api/invoices/:invoiceNumber', {
  summary: 'One invoice with its items',
  access: 'member',
  dependsOn: ['user', 'invoice'],
  params: z.object({ invoiceNumber: singleLine(1, 64, 'Not found') }),
  output: invoiceDetail,
})
export const downloadInvoice = getFile('/invoice/:invoiceNumber/pdf', {
  summary: 'One invoice as a one-page PDF',
  access: 'member',
  limit: 'write',
  file: 'application/pdf',
  params: z.object({ invoiceNumber: singleLine(1, 64, 'Not found') }),
  output: download,
})

export const refundStatus = z.enum(['pending', 'approved', 'declined'])
const nullableText = z.nullable(z.string())
export const refundRequest = z.object({
  status: refundStatus,
  reason: z.string(),
  createdAt: instant,
  decidedAt: z.nullable(instant),
  decisionReason: nullableText,
})
/** A refund document: `amount` cents were sent back by the original payment method, `creditReturned` cents as account credit. */
export const creditNote = z.object({
  number: z.string(),
  amount: cents,
  creditReturned: cents,
  paymentReference: nullableText,
  issuedAt: instant,
})
/** A customer's payment and its money-back guarantee. */
export const refund = z.object({
  invoiceNumber: z.string(),
  amount: cents,
  /** The end of the guarantee; null without one. */
  until: z.nullable(instant),
  /** Why no refund can be requested; null while one can. */
  refusal: nullableText,
  request: z.nullable(refundRequest),
  creditNote: z.nullable(creditNote),
})
export type Refund = z.output<typeof refund>
export const listRefunds = get('/api/refunds', {
  summary: "The user's payments with their money-back guarantees",
  access: 'member',
  dependsOn: ['refund'],
  output: z.array(refund),
})
export const refundForm = z.object({
  reason: paragraph(3, 1000, 'Please tell us in a few words why you want your money back'),
})
export const requestRefund = post('/api/refunds', {
  summary: 'Request a refund of an invoice',
  access: 'member',
  limit: 'submitPayment',
  body: z.extend(refundForm, { invoiceNumber }),
  output: refund,
})
export const creditNoteDetail = z.extend(creditNote, {
  invoice,
  lines: z.array(invoiceItem),
  user: z.object({ username: z.string(), email: z.string() }),
})
export type CreditNoteDetail = z.output<typeof creditNoteDetail>
const creditNoteParams = z.object({ creditNoteNumber: singleLine(1, 64, 'Not found') })
export const getCreditNote = get('/api/credit-notes/:creditNoteNumber', {
  summary: 'One credit note with the items of its invoice',
  access: 'member',
  dependsOn: ['refund'],
  params: creditNoteParams,
  output: creditNoteDetail,
})
export const downloadCreditNote = getFile('/credit-note/:creditNoteNumber/pdf', {
  summary: 'One credit note as a one-page PDF',
  access: 'member',
  limit: 'write',
  file: 'application/pdf',
  params: creditNoteParams,
  output: download,
})
