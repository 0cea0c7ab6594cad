import type { Visitor } from './admin-contract.ts'

/** The headings of the visitor list, in its table and its CSV file. */
export const visitorHeadings = {
  username: 'Visitor',
  isAuthenticated: 'Logged In',
  ipAddress: 'Address',
  country: 'Country',
  path: 'Page',
  device: 'Device',
  lastActive: 'Last Active',
} satisfies Partial<Record<keyof Visitor, string>>
