import { sql } from 'drizzle-orm'
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types'
import { users } from '../db/tables.ts'
import { staffRole } from './staff-role.ts'

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
export type UserView = SelectResultFields<typeof userView>

export const emailVerified = sql<boolean>`${users.emailVerifiedAt} is not null`
