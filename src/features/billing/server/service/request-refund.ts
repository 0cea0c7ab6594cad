import { and, eq } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { invoices, refundRequests } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { notifyAdmins, notifyUser } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { SessionUser } from '#server/session/session.ts'
import { listRefunds, type Refund } from '../../contract.ts'
import { adminInvoiceEndpoints } from './notify-invoice-changed.ts'
import { guaranteeDays, refundsOf } from './read-refunds.ts'

/**
 * A customer asks for the money of a paid invoice back, once, while its guarantee runs by the database's clock. Nothing changes before an
 * administrator decides. Someone else's number is the same 404 as none; whatever cannot be asked for is 409 with the sentence the page shows.
 */
export async function requestRefund(
  db: Db,
  user: SessionUser,
  { invoiceNumber, reason }: { invoiceNumber: string; reason: string },
  requestId: string,
): Promise<Refund> {
  const days = await guaranteeDays(db)
  return inTransaction(db, async (tx) => {
    // Whoever undoes or refunds this payment holds the same lock.
    const [invoice] = await tx
      .select()
      .from(invoices)
      .where(and(eq(invoices.invoiceNumber, invoiceNumber), eq(invoices.userId, user.id)))
      .for('no key update')
    if (!invoice) return notFound('Invoice not found')
    const [payment] = await refundsOf(tx, user.id, days, invoiceNumber)
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
    await notifyUser(tx, user.id, [listRefunds.id])
    await notifyAdmins(tx, adminInvoiceEndpoints)
    return (await refundsOf(tx, user.id, days, invoiceNumber))[0]!
  })
}
