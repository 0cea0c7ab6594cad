import type { AdminInquiry } from './admin-contract.ts'

/** The headings of the inquiry list, in its table and its CSV file. */
export const inquiryHeadings = {
  id: 'ID',
  name: 'Name',
  email: 'Email',
  planName: 'Plan',
  message: 'Message',
  newsletterOpt: 'Newsletter',
  createdAt: 'Received',
  status: 'Status',
  answeredAt: 'Answered',
  adminNotes: 'Note',
} satisfies Partial<Record<keyof AdminInquiry, string>>
