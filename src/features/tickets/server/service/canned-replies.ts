import { count, eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { cannedReplies } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import { type CannedReply, maxCannedReplies } from '../../admin-canned-contract.ts'
import { unfilledFields } from '../../rules.ts'

type Fields = { name: string; body: string }

/** Returns the canned replies, sorted by name. */
export const listCannedReplies = (db: Db): Promise<CannedReply[]> =>
  db.select().from(cannedReplies).orderBy(sql`lower(${cannedReplies.name})`).limit(maxCannedReplies)

/** Adds a canned reply. Throws 400 for a taken name or an unknown field, and 409 beyond `maxCannedReplies`. */
export const createCannedReply = (db: Db, fields: Fields, actor: Actor): Promise<CannedReply> =>
  refusingTakenNames(() =>
    inTransaction(db, async (tx) => {
      refuseUnknownFields(fields.body)
      const [all] = await tx.select({ count: count() }).from(cannedReplies)
      if (all!.count >= maxCannedReplies)
        conflict('too_many', `There are ${maxCannedReplies} canned replies. Please delete one first.`)
      const [added] = await tx.insert(cannedReplies).values(fields).returning()
      await record(tx, 'canned_reply.create', added!.id, null, fields, actor)
      return added!
    }),
  )

/** Changes a canned reply. Throws 404, 400 for a taken name or an unknown field, and 409 when `version` is stale. */
export const updateCannedReply = (
  db: Db,
  id: number,
  { version, ...fields }: Fields & { version: number },
  actor: Actor,
): Promise<CannedReply> =>
  refusingTakenNames(() =>
    inTransaction(db, async (tx) => {
      refuseUnknownFields(fields.body)
      const { name, body } = await lock(tx, id, version)
      const [after] = await tx
        .update(cannedReplies)
        .set({ ...fields, version: sql`${cannedReplies.version} + 1` })
        .where(eq(cannedReplies.id, id))
        .returning()
      await record(tx, 'canned_reply.update', id, { name, body }, fields, actor)
      return after!
    }),
  )

/** Deletes a canned reply. Throws 404, and 409 when `version` is stale. */
export const deleteCannedReply = (db: Db, id: number, version: number, actor: Actor): Promise<{ deleted: true }> =>
  inTransaction(db, async (tx) => {
    const { name, body } = await lock(tx, id, version)
    await tx.delete(cannedReplies).where(eq(cannedReplies.id, id))
    await record(tx, 'canned_reply.delete', id, { name, body }, null, actor)
    return { deleted: true as const }
  })

async function lock(tx: Tx, id: number, version: number): Promise<CannedReply> {
  const [found] = await tx.select().from(cannedReplies).where(eq(cannedReplies.id, id)).for('update')
  if (!found) return notFound('Canned reply not found')
  if (found.version !== version)
    conflict('stale', 'Someone else has changed this canned reply. Nothing was saved; please reload it.')
  return found
}

/** Throws 400 if the text has unknown fields: they are never filled in, so they would appear in every reply. */
function refuseUnknownFields(body: string): void {
  const unknown = [...body.matchAll(/\{[a-z_]{2,20}\}/g)]
    .map(([field]) => field)
    .filter((field) => unfilledFields(field).length === 0)
  if (unknown.length > 0) invalid('body', `Unknown field: ${[...new Set(unknown)].join(', ')}`)
}

type Action = 'canned_reply.create' | 'canned_reply.update' | 'canned_reply.delete'
async function record(
  tx: Tx,
  action: Action,
  targetId: number,
  before: Fields | null,
  after: Fields | null,
  { admin, requestId }: Actor,
): Promise<void> {
  await audit(tx, { actorId: admin.id, action, targetType: 'canned_reply', targetId, before, after, requestId })
  await changed(tx, 'canned_reply')
}

async function refusingTakenNames(save: () => Promise<CannedReply>): Promise<CannedReply> {
  try {
    return await save()
  } catch (error) {
    if (violationOf(error)?.constraint !== 'canned_replies_name') throw error
    return invalid('name', 'There is already a canned reply with this name', 'name_taken')
  }
}
