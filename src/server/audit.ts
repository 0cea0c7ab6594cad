import type { Db, Tx } from './db/connect.ts'
import { auditLog } from './db/tables.ts'

type Fields = Record<string, unknown> | null
/** `actorId` null means the system itself; `before` and `after` hold the changed fields only. */
export type AuditEntry = {
  actorId: number | null
  action: string
  targetType: string
  targetId: number | string
  before?: Fields
  after?: Fields
  requestId?: string | null
}

const secret = /password|token|secret/i

/** Notes who did what, in the transaction that does it. Fields named like secrets are written as `(hidden)`. */
export async function audit(tx: Db | Tx, { actorId, action, targetType, targetId, before = null, after = null, requestId = null }: AuditEntry): Promise<void> {
  await tx.insert(auditLog).values({ actorId, action, targetType, targetId: String(targetId), before: shown(before), after: shown(after), requestId })
}

const shown = (fields: Fields): Fields =>
  fields && Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, secret.test(name) && typeof value === 'string' ? '(hidden)' : value]))
