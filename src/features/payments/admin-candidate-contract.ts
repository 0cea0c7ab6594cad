// An invoice that a payment may belong to, with the evidence and the possible decisions.
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
  /** The cents still due: the amount of the invoice minus what is held for it. */
  due: cents,
  held: cents,
  /** The customer's account credit that is not used by an open invoice, in cents. */
  freeCredit: cents,
  /** How many payments of this payer were confirmed for the customer before. */
  timesBefore: z.int(),
  /** For a second payment of a paid invoice: another open invoice of the customer that this payment covers. */
  next: z.nullable(openInvoice),
  kind: z.enum(caseKinds),
  reasons: z.array(z.string()),
  evidence: z.array(evidence),
  /** The possible decisions; the first is suggested. */
  actions: z.array(z.enum(paymentActions)),
  /** The open invoices of the customer that the payment would pay together; empty unless it is a split. */
  together: z.array(openInvoice),
})
export type PaymentCandidate = z.output<typeof paymentCandidate>
