import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import * as ledger from '#features/referrals/server/ledger.ts'
import * as subscriptions from '#features/subscriptions/server/service.ts'
import type { Tx } from '#server/db/connect.ts'
import { activations, creditNotes, creditTransactions, invoices, users } from '#server/db/tables.ts'
import { conflict, Refusal } from '#server/errors.ts'
import { lockCustomerAndReferrer } from '../payments/lock-customer-and-referrer.ts'

type Row = typeof invoices.$inferSelect
export type Refunded = {
  invoice: Row
  undone: subscriptions.AppliedChange
  creditReturned: number
  referrerId: number | undefined
  number: number
}

/**
 * Refunds a paid invoice, which is final: its activation, used credit and referral bonus are reversed and a credit note is issued. The caller holds
 * the invoice's row lock. Throws 409 if it is not paid, if a later plan change depends on it, or if credit to be withdrawn is already spent.
 */
export async function refundInvoice(
  tx: Tx,
  invoiceId: number,
  { paymentReference, actorId }: { paymentReference: string | null; actorId: number },
): Promise<Refunded> {
  const [invoice] = await tx
    .update(invoices)
    .set({ status: 'refunded', version: sql`${invoices.version} + 1` })
    .where(and(eq(invoices.id, invoiceId), eq(invoices.status, 'paid')))
    .returning()
  if (!invoice) return conflict('not_paid', 'Only a paid invoice can be refunded')
  const { claim } = await lockCustomerAndReferrer(tx, invoice)
  await refuseIfPlanChangeDependsOn(tx, invoice)
  const undone = await subscriptions.reversePayment(tx, { invoiceId, actorId })
  if (!undone) throw new Error(`Invoice ${invoice.invoiceNumber} is paid without an activation in force`)
  await reverseCredit(tx, invoice, undone.activationId, actorId)
  await ledger.withdrawReward(tx, invoiceId)
  const creditReturned = await returnedCredit(tx, invoice, undone.activationId)
  const number = await nextCreditNoteNumber(tx)
  await tx.insert(creditNotes).values({
    number,
    invoiceId,
    userId: invoice.userId,
    amount: invoice.amount,
    creditReturned,
    paymentReference: invoice.amount > 0 ? paymentReference : null,
    issuedBy: actorId,
  })
  return { invoice, undone, creditReturned, referrerId: claim?.referrerId, number }
}

/** Throws 409 if a later plan change depends on the payment, because the charge for that plan change was reduced by the value of the time paid for here. */
async function refuseIfPlanChangeDependsOn(tx: Tx, { id, userId }: Row): Promise<void> {
  const own = alias(activations, 'own')
  const [paid] = await tx
    .select({ invoiceNumber: invoices.invoiceNumber })
    .from(activations)
    .innerJoin(invoices, eq(invoices.id, activations.invoiceId))
    .innerJoin(own, and(eq(own.userId, activations.userId), eq(own.invoiceId, id), isNull(own.reversedAt)))
    .where(and(eq(activations.kind, 'plan_change'), isNull(activations.reversedAt), gt(activations.id, own.id)))
    .limit(1)
  if (paid)
    conflict(
      'later_change',
      `The plan change ${paid.invoiceNumber} was paid later and depends on this payment. Refund or reverse it first.`,
    )
  const [open] = await tx
    .select({ invoiceNumber: invoices.invoiceNumber })
    .from(invoices)
    .where(
      and(
        eq(invoices.userId, userId),
        eq(invoices.kind, 'plan_change'),
        inArray(invoices.status, ['draft', 'pending']),
        gt(invoices.expiresAt, sql`now()`),
      ),
    )
    .limit(1)
  if (open)
    conflict(
      'later_change',
      `The plan change ${open.invoiceNumber} is open and depends on this payment. Confirm or cancel it first.`,
    )
}

async function reverseCredit(tx: Tx, { userId }: Row, activationId: number, actorId: number): Promise<void> {
  try {
    await ledger.reverseBookings(tx, activationId, actorId)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'credit_spent') throw error
    const owing = await tx
      .selectDistinct({ id: users.id, username: users.username })
      .from(creditTransactions)
      .innerJoin(users, eq(users.id, creditTransactions.userId))
      .where(
        and(
          eq(creditTransactions.activationId, activationId),
          sql`${creditTransactions.amount} > 0`,
          isNull(creditTransactions.reversesId),
        ),
      )
    const name = owing.find(({ id }) => id !== userId)?.username ?? owing[0]?.username
    conflict(
      'credit_spent',
      `${name ?? 'The customer'} has already spent credit that this refund withdraws. Adjust their account credit first.`,
    )
  }
}

/** Returns the account credit (cents) that the customer got back. */
async function returnedCredit(tx: Tx, { userId }: Row, activationId: number): Promise<number> {
  const [row] = await tx
    .select({ cents: sql<number>`coalesce(sum(${creditTransactions.amount}), 0)::int` })
    .from(creditTransactions)
    .where(
      and(
        eq(creditTransactions.activationId, activationId),
        eq(creditTransactions.userId, userId),
        eq(creditTransactions.type, 'payment'),
        sql`${creditTransactions.reversesId} IS NOT NULL`,
      ),
    )
  return row!.cents
}

/** Returns the next number of a series without gaps: an advisory lock serializes credit notes, and a rolled back credit note uses no number. */
async function nextCreditNoteNumber(tx: Tx): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('credit_notes'), 0)`)
  const [last] = await tx
    .select({ number: sql<number>`coalesce(max(${creditNotes.number}), 0)::int` })
    .from(creditNotes)
  return last!.number + 1
}
