import { and, count, eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { savedViews } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { SavedView } from '../../admin-contract.ts'
import { viewById } from './list-views.ts'
import { lockOwnView } from './lock-own-view.ts'

type Fields = Pick<SavedView, 'name' | 'shared' | 'query' | 'hiddenColumns'>
/** The maximum number of views of one list that an administrator may save. */
export const maxViews = 50

/** Saves a view. Throws 400 for a name that this administrator already uses for the list, and 409 `too_many_views` beyond `maxViews`. */
export async function createView(db: Db, view: Fields & { list: string }, actor: Actor): Promise<SavedView> {
  return refusingTakenNames(() =>
    inTransaction(db, async (tx) => {
      const { id: ownerId } = actor.admin
      const [own] = await tx
        .select({ count: count() })
        .from(savedViews)
        .where(and(eq(savedViews.ownerId, ownerId), eq(savedViews.list, view.list)))
      if (own!.count >= maxViews)
        return conflict('too_many_views', `You can save at most ${maxViews} views of a list. Please delete one first.`)
      const [saved] = await tx
        .insert(savedViews)
        .values({ ...view, ownerId })
        .returning()
      if (saved!.shared) await auditView(tx, 'saved_view.create', saved!.id, null, auditFields(saved!), actor)
      await changed(tx, 'saved_view')
      return viewById(tx, ownerId, saved!.id)
    }),
  )
}

/** Changes one of the actor's own views. Throws like `lockOwnView`, 409 `stale`, and 400 for a name that is already used. */
export async function updateView(
  db: Db,
  id: number,
  { version, ...view }: Fields & { version: number },
  actor: Actor,
): Promise<SavedView> {
  return refusingTakenNames(() =>
    inTransaction(db, async (tx) => {
      const before = await lockOwnView(tx, id, actor.admin.id)
      if (before.version !== version)
        return conflict('stale', 'This view has changed since you opened it. Nothing was changed.')
      const [after] = await tx
        .update(savedViews)
        .set({ ...view, version: sql`${savedViews.version} + 1` })
        .where(eq(savedViews.id, id))
        .returning()
      if (before.shared || after!.shared)
        await auditView(tx, 'saved_view.update', id, auditFields(before), auditFields(after!), actor)
      await changed(tx, 'saved_view')
      return viewById(tx, actor.admin.id, id)
    }),
  )
}

const auditFields = ({ list, name, shared, query, hiddenColumns }: typeof savedViews.$inferSelect) => ({
  list,
  name,
  shared,
  query,
  hiddenColumns,
})

const auditView = (
  tx: Tx,
  action: 'saved_view.create' | 'saved_view.update',
  targetId: number,
  before: Record<string, unknown> | null,
  after: Record<string, unknown>,
  { admin, requestId }: Actor,
) => audit(tx, { actorId: admin.id, action, targetType: 'saved_view', targetId, before, after, requestId })

async function refusingTakenNames(save: () => Promise<SavedView>): Promise<SavedView> {
  try {
    return await save()
  } catch (error) {
    if (violationOf(error)?.constraint !== 'saved_views_name') throw error
    return invalid('name', 'You already have a view of this list with this name', 'name_taken')
  }
}
