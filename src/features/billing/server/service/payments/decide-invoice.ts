import * as settings from '#features/settings/server/service.ts'
import type { AppliedChange } from '#features/subscriptions/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { conflict } from '#server/errors.ts'
import type { Approver } from '#server/session/actor.ts'
import type { AdminInvoice } from '../../../admin-contract.ts'
import { reviewInfo } from '../../../rules.ts'
import { adminInvoice } from '../read-invoices.ts'
import { type ConfirmedPayment, confirmPayment } from './confirm-payment.ts'
import type { BillingTerms, Decision } from './decision.ts'
import { moveBack } from './move-back.ts'

/** Messages for unique index violations. A closed invoice cannot be reopened while another invoice has taken its place. */
const conflictMessages: Record<string, [code: string, message: string]> = {
  one_referral_discount: [
    'discount_used',
    'Another invoice of this customer already has the referral discount. Cancel that one first.',
  ],
  one_open_change: ['change_open', 'Another plan change of this customer is open. Cancel that one first.'],
  one_open_reference: [
    'reference_used',
    'Another order was just given the payment note of this invoice. Please try again.',
  ],
}

/**
 * Confirms, reopens or cancels an invoice with all consequences in one transaction. Repeating a decision changes nothing. Throws 404, and 409
 * when the dialog was stale or the state does not allow the decision.
 */
export async function decideInvoice(
  db: Db,
  invoiceId: number,
  decision: Decision,
  actor: Approver,
): Promise<AdminInvoice> {
  const terms = await readBillingTerms(db)
  return inDecisionTransaction(db, async (tx) => {
    if (decision.status !== 'paid')
      await moveBack(tx, invoiceId, { ...decision, status: decision.status }, terms, actor)
    else {
      const confirmed = await confirmPayment(tx, invoiceId, decision, terms, actor)
      if (confirmed && !decision.acknowledgeDuplicate) return viewOfConfirmed(confirmed, terms)
    }
    return adminInvoice(tx, invoiceId, terms.payments)
  })
}

/**
 * Returns the admin view of an invoice that was just confirmed without an acknowledgement, which means that it has no duplicate code. Uses only what
 * the transaction has already read, which saves a statement.
 */
const viewOfConfirmed = ({ invoice }: ConfirmedPayment, { payments }: BillingTerms): AdminInvoice => ({
  ...invoice,
  duplicateCode: false,
  similarCode: null,
  ...reviewInfo({ ...invoice, waitedMinutes: null }, payments),
})

/** Runs a decision in one transaction. Throws 409 with a readable message on a unique index violation. */
export const inDecisionTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  withConflictMessages(() => inTransaction(db, work))

/** Runs `work` and turns unique index violations into 409 with a readable message. */
export async function withConflictMessages<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const limit = conflictMessages[violationOf(error)?.constraint ?? '']
    if (limit) return conflict(...limit)
    throw error
  }
}

/** Applies a decision in the caller's transaction. Returns the subscription change; undefined if the subscription does not change. */
export const decide = (
  tx: Tx,
  invoiceId: number,
  decision: Decision,
  terms: BillingTerms,
  actor: Approver,
): Promise<AppliedChange | undefined> =>
  decision.status === 'paid'
    ? confirmPayment(tx, invoiceId, decision, terms, actor)
    : moveBack(tx, invoiceId, { ...decision, status: decision.status }, terms, actor)

/** Reads the billing terms. Call it before the transaction: settings are cached outside of transactions only. */
export async function readBillingTerms(db: Db): Promise<BillingTerms> {
  const [{ validDays }, { percent }, { claims }, payments] = await Promise.all([
    settings.read(db, 'invoices'),
    settings.read(db, 'referrals'),
    settings.read(db, 'site'),
    settings.read(db, 'payments'),
  ])
  return { validDays, percent, guaranteeDays: claims.moneyBackDays, payments }
}
