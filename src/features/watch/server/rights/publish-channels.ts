import { asc, inArray, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { channels, watchChannels } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import { changed, notifyCatalog } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { WatchableChannel } from '../../admin-contract.ts'
import { isLicensed, isLicensedIn, isPublished } from './licensed.ts'

const channelId = sql`${channels.id}`
const columns = {
  id: channels.id,
  name: channels.name,
  category: channels.category,
  hasStream: sql<boolean>`${channels.panelStream} is not null`,
  licensed: isLicensed(channelId),
  published: isPublished(channelId),
}

/** Returns all channels, sorted by name. */
export const listWatchableChannels = (db: Db): Promise<WatchableChannel[]> =>
  db
    .select(columns)
    .from(channels)
    .orderBy(asc(sql`lower(${channels.name})`), asc(channels.id))

/**
 * Publishes channels for watching or withdraws them, with an audit entry for each channel that changed. Publishing throws 409 if this is true of one of the
 * channels: `no_stream` if the panel has no stream for it, `not_licensed` if no right to it is in force, `no_country_database` if its rights are limited to
 * countries and `knowsCountries` is false. Then none of the channels is published.
 */
export async function publishChannels(
  db: Db,
  { channelIds, published }: { channelIds: number[]; published: boolean },
  { knowsCountries }: { knowsCountries: boolean },
  { admin, requestId }: Actor,
): Promise<{ changed: number }> {
  const ids = [...new Set(channelIds)]
  return inTransaction(db, async (tx) => {
    const found = await tx
      .select({ ...columns, worldwide: isLicensedIn(channelId, sql`null`) })
      .from(channels)
      .where(inArray(channels.id, ids))
      .for('no key update')
    if (found.length < ids.length) return invalid('channelIds', 'One of these channels does not exist anymore')
    if (published)
      for (const { name, hasStream, licensed, worldwide } of found) {
        if (!hasStream) return conflict('no_stream', `${name} has no stream on the panel. Import it first.`)
        if (!licensed) return conflict('not_licensed', `${name} has no right in force. Record the right first.`)
        if (!worldwide && !knowsCountries)
          return conflict(
            'no_country_database',
            `The rights to ${name} are limited to countries. Set GEOIP_DATABASE first, so that they can be checked.`,
          )
      }
    const differing = found.filter((channel) => channel.published !== published)
    if (differing.length === 0) return { changed: 0 }
    const differingIds = differing.map(({ id }) => id)
    if (published) await tx.insert(watchChannels).values(differingIds.map((id) => ({ channelId: id })))
    else await tx.delete(watchChannels).where(inArray(watchChannels.channelId, differingIds))
    for (const { id, name } of differing)
      await audit(tx, {
        actorId: admin.id,
        action: published ? 'watch_channel.publish' : 'watch_channel.withdraw',
        targetType: 'channel',
        targetId: id,
        after: { channel: name, published },
        requestId,
      })
    await changed(tx, 'channel_right')
    await notifyCatalog(tx)
    return { changed: differing.length }
  })
}
