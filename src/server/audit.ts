import { isDeepStrictEqual } from 'node:util'
import { and, desc, eq } from 'drizzle-orm'
import type { AuditAction } from '#features/audit/rules.ts'
import type { Db, Tx } from './db/connect.ts'
import { deferredWritesOf, writeDeferred } from './db/deferred-writes.ts'
import { auditLog, users } from './db/tables.ts'
import { conflict } from './errors.ts'
import { actingKeyOf } from './session/acting-key.ts'
import type { SessionUser } from './session/session.ts'

type Fields = Record<string, unknown> | null
/** An entry of the audit log. `actorId` is null for the system itself. `before` and `after` contain only the changed fields. */
export type AuditEntry = {
  actorId: number | null
  action: AuditAction
  targetType: string
  targetId: number | string
  before?: Fields
  after?: Fields
  requestId?: string | null
}

/** Returns the fields that differ, for `before` and `after` of an audit entry. */
export function changedFields(
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

const secretFieldName = /password|token|secret/i

/**
 * Adds an audit entry, written at the end of the transaction. Values of fields named like secrets are written as `(hidden)`. In a request with an API key, the
 * entry also contains the key.
 */
export async function audit(
  tx: Db | Tx,
  { actorId, action, targetType, targetId, before = null, after = null, requestId = null }: AuditEntry,
): Promise<void> {
  const key = actingKeyOf(actorId)
  const entry = {
    actor_id: actorId,
    action,
    target_type: targetType,
    target_id: String(targetId),
    before: withoutSecrets(before),
    after: withoutSecrets(after),
    request_id: requestId,
    api_key_id: key?.id ?? null,
    api_key_name: key?.name ?? null,
  }
  const deferred = deferredWritesOf(tx)
  if (deferred) deferred.entries.push(entry)
  else await writeDeferred(tx, { entries: [entry] })
}

const withoutSecrets = (fields: Fields): Fields =>
  fields &&
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      secretFieldName.test(name) && typeof value === 'string' ? '(hidden)' : value,
    ]),
  )

/** A decision based on an outdated version. `what` is what was to be decided ("report"), and `now` is its current state ("Under Review"). */
export type StaleDecision = { targetType: string; targetId: number; admin: SessionUser; what: string; now: string }

/** Throws 409 for a decision based on an outdated version, with the administrator who changed it and the current state. */
export async function refuseAsStale(tx: Tx, { targetType, targetId, admin, what, now }: StaleDecision): Promise<never> {
  const [last] = await tx
    .select({ actorId: auditLog.actorId, username: users.username })
    .from(auditLog)
    .innerJoin(users, eq(users.id, auditLog.actorId))
    .where(and(eq(auditLog.targetType, targetType), eq(auditLog.targetId, String(targetId))))
    .orderBy(desc(auditLog.id))
    .limit(1)
  const who =
    last?.actorId === admin.id
      ? 'You changed it in another window'
      : `${last?.username ?? 'Someone else'} changed it first`
  return conflict('stale', `${who}: this ${what} is now ${now}. Nothing was changed.`)
}
