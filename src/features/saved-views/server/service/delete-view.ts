import { eq } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { savedViews } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import { lockOwnView } from './lock-own-view.ts'

/** Deletes one of the actor's own views. Throws 404 for an unknown view, and 403 for a shared view of another administrator. */
export async function deleteView(db: Db, id: number, { admin, requestId }: Actor): Promise<{ deleted: true }> {
  return inTransaction(db, async (tx) => {
    const { list, name, shared } = await lockOwnView(tx, id, admin.id)
    await tx.delete(savedViews).where(eq(savedViews.id, id))
    if (shared)
      await audit(tx, {
        actorId: admin.id,
        action: 'saved_view.delete',
        targetType: 'saved_view',
        targetId: id,
        before: { list, name },
        requestId,
      })
    await changed(tx, 'saved_view')
    return { deleted: true as const }
  })
}
