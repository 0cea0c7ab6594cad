import { eq, type Placeholder, sql } from 'drizzle-orm'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import { isPermitted, type Permission, permissionsOf } from '#kit/permissions.ts'
import type { Db, Tx } from '../db/connect.ts'
import { type Params, statement } from '../db/statement.ts'
import { sessions, users } from '../db/tables.ts'
import { notAllowed, signInFirst } from '../errors.ts'
import { lockKey, refuseWithoutScope } from './api-keys.ts'
import { lockDevice } from './devices.ts'
import { hashOf, type SessionUser } from './session.ts'
import { staffRole } from './staff-role.ts'

type SessionHolder = { user: SessionUser; token: string | undefined }

/**
 * Wraps `db` so that every transaction first locks the caller's session, device or API key, and for admin endpoints the caller's role. A concurrent
 * logout, demotion or permission change waits for running transactions. Transactions that start afterwards throw 401 or 403.
 */
export function sessionGuardedDb(db: Db, endpoint: AnyEndpoint, { user, token }: SessionHolder): Db {
  const transaction: Db['transaction'] = (work, config) =>
    db.transaction(async (tx) => {
      const isAdminEndpoint = endpoint.access === 'admin'
      if (isAdminEndpoint) await lockRole(tx, { userId: user.id })
      // A separate statement: its snapshot includes the changes of the transaction that held the lock before.
      const permissions = user.apiKey
        ? await lockKey(tx, user.apiKey.id)
        : user.deviceId
          ? (await lockDevice(tx, user.deviceId)) && []
          : await lockSession(tx, hashOf(token ?? ''), isAdminEndpoint)
      if (!permissions) return signInFirst()
      if (user.apiKey) refuseWithoutScope(endpoint, permissions)
      else if (isAdminEndpoint) refuseWithoutPermission(endpoint, permissions)
      return work(tx)
    }, config)
  const guarded: Db = Object.assign(Object.create(db) as Db, { transaction })
  unguardedDbs.set(guarded, db)
  return guarded
}

/**
 * Locks a session until the transaction ends, so that a concurrent logout waits. Returns the permissions of its user, or an empty list without
 * `needsPermissions`; undefined if the session has ended.
 */
async function lockSession(
  tx: Tx,
  hash: Buffer,
  needsPermissions: boolean,
): Promise<readonly Permission[] | undefined> {
  if (!needsPermissions) return (await lockSessionRow(tx, { hash })).length > 0 ? [] : undefined
  const [row] = await lockSessionAndRole(tx, { hash })
  const [member] = row?.staffRoleId == null ? [] : await readStaffRole(tx, { id: row.id })
  return row && permissionsOf(row.role, member?.staff ?? null)
}

/** Throws 403 for an admin endpoint if the caller is not a staff member, or lacks the permission that the endpoint needs. */
export function refuseWithoutPermission({ needs }: AnyEndpoint, permissions: readonly Permission[]): void {
  if (permissions.length === 0) notAllowed('Only administrators can do this', 'admins_only')
  if (!needs || !isPermitted(permissions, needs))
    notAllowed('You do not have permission to do this. An owner can change your role.', 'no_permission')
}

const lockSessionRow = statement('session_hold', (tx, { hash }: Params<{ hash: Buffer }>) =>
  tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.tokenHash, hash)).for('key share'),
)
const readStaffRole = statement('staff_role_of', (tx, { id }: Params<{ id: number }>) =>
  tx.select({ staff: staffRole }).from(users).where(eq(users.id, id)),
)
const lockSessionAndRole = statement('session_hold_with_role', (tx, { hash }: Params<{ hash: Buffer }>) =>
  tx
    .select({ id: users.id, role: users.role, staffRoleId: users.staffRoleId })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.tokenHash, hash))
    .for('key share', { of: sessions }),
)

const unguardedDbs = new WeakMap<object, Db>()
/** Returns the database that a session-guarded one wraps. It is the key of caches that all requests share. */
export const unguarded = <T extends Db | Tx>(db: T): Db | T => unguardedDbs.get(db) ?? db

const roleOf = (userId: number | Placeholder) => sql`hashtext('roles'), ${userId}::int`
const lockRole = statement('role_lock', (tx, { userId }: Params<{ userId: number }>) =>
  tx.select({ locked: sql`pg_advisory_xact_lock_shared(${roleOf(userId)})` }).from(sql`(values (1)) as once`),
)

/** Waits for all running admin transactions of a user and blocks new ones until `tx` ends. Call it before locking any row, to avoid deadlocks. */
export async function awaitAdminTransactions(tx: Tx, userId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${roleOf(userId)})`)
}
