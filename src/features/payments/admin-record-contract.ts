// Admin endpoints: record a payment or a sent refund by hand, and the payments recorded for an invoice.
import * as z from 'zod/mini'
import { get, post } from '#kit/endpoint.ts'
import { cents, idParam, rowVersion, singleLine } from '#kit/text.ts'
import { paymentRow } from './admin-contract.ts'
import { rails } from './rules.ts'

export const typedPayment = z.object({
  /** Made by the client, so that a repeated request records the payment once. */
  requestKey: z.uuid(),
  rail: z.enum(rails),
  amount: z
    .int('Please enter an amount')
    .check(z.gte(1, 'Please enter an amount above $0.00'), z.lte(100_000_000, 'Please enter at most $1,000,000.00')),
  payerName: singleLine(0, 200, ''),
  payerHandle: singleLine(0, 120, ''),
  note: singleLine(0, 500, ''),
  paidAt: z
    .union([z.iso.datetime('Please enter a valid date'), z.iso.date('Please enter a valid date')])
    .check(z.refine((text) => text >= '2000', 'Please enter a valid date')),
  providerReference: singleLine(0, 120, ''),
})
export const recordPayment = post('/api/admin/payments', {
  summary: 'Record a payment by hand; the same request key records it once',
  access: 'admin',
  needs: 'payments.decide',
  limit: 'adminWrite',
  body: typedPayment,
  output: paymentRow,
})

export const refundSentForm = z.object({
  reference: singleLine(1, 120, 'Please enter the transaction number of the refund'),
})
export const markRefundSent = post('/api/admin/payments/:paymentId/refund-sent', {
  summary: 'Record that the money of a payment was sent back',
  access: 'admin',
  needs: 'payments.decide',
  limit: 'adminWrite',
  params: z.object({ paymentId: idParam }),
  body: z.extend(refundSentForm, { version: rowVersion }),
  output: paymentRow,
})

/** The payments recorded for an invoice. */
export const invoicePayments = get('/api/admin/invoices/:invoiceId/payments', {
  summary: 'The payments that are recorded for an invoice',
  access: 'admin',
  needs: 'payments.read',
  dependsOn: ['payment', 'invoice'],
  params: z.object({ invoiceId: idParam }),
  output: z.array(
    z.object({ paymentId: z.int(), rail: z.enum(rails), amount: cents, held: z.boolean(), paidOn: z.string() }),
  ),
})
