import { and, eq, getTableColumns, gt, isNull, or, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { invoices } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { Invoice, PaymentMethod } from '../../../contract.ts'
import { statusAt } from '../../../rules.ts'
import { refuseOutdatedChange } from '../orders/outdated-change.ts'

type Payment = {
  planId: number
  paymentMethod: PaymentMethod | null
  confirmationCode?: string | null
  paymentNote?: string | null
  invoiceNumber: string
}
type Receipt = Pick<Invoice, 'invoiceNumber' | 'status'> & { orderId: string }

/**
 * Submits the payment details of an invoice; a draft becomes pending. Submitting the same details again succeeds without a change. Throws 404,
 * including for another customer's invoice, and 409 for different details and for a closed or expired invoice.
 */
export async function submitPayment(db: Db, user: SessionUser, payment: Payment): Promise<Receipt> {
  const entered = submittedEvidence(payment)
  return inTransaction(db, async (tx) => {
    const [submitted] = await submitStatement(tx, {
      ...entered,
      invoiceNumber: payment.invoiceNumber,
      userId: user.id,
      planId: payment.planId,
    })
    if (submitted) {
      if (submitted.paymentMethod && !(await settings.read(db, 'payments')).offers[submitted.paymentMethod])
        return invalid('paymentMethod', 'This payment method is not offered. Please choose another one.')
      await refuseOutdatedChange(
        tx,
        submitted,
        'Your subscription has changed since this plan change was priced. Please request it again at the current price.',
      )
      const { id, invoiceNumber, planName, amount, paymentMethod, paymentReference } = submitted
      await enqueueMail(tx, {
        dedupeKey: `order_received:${id}:${submitted.version}`,
        userId: user.id,
        recipient: user.email,
        template: 'order_received',
        data: { invoiceNumber, planName, amount, paymentMethod, paymentReference },
      })
      await changed(tx, 'invoice', { user: user.id })
      return { invoiceNumber, orderId: invoiceNumber, status: submitted.status }
    }
    const [found] = await tx
      .select({ ...getTableColumns(invoices), now: sql<string>`now()` })
      .from(invoices)
      .where(and(eq(invoices.invoiceNumber, payment.invoiceNumber), eq(invoices.userId, user.id)))
    if (!found) return notFound('Invoice not found')
    if (found.status === 'paid') return conflict('invoice_paid', 'This invoice is already paid')
    if (found.status === 'refunded')
      return conflict('invoice_refunded', 'This invoice was refunded and can no longer be paid')
    if (found.status === 'cancelled')
      return conflict('invoice_cancelled', 'This invoice was cancelled and can no longer be paid')
    if (statusAt(found, new Date(found.now)) === 'expired' || found.status === 'expired')
      return conflict('invoice_expired', 'This invoice has expired. Please contact support or start a new order.')
    if (found.planId !== payment.planId) return conflict('plan_mismatch', 'This invoice is for another plan')
    if (payment.paymentMethod === null && found.amount > 0)
      return invalid('paymentMethod', 'Please choose a payment method')
    if (!isSame(found, entered))
      return conflict('already_submitted', 'Another payment was already submitted for this invoice')
    return { invoiceNumber: found.invoiceNumber, orderId: found.invoiceNumber, status: found.status }
  })
}

type Submission = Evidence & { invoiceNumber: string; userId: number; planId: number }
const submitStatement = statement('payment_submit', (tx, params: Params<Submission>) =>
  tx
    .update(invoices)
    .set({
      paymentMethod: sql`${params.paymentMethod}::text`,
      paymentNote: sql`${params.paymentNote}::text`,
      confirmationCode: sql`${params.confirmationCode}::text`,
      status: 'pending',
      submittedAt: sql`now()`,
      rejectionReason: null,
      rejectedAt: null,
      version: sql`${invoices.version} + 1`,
    })
    .where(
      and(
        eq(invoices.invoiceNumber, params.invoiceNumber),
        eq(invoices.userId, params.userId),
        eq(invoices.planId, params.planId),
        or(eq(invoices.status, 'draft'), and(eq(invoices.status, 'pending'), isNull(invoices.submittedAt))),
        gt(invoices.expiresAt, sql`now()`),
        or(sql`${params.paymentMethod}::text is not null`, eq(invoices.amount, 0)),
      ),
    )
    .returning({
      id: invoices.id,
      invoiceNumber: invoices.invoiceNumber,
      kind: invoices.kind,
      planName: invoices.planName,
      amount: invoices.amount,
      paymentMethod: invoices.paymentMethod,
      paymentReference: invoices.paymentReference,
      status: invoices.status,
      version: invoices.version,
    }),
)

type Evidence = { paymentMethod: PaymentMethod | null; confirmationCode: string | null; paymentNote: string | null }
/** A card payment has neither code nor note. */
function submittedEvidence({ paymentMethod, confirmationCode, paymentNote }: Payment): Evidence {
  if (paymentMethod === 'creditcard' || paymentMethod === null)
    return { paymentMethod, confirmationCode: null, paymentNote: null }
  return { paymentMethod, confirmationCode: confirmationCode || null, paymentNote: paymentNote || null }
}
/** Codes stored by earlier releases may not be NFKC-normalized, so they are normalized before comparing. */
const isSame = (
  row: { paymentMethod: string | null; confirmationCode: string | null; paymentNote: string | null },
  entered: Evidence,
): boolean =>
  row.paymentMethod === entered.paymentMethod &&
  (row.confirmationCode?.normalize('NFKC').trim() ?? null) === entered.confirmationCode &&
  row.paymentNote === entered.paymentNote
