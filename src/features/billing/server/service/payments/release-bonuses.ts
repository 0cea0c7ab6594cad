import { and, asc, eq, isNull, lte, notExists, sql } from 'drizzle-orm'
import * as ledger from '#features/referrals/server/ledger.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { activations, invoices, referralClaims, refundRequests } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'

const batchSize = 100

/**
 * Books pending referral bonuses whose guarantee period has ended, once each. A bonus stays pending while a refund request for its invoice is open.
 * Returns the number of booked bonuses.
 */
export async function releaseBonuses(db: Db): Promise<number> {
  const due = await db
    .select({ refereeId: referralClaims.refereeId, invoiceId: invoices.id })
    .from(referralClaims)
    .innerJoin(invoices, eq(invoices.id, referralClaims.rewardedInvoiceId))
    .where(
      and(isNull(referralClaims.bonusBookedAt), lte(referralClaims.bonusAvailableAt, sql`now()`), hasNoOpenRequest(db)),
    )
    .orderBy(asc(referralClaims.bonusAvailableAt))
    .limit(batchSize)
  let booked = 0
  for (const { refereeId, invoiceId } of due)
    if (await inTransaction(db, (tx) => release(tx, refereeId, invoiceId))) booked++
  return booked
}

async function release(tx: Tx, refereeId: number, invoiceId: number): Promise<boolean> {
  // Lock order: the invoice first, so that refund requests and reversals are serialized with this.
  const [paid] = await tx
    .select({ activationId: activations.id })
    .from(invoices)
    .innerJoin(activations, and(eq(activations.invoiceId, invoices.id), isNull(activations.reversedAt)))
    .where(and(eq(invoices.id, invoiceId), eq(invoices.status, 'paid')))
    .for('no key update', { of: invoices })
  if (
    !paid ||
    (await tx.$count(
      refundRequests,
      and(eq(refundRequests.invoiceId, invoiceId), eq(refundRequests.status, 'pending')),
    )) > 0
  )
    return false
  const referrerId = await ledger.bookReward(tx, { refereeId, activationId: paid.activationId })
  if (referrerId === undefined) return false
  await changed(tx, 'credit', { user: referrerId })
  return true
}

const hasNoOpenRequest = (db: Db) =>
  notExists(
    db
      .select({ id: refundRequests.id })
      .from(refundRequests)
      .where(and(eq(refundRequests.invoiceId, invoices.id), eq(refundRequests.status, 'pending'))),
  )
