import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { invalid } from '#server/errors.ts'
import { guessablePasswordMessage } from '../../rules.ts'
import { isGuessablePassword } from '../guessable-passwords.ts'

type Person = { username: string; email: string; role: 'user' | 'admin' }

/**
 * Throws 400 on the field `path` for a password that everybody would try first: a common one, the user's own name or address.
 * Administrators' always; customers' when the operator wants it, since any six characters are promised to be enough.
 */
export async function refuseGuessablePassword(db: Db, password: string, person: Person, path: string): Promise<void> {
  if (!isGuessablePassword(password, person)) return
  const isStrict = person.role === 'admin' || (await settings.read(db, 'accounts')).refuseGuessablePasswords === 'everyone'
  if (isStrict) invalid(path, guessablePasswordMessage, 'guessable_password')
}
