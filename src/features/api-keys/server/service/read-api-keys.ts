import { desc, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { apiKeyScopes } from '#kit/api-keys.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { apiKeys, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { ApiKey } from '../../admin-contract.ts'

const revokers = alias(users, 'revokers')
const state = sql<ApiKey['state']>`case
  when ${apiKeys.revokedAt} is not null then 'revoked'
  when ${apiKeys.endsAt} <= now() then 'ended'
  when ${users.role} <> 'admin' then 'creator_left'
  else 'active' end`
/** Whether a key counts toward `maxApiKeys`: neither revoked nor expired. */
export const isInUse = sql`${apiKeys.revokedAt} is null and coalesce(${apiKeys.endsAt} > now(), true)`

/** Returns the API keys: those in use, newest first, then the latest of the others. */
export const listApiKeys = (db: Db): Promise<ApiKey[]> => keysWhere(db, sql`true`)

/** Returns an API key. Throws 404 for an unknown id. */
export async function apiKeyById(db: Db | Tx, id: number): Promise<ApiKey> {
  const [found] = await keysWhere(db, eq(apiKeys.id, id))
  return found ?? notFound('API key not found')
}

async function keysWhere(db: Db | Tx, condition: ReturnType<typeof eq>): Promise<ApiKey[]> {
  const rows = await db
    .select({
      key: apiKeys,
      state,
      createdBy: { id: users.id, username: users.username },
      revokedBy: revokers.username,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.createdBy))
    .leftJoin(revokers, eq(revokers.id, apiKeys.revokedBy))
    .where(condition)
    .orderBy(sql`${isInUse} desc`, desc(apiKeys.id))
    .limit(limits.lists.default)
  return rows.map(({ key, state, createdBy, revokedBy }) => ({
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    // Scopes are in the order in which they are shown. Names that this release does not define are left out.
    scopes: apiKeyScopes.filter((scope) => key.scopes.includes(scope)),
    createdBy,
    createdAt: key.createdAt,
    endsAt: key.endsAt,
    lastUsed: key.lastUsedAt && key.lastUsedIp ? { at: key.lastUsedAt, ip: key.lastUsedIp } : null,
    state,
    revoked: key.revokedAt ? { at: key.revokedAt, by: revokedBy } : null,
  }))
}
