import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'

/**
 * Makes other transactions that write the progress of this customer wait until `tx` ends, so that a history that is turned off stays empty, and no
 * customer gets too many rows. Call it before anything is read.
 */
export async function lockProgress(tx: Tx, userId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('watch_progress'), ${userId})`)
}

/** Whether a history of what the customer watches is kept. */
export async function keepsHistory(db: Db | Tx, userId: number): Promise<boolean> {
  const [user] = await db.select({ since: users.noHistorySince }).from(users).where(eq(users.id, userId))
  return user !== undefined && user.since === null
}
