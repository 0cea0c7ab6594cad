import type { AppliedChange } from '#features/subscriptions/server/service.ts'
import type { invoices } from '#server/db/tables.ts'
import type { Approver, Decider } from '#server/session/actor.ts'
import type { PaymentDecision } from '../../admin-contract.ts'
import type { LockedPayment } from './book.ts'
import type { PaymentTerms } from './payment-terms.ts'

/** The input for a decision: the decision itself and the locked payment. `invoiceIds` are in ascending order. */
export type Work = LockedPayment & {
  decision: PaymentDecision
  invoiceIds: number[]
  terms: PaymentTerms
  actor: Approver
}
/** Like `Work`, but the rule of automatic confirmation can also be the actor. */
export type ConfirmWork = Omit<Work, 'actor'> & { actor: Decider }
export type ConfirmedInvoice = { invoice: typeof invoices.$inferSelect; applied: AppliedChange }
/** The effect of a decision: the confirmed invoices, the ids of the invoices that it concerns, and the templates of the emails that it sends. */
export type Effect = {
  confirmed: ConfirmedInvoice[]
  /** The invoices that were paid before and are open again. */
  reopened?: { invoice: ConfirmedInvoice['invoice']; applied: AppliedChange | undefined }[]
  invoiceIds: number[]
  emails: string[]
}
