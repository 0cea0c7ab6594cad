import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import * as referrals from '#features/referrals/server/service.ts'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { violationOf } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import type { House } from '#server/http.ts'

/**
 * Creates the installation's first administrator when it has none. Returns name and password when the password was drawn
 * here, to be shown once. Throws a sentence for the operator when name or address belong to a customer.
 */
export async function ensureFirstAdmin({
  config,
  db,
  passwords,
}: Pick<House, 'config' | 'db' | 'passwords'>): Promise<{ username: string; password: string } | undefined> {
  const { username, email } = config.firstAdmin
  if (await hasAdmin(db)) return undefined
  const password = config.firstAdmin.password ?? randomBytes(15).toString('base64url')
  const passwordHash = await passwords.hash(password)
  const created = await insert(db, { username, email, passwordHash })
  return created && config.firstAdmin.password === undefined ? { username, password } : undefined
}

async function hasAdmin(db: Db): Promise<boolean> {
  const [admin] = await db.select({ id: users.id }).from(users).where(eq(users.role, 'admin')).limit(1)
  return admin !== undefined
}

async function insert(db: Db, admin: { username: string; email: string; passwordHash: string }): Promise<boolean> {
  try {
    return await db.transaction(async (tx) => {
      // Several processes may start at once: one looks and creates, the others look afterwards.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('first admin'))`)
      if (await hasAdmin(tx)) return false
      const [row] = await tx
        .insert(users)
        .values({ ...admin, role: 'admin', referralCode: referrals.drawCode() })
        .returning({ id: users.id })
      await audit(tx, { actorId: null, action: 'user.create_admin', targetType: 'user', targetId: row!.id, after: { username: admin.username, role: 'admin' } })
      return true
    })
  } catch (error) {
    const constraint = violationOf(error)?.constraint
    if (constraint !== 'users_name' && constraint !== 'users_mail') throw error
    throw new Error('The first administrator could not be created: ADMIN_USERNAME or ADMIN_EMAIL already belongs to a customer. Please set others.')
  }
}
