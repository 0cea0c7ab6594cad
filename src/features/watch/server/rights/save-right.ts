import { eq, inArray, sql } from 'drizzle-orm'
import { audit, changedFields } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { channelRights, channels } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { changed, notifyCatalog } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { ChannelRight, RightForm } from '../../admin-contract.ts'
import { rightById } from './list-rights.ts'

/** Records the same right for several channels, with an audit entry for each. Throws 400 if one of the channels does not exist. */
export async function createRights(
  db: Db,
  { channelIds, ...right }: RightForm & { channelIds: number[] },
  actor: Actor,
): Promise<{ created: number }> {
  const ids = [...new Set(channelIds)]
  return inTransaction(db, async (tx) => {
    const found = await tx
      .select({ id: channels.id, name: channels.name })
      .from(channels)
      .where(inArray(channels.id, ids))
      .for('key share')
    if (found.length < ids.length) return invalid('channelIds', 'One of these channels does not exist anymore')
    const rows = await tx
      .insert(channelRights)
      .values(ids.map((channelId) => ({ channelId, ...right })))
      .returning({ id: channelRights.id, channelId: channelRights.channelId })
    const names = new Map(found.map(({ id, name }) => [id, name]))
    for (const { id, channelId } of rows)
      await auditRight(tx, 'channel_right.create', id, actor, { after: { channel: names.get(channelId), ...right } })
    await changed(tx, 'channel_right')
    await notifyCatalog(tx)
    return { created: rows.length }
  })
}

/** Changes a right. Throws 404 if it does not exist, and 409 `stale` if another administrator changed it. */
export async function updateRight(
  db: Db,
  id: number,
  { version, ...right }: RightForm & { version: number },
  actor: Actor,
): Promise<ChannelRight> {
  return inTransaction(db, async (tx) => {
    const before = await lockRight(tx, id, version)
    await tx
      .update(channelRights)
      .set({ ...right, version: sql`${channelRights.version} + 1` })
      .where(eq(channelRights.id, id))
    await auditRight(tx, 'channel_right.update', id, actor, changedFields(before, right))
    await changed(tx, 'channel_right')
    await notifyCatalog(tx)
    return (await rightById(tx, id))!
  })
}

/** Removes a right. Throws 404 if it does not exist, and 409 `stale` if another administrator changed it. */
export async function deleteRight(db: Db, id: number, version: number, actor: Actor): Promise<{ deleted: true }> {
  return inTransaction(db, async (tx) => {
    const { id: _, createdAt: __, version: ___, ...before } = await lockRight(tx, id, version)
    await tx.delete(channelRights).where(eq(channelRights.id, id))
    await auditRight(tx, 'channel_right.delete', id, actor, { before })
    await changed(tx, 'channel_right')
    await notifyCatalog(tx)
    return { deleted: true as const }
  })
}

async function lockRight(tx: Tx, id: number, version: number): Promise<typeof channelRights.$inferSelect> {
  const [right] = await tx.select().from(channelRights).where(eq(channelRights.id, id)).for('update')
  if (!right) return notFound('There is no such right')
  if (right.version !== version)
    return conflict('stale', 'Another administrator has changed this right. Nothing was changed.')
  return right
}

type Fields = Record<string, unknown>
const auditRight = (
  tx: Tx,
  action: 'channel_right.create' | 'channel_right.update' | 'channel_right.delete',
  targetId: number,
  { admin, requestId }: Actor,
  fields: { before?: Fields; after?: Fields },
) => audit(tx, { actorId: admin.id, action, targetType: 'channel_right', targetId, ...fields, requestId })
