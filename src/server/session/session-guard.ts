import { type Placeholder, sql } from 'drizzle-orm'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import type { Db, Tx } from '../db/connect.ts'
import { type Params, statement } from '../db/statement.ts'
import { notAllowed, signInFirst } from '../errors.ts'
import { holdSession, type SessionUser } from './session.ts'

type Actor = { user: SessionUser; token: string | undefined }

/**
 * A database whose every transaction begins by holding the session it acts for, and an administrator's role: whoever logs out or is demoted
 * waits for what is under way, and nothing is written for them afterwards. Its transactions throw 401 and 403 when that has happened before.
 */
export function sessionGuardedDb(db: Db, endpoint: AnyEndpoint, { user, token }: Actor): Db {
  const transaction: Db['transaction'] = (work, config) =>
    db.transaction(async (tx) => {
      const isAdmins = endpoint.access === 'admin'
      if (isAdmins) await lockRole(tx, { userId: user.id })
      // A statement of its own: it sees what whoever let go of the lock has written.
      const role = await holdSession(tx, token)
      if (!role) return signInFirst()
      if (isAdmins && role !== 'admin') return notAllowed('Only administrators can do this', 'admins_only')
      return work(tx)
    }, config)
  const acting: Db = Object.assign(Object.create(db) as Db, { transaction })
  behind.set(acting, db)
  return acting
}

const behind = new WeakMap<object, Db>()
/** The database itself behind one that acts for somebody: what is remembered of it serves every request. */
export const unguarded = <T extends Db | Tx>(db: T): Db | T => behind.get(db) ?? db

const roleOf = (userId: number | Placeholder) => sql`hashtext('roles'), ${userId}::int`
const lockRole = statement('role_lock', (tx, { userId }: Params<{ userId: number }>) =>
  tx.select({ locked: sql`pg_advisory_xact_lock_shared(${roleOf(userId)})` }).from(sql`(values (1)) as once`),
)

/** Waits until nothing is under way any more that somebody does as an administrator, and lets nothing begin. Comes before any row is locked. */
export async function awaitActsOf(tx: Tx, userId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${roleOf(userId)})`)
}
