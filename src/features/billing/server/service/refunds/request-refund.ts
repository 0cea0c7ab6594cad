import { and, eq } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { invoices, refundRequests } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { Refund } from '../../../contract.ts'
import { guaranteeDays, refundsOf } from './read-refunds.ts'

/**
 * Requests a refund of a paid invoice, once per invoice and within the guarantee (database clock). An administrator decides about it. Throws 404,
 * including for another customer's invoice, and 409 with the reason shown on the page.
 */
export async function requestRefund(
  db: Db,
  user: SessionUser,
  { invoiceNumber, reason }: { invoiceNumber: string; reason: string },
  requestId: string,
): Promise<Refund> {
  const days = await guaranteeDays(db)
  return inTransaction(db, async (tx) => {
    // Reversals and refunds of this payment take the same lock.
    const [invoice] = await tx
      .select()
      .from(invoices)
      .where(and(eq(invoices.invoiceNumber, invoiceNumber), eq(invoices.userId, user.id)))
      .for('no key update')
    if (!invoice) return notFound('Invoice not found')
    const [payment] = await refundsOf(tx, user.id, days, { invoiceNumber })
    if (!payment) return conflict('not_paid', 'Only a paid invoice can be refunded')
    if (payment.refusal !== null) return conflict('no_refund', payment.refusal)
    const [made] = await tx
      .insert(refundRequests)
      .values({ invoiceId: invoice.id, userId: user.id, reason })
      .returning({ id: refundRequests.id })
    await audit(tx, {
      actorId: user.id,
      action: 'refund.request',
      targetType: 'invoice',
      targetId: invoice.id,
      after: { reason },
      requestId,
    })
    await enqueueMail(tx, {
      dedupeKey: `refund_requested:${made!.id}`,
      userId: user.id,
      recipient: user.email,
      template: 'refund_requested',
      data: { invoiceNumber, planName: invoice.planName, amount: invoice.amount },
    })
    await changed(tx, 'refund', { user: user.id })
    return (await refundsOf(tx, user.id, days, { invoiceNumber }))[0]!
  })
}
