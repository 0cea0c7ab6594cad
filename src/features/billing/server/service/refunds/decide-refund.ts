import { and, eq, ne, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { AppliedChange } from '#features/subscriptions/server/service.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { invoices, refundRequests, users } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { Approver } from '#server/session/actor.ts'
import type { InvoiceRefund, refundDecision } from '../../../admin-refund-contract.ts'
import { formatCreditNoteNumber } from '../../../refund-rules.ts'
import { notifyInvoiceChanged } from '../notify-invoice-changed.ts'
import { inDecisionTransaction } from '../payments/decide-invoice.ts'
import { previewChange } from '../payments/preview-decision.ts'
import { creditNoteOf } from './read-refunds.ts'
import { refundInvoice } from './refund-invoice.ts'

type RefundDecision = z.output<typeof refundDecision>
type Request = typeof refundRequests.$inferSelect
type DecisionResult = {
  applied?: AppliedChange
  version: number
  referrerId?: number | undefined
  creditReturned: number
  creditNote: string | null
}

/**
 * Approves or declines a refund request with all consequences in one transaction. Concurrent decisions are serialized, and only the first takes effect.
 * Throws 404 without a request, and 409 if the request is already decided or the ledger does not allow the refund.
 */
export async function decideRefund(
  db: Db,
  invoiceId: number,
  decision: RefundDecision,
  actor: Approver,
): Promise<InvoiceRefund> {
  await inDecisionTransaction(db, (tx) => decide(tx, invoiceId, decision, actor))
  return invoiceRefund(db, invoiceId, actor)
}

/** Returns the refund request of an invoice, the decision about it, and the effect of approving it now. Throws 404. */
export async function invoiceRefund(db: Db, invoiceId: number, actor: Approver): Promise<InvoiceRefund> {
  const [row] = await db
    .select({ request: refundRequests, decidedBy: users.username, amount: invoices.amount })
    .from(refundRequests)
    .innerJoin(invoices, eq(invoices.id, refundRequests.invoiceId))
    .leftJoin(users, eq(users.id, refundRequests.decidedBy))
    .where(eq(refundRequests.invoiceId, invoiceId))
  if (!row) return notFound('No refund was requested')
  const { request, decidedBy, amount } = row
  const [earlier] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(refundRequests)
    .where(
      and(
        eq(refundRequests.userId, request.userId),
        eq(refundRequests.status, 'approved'),
        ne(refundRequests.id, request.id),
      ),
    )
  const tried: RefundDecision = { status: 'approved', paymentReference: 'preview', reason: '', expectedAmount: amount }
  return {
    request,
    decidedBy,
    earlierRefunds: earlier!.count,
    creditNote: await creditNoteOf(db, invoiceId),
    outcome:
      request.status === 'pending'
        ? await previewChange(db, invoiceId, 'refunded', (tx) => decide(tx, invoiceId, tried, actor))
        : null,
  }
}

async function decide(
  tx: Tx,
  invoiceId: number,
  decision: RefundDecision,
  actor: Approver,
): Promise<AppliedChange | undefined> {
  // Lock order: the invoice first, like every other reversal or refund.
  const [invoice] = await tx.select().from(invoices).where(eq(invoices.id, invoiceId)).for('no key update')
  if (!invoice) return notFound('Invoice not found')
  const reason = decision.reason || null
  const [request] = await tx
    .update(refundRequests)
    .set({ status: decision.status, decidedAt: sql`now()`, decidedBy: actor.admin.id, decisionReason: reason })
    .where(and(eq(refundRequests.invoiceId, invoiceId), eq(refundRequests.status, 'pending')))
    .returning()
  if (!request) return refuseDecided(tx, invoiceId)
  if (invoice.userId === actor.admin.id && !actor.selfApproval)
    return conflict('own_invoice', 'Another administrator has to decide about the refund of your own invoice.')

  const done =
    decision.status === 'approved'
      ? await approve(tx, invoice, decision, actor)
      : { version: invoice.version, creditReturned: 0, creditNote: null }
  await audit(tx, {
    actorId: actor.admin.id,
    action: decision.status === 'approved' ? 'refund.approve' : 'refund.decline',
    targetType: 'invoice',
    targetId: invoiceId,
    before: { status: 'paid', refund: 'pending', ...(done.applied && { subscription: done.applied.before }) },
    after: {
      status: decision.status === 'approved' ? 'refunded' : 'paid',
      refund: decision.status,
      version: done.version,
      reason,
      ...(decision.status === 'approved' && {
        amount: invoice.amount,
        creditReturned: done.creditReturned,
        creditNote: done.creditNote,
        paymentReference: decision.paymentReference || null,
        subscription: done.applied?.after,
      }),
      ownInvoice: invoice.userId === actor.admin.id,
    },
    requestId: actor.requestId,
  })
  await mailDecision(tx, invoice, request, done)
  await notifyInvoiceChanged(tx, invoice.userId, done.referrerId)
  return done.applied
}

async function approve(
  tx: Tx,
  invoice: typeof invoices.$inferSelect,
  { paymentReference, expectedAmount }: Extract<RefundDecision, { status: 'approved' }>,
  { admin }: Approver,
): Promise<DecisionResult> {
  if (expectedAmount !== invoice.amount)
    return conflict('amount_changed', 'The amount of this invoice has changed since you opened it. Please reload.')
  if (invoice.amount > 0 && !paymentReference)
    return invalid('paymentReference', 'Please enter the reference of the payment you sent back')
  const {
    undone,
    referrerId,
    creditReturned,
    number,
    invoice: after,
  } = await refundInvoice(tx, invoice.id, { paymentReference, actorId: admin.id })
  return {
    applied: undone,
    version: after.version,
    referrerId,
    creditReturned,
    creditNote: formatCreditNoteNumber(number),
  }
}

async function mailDecision(
  tx: Tx,
  { userId, invoiceNumber, planName, amount }: typeof invoices.$inferSelect,
  { id, status, decisionReason }: Request,
  { creditNote, creditReturned }: DecisionResult,
): Promise<void> {
  const [customer] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  await enqueueMail(tx, {
    dedupeKey: `refund_decided:${id}`,
    userId,
    recipient: customer!.email,
    template: 'refund_decided',
    data: {
      invoiceNumber,
      planName,
      amount,
      approved: status === 'approved',
      reason: decisionReason,
      creditNote,
      creditReturned,
    },
  })
}

/** Throws 404 without a request, otherwise 409 naming the administrator who decided first. */
async function refuseDecided(tx: Tx, invoiceId: number): Promise<never> {
  const [last] = await tx
    .select({ status: refundRequests.status, by: users.username })
    .from(refundRequests)
    .leftJoin(users, eq(users.id, refundRequests.decidedBy))
    .where(eq(refundRequests.invoiceId, invoiceId))
  if (!last) return notFound('No refund was requested')
  return conflict(
    'already_decided',
    `${last.by ?? 'Another administrator'} decided first: this refund is already ${last.status}. Nothing was changed.`,
  )
}
