import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { trialRequests } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'

const batchSize = 100

/** Records the end of approved trials past their expiry date (database clock), once each. Returns the number of trials. */
export async function endTrials(db: Db): Promise<number> {
  for (let total = 0; ; ) {
    const ended = await inTransaction(db, endBatch)
    total += ended
    if (ended < batchSize) return total
  }
}

async function endBatch(tx: Tx): Promise<number> {
  const due = await tx
    .select({ id: trialRequests.id, userId: trialRequests.userId, expiryDate: trialRequests.expiryDate })
    .from(trialRequests)
    .where(
      and(
        eq(trialRequests.status, 'approved'),
        isNull(trialRequests.endedAt),
        lte(trialRequests.expiryDate, sql`now()`),
      ),
    )
    .orderBy(asc(trialRequests.expiryDate))
    .limit(batchSize)
    .for('update', { skipLocked: true })
  if (due.length === 0) return 0
  const ids = due.map(({ id }) => id)
  await tx.update(trialRequests).set({ endedAt: sql`now()` }).where(inArray(trialRequests.id, ids))
  for (const { id, userId, expiryDate } of due) {
    await audit(tx, {
      actorId: null,
      action: 'trial.end',
      targetType: 'trial_request',
      targetId: id,
      after: { expiryDate },
    })
    await changed(tx, 'trial_request', { user: userId })
  }
  return due.length
}
