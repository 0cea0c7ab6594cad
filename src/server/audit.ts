import { isDeepStrictEqual } from 'node:util'
import { and, desc, eq } from 'drizzle-orm'
import type { AuditAction } from '#features/audit/rules.ts'
import type { Db, Tx } from './db/connect.ts'
import { deferredWritesOf, deferWrites } from './db/deferred-writes.ts'
import { auditLog, users } from './db/tables.ts'
import { conflict } from './errors.ts'
import type { SessionUser } from './session/session.ts'

type Fields = Record<string, unknown> | null
/** `actorId` null means the system itself; `before` and `after` hold the changed fields only. */
export type AuditEntry = {
  actorId: number | null
  action: AuditAction
  targetType: string
  targetId: number | string
  before?: Fields
  after?: Fields
  requestId?: string | null
}

/** The fields that differ, as they were and as they are: what `before` and `after` of an entry hold. */
export function changes(
  before: object,
  after: object,
): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const old = new Map(Object.entries(before))
  const differing = Object.entries(after).filter(([field, value]) => !isDeepStrictEqual(value, old.get(field)))
  return {
    before: Object.fromEntries(differing.map(([field]) => [field, old.get(field)])),
    after: Object.fromEntries(differing),
  }
}

const secret = /password|token|secret/i

/** Notes who did what, at the end of the transaction that does it. Fields named like secrets are written as `(hidden)`. */
export async function audit(
  tx: Db | Tx,
  { actorId, action, targetType, targetId, before = null, after = null, requestId = null }: AuditEntry,
): Promise<void> {
  const entry = {
    actor_id: actorId,
    action,
    target_type: targetType,
    target_id: String(targetId),
    before: shown(before),
    after: shown(after),
    request_id: requestId,
  }
  const ending = deferredWritesOf(tx)
  if (ending) ending.entries.push(entry)
  else await deferWrites(tx, { entries: [entry] })
}

const shown = (fields: Fields): Fields =>
  fields &&
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      secret.test(name) && typeof value === 'string' ? '(hidden)' : value,
    ]),
  )

/** What somebody wanted to decide about, who it is, and what it has become meanwhile: "report", "Under Review". */
export type Overtaken = { targetType: string; targetId: number; admin: SessionUser; what: string; now: string }

/** Throws 409 for a decision about an older version, saying who was faster and what the thing is now. */
export async function refuseAsStale(tx: Tx, { targetType, targetId, admin, what, now }: Overtaken): Promise<never> {
  const [last] = await tx
    .select({ actorId: auditLog.actorId, username: users.username })
    .from(auditLog)
    .innerJoin(users, eq(users.id, auditLog.actorId))
    .where(and(eq(auditLog.targetType, targetType), eq(auditLog.targetId, String(targetId))))
    .orderBy(desc(auditLog.id))
    .limit(1)
  const who =
    last?.actorId === admin.id ? 'You changed it in another window' : `${last?.username ?? 'Someone else'} was faster`
  return conflict('stale', `${who}: this ${what} is now ${now}. Nothing was changed.`)
}
