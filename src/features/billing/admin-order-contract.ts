// Admin endpoints for orders that an administrator creates for a customer.
import * as z from 'zod/mini'
import { subscriptionOutcome } from '#features/subscriptions/admin-contract.ts'
import { orderQuote } from '#features/subscriptions/contract.ts'
import { get, post } from '#kit/endpoint.ts'
import { cents, id, idParam } from '#kit/text.ts'
import { adminInvoice } from './admin-contract.ts'
import { payment, paymentMethod } from './contract.ts'

const customerParams = z.object({ userId: idParam })
export const quoteCustomerOrder = get('/api/admin/users/:userId/orders/quote', {
  summary: 'Quote an order for a customer: its items with discount and account credit',
  access: 'admin',
  needs: 'invoices.edit',
  dependsOn: ['invoice', 'credit'],
  params: customerParams,
  query: z.object({ planId: idParam }),
  output: orderQuote,
})

export const previewCustomerOrder = get('/api/admin/users/:userId/orders/preview', {
  summary: 'Preview the paid time of a customer after a manually created order is paid',
  access: 'admin',
  needs: 'invoices.edit',
  dependsOn: ['invoice', 'credit', 'subscription'],
  params: customerParams,
  query: z.object({ planId: idParam }),
  output: subscriptionOutcome,
})

export const customerOrder = z.object({
  planId: id,
  /** The amount (cents) that the dialog displayed. The order is refused if its amount is different. */
  expectedAmount: cents,
  /** A payment that was already received. If it is omitted, the customer gets an email with a link to pay. */
  payment: z.optional(
    z.extend(z.pick(payment, { paymentMethod: true, confirmationCode: true }), {
      /** Whether to confirm the payment even if another invoice has the same or a similar confirmation code. */
      acknowledgeDuplicate: z.optional(z.boolean()),
    }),
  ),
})
/** The form of the dialog, which builds a `customerOrder` from it. */
export const customerOrderForm = z.extend(z.pick(payment, { confirmationCode: true }), {
  planId: z.int('Please choose a plan').check(z.positive('Please choose a plan')),
  payment: z.enum(['link', 'received']),
  paymentMethod,
  acknowledgeDuplicate: z.boolean(),
})
export const createCustomerOrder = post('/api/admin/users/:userId/orders', {
  summary: 'Create an order for a customer, either with an emailed link to pay or already paid',
  access: 'admin',
  needs: 'invoices.edit',
  limit: 'adminWrite',
  params: customerParams,
  body: customerOrder,
  output: adminInvoice,
})
