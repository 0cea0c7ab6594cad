import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { paymentCases, paymentMatches, payments } from '#server/db/tables.ts'
import type { Evidence } from '../matching/types.ts'
import { storeRuleResult } from './automation/store-rule-result.ts'
import { comparePayment, type Payment } from './compare-payment.ts'
import { notifyProgress } from './read-progress.ts'
import { sourceEvidence } from './source.ts'

export type CaseRow = typeof paymentCases.$inferSelect

/**
 * Compares an open payment again and stores the result. The caller must hold the lock on the case. Without `evidence`, that of the stored emails and events is
 * used. Returns whether the result changed.
 */
export async function rematch(tx: Tx, payment: Payment, known: CaseRow, evidence?: Evidence): Promise<boolean> {
  // A reversal belongs to the payment that it takes back, not to an invoice.
  if (payment.direction === 'reversal') return false
  const source = evidence ?? (await sourceEvidence(tx, payment.id))
  const compared = await comparePayment(tx, payment, known.openCents, source)
  const { shown, kind, level, ready, score, top, blockedBy } = compared
  const topInvoiceId = top?.id ?? null
  const [updated] = await tx
    .update(paymentCases)
    .set({
      kind,
      level,
      ready,
      score,
      topInvoiceId,
      blockedBy: blockedBy.map(({ code }) => code),
      matchedAt: sql`now()`,
    })
    .where(and(eq(paymentCases.paymentId, payment.id), eq(paymentCases.status, 'open')))
    .returning({ paymentId: paymentCases.paymentId })
  if (!updated) return false
  await tx.delete(paymentMatches).where(eq(paymentMatches.paymentId, payment.id))
  if (shown.length > 0)
    await tx.insert(paymentMatches).values(
      shown.map((each) => ({
        paymentId: payment.id,
        invoiceId: each.invoice.id,
        score: each.score,
        level: level !== 'none' && each.invoice.id === topInvoiceId ? level : ('maybe' as const),
        reasons: each.reasons,
      })),
    )
  await storeRuleResult(tx, payment, compared)
  if (ready !== known.ready) await notifyProgress(tx, [known.topInvoiceId, topInvoiceId])
  return kind !== known.kind || level !== known.level || topInvoiceId !== known.topInvoiceId || ready !== known.ready
}

/** Compares those of these payments that are open again. */
export async function rematchPayments(tx: Tx, paymentIds: number[]): Promise<void> {
  if (paymentIds.length === 0) return
  const rows = await tx
    .select({ payment: payments, known: paymentCases })
    .from(paymentCases)
    .innerJoin(payments, eq(payments.id, paymentCases.paymentId))
    .where(and(eq(paymentCases.status, 'open'), inArray(paymentCases.paymentId, paymentIds)))
    .orderBy(asc(paymentCases.paymentId))
    .for('no key update', { of: paymentCases })
  for (const { payment, known } of rows) await rematch(tx, payment, known)
}

/** Compares the other open payments again that are proposed for these invoices. Payments that another transaction has locked are skipped. */
export async function rematchOthers(tx: Tx, invoiceIds: number[], exceptPaymentId: number): Promise<void> {
  if (invoiceIds.length === 0) return
  const others = await tx
    .select({ payment: payments, known: paymentCases })
    .from(paymentCases)
    .innerJoin(payments, eq(payments.id, paymentCases.paymentId))
    .where(
      and(
        eq(paymentCases.status, 'open'),
        inArray(paymentCases.topInvoiceId, invoiceIds),
        ne(paymentCases.paymentId, exceptPaymentId),
      ),
    )
    .orderBy(asc(paymentCases.paymentId))
    .limit(50)
    .for('no key update', { of: paymentCases, skipLocked: true })
  for (const { payment, known } of others) await rematch(tx, payment, known)
}

/** Compares up to `maxPayments` open payments again, starting with the ones that were compared longest ago. Returns how many results changed. */
export async function rematchOpen(db: Db, maxPayments: number): Promise<number> {
  const due = await db
    .select({ id: paymentCases.paymentId })
    .from(paymentCases)
    .where(and(eq(paymentCases.status, 'open'), ne(paymentCases.kind, 'reversal')))
    .orderBy(asc(paymentCases.matchedAt))
    .limit(maxPayments)
  let changed = 0
  for (const { id } of due)
    changed += await inTransaction(db, async (tx) => {
      const [row] = await tx
        .select({ payment: payments, known: paymentCases })
        .from(paymentCases)
        .innerJoin(payments, eq(payments.id, paymentCases.paymentId))
        .where(and(eq(paymentCases.paymentId, id), eq(paymentCases.status, 'open')))
        .for('no key update', { of: paymentCases, skipLocked: true })
      return row && (await rematch(tx, row.payment, row.known)) ? 1 : 0
    })
  return changed
}
