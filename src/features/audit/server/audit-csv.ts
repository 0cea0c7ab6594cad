import type { Cells } from '#server/http/csv.ts'
import type { AuditEntry } from '../admin-contract.ts'

const text = (fields: AuditEntry['before']) => fields && JSON.stringify(fields)

export const auditCells: Cells<AuditEntry> = {
  ID: (entry) => entry.id,
  When: (entry) => entry.at,
  Who: (entry) => entry.actor?.username ?? 'System',
  Action: (entry) => entry.action,
  'Target Type': (entry) => entry.targetType,
  'Target ID': (entry) => entry.targetId,
  Target: (entry) => entry.targetLabel,
  Before: (entry) => text(entry.before),
  After: (entry) => text(entry.after),
  'Request ID': (entry) => entry.requestId,
}
