import { type Placeholder, sql } from 'drizzle-orm'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import type { Db, Tx } from '../db/connect.ts'
import { type Params, statement } from '../db/statement.ts'
import { notAllowed, signInFirst } from '../errors.ts'
import { lockDevice } from './devices.ts'
import { lockSession, type SessionUser } from './session.ts'

type SessionHolder = { user: SessionUser; token: string | undefined }

/**
 * Wraps `db` so that every transaction first locks the caller's session, and for admin endpoints the administrator's role. A concurrent
 * logout or demotion waits for running transactions, and none starts afterwards: transactions then throw 401 or 403.
 */
export function sessionGuardedDb(db: Db, endpoint: AnyEndpoint, { user, token }: SessionHolder): Db {
  const transaction: Db['transaction'] = (work, config) =>
    db.transaction(async (tx) => {
      const isAdminEndpoint = endpoint.access === 'admin'
      if (isAdminEndpoint) await lockRole(tx, { userId: user.id })
      // A separate statement: its snapshot includes the changes of the transaction that held the lock before.
      const role = user.deviceId ? await lockDevice(tx, user.deviceId) : await lockSession(tx, token)
      if (!role) return signInFirst()
      if (isAdminEndpoint && role !== 'admin') return notAllowed('Only administrators can do this', 'admins_only')
      return work(tx)
    }, config)
  const guarded: Db = Object.assign(Object.create(db) as Db, { transaction })
  unguardedDbs.set(guarded, db)
  return guarded
}

const unguardedDbs = new WeakMap<object, Db>()
/** Returns the database behind a session-guarded one, as the key for caches shared by all requests. */
export const unguarded = <T extends Db | Tx>(db: T): Db | T => unguardedDbs.get(db) ?? db

const roleOf = (userId: number | Placeholder) => sql`hashtext('roles'), ${userId}::int`
const lockRole = statement('role_lock', (tx, { userId }: Params<{ userId: number }>) =>
  tx.select({ locked: sql`pg_advisory_xact_lock_shared(${roleOf(userId)})` }).from(sql`(values (1)) as once`),
)

/** Waits for all running admin transactions of a user and blocks new ones until `tx` ends. Call it before locking any row, to avoid deadlocks. */
export async function awaitAdminTransactions(tx: Tx, userId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${roleOf(userId)})`)
}
