import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { userView } from '#server/session/user-view.ts'
import type { AdminUser } from '../admin-contract.ts'

/** The columns of a user for administrators, which include the plan's name. */
export const adminUserView = {
  ...userView,
  planName: sql<string | null>`(select plans.name from plans where plans.id = users.plan_id)`,
}

/** Returns a user with the columns for administrators. Throws 404. */
export async function adminUser(db: Db | Tx, id: number): Promise<AdminUser> {
  const [row] = await db.select(adminUserView).from(users).where(eq(users.id, id))
  return row ?? notFound('User not found')
}
