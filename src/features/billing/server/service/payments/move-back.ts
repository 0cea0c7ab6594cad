import { and, eq, inArray, lte, or, sql } from 'drizzle-orm'
import * as ledger from '#features/referrals/server/ledger.ts'
import * as subscriptions from '#features/subscriptions/server/service.ts'
import { audit } from '#server/audit.ts'
import type { Tx } from '#server/db/connect.ts'
import { invoiceLines, invoices, refundRequests } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import type { Approver } from '#server/session/actor.ts'
import { mailCustomer, notifyInvoiceChanged } from '../notify-invoice-changed.ts'
import { setCredit } from '../orders/use-credit.ts'
import type { BillingTerms, Decision } from './decision.ts'
import { explainRefusal } from './explain-refusal.ts'
import { lockCustomerAndReferrer } from './lock-customer-and-referrer.ts'

type MoveBack = Decision & { status: 'pending' | 'cancelled' }

/** Sets an invoice to pending or cancelled. For a paid invoice this reverses everything the payment did. Throws 404 and 409. */
export async function moveBack(
  tx: Tx,
  invoiceId: number,
  decision: MoveBack,
  { validDays }: BillingTerms,
  actor: Approver,
): Promise<subscriptions.AppliedChange | undefined> {
  const [before] = await tx.select().from(invoices).where(eq(invoices.id, invoiceId)).for('no key update')
  if (!before) return notFound('Invoice not found')
  if (before.status === 'paid') {
    await refuseWhileRefundIsOpen(tx, invoiceId)
    await refuseWhilePaymentIsAllocated(tx, invoiceId)
  }
  const [moved] = await tx
    .update(invoices)
    .set({
      status: decision.status,
      paidAt: null,
      version: sql`${invoices.version} + 1`,
      ...(decision.status === 'pending' && { expiresAt: reopenedUntil(validDays), paymentReference: referenceIfFree }),
    })
    .where(
      and(
        eq(invoices.id, invoiceId),
        allowedFrom(decision.status),
        decision.version === undefined ? undefined : eq(invoices.version, decision.version),
      ),
    )
    .returning()
  if (!moved) {
    await explainRefusal(tx, invoiceId, decision, actor)
    return undefined
  }

  const { claim, email } = await lockCustomerAndReferrer(tx, moved)
  const undone =
    before.status === 'paid'
      ? await subscriptions.reversePayment(tx, { invoiceId, actorId: actor.admin.id })
      : undefined
  if (undone) {
    await ledger.reverseBookings(tx, undone.activationId, actor.admin.id)
    await ledger.withdrawReward(tx, invoiceId)
  }
  if (moved.status === 'pending' && moved.submittedAt === null)
    await setCredit(tx, moved, await usesCredit(tx, moved.id))
  await audit(tx, {
    actorId: actor.admin.id,
    action: `invoice.${decision.status === 'pending' ? 'reopen' : 'cancel'}`,
    targetType: 'invoice',
    targetId: String(invoiceId),
    before: { status: before.status, paidAt: before.paidAt, subscription: undone?.before },
    after: { status: moved.status, version: moved.version, subscription: undone?.after },
    requestId: actor.requestId,
  })
  if (undone || decision.status === 'cancelled')
    await mailCustomer(
      tx,
      moved,
      undone ? 'payment_reversed' : 'invoice_cancelled',
      `invoice_moved:${invoiceId}:${moved.version}`,
      {},
      email,
    )
  await notifyInvoiceChanged(tx, moved.userId, claim?.referrerId)
  return undone
}

/** Throws 409 while a refund request is open: it has to be decided instead of reversing the payment. */
async function refuseWhileRefundIsOpen(tx: Tx, invoiceId: number): Promise<void> {
  const [asked] = await tx
    .select({ id: refundRequests.id })
    .from(refundRequests)
    .where(and(eq(refundRequests.invoiceId, invoiceId), eq(refundRequests.status, 'pending')))
  if (asked) conflict('refund_open', 'The customer requested a refund of this invoice. Approve or decline it first.')
}

/**
 * Throws 409 while a recorded payment is allocated to the invoice. An administrator has to undo the payment's confirmation on the Payments page,
 * because otherwise the payment would stay allocated to an unpaid invoice.
 */
async function refuseWhilePaymentIsAllocated(tx: Tx, invoiceId: number): Promise<void> {
  const { rows } = await tx.execute<{ cents: number }>(
    sql`SELECT coalesce(sum(amount), 0)::int AS cents FROM payment_allocations WHERE invoice_id = ${invoiceId} AND target = 'invoice'`,
  )
  if (rows[0]!.cents > 0)
    conflict('payment_recorded', 'A recorded payment settles this invoice. Undo its confirmation on the Payments page.')
}

/**
 * In a query of `invoices`: whether the invoice can change to `status`. A pending invoice past `expiresAt` counts as expired even before the job has
 * updated the row, so it can be reopened.
 */
const allowedFrom = (status: MoveBack['status']) =>
  status === 'cancelled'
    ? inArray(invoices.status, ['draft', 'pending', 'paid', 'expired'])
    : or(
        inArray(invoices.status, ['draft', 'paid', 'cancelled', 'expired']),
        and(eq(invoices.status, 'pending'), lte(invoices.expiresAt, sql`now()`)),
      )

/** The expiry date of a reopened invoice: it can be paid for at least as many days as a new invoice. */
export const reopenedUntil = (validDays: number) =>
  sql`greatest(${invoices.expiresAt}, now() + make_interval(days => ${validDays}))`

/** The invoice's phrase; null if another open invoice uses it by now. Without a phrase, the payment note contains the invoice number. */
export const referenceIfFree = sql`CASE WHEN NOT EXISTS (SELECT FROM invoices other WHERE other.payment_reference = ${invoices.paymentReference}
  AND other.status IN ('draft', 'pending') AND other.id <> ${invoices.id}) THEN ${invoices.paymentReference} END`

const usesCredit = async (tx: Tx, invoiceId: number): Promise<boolean> =>
  (
    await tx
      .select({ id: invoiceLines.id })
      .from(invoiceLines)
      .where(and(eq(invoiceLines.invoiceId, invoiceId), eq(invoiceLines.kind, 'credit')))
  ).length > 0
