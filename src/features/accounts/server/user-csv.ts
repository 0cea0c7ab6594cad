import { type CsvColumns, csvColumns } from '#server/http/csv/csv.ts'
import type { AdminUser } from '../admin-contract.ts'
import { userHeadings } from '../user-headings.ts'

/** The columns of the user export. */
export const userCsvColumns: CsvColumns<AdminUser> = csvColumns(userHeadings, [
  'id',
  'username',
  'email',
  'fullName',
  'iptvUsername',
  'iptvMaxConnections',
  'role',
  'planName',
  'subscriptionStatus',
  'subscriptionStartDate',
  'subscriptionEndDate',
  [`${userHeadings.accountCredit} (cents)`, (user) => user.accountCredit],
  'createdAt',
])
