import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users, watchProgress } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import { lockProgress } from './history.ts'
import type { Progress } from './store-progress.ts'

/** Forgets how far a customer watched a program; idempotent. */
export const removeProgress = (db: Db, userId: number, { kind, ref }: Progress): Promise<void> =>
  inTransaction(db, (tx) => forget(tx, userId, and(eq(watchProgress.kind, kind), eq(watchProgress.ref, ref))))

/** Forgets how far a customer watched all programs; idempotent. */
export const clearProgress = (db: Db, userId: number): Promise<void> => inTransaction(db, (tx) => forget(tx, userId))

/** Turns the watch history of a customer on or off. Turning it off deletes the stored positions in the same transaction. */
export const setHistory = (db: Db, userId: number, isKept: boolean): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockProgress(tx, userId)
    const { noHistorySince } = users
    await tx
      .update(users)
      .set({ noHistorySince: isKept ? null : sql`now()` })
      .where(and(eq(users.id, userId), isKept ? isNotNull(noHistorySince) : isNull(noHistorySince)))
    if (isKept) await changed(tx, 'watch_progress', { user: userId })
    else await forget(tx, userId)
  })

async function forget(tx: Tx, userId: number, which?: SQL): Promise<void> {
  await lockProgress(tx, userId)
  await tx.delete(watchProgress).where(and(eq(watchProgress.userId, userId), which))
  await changed(tx, 'watch_progress', { user: userId })
}
