import type { AppliedChange } from '#features/subscriptions/server/service.ts'
import type { invoices } from '#server/db/tables.ts'
import type { Approver, Decider } from '#server/session/actor.ts'
import type { PaymentDecision } from '../../admin-contract.ts'
import type { LockedPayment } from './book.ts'
import type { PaymentTerms } from './payment-terms.ts'

/** A decision with the locked payment. `invoiceIds` are in ascending order. */
export type Work = LockedPayment & {
  decision: PaymentDecision
  invoiceIds: number[]
  terms: PaymentTerms
  actor: Approver
}
/** The same, also used by the rule of automatic confirmation. */
export type ConfirmWork = Omit<Work, 'actor'> & { actor: Decider }
export type ConfirmedInvoice = { invoice: typeof invoices.$inferSelect; applied: AppliedChange }
/** What a decision did: the confirmed invoices, the changed invoices, and the templates of the emails it sends. */
export type Effect = {
  confirmed: ConfirmedInvoice[]
  /** The invoices that were paid and are open again. */
  reopened?: { invoice: ConfirmedInvoice['invoice']; applied: AppliedChange | undefined }[]
  invoiceIds: number[]
  emails: string[]
}
