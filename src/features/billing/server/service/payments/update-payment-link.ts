import { and, eq, gt, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { invoices } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import type { Approver } from '#server/session/actor.ts'
import type { AdminInvoice } from '../../../admin-contract.ts'
import { mailCustomer, notifyInvoiceChanged } from '../notify-invoice-changed.ts'
import { adminInvoice } from '../read-invoices.ts'
import { refuseAsStale } from './explain-refusal.ts'

/**
 * Sets, replaces or removes (null) the secure payment link of an open card invoice and emails each new link to the account's address. The same link
 * again changes nothing. Throws 404, 409 `stale`, and 409 `not_card` for any other invoice.
 */
export async function updatePaymentLink(
  db: Db,
  invoiceId: number,
  { paymentLink, version }: { paymentLink: string | null; version: number },
  { admin, requestId }: Pick<Approver, 'admin' | 'requestId'>,
): Promise<AdminInvoice> {
  return inTransaction(db, async (tx) => {
    const [before] = await tx.select().from(invoices).where(eq(invoices.id, invoiceId)).for('no key update')
    if (!before) return notFound('Invoice not found')
    if (before.paymentLink === paymentLink) return adminInvoice(tx, invoiceId)
    if (before.version !== version) return refuseAsStale(tx, invoiceId, before)
    const [changed] = await tx
      .update(invoices)
      .set({ paymentLink, version: sql`${invoices.version} + 1` })
      .where(
        and(
          eq(invoices.id, invoiceId),
          eq(invoices.status, 'pending'),
          eq(invoices.paymentMethod, 'creditcard'),
          gt(invoices.expiresAt, sql`now()`),
        ),
      )
      .returning()
    if (!changed) return conflict('not_card', 'Only an open credit card invoice can have a payment link')
    await audit(tx, {
      actorId: admin.id,
      action: 'invoice.payment_link',
      targetType: 'invoice',
      targetId: invoiceId,
      before: { paymentLink: before.paymentLink },
      after: { paymentLink, status: changed.status, version: changed.version },
      requestId,
    })
    if (paymentLink)
      await mailCustomer(tx, changed, 'payment_link', `payment_link:${invoiceId}:${changed.version}`, { paymentLink })
    await notifyInvoiceChanged(tx, changed.userId)
    return adminInvoice(tx, invoiceId)
  })
}
