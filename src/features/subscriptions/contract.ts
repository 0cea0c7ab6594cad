import * as z from 'zod/mini'
import { plan } from '#features/catalog/contract.ts'
import { get, post } from '#kit/endpoint.ts'
import { cents, id, idParam, instant } from '#kit/text.ts'

/** A period of paid time on one plan. */
export const paidTime = z.object({
  planId: id,
  planName: z.string(),
  connections: z.int(),
  startsAt: instant,
  endsAt: instant,
})
export type PaidTime = z.output<typeof paidTime>
export const listPaidTime = get('/api/paid-time', {
  summary: 'The remaining paid time of the customer, by plan',
  access: 'member',
  dependsOn: ['subscription'],
  output: z.array(paidTime),
})

const openInvoice = z.object({
  invoiceNumber: z.string(),
  planId: id,
  planName: z.string(),
  amount: cents,
  /** Whether the customer can still pay the invoice; otherwise the payment is being checked. */
  awaitsPayment: z.boolean(),
})
export type OpenInvoice = z.output<typeof openInvoice>
const latestPayment = z.object({
  invoiceNumber: z.string(),
  amount: cents,
  paymentMethod: z.nullable(z.enum(['cashapp', 'venmo', 'creditcard'])),
  /** When a confirmed payment was paid, or when an unconfirmed one was submitted. */
  at: instant,
  isConfirmed: z.boolean(),
})
const nextStep = z.enum(['renew', 'device'])
export type NextStep = z.output<typeof nextStep>
/** What the Subscription tab shows. Its size does not depend on the customer's history. */
export const ownSubscription = z.object({
  /** The customer's plan; null without a plan, or if the plan is no longer on sale. */
  plan: z.nullable(plan),
  /** The name of the customer's plan, even when it is no longer on sale. */
  planName: z.nullable(z.string()),
  /** The plan that a renewal buys: the plan of the last paid time, if it is on sale. */
  renewablePlanId: z.nullable(id),
  /** The remaining paid time in order. */
  time: z.array(paidTime),
  /** Days that were given without a payment and are not used up, with the reason, newest first. */
  gifts: z.array(z.object({ days: z.int(), reason: z.string(), at: instant })),
  /** The pending plan change. */
  change: z.nullable(openInvoice),
  /** The latest pending invoice that is not a plan change. */
  purchase: z.nullable(openInvoice),
  /** The submitted payment that is being checked, otherwise the latest confirmed payment. */
  payment: z.nullable(latestPayment),
  /** The draft invoice for the renewal. */
  renewal: z.nullable(openInvoice),
  /** The invoice to which Manage Payment leads: the latest pending invoice, otherwise the latest paid one, otherwise the latest of any status. */
  latestInvoiceNumber: z.nullable(z.string()),
  /** A requested refund, otherwise the latest payment that can still be refunded, until `until`. */
  guarantee: z.nullable(z.object({ invoiceNumber: z.string(), isRequested: z.boolean(), until: z.nullable(instant) })),
  /** What My Account suggests to a subscriber; null if there is nothing to suggest or the suggestion was put off. */
  nextStep: z.nullable(nextStep),
  /** How many screens of the plan have never been used. */
  unusedScreens: z.int(),
})
export type OwnSubscription = z.output<typeof ownSubscription>
/** Implemented by billing, because most of it comes from invoices. */
export const getOwnSubscription = get('/api/account/subscription', {
  summary: "The customer's plan, open invoices, guarantee and next step",
  access: 'member',
  dependsOn: ['subscription', 'invoice', 'refund', 'play'],
  output: ownSubscription,
})

/** The items and the price of an order before its invoice exists, computed by the code that also creates the invoice. */
export const orderQuote = z.object({
  /** The invoice number of the open draft for this plan. */
  invoiceNumber: z.nullable(z.string()),
  lines: z.array(z.object({ description: z.string(), amount: z.int() })),
  amount: cents,
})
export type OrderQuote = z.output<typeof orderQuote>
/** Implemented by billing, like `getOwnSubscription`. */
export const quoteOrder = get('/api/checkout/quote', {
  summary: 'Quote an order: its items with discount and account credit',
  access: 'member',
  dependsOn: ['invoice', 'credit'],
  query: z.object({ planId: idParam }),
  output: orderQuote,
})

export const putOffNextStep = post('/api/account/next-step/put-off', {
  summary: 'Put off a suggested step for 7 days',
  access: 'member',
  limit: 'write',
  body: z.object({ step: nextStep }),
  output: z.object({ until: instant }),
})
