import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { savedViews } from '#server/db/tables.ts'
import { notAllowed, notFound } from '#server/errors.ts'

/** Locks a view that this administrator saved. Throws 404 for an unknown view. For a view of another administrator, throws 403 if it is shared, else 404. */
export async function lockOwnView(tx: Tx, id: number, adminId: number): Promise<typeof savedViews.$inferSelect> {
  const [view] = await tx.select().from(savedViews).where(eq(savedViews.id, id)).for('update')
  if (!view || (view.ownerId !== adminId && !view.shared)) return notFound('View not found')
  if (view.ownerId !== adminId)
    return notAllowed('Only the administrator who saved this view can change it', 'not_owner')
  return view
}
