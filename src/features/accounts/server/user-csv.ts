import type { Cells } from '#server/http/csv/csv.ts'
import type { AdminUser } from '../admin-contract.ts'

/** The columns of the user export. */
export const userCsvColumns: Cells<AdminUser> = {
  ID: (user) => user.id,
  Username: (user) => user.username,
  Email: (user) => user.email,
  'Full Name': (user) => user.fullName,
  'IPTV Account': (user) => user.iptvUsername,
  Connections: (user) => user.iptvMaxConnections,
  Role: (user) => user.role,
  Plan: (user) => user.planName,
  Status: (user) => user.subscriptionStatus,
  'Start Date': (user) => user.subscriptionStartDate,
  'End Date': (user) => user.subscriptionEndDate,
  'Account Credit (cents)': (user) => user.accountCredit,
  'Created At': (user) => user.createdAt,
}
