import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import type { UndoFacts } from '#server/db/tables.ts'
import { invoices, paymentAllocations, paymentCases, paymentDecisions, payments } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import type { Payment } from './compare-payment.ts'
import type { CaseRow } from './match-payment.ts'

export type Allocation = typeof paymentAllocations.$inferSelect
export type DecisionRow = typeof paymentDecisions.$inferSelect
export type LockedPayment = { payment: Payment; known: CaseRow }

/**
 * Locks the case of a payment and the cases of the payments that are held for these invoices, by ascending id, and then the invoices. Every decision must
 * acquire its locks in this order. Throws 404.
 */
export async function lockPayment(tx: Tx, paymentId: number, invoiceIds: number[]): Promise<LockedPayment> {
  const held =
    invoiceIds.length > 0
      ? await tx
          .selectDistinct({ id: paymentAllocations.paymentId })
          .from(paymentAllocations)
          .where(and(inArray(paymentAllocations.invoiceId, invoiceIds), eq(paymentAllocations.target, 'hold')))
      : []
  const rows = await lockCases(tx, [paymentId, ...held.map(({ id }) => id)])
  await lockInvoices(tx, invoiceIds)
  const known = rows.find((row) => row.paymentId === paymentId)
  const [payment] = await tx.select().from(payments).where(eq(payments.id, paymentId))
  return known && payment ? { payment, known } : notFound('Payment not found')
}

/** Locks the cases of these payments in the order of their ids, and returns them. Unknown ids are ignored. */
export const lockCases = (tx: Tx, paymentIds: number[]): Promise<CaseRow[]> =>
  tx
    .select()
    .from(paymentCases)
    .where(inArray(paymentCases.paymentId, paymentIds))
    .orderBy(asc(paymentCases.paymentId))
    .for('no key update')

/** Locks these invoices in the order of their ids, and returns them. Unknown ids are ignored. */
export const lockInvoices = (tx: Tx, invoiceIds: number[]) =>
  tx.select().from(invoices).where(inArray(invoices.id, invoiceIds)).orderBy(asc(invoices.id)).for('no key update')

/** The undo facts of a decision that cannot be undone. */
export const nothingToRestore: UndoFacts = {
  case: { status: 'open', setAsideUntil: null, setAsideReason: null },
  invoices: [],
  joined: [],
  learned: [],
}

/**
 * Returns the current state of these invoices, to be stored for an undo. Deadlines are strings because they have microseconds, which a `Date` would truncate.
 */
export async function invoicesBefore(tx: Tx, rows: { id: number }[]): Promise<UndoFacts['invoices']> {
  if (rows.length === 0) return []
  const exact = sql<string>`to_char(${invoices.expiresAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
  return tx
    .select({ id: invoices.id, status: invoices.status, expiresAt: exact, paidAt: invoices.paidAt })
    .from(invoices)
    .where(
      inArray(
        invoices.id,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(invoices.id))
}

type NewDecision = Pick<DecisionRow, 'paymentId' | 'action' | 'undoFacts' | 'decidedBy'> &
  Partial<Pick<DecisionRow, 'reason' | 'undoesId'>>
/** Adds a decision and returns its id. Add its allocations with `allocate`. */
export const insertDecision = async (tx: Tx, decision: NewDecision): Promise<number> =>
  (await tx.insert(paymentDecisions).values(decision).returning({ id: paymentDecisions.id }))[0]!.id

type NewAllocation = Pick<Allocation, 'paymentId' | 'decisionId' | 'amount' | 'target'> &
  Partial<
    Pick<Allocation, 'invoiceId' | 'userId' | 'activationId' | 'creditTransactionId' | 'refundReference' | 'reversesId'>
  >
/** Adds an allocation. `amount` is in cents, and negative if it reverses another allocation. */
export const allocate = async (tx: Tx, allocation: NewAllocation): Promise<void> =>
  void (await tx.insert(paymentAllocations).values(allocation))

/** Returns the allocations of a payment, of invoices or of a decision that are neither reversed nor reversals themselves. */
export const inForce = (
  tx: Tx,
  filter: { paymentId?: number; invoiceIds?: number[]; decisionId?: number },
): Promise<Allocation[]> =>
  tx
    .select()
    .from(paymentAllocations)
    .where(
      and(
        filter.paymentId === undefined ? undefined : eq(paymentAllocations.paymentId, filter.paymentId),
        filter.invoiceIds && inArray(paymentAllocations.invoiceId, filter.invoiceIds),
        filter.decisionId === undefined ? undefined : eq(paymentAllocations.decisionId, filter.decisionId),
        sql`${paymentAllocations.reversesId} is null`,
        sql`not exists (select from payment_allocations reversal where reversal.reverses_id = ${paymentAllocations.id})`,
      ),
    )
    .orderBy(asc(paymentAllocations.id))

/** Reverses an allocation by adding one of the opposite amount. `creditTransactionId` is the ledger row that reverses the credit. */
export const reverseAllocation = (
  tx: Tx,
  row: Allocation,
  decisionId: number,
  creditTransactionId: number | null = null,
): Promise<void> =>
  allocate(tx, {
    paymentId: row.paymentId,
    decisionId,
    amount: -row.amount,
    target: row.target,
    invoiceId: row.invoiceId,
    userId: row.userId,
    activationId: row.activationId,
    creditTransactionId,
    refundReference: row.refundReference,
    reversesId: row.id,
  })

/** Sets the open cents and the status of a case from its allocations. If cents are open, the status is that of `unsettled`. */
export async function updateCase(
  tx: Tx,
  paymentId: number,
  unsettled: UndoFacts['case'] = { status: 'open', setAsideUntil: null, setAsideReason: null },
): Promise<CaseRow> {
  const sum = (where = sql`true`) =>
    sql`(select coalesce(sum(amount), 0)::int from payment_allocations where payment_id = ${paymentId} and ${where})`
  const open = sql`((select amount from payments where id = ${paymentId}) - ${sum()})`
  const isOpen = unsettled.status === 'set_aside' ? 'set_aside' : 'open'
  const [updated] = await tx
    .update(paymentCases)
    .set({
      openCents: open,
      status: sql`case when ${open} > 0 then ${isOpen} when ${sum(sql`target = 'hold'`)} > 0 then 'held' else 'done' end`,
      setAsideUntil: sql`case when ${open} > 0 then ${unsettled.setAsideUntil}::date end`,
      setAsideReason: sql`case when ${open} > 0 then ${unsettled.setAsideReason}::text end`,
      ready: false,
      version: sql`${paymentCases.version} + 1`,
      changedAt: sql`now()`,
    })
    .where(eq(paymentCases.paymentId, paymentId))
    .returning()
  return updated!
}
