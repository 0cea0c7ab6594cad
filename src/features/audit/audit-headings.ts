import type { AuditEntry } from './admin-contract.ts'

/** The headings of the audit log, in its table and its CSV file. */
export const auditHeadings = {
  id: 'ID',
  at: 'When',
  actor: 'Who',
  apiKey: 'API Key',
  action: 'Action',
  targetType: 'Target Type',
  targetId: 'Target ID',
  targetLabel: 'Target',
  before: 'Before',
  after: 'After',
  requestId: 'Request ID',
} satisfies Partial<Record<keyof AuditEntry, string>>
