import type { AdminReport } from './admin-contract.ts'

/** The headings of the report list, in its table and its CSV file. */
export const reportHeadings = {
  id: 'ID',
  username: 'User',
  email: 'Email',
  contentType: 'Content Type',
  contentName: 'Content Name',
  issue: 'Issue',
  description: 'Description',
  status: 'Status',
  createdAt: 'Submitted',
  resolvedAt: 'Resolved',
  adminNotes: 'Admin Notes',
} satisfies Partial<Record<keyof AdminReport, string>>
