import type { AdminTicket } from './admin-contract.ts'

/** The headings of the ticket list, in its table and its CSV file. */
export const ticketHeadings = {
  id: 'ID',
  kind: 'Kind',
  subject: 'Subject',
  from: 'From',
  email: 'Email',
  status: 'Status',
  assignee: 'Assigned to',
  createdAt: 'Received',
  lastMessageAt: 'Last message',
  waitingSince: 'Waiting since',
} satisfies Partial<Record<keyof AdminTicket, string>>
