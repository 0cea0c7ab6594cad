import type { Cells } from '#server/http/csv/csv.ts'
import type { Visitor } from '../admin-contract.ts'
import { pageName } from '../rules.ts'

/** The columns of the visitor export. */
export const visitorCsvColumns: Cells<Visitor> = {
  Visitor: (visitor) => visitor.username ?? 'Anonymous',
  'Logged In': (visitor) => (visitor.isAuthenticated ? 'yes' : 'no'),
  Address: (visitor) => visitor.ipAddress,
  Country: (visitor) => visitor.country,
  Page: (visitor) => pageName(visitor.path),
  Path: (visitor) => visitor.path,
  Browser: (visitor) => visitor.device.browser,
  System: (visitor) => visitor.device.system,
  Device: (visitor) => visitor.device.type,
  'Last Active': (visitor) => visitor.lastActive,
}
