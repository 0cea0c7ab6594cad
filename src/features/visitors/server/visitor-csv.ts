import { type CsvColumns, csvColumns } from '#server/http/csv/csv.ts'
import type { Visitor } from '../admin-contract.ts'
import { pageName, visitorName } from '../rules.ts'
import { visitorHeadings } from '../visitor-headings.ts'

/** The columns of the visitor export. */
export const visitorCsvColumns: CsvColumns<Visitor> = csvColumns(visitorHeadings, [
  [visitorHeadings.username, visitorName],
  [visitorHeadings.isAuthenticated, (visitor) => (visitor.isAuthenticated ? 'yes' : 'no')],
  'ipAddress',
  'country',
  [visitorHeadings.path, (visitor) => pageName(visitor.path)],
  ['Path', (visitor) => visitor.path],
  ['Browser', (visitor) => visitor.device.browser],
  ['System', (visitor) => visitor.device.system],
  [visitorHeadings.device, (visitor) => visitor.device.type],
  'lastActive',
])
