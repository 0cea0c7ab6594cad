import { eq, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { type Given, statement } from '#server/db/statement.ts'
import { users } from '#server/db/tables.ts'
import { signInFirst } from '#server/errors.ts'
import type { House } from '#server/http.ts'
import type { login as endpoint, User } from '../../contract.ts'
import { wrongLoginMessage } from '../../rules.ts'
import { hasSecondStep, openPendingLogin } from '../pending-login.ts'
import { userView } from '../user-view.ts'
import type { Request } from './confirm-password.ts'
import { signIn } from './sign-in.ts'

type SignedIn = { user: User; token: string }
type Pending = Output<typeof endpoint> & { secondStep: unknown }

/**
 * Signs in with username or e-mail, in any case; the session the browser had before ends. With a second step to come nothing
 * changes yet, and what is returned proves the first one for five minutes. Throws 401 in the same words and
 * after the same work for an unknown name and a wrong password, 429 after too many failures, 503 when hashing is overbooked.
 */
export async function login(
  house: Pick<House, 'db' | 'limits' | 'passwords'>,
  given: { username: string; password: string },
  request: Request,
): Promise<SignedIn | Pending> {
  const { db, limits, passwords } = house
  const attempt = await limits.login(given.username, request.caller.ip)
  // Twice, since the stored hash may be made anew by another login while this one compares.
  for (let turn = 0; turn < 2; turn++) {
    const known = await withHash(db, given.username)
    const matches = await passwords.verify(known?.passwordHash, given.password, attempt)
    if (!known || !matches) break
    const passwordHash = passwords.isOutdated(known.passwordHash) ? await passwords.hash(given.password) : known.passwordHash
    const signedIn = await open(db, known, passwordHash, request)
    if (signedIn) return signedIn
  }
  return signInFirst(wrongLoginMessage, 'wrong_login')
}

async function withHash(db: Db, typedName: string): Promise<{ id: number; passwordHash: string } | undefined> {
  // Lowered here, as the allowances count it, and never by the database, whose alphabet has other pairs.
  const name = typedName.toLowerCase()
  const [row] = await (name.includes('@') ? byEmail : byUsername)(db, { name })
  return row
}
const hashBy = (statementName: string, column: typeof users.email | typeof users.username) =>
  statement(statementName, (db, { name }: Given<{ name: string }>) =>
    db
      .select({ id: users.id, passwordHash: users.passwordHash })
      .from(users)
      .where(eq(sql`lower(${column})`, name)),
  )
const byEmail = hashBy('login_by_email', users.email)
const byUsername = hashBy('login_by_username', users.username)

/** Undefined when the password was changed since it was compared: a reset that ended all sessions must not be followed by this one. */
async function open(db: Db, known: { id: number; passwordHash: string }, passwordHash: string, request: Request): Promise<SignedIn | Pending | undefined> {
  const { newLoginMail } = await settings.read(db, 'accounts')
  return db.transaction(async (tx) => {
    const [current] = await lockUser(tx, { id: known.id })
    if (current?.hash !== known.passwordHash) return undefined
    if (passwordHash !== known.passwordHash) await tx.update(users).set({ passwordHash }).where(eq(users.id, known.id))
    if (await hasSecondStep(tx, known.id)) return openPendingLogin(tx, known.id)
    return { user: current.user, token: await signIn(tx, current.user, request, { newLoginMail }) }
  })
}
const lockUser = statement('login_lock', (tx, { id }: Given<{ id: number }>) =>
  tx.select({ user: userView, hash: users.passwordHash }).from(users).where(eq(users.id, id)).for('no key update'),
)
