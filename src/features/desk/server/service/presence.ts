import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { deskPresence, users } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import type { PresentAdministrator } from '../../admin-presence-contract.ts'

/** An administrator counts as present, and an item as open, for 60 seconds after the last report. */
const isFresh = sql`${deskPresence.seenAt} > now() - interval '60 seconds'`
const isItemFresh = sql`${deskPresence.itemSeenAt} > now() - interval '60 seconds'`

/** Returns the administrators other than `userId` who are currently in the admin area, sorted by username. */
export function listPresent(db: Db, userId: number): Promise<PresentAdministrator[]> {
  // A lookup for each row, because PostgreSQL might read all users for a plain join.
  const administrator = db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(and(eq(users.id, deskPresence.userId), eq(users.role, 'admin')))
    .limit(1)
    .as('administrator')
  return db
    .select({
      id: administrator.id,
      username: administrator.username,
      path: deskPresence.path,
      item: sql<string | null>`case when ${isItemFresh} then ${deskPresence.item} end`,
    })
    .from(deskPresence)
    .innerJoinLateral(administrator, sql`true`)
    .where(and(ne(deskPresence.userId, userId), isFresh))
    .orderBy(asc(administrator.username))
}

/**
 * Stores the page and the item that an administrator has open. A closed item is kept for one minute after its last report, or until another item is
 * opened. Open pages are notified of changes only, not of repeated reports.
 */
export async function reportPresence(
  db: Db,
  userId: number,
  { path, item }: { path: string; item: string | null },
): Promise<{ reported: boolean }> {
  await inTransaction(db, async (tx) => {
    const [before] = await tx
      .select({
        path: deskPresence.path,
        item: sql<string | null>`case when ${isItemFresh} then ${deskPresence.item} end`,
      })
      .from(deskPresence)
      .where(and(eq(deskPresence.userId, userId), isFresh))
      .for('update')
    const set = { path, seenAt: sql`now()`, ...(item && { item, itemSeenAt: sql`now()` }) }
    await tx
      .insert(deskPresence)
      .values({ userId, ...set })
      .onConflictDoUpdate({ target: deskPresence.userId, set })
    if (before?.path !== path || (item !== null && before.item !== item)) await changed(tx, 'desk_presence')
  })
  return { reported: true }
}
