import { type SQL, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import { invalid } from '#server/errors.ts'
import { guessablePasswordMessage } from '../../rules.ts'
import { isGuessablePassword } from '../guessable-passwords.ts'

type PasswordOwner = { username: string; email: string; role: 'user' | 'admin' }

/**
 * Throws 400 on the field `path` for a guessable password: a common one, the brand, or the user's own name or address. This always applies to
 * administrators, but to customers only if the operator's setting says so, because customers may use any six characters by default. Returns whether
 * the password is strong, to be stored with its hash.
 */
export async function refuseGuessablePassword(
  db: Db,
  password: string,
  owner: PasswordOwner,
  path: string,
): Promise<boolean> {
  if (!(await isGuessablePassword(db, password, owner))) return true
  const isStrict =
    owner.role === 'admin' || (await settings.read(db, 'accounts')).refuseGuessablePasswords === 'everyone'
  if (isStrict) invalid(path, guessablePasswordMessage, 'guessable_password')
  return false
}

/** The value of `must_change_password` for an UPDATE of a user: true for a weak password of a user who is an administrator when the UPDATE runs. */
export const mustChangeWeakPassword = (strongPassword: boolean): SQL<boolean> =>
  strongPassword ? sql`false` : sql`${users.role} = 'admin'`
