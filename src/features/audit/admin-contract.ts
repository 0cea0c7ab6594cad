// The audit log: administrators read it, every feature appends to it through server/audit.ts, and nothing changes it.
import * as z from 'zod/mini'
import { get } from '#kit/endpoint.ts'
import { csvOf, listQuery } from '#kit/lists.ts'
import { id, instant, singleLine } from '#kit/text.ts'

const fields = z.nullable(z.record(z.string(), z.unknown()))
export const auditEntry = z.object({
  id: z.int(),
  at: instant,
  /** Null for actions of the system. */
  actor: z.nullable(z.object({ id, username: z.string() })),
  /** The API key that acted for the actor; null for other actions. */
  apiKey: z.nullable(z.object({ id, name: z.string() })),
  action: z.string(),
  targetType: z.string(),
  targetId: z.string(),
  /** A username or an invoice number; null for other targets. */
  targetLabel: z.nullable(z.string()),
  before: fields,
  after: fields,
  requestId: z.nullable(z.string()),
})
export type AuditEntry = z.output<typeof auditEntry>

const day = z.optional(
  z.iso
    .date('Please enter a valid date')
    .check(z.refine((value) => value >= '2000' && value < '2101', 'Please enter a valid date')),
)
export const auditSorts = ['at'] as const
/** `from` and `to` are days in UTC, both inclusive. */
export const auditListQuery = listQuery(auditSorts, {
  action: z.optional(singleLine(0, 64, '')),
  targetType: z.optional(singleLine(0, 64, '')),
  from: day,
  to: day,
})
export const listAuditLog = get('/api/admin/audit', {
  summary: 'The audit log, newest first',
  access: 'admin',
  needs: 'audit.read',
  paged: true,
  query: auditListQuery,
  output: z.array(auditEntry),
})
export const listAuditWords = get('/api/admin/audit/words', {
  summary: 'All actions and target types in the audit log',
  access: 'admin',
  needs: 'audit.read',
  output: z.object({ actions: z.array(z.string()), targetTypes: z.array(z.string()) }),
})
export const exportAuditLog = csvOf('/admin/audit.csv', {
  needs: 'audit.read',
  summary: 'The audit log as CSV',
  query: auditListQuery,
})
