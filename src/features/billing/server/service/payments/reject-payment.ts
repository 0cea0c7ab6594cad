import { and, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { invoices } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import type { Approver } from '#server/session/actor.ts'
import type { AdminInvoice } from '../../../admin-contract.ts'
import { mailCustomer, notifyInvoiceChanged } from '../notify-invoice-changed.ts'
import { adminInvoice } from '../read-invoices.ts'
import { inDecisionTransaction, readBillingTerms } from './decide-invoice.ts'
import type {} from './decision.ts'
import { refuseAsStale } from './explain-refusal.ts'
import { referenceIfFree, reopenedUntil } from './move-back.ts'

/**
 * Rejects a submitted payment with a reason for the customer. The invoice is pending, accepts a new submission and can be paid for at least as many
 * days as a new invoice. Throws 404, 409 `stale`, and 409 `not_possible` without a submitted payment.
 */
export async function rejectPayment(
  db: Db,
  invoiceId: number,
  { reason, version }: { reason: string; version: number },
  { admin, requestId }: Pick<Approver, 'admin' | 'requestId'>,
): Promise<AdminInvoice> {
  const { validDays, payments } = await readBillingTerms(db)
  return inDecisionTransaction(db, async (tx) => {
    const [before] = await tx.select().from(invoices).where(eq(invoices.id, invoiceId)).for('no key update')
    if (!before) return notFound('Invoice not found')
    if (before.version !== version) return refuseAsStale(tx, invoiceId, before)
    const [rejected] = await tx
      .update(invoices)
      .set({
        status: 'pending',
        submittedAt: null,
        confirmationCode: null,
        paymentNote: null,
        rejectionReason: reason,
        rejectedAt: sql`now()`,
        expiresAt: reopenedUntil(validDays),
        paymentReference: referenceIfFree,
        // The customer submitted in time, so the price of a plan change stays valid for the next submission.
        pricedFrom: sql`${invoices.pricedFrom} || jsonb_build_object('validUntil', ${reopenedUntil(validDays)})`,
        version: sql`${invoices.version} + 1`,
      })
      .where(
        and(
          eq(invoices.id, invoiceId),
          inArray(invoices.status, ['pending', 'expired']),
          isNotNull(invoices.submittedAt),
          gt(invoices.amount, 0),
        ),
      )
      .returning()
    if (!rejected)
      return conflict('not_possible', 'Only a submitted payment that is waiting for confirmation can be rejected')
    const { status, submittedAt, paymentMethod, confirmationCode, paymentNote } = before
    await audit(tx, {
      actorId: admin.id,
      action: 'invoice.reject',
      targetType: 'invoice',
      targetId: invoiceId,
      before: { status, submittedAt, paymentMethod, confirmationCode, paymentNote },
      after: { status: rejected.status, version: rejected.version, submittedAt: null, reason },
      requestId,
    })
    await mailCustomer(tx, rejected, 'payment_rejected', `payment_rejected:${invoiceId}:${rejected.version}`, {
      reason,
    })
    await notifyInvoiceChanged(tx, rejected.userId)
    return adminInvoice(tx, invoiceId, payments)
  })
}
