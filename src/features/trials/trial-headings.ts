import type { AdminTrialRequest } from './admin-contract.ts'

/** The headings of the list of trial requests, in its table and its CSV file. */
export const trialHeadings = {
  id: 'ID',
  user: 'User',
  device: 'Device',
  message: 'Message',
  requestDate: 'Date',
  status: 'Status',
  responseDate: 'Response Date',
  trialUsername: 'Trial Username',
  trialServer: 'Trial Server',
  expiryDate: 'Expiry Date',
  adminNotes: 'Admin Notes',
} satisfies Partial<Record<keyof AdminTrialRequest, string>>
