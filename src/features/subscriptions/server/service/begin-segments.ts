import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import { requestProvisioning } from '#features/provisioning/server/request.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { segments, users } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import { expiredSubscription, subscriptionAt } from '../paid-time/subscription-at.ts'
import { readSequence } from '../sequence.ts'

const batchSize = 100
/** The condition for segments that are in force and have not begun. Must match the predicate of the partial index. */
export const hasNotBegun = sql`NOT begun AND replaced_by IS NULL AND NOT withdrawn`

/**
 * Updates the customer's row and line for each segment that has begun (database clock), once per segment, including those that began while no process
 * was running. Returns the number of segments.
 */
export async function beginSegments(db: Db): Promise<number> {
  for (let total = 0; ; ) {
    const begun = await inTransaction(db, beginBatch)
    total += begun
    if (begun < batchSize) return total
  }
}

async function beginBatch(tx: Tx): Promise<number> {
  const due = await tx
    .select({ userId: segments.userId })
    .from(segments)
    .where(and(hasNotBegun, lte(segments.startsAt, sql`now()`)))
    .orderBy(asc(segments.startsAt))
    .limit(batchSize)
  // By ascending id, like all code that locks several customers, to prevent deadlocks.
  const userIds = [...new Set(due.map(({ userId }) => userId))].sort((one, other) => one - other)
  for (const userId of userIds) await beginSegmentsOf(tx, userId)
  return due.length
}

async function beginSegmentsOf(tx: Tx, userId: number): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  const begun = await tx
    .update(segments)
    .set({ begun: true })
    .where(
      and(eq(segments.userId, userId), isNull(segments.replacedBy), hasNotBegun, lte(segments.startsAt, sql`now()`)),
    )
    .returning({ id: segments.id })
  const last = begun.at(-1)
  if (!last) return
  const { now, segments: sequence } = await readSequence(tx, userId)
  const { planId, maxConnections } = (subscriptionAt(sequence, now) ?? expiredSubscription(sequence))!
  // Only the plan and its connections change here. The dates stay, and `expire-subscriptions` ends the subscription.
  await tx.update(users).set({ planId, iptvMaxConnections: maxConnections }).where(eq(users.id, userId))
  await requestProvisioning(tx, userId, { cause: 'segment', key: `segment:${last.id}` })
  await changed(tx, 'subscription', { user: userId })
}
