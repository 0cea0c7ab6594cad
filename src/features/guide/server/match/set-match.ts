import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { channelGuides, channels, guideChannels, guideSources } from '#server/db/tables.ts'
import { invalid, notFound } from '#server/errors.ts'
import { changed, notifyCatalog } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { ChannelMatch } from '../../admin-contract.ts'
import { matchById } from './list-matches.ts'

type Choice = { listingId: number | null; shiftMinutes: number }

/**
 * Sets the listings of a channel by hand; reading a source does not change them. With `listingId` null the channel shows no listings. Requests a full
 * read of the source if the programs of these listings are not stored. Throws 404 for an unknown channel, 400 for unknown listings.
 */
export const setMatch = (
  db: Db,
  channelId: number,
  { listingId, shiftMinutes }: Choice,
  actor: Actor,
): Promise<ChannelMatch> =>
  inTransaction(db, async (tx) => {
    const before = await lockChannel(tx, channelId)
    if (listingId !== null) await requireListing(tx, listingId)
    const values = { guideChannelId: listingId, matched: 'hand' as const, shiftMinutes }
    await tx
      .insert(channelGuides)
      .values({ channelId, ...values })
      .onConflictDoUpdate({ target: channelGuides.channelId, set: values })
    const match = await matchById(tx, channelId)
    const after = { listing: match.listing?.xmltvId ?? null, shiftMinutes }
    await auditMatch(tx, 'channel_guide.set', channelId, actor, { before: summaryOf(before), after })
    await changed(tx, 'guide')
    await notifyCatalog(tx)
    return match
  })

/** Removes the match of a channel, so that it is matched by id or name again. Throws 404. */
export const resetMatch = (db: Db, channelId: number, actor: Actor): Promise<ChannelMatch> =>
  inTransaction(db, async (tx) => {
    const before = await lockChannel(tx, channelId)
    await tx.delete(channelGuides).where(eq(channelGuides.channelId, channelId))
    await auditMatch(tx, 'channel_guide.reset', channelId, actor, { before: summaryOf(before) })
    await changed(tx, 'guide')
    await notifyCatalog(tx)
    return matchById(tx, channelId)
  })

async function lockChannel(tx: Tx, channelId: number): Promise<ChannelMatch> {
  const [channel] = await tx
    .select({ id: channels.id })
    .from(channels)
    .where(eq(channels.id, channelId))
    .for('no key update')
  return channel ? matchById(tx, channelId) : notFound('There is no such channel')
}

/**
 * Locks the listings, so that they are not deleted before the transaction ends. If their programs are not stored, requests a full read of the source in
 * a minute: an administrator often matches several channels in a row.
 */
async function requireListing(tx: Tx, listingId: number): Promise<void> {
  const [found] = await tx
    .select({
      sourceId: guideChannels.sourceId,
      isStored: sql<boolean>`exists (select from guide_programs where guide_channel_id = ${guideChannels.id})`,
    })
    .from(guideChannels)
    .where(and(eq(guideChannels.id, listingId), isNotNull(guideChannels.sourceId)))
    .for('key share')
  if (!found) return invalid('listingId', 'These listings no longer exist. Please choose others.')
  if (!found.isStored)
    await tx
      .update(guideSources)
      .set({ etag: null, lastModified: null, nextAt: sql`now() + interval '1 minute'` })
      .where(eq(guideSources.id, found.sourceId!))
}

const summaryOf = ({ matched, listing, shiftMinutes }: ChannelMatch) =>
  matched === null ? null : { matched, listing: listing?.xmltvId ?? null, shiftMinutes }

type Fields = Record<string, unknown> | null
const auditMatch = (
  tx: Tx,
  action: 'channel_guide.set' | 'channel_guide.reset',
  targetId: number,
  { admin, requestId }: Actor,
  fields: { before: Fields; after?: Fields },
) => audit(tx, { actorId: admin.id, action, targetType: 'channel', targetId, ...fields, requestId })
