import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { savedViews } from '#server/db/tables.ts'
import { notAllowed, notFound } from '#server/errors.ts'

/** Locks a view of this administrator. Throws 404 for an unknown view and another's view that is not shared, and 403 for another's shared view. */
export async function lockOwnView(tx: Tx, id: number, adminId: number): Promise<typeof savedViews.$inferSelect> {
  const [view] = await tx.select().from(savedViews).where(eq(savedViews.id, id)).for('update')
  if (!view || (view.ownerId !== adminId && !view.shared)) return notFound('View not found')
  if (view.ownerId !== adminId) return notAllowed('Only the owner can change this view', 'not_owner')
  return view
}
