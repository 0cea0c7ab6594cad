import { eq } from 'drizzle-orm'
import { acceptDifference } from '#features/billing/server/service/payments/accept-difference.ts'
import { confirmPayment } from '#features/billing/server/service/payments/confirm-payment.ts'
import { restoreInvoice } from '#features/billing/server/service/payments/restore-invoice.ts'
import * as ledger from '#features/referrals/server/ledger.ts'
import type { Tx } from '#server/db/connect.ts'
import { payments } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Approver } from '#server/session/actor.ts'
import {
  type Allocation,
  allocate,
  type DecisionRow,
  inForce,
  lockInvoices,
  reverseAllocation,
  updateCase,
} from '../book.ts'
import { type PaymentTerms, termsOfPayments } from '../payment-terms.ts'
import { markPayer, reversedRows } from './take-back.ts'

/**
 * Undoes the effect of a reversal on its payment: invoices are paid again, and credit, holds and planned refunds are as before. Throws 409 if an
 * invoice was closed or changed in the meantime.
 */
export async function undoTakeBack(
  tx: Tx,
  decision: DecisionRow,
  undoId: number,
  terms: PaymentTerms,
  actor: Approver,
): Promise<void> {
  for (const row of await inForce(tx, { decisionId: decision.id })) await reverseAllocation(tx, row, undoId)
  const rows = await reversedRows(tx, decision.id)
  const activationOf = new Map<number, number>()
  const confirmTerms = await termsOfPayments(tx, terms, decision.undoFacts.joined)
  for (const before of decision.undoFacts.invoices.filter(({ status }) => status === 'paid')) {
    const amount = sumOf(rows.filter(({ invoiceId }) => invoiceId === before.id))
    await restoreInvoice(tx, { ...before, status: 'pending' })
    const [invoice] = await lockInvoices(tx, [before.id])
    if (invoice && invoice.amount > amount) await acceptDifference(tx, before.id, invoice.amount - amount)
    const applied = await confirmPayment(
      tx,
      before.id,
      { status: 'paid', paidAt: before.paidAt ?? null, expectedAmount: amount, acknowledgeDuplicate: true },
      confirmTerms,
      actor,
    )
    if (!applied) conflict('already_paid', 'The invoice was paid in another way in the meantime.')
    activationOf.set(before.id, applied!.activationId)
  }
  for (const row of rows) await restore(tx, row, activationOf, actor)
  for (const id of decision.undoFacts.joined) await updateCase(tx, id)
  await unmarkPayer(tx, decision)
}

/** Allocates the money of a reversed row again, as part of the original decision, so that the original decision can still be undone. */
async function restore(tx: Tx, row: Allocation, activationOf: Map<number, number>, { admin }: Approver): Promise<void> {
  const { paymentId, decisionId, amount, target, invoiceId, userId, activationId, refundReference } = row
  if (target === 'hold') {
    const [invoice] = await lockInvoices(tx, [invoiceId!])
    if (invoice?.status !== 'draft' && invoice?.status !== 'pending')
      conflict('not_open', 'The invoice that the money was held for is closed.')
  }
  const creditTransactionId = target === 'credit' ? await creditAgain(tx, row, admin.id) : null
  await allocate(tx, {
    ...{ paymentId, decisionId, amount, target, invoiceId, userId, refundReference, creditTransactionId },
    activationId: target === 'invoice' ? (activationOf.get(invoiceId!) ?? activationId) : activationId,
  })
}

async function creditAgain(tx: Tx, { userId, amount }: Allocation, createdBy: number): Promise<number> {
  const id = await ledger.bookCredit(tx, {
    userId: userId!,
    amount,
    type: 'payment',
    description: 'Payment added to your credit again',
    createdBy,
  })
  await changed(tx, 'credit', { user: userId! })
  return id!
}

/** Undoes `markPayer` for the payment that the decision took back, which is the first one in `undoFacts.joined`. */
export async function unmarkPayer(tx: Tx, { undoFacts }: DecisionRow): Promise<void> {
  const [takenId] = undoFacts.joined
  if (!takenId) return
  const [taken] = await tx.select().from(payments).where(eq(payments.id, takenId))
  if (taken) await markPayer(tx, taken, -1)
}

const sumOf = (rows: Allocation[]): number => rows.reduce((sum, { amount }) => sum + amount, 0)
