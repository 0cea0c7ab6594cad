import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type ApiKeyScope, scopesFor } from '#kit/api-keys.ts'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import { type Permission, permissionsOf, type StaffRole } from '#kit/permissions.ts'
import type { Db, Tx } from '../db/connect.ts'
import { type Params, statement } from '../db/statement.ts'
import { apiKeys, users } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import type { Caller } from '../http/request.ts'
import type { RateLimits } from '../overload/rate-limit.ts'
import { isWellFormedKey } from './api-key-format.ts'
import { lacksSecondStep } from './live-session.ts'
import { hashOf, type SessionUser } from './session.ts'
import { staffRole } from './staff-role.ts'
import { emailVerified } from './user-view.ts'

const isEnded: SQL<boolean> = sql<boolean>`coalesce(${apiKeys.endsAt} <= now(), false)`
const isRevoked: SQL<boolean> = sql<boolean>`${apiKeys.revokedAt} is not null`
/** Whether a key is neither expired nor revoked. Its creator is checked separately. */
const isLive = sql`not ${isEnded} and not ${isRevoked}`
const isUseStale = sql<boolean>`coalesce(${apiKeys.lastUsedAt} < now() - interval '1 minute', true)`

const keyUser = statement('api_key_user', (db, { hash }: Params<{ hash: Buffer }>) =>
  db
    .select({
      key: { id: apiKeys.id, name: apiKeys.name },
      state: { isEnded, isRevoked, isUseStale },
      scopes: apiKeys.scopes,
      staff: staffRole,
      user: {
        id: users.id,
        username: users.username,
        email: users.email,
        emailVerified,
        accountRole: users.role,
        mustChangePassword: users.mustChangePassword,
        lacksSecondStep,
      },
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.createdBy))
    .where(eq(apiKeys.keyHash, hash)),
)
const updateLastUse = statement('api_key_touch', (db, { id, ip }: Params<{ id: number; ip: string }>) =>
  db
    .update(apiKeys)
    .set({ lastUsedAt: sql`now()`, lastUsedIp: sql`${ip}` })
    .where(and(eq(apiKeys.id, id), isUseStale)),
)

/**
 * Returns the creator of an API key with the permissions of the key, and records the use of the key at most once a minute. Throws 401 for an
 * unknown, expired or revoked key, and if its creator is no longer a staff member. Throws 429 after too many such failures from this network or too
 * many requests with this key.
 */
export async function userOfKey(
  { db, limits }: { db: Db; limits: RateLimits },
  key: string,
  { ip }: Pick<Caller, 'ip'>,
): Promise<SessionUser> {
  const [found] = isWellFormedKey(key) ? await keyUser(db, { hash: hashOf(key) }) : []
  const refusal = !found
    ? refusalOfKey('unknown_api_key', 'This API key is not valid')
    : found.state.isRevoked
      ? refusalOfKey('revoked_api_key', 'This API key was revoked')
      : found.state.isEnded
        ? refusalOfKey('ended_api_key', 'This API key has expired')
        : found.user.accountRole !== 'admin' && creatorLeft()
  if (!found || refusal) {
    await limits.take('apiKeyFailure', { ip, userId: undefined })
    throw refusal
  }
  await limits.take('apiKey', { ip, userId: undefined, apiKeyId: found.key.id })
  if (found.state.isUseStale) await updateLastUse(db, { id: found.key.id, ip })
  const permissions = found.user.lacksSecondStep
    ? []
    : permissionsOfKey(found.scopes, found.user.accountRole, found.staff)
  return { ...found.user, permissions, role: 'user', apiKey: found.key }
}

/** The permissions of a key: those of its scopes that its creator also has. */
const permissionsOfKey = (scopes: string[], role: 'user' | 'admin', staff: StaffRole | null): Permission[] =>
  permissionsOf(role, staff).filter((permission) => scopes.includes(permission))

/**
 * Locks a key until the transaction ends, so that a concurrent revocation waits. Returns the permissions of the key. Throws 401 if the key was
 * revoked or has expired, or if its creator is no longer a staff member.
 */
export async function lockKey(tx: Tx, id: number): Promise<readonly Permission[]> {
  const [row] = await lockKeyRow(tx, { id })
  if (!row) throw refusalOfKey('revoked_api_key', 'This API key was revoked or has expired')
  if (row.role !== 'admin') throw creatorLeft()
  return permissionsOfKey(row.scopes, row.role, row.staff)
}
const lockKeyRow = statement('api_key_hold', (tx, { id }: Params<{ id: number }>) =>
  tx
    .select({ scopes: apiKeys.scopes, role: users.role, staff: staffRole })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.createdBy))
    .where(and(eq(apiKeys.id, id), isLive))
    .for('key share', { of: apiKeys }),
)

/**
 * Throws 403 for an endpoint that refuses API keys, and for a key without the permission that the endpoint needs. The message names that
 * permission.
 */
export function refuseWithoutScope(endpoint: AnyEndpoint, permissions: readonly Permission[]): void {
  const scopes: ApiKeyScope[] = scopesFor(endpoint)
  if (scopes.length === 0)
    throw new Refusal(403, 'not_for_api_keys', 'API keys cannot be used here. A person has to log in for this.')
  if (!scopes.some((scope) => permissions.includes(scope)))
    throw new Refusal(403, 'missing_scope', `This API key or its creator lacks the permission ${scopes.join(' or ')}`, {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"` },
    })
}

const creatorLeft = () =>
  refusalOfKey('creator_not_staff', 'The person who created this API key is no longer a staff member')
const refusalOfKey = (code: string, message: string) =>
  new Refusal(401, code, message, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
