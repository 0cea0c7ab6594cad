import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { staffRole } from '#server/session/staff-role.ts'
import type { AdminUser } from '../admin-contract.ts'

/** The columns of a user that may leave the server: the fields of the contract's `user`, without secrets. */
export const userView = {
  id: users.id,
  username: users.username,
  email: users.email,
  fullName: users.fullName,
  role: users.role,
  staff: staffRole,
  planId: users.planId,
  createdAt: users.createdAt,
  subscriptionStatus: users.subscriptionStatus,
  subscriptionStartDate: users.subscriptionStartDate,
  subscriptionEndDate: users.subscriptionEndDate,
  iptvUsername: users.iptvUsername,
  iptvSynced: users.iptvSynced,
  iptvSyncedAt: users.iptvSyncedAt,
  iptvMaxConnections: users.iptvMaxConnections,
  referralCode: users.referralCode,
  accountCredit: users.accountCredit,
  mustChangePassword: users.mustChangePassword,
}

/** The columns for administrators: also the plan's name. */
export const adminUserView = {
  ...userView,
  planName: sql<string | null>`(select plans.name from plans where plans.id = users.plan_id)`,
}

/** One user with the columns for administrators. Throws 404. */
export async function adminUser(db: Db | Tx, id: number): Promise<AdminUser> {
  const [row] = await db.select(adminUserView).from(users).where(eq(users.id, id))
  return row ?? notFound('User not found')
}
