import type { AdminUser } from './admin-contract.ts'

/** The headings of the user list, in its table and its CSV file. */
export const userHeadings = {
  id: 'ID',
  username: 'Username',
  email: 'Email',
  fullName: 'Full Name',
  iptvUsername: 'IPTV Account',
  iptvMaxConnections: 'Connections',
  role: 'Role',
  planName: 'Plan',
  subscriptionStatus: 'Status',
  subscriptionStartDate: 'Start Date',
  subscriptionEndDate: 'End Date',
  accountCredit: 'Account Credit',
  createdAt: 'Created At',
} satisfies Partial<Record<keyof AdminUser, string>>
