// An invoice that a payment may belong to, with the evidence and the decisions that fit.
import * as z from 'zod/mini'
import { invoiceStatus } from '#features/billing/contract.ts'
import { cents, id, instant } from '#kit/text.ts'
import { caseKinds, evidenceStates, paymentActions } from './rules.ts'

const evidence = z.object({
  about: z.enum(['reference', 'amount', 'sender', 'time']),
  state: z.enum(evidenceStates),
  payment: z.string(),
  invoice: z.string(),
})
export type Evidence = z.output<typeof evidence>
const openInvoice = z.object({ invoiceId: id, invoiceNumber: z.string(), planName: z.string(), due: cents })
export const paymentCandidate = z.object({
  invoiceId: id,
  invoiceNumber: z.string(),
  customer: z.string(),
  userId: id,
  planName: z.string(),
  status: invoiceStatus,
  submittedAt: z.nullable(instant),
  expiresAt: instant,
  /** The cents still due: the amount minus what is held for the invoice. */
  due: cents,
  held: cents,
  /** The customer's account credit that no open invoice uses. */
  freeCredit: cents,
  /** How many payments of this payer were confirmed for the customer. */
  timesBefore: z.int(),
  /** For a second payment of a paid invoice: another open invoice of the customer that it covers. */
  next: z.nullable(openInvoice),
  kind: z.enum(caseKinds),
  reasons: z.array(z.string()),
  evidence: z.array(evidence),
  /** The possible decisions; the first is suggested. */
  actions: z.array(z.enum(paymentActions)),
  /** The open invoices of the customer that a split would pay. */
  together: z.array(openInvoice),
})
export type PaymentCandidate = z.output<typeof paymentCandidate>
