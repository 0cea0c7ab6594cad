// Admin endpoints for refunds: an invoice's refund request, and the decision about it.
import * as z from 'zod/mini'
import { get, put } from '#kit/endpoint.ts'
import { paragraph, shownCents, singleLine } from '#kit/text.ts'
import { decisionOutcome, invoiceParams } from './admin-contract.ts'
import { creditNote, refundRequest } from './contract.ts'

/** A customer's refund request, with the facts for the decision and the effect of approving it. */
export const invoiceRefund = z.object({
  request: refundRequest,
  decidedBy: z.nullable(z.string()),
  /** How many other invoices of this customer were refunded. */
  earlierRefunds: z.int(),
  creditNote: z.nullable(creditNote),
  /** The effect of approving the request; null once it is decided. */
  outcome: z.nullable(decisionOutcome),
})
export type InvoiceRefund = z.output<typeof invoiceRefund>
export const getInvoiceRefund = get('/api/admin/invoices/:invoiceId/refund', {
  summary: 'The refund request of an invoice, and the effect of approving it',
  access: 'admin',
  needs: 'invoices.read',
  dependsOn: ['invoice', 'refund'],
  params: invoiceParams,
  output: invoiceRefund,
})
const paymentReference = singleLine(3, 120, 'Please enter the reference of the payment you sent back')
const emptyOr = <S extends z.core.$ZodType<string, string>>(schema: S) => z.union([z.literal(''), schema])
const refundNote = emptyOr(paragraph(3, 500, 'Please use at least 3 characters'))
/** The fields of the approval dialog. The reference is required only if money was paid. */
export const refundApprovalForm = (isPaid: boolean) =>
  z.object({ paymentReference: isPaid ? paymentReference : emptyOr(paymentReference), reason: refundNote })
export const refundDecision = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('approved'),
    /** The payment app's or card processor's reference for the money sent back. Empty only if the invoice was paid with account credit alone. */
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
  summary: 'Approve or decline a refund; approving reverses everything the payment did',
  access: 'admin',
  needs: 'refunds.decide',
  limit: 'adminWrite',
  params: invoiceParams,
  body: refundDecision,
  output: invoiceRefund,
})
