import { sql } from 'drizzle-orm'
import type { AdminUser } from '#features/accounts/admin-contract.ts'
import { type NewRole, setRole } from '#features/accounts/server/service/set-role.ts'
import type { Db } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import type { Actor } from '#server/session/actor.ts'

/**
 * Gives an existing account a role. `account` is the username or email address, in upper or lower case. Throws 400 for an unknown account, 409 for an account
 * that is already a staff member, and like `setRole`.
 */
export async function addMember(
  db: Db,
  account: string,
  to: NewRole,
  actor: Actor & { needsSecond: boolean },
): Promise<AdminUser> {
  const [found] = await db
    .select({ id: users.id, username: users.username, role: users.role })
    .from(users)
    .where(sql`lower(${users.username}) = lower(${account}) or lower(${users.email}) = lower(${account})`)
    .limit(1)
  if (!found) return invalid('account', 'There is no account with this username or email address', 'unknown_account')
  if (found.role === 'admin') conflict('already_staff', `${found.username} is already a staff member.`)
  return setRole(db, found.id, to, actor)
}
