import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import * as referrals from '#features/referrals/server/service.ts'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { violationOf } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import type { AppContext } from '#server/http/route.ts'
import { isGuessablePassword } from '../guessable-passwords.ts'

const guessableAdminPassword =
  'ADMIN_PASSWORD is too easy to guess. Please choose another one, or leave it unset to have one generated.'

/**
 * Creates the first administrator of an installation that has none. If it generates the password, returns the username and password, to be shown
 * once and changed at the first login. Throws an error with a message for the operator if the username or email address belongs to a customer, or
 * if ADMIN_PASSWORD is guessable.
 */
export async function ensureFirstAdmin({
  config,
  db,
  passwords,
}: Pick<AppContext, 'config' | 'db' | 'passwords'>): Promise<{ username: string; password: string } | undefined> {
  const { username, email } = config.firstAdmin
  if (await hasAdmin(db)) return undefined
  const configured = config.firstAdmin.password
  if (configured !== undefined && (await isGuessablePassword(db, configured, { username, email })))
    throw new Error(guessableAdminPassword)
  const password = configured ?? randomBytes(15).toString('base64url')
  const passwordHash = await passwords.hash(password)
  const created = await insertAdmin(db, { username, email, passwordHash, mustChangePassword: configured === undefined })
  return created && configured === undefined ? { username, password } : undefined
}

async function hasAdmin(db: Db): Promise<boolean> {
  const [admin] = await db.select({ id: users.id }).from(users).where(eq(users.role, 'admin')).limit(1)
  return admin !== undefined
}

async function insertAdmin(
  db: Db,
  admin: { username: string; email: string; passwordHash: string; mustChangePassword: boolean },
): Promise<boolean> {
  try {
    return await db.transaction(async (tx) => {
      // Several processes may start concurrently. The lock lets one of them check and create first, so that the others find an administrator.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('first admin'))`)
      if (await hasAdmin(tx)) return false
      const [row] = await tx
        .insert(users)
        .values({ ...admin, role: 'admin', strongPassword: true, referralCode: referrals.randomReferralCode() })
        .returning({ id: users.id })
      await audit(tx, {
        actorId: null,
        action: 'user.create_admin',
        targetType: 'user',
        targetId: row!.id,
        after: { username: admin.username, role: 'admin' },
      })
      return true
    })
  } catch (error) {
    const constraint = violationOf(error)?.constraint
    if (constraint !== 'users_name' && constraint !== 'users_mail') throw error
    throw new Error(
      'The first administrator could not be created: ADMIN_USERNAME or ADMIN_EMAIL already belongs to a customer. Please set different ones.',
    )
  }
}
