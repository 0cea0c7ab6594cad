import { type CsvColumns, csvColumns } from '#server/http/csv/csv.ts'
import type { AuditEntry } from '../admin-contract.ts'
import { auditHeadings } from '../audit-headings.ts'
import { actorName } from '../rules.ts'

const jsonText = (fields: AuditEntry['before']) => fields && JSON.stringify(fields)

export const auditCsvColumns: CsvColumns<AuditEntry> = csvColumns(auditHeadings, [
  'id',
  'at',
  [auditHeadings.actor, actorName],
  [auditHeadings.apiKey, ({ apiKey }) => apiKey && `${apiKey.name} (#${apiKey.id})`],
  'action',
  'targetType',
  'targetId',
  'targetLabel',
  [auditHeadings.before, (entry) => jsonText(entry.before)],
  [auditHeadings.after, (entry) => jsonText(entry.after)],
  'requestId',
])
