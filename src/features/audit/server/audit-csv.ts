import type { Cells } from '#server/http/csv/csv.ts'
import type { AuditEntry } from '../admin-contract.ts'

const jsonText = (fields: AuditEntry['before']) => fields && JSON.stringify(fields)

export const auditCsvColumns: Cells<AuditEntry> = {
  ID: (entry) => entry.id,
  When: (entry) => entry.at,
  Who: (entry) => entry.actor?.username ?? 'System',
  Action: (entry) => entry.action,
  'Target Type': (entry) => entry.targetType,
  'Target ID': (entry) => entry.targetId,
  Target: (entry) => entry.targetLabel,
  Before: (entry) => jsonText(entry.before),
  After: (entry) => jsonText(entry.after),
  'Request ID': (entry) => entry.requestId,
}
