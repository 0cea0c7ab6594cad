import { type SQL, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import { invalid } from '#server/errors.ts'
import { guessablePasswordMessage } from '../../rules.ts'
import { isGuessablePassword } from '../guessable-passwords.ts'

type Person = { username: string; email: string; role: 'user' | 'admin' }

/**
 * Throws 400 on the field `path` for a password that is guessed first: a common one, the brand, the user's own name or address.
 * Administrators' always; customers' when the operator wants it, since any six characters are promised to be enough.
 * Returns whether the password is strong, to be stored with its hash.
 */
export async function refuseGuessablePassword(
  db: Db,
  password: string,
  person: Person,
  path: string,
): Promise<boolean> {
  if (!(await isGuessablePassword(db, password, person))) return true
  const isStrict =
    person.role === 'admin' || (await settings.read(db, 'accounts')).refuseGuessablePasswords === 'everyone'
  if (isStrict) invalid(path, guessablePasswordMessage, 'guessable_password')
  return false
}

/** For an UPDATE of a user: an administrator with a weak password has to change it, also one who became administrator just now. */
export const mustChangeWeak = (strongPassword: boolean): SQL<boolean> =>
  strongPassword ? sql`false` : sql`${users.role} = 'admin'`
