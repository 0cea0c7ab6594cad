import { and, asc, eq, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { savedViews, users } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import type { SavedView } from '../../admin-contract.ts'

const viewsFor = (db: Db | Tx, adminId: number) =>
  db
    .select({
      id: savedViews.id,
      list: savedViews.list,
      name: savedViews.name,
      shared: savedViews.shared,
      query: savedViews.query,
      hiddenColumns: savedViews.hiddenColumns,
      isOwn: sql<boolean>`${savedViews.ownerId} = ${adminId}`,
      owner: users.username,
      version: savedViews.version,
    })
    .from(savedViews)
    .innerJoin(users, eq(users.id, savedViews.ownerId))

/** Returns an administrator's views of a list and those that other administrators share, sorted by name. Views of former administrators are not listed. */
export const listViews = (db: Db, adminId: number, list: string): Promise<SavedView[]> =>
  viewsFor(db, adminId)
    .where(
      and(
        eq(savedViews.list, list),
        or(eq(savedViews.ownerId, adminId), and(eq(savedViews.shared, true), eq(users.role, 'admin'))),
      ),
    )
    .orderBy(asc(sql`lower(${savedViews.name})`), asc(savedViews.id))
    .limit(limits.lists.maximum)

/** Returns a view as this administrator sees it. */
export async function viewById(tx: Db | Tx, adminId: number, id: number): Promise<SavedView> {
  const [view] = await viewsFor(tx, adminId).where(eq(savedViews.id, id))
  return view!
}
