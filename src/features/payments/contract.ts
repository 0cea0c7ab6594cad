// What customers see about the payment of an order, and the cents that identify it.
import * as z from 'zod/mini'
import { paymentMethod } from '#features/billing/contract.ts'
import { get, put } from '#kit/endpoint.ts'
import { cents, instant, singleLine } from '#kit/text.ts'
import { rails } from './rules.ts'

export const paymentProgress = z.object({
  /** A recorded payment that names this order and is exactly the amount due, but is not confirmed yet; null if there is none. */
  found: z.nullable(z.object({ amount: cents, rail: z.enum(rails), paidAt: z.nullable(instant), paidOn: z.string() })),
  /** Set while a payment that the customer reported waits to be checked; otherwise null. */
  waiting: z.nullable(
    z.object({
      since: instant,
      /** The time by which the payment should be checked. */
      until: instant,
      isLate: z.boolean(),
      minutes: z.int(),
      /** The median time in minutes within which recent payments were checked; null if there were too few. */
      typicalMinutes: z.nullable(z.int()),
      /** The number of other payments that have waited longer. Counting stops at 100. */
      before: z.int(),
    }),
  ),
})
export type PaymentProgress = z.output<typeof paymentProgress>

export const getPaymentProgress = get('/api/invoices/:invoiceNumber/progress', {
  summary: 'Whether the payment of an order was found, and by when it will be checked',
  access: 'member',
  dependsOn: ['invoice', 'payment'],
  params: z.object({ invoiceNumber: singleLine(1, 64, 'Not found') }),
  output: paymentProgress,
})
export const setIdentifyingCents = put('/api/invoices/:invoiceNumber/identifying-cents', {
  summary: 'Add or remove the cents that identify the payment of an invoice, depending on the payment method',
  access: 'member',
  limit: 'write',
  params: z.object({ invoiceNumber: singleLine(1, 64, 'Not found') }),
  body: z.object({ paymentMethod }),
  output: z.object({ amount: cents }),
})
