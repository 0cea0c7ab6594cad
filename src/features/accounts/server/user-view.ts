import { users } from '#server/db/tables.ts'

/** The columns of a user that may leave the server: what the contract's `user` names, no secret. */
export const userView = {
  id: users.id,
  username: users.username,
  email: users.email,
  fullName: users.fullName,
  role: users.role,
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
