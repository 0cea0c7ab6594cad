import { and, desc, eq, getTableColumns } from 'drizzle-orm'
import type { Channel } from '#features/catalog/contract.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { channels, watchlist } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'

/** The channels on a user's watchlist, newest first. Hidden channels are left out until they are visible again. */
export const listWatchlist = (db: Db, userId: number): Promise<Channel[]> =>
  db
    .select(getTableColumns(channels))
    .from(watchlist)
    .innerJoin(channels, eq(channels.id, watchlist.channelId))
    .where(and(eq(watchlist.userId, userId), eq(channels.hidden, false)))
    .orderBy(desc(watchlist.addedAt), desc(channels.id))
    .limit(limits.lists.maximum)

/** Adds a channel to the watchlist or removes it; idempotent. Throws 404 for an unknown channel. */
export async function updateWatchlist(
  db: Db,
  userId: number,
  channelId: number,
  listed: boolean,
): Promise<{ channelId: number; listed: boolean }> {
  try {
    await inTransaction(db, async (tx) => {
      if (listed) await tx.insert(watchlist).values({ userId, channelId }).onConflictDoNothing()
      else await tx.delete(watchlist).where(and(eq(watchlist.userId, userId), eq(watchlist.channelId, channelId)))
      await changed(tx, 'watchlist', { user: userId })
    })
  } catch (error) {
    if (violationOf(error)?.constraint === 'watchlist_channel_id_fkey') return notFound('Channel not found')
    throw error
  }
  return { channelId, listed }
}
