import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'

/**
 * Locks the watch progress of a customer until `tx` ends. Without the lock, a position could be stored after the history was turned off, or a customer could
 * get too many rows. Call it before reading anything.
 */
export async function lockProgress(tx: Tx, userId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('watch_progress'), ${userId})`)
}

/** Whether the watch history of the customer is on. */
export async function keepsHistory(db: Db | Tx, userId: number): Promise<boolean> {
  const [user] = await db.select({ since: users.noHistorySince }).from(users).where(eq(users.id, userId))
  return user !== undefined && user.since === null
}
