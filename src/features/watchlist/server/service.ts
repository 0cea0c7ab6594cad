import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Channel } from '#features/catalog/contract.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { channels, watchlist } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'

/**
 * Returns the channels on a user's watchlist: first those that the user has not sorted yet, newest first, then the others in the user's order. Leaves
 * out hidden channels until they are visible again.
 */
export const listWatchlist = (db: Db, userId: number): Promise<Channel[]> =>
  db
    .select(getTableColumns(channels))
    .from(watchlist)
    .innerJoin(channels, eq(channels.id, watchlist.channelId))
    .where(and(eq(watchlist.userId, userId), eq(channels.hidden, false)))
    .orderBy(sql`${watchlist.position} nulls first`, desc(watchlist.addedAt), desc(channels.id))
    .limit(limits.lists.maximum)

/** Adds a channel to the watchlist or removes it. Idempotent. Throws 404 for an unknown channel. */
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

/** Sets the order of a user's watchlist. Ignores ids of channels that are not on it. Channels that are not in `channelIds` keep their positions. */
export const orderWatchlist = (db: Db, userId: number, channelIds: readonly number[]): Promise<void> =>
  inTransaction(db, async (tx) => {
    // All requests lock the rows in the same order, so that concurrent requests from several pages cannot deadlock.
    await tx.execute(sql`SELECT FROM watchlist WHERE user_id = ${userId} ORDER BY channel_id FOR UPDATE`)
    await tx.execute(sql`UPDATE watchlist w SET position = o.position
      FROM (SELECT channel_id, min(place)::int AS position
        FROM unnest(${sql.param([...channelIds])}::int[]) WITH ORDINALITY AS u (channel_id, place) GROUP BY channel_id) o
      WHERE w.user_id = ${userId} AND w.channel_id = o.channel_id`)
    await changed(tx, 'watchlist', { user: userId })
  })
