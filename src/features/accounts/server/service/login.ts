import { eq, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { users } from '#server/db/tables.ts'
import { signInFirst } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { unlimitedSlot } from '#server/overload/slot.ts'
import type { login as endpoint, User } from '../../contract.ts'
import { wrongLoginMessage } from '../../rules.ts'
import { isGuessablePassword } from '../guessable-passwords.ts'
import { hasSecondStep, openPendingLogin } from '../pending-login.ts'
import { userView } from '../user-view.ts'
import type { Request } from './confirm-password.ts'
import { signIn } from './sign-in.ts'

type Known = { id: number; passwordHash: string; role: 'user' | 'admin'; username: string; email: string }
/** `strongPassword` undefined: not judged. */
type Stored = { passwordHash: string; strongPassword: boolean | undefined }
type SignedIn = { user: User; token: string }
type Pending = Output<typeof endpoint> & { secondStep: unknown }

/**
 * Signs in with username or e-mail, in any case; the session the browser had before ends. With a second step to come nothing
 * changes yet, and what is returned proves the first one for five minutes. Throws 401 in the same words and
 * after the same work for an unknown name and a wrong password, 429 after too many failures, 503 when hashing is overbooked.
 * A login with an administrator's name has slots of its own.
 */
export async function login(
  house: Pick<AppContext, 'db' | 'limits' | 'passwords'>,
  given: { username: string; password: string },
  request: Request,
): Promise<SignedIn | Pending> {
  const { db, limits, passwords } = house
  const { ip, slot = unlimitedSlot } = request.caller
  const attempt = await limits.login(given.username, ip)
  if (attempt.delayMs > 0) await slot.wait(attempt.delayMs)
  let known = await withHash(db, given.username)
  await slot.acquire(known?.role === 'admin' ? 'administratorLogins' : 'hashing')
  // Twice, since another login may replace the stored hash while this one compares.
  for (let turn = 0; turn < 2; turn++) {
    if (turn > 0) known = await withHash(db, given.username)
    const matches = await passwords.verify(known?.passwordHash, given.password, attempt)
    if (!known || !matches) break
    const passwordHash = passwords.isOutdated(known.passwordHash)
      ? await passwords.hash(given.password)
      : known.passwordHash
    const strongPassword = known.role === 'admin' ? !(await isGuessablePassword(db, given.password, known)) : undefined
    const signedIn = await open(db, known, { passwordHash, strongPassword }, request)
    if (signedIn) return signedIn
  }
  return signInFirst(wrongLoginMessage, 'wrong_login')
}

async function withHash(db: Db, typedName: string): Promise<Known | undefined> {
  // Lowered here, as the allowances count it, and never by the database, whose alphabet has other pairs.
  const name = typedName.toLowerCase()
  const [row] = await (name.includes('@') ? byEmail : byUsername)(db, { name })
  return row
}
const hashBy = (statementName: string, column: typeof users.email | typeof users.username) =>
  statement(statementName, (db, { name }: Params<{ name: string }>) =>
    db
      .select({
        id: users.id,
        passwordHash: users.passwordHash,
        role: users.role,
        username: users.username,
        email: users.email,
      })
      .from(users)
      .where(eq(sql`lower(${column})`, name)),
  )
const byEmail = hashBy('login_by_email', users.email)
const byUsername = hashBy('login_by_username', users.username)

/** Undefined when the password was changed since it was compared: a reset that ended all sessions must not be followed by this one. */
async function open(
  db: Db,
  known: { id: number; passwordHash: string },
  { passwordHash, strongPassword }: Stored,
  request: Request,
): Promise<SignedIn | Pending | undefined> {
  const { newLoginMail } = await settings.read(db, 'accounts')
  return db.transaction(async (tx) => {
    const [current] = await lockUser(tx, { id: known.id })
    if (current?.hash !== known.passwordHash) return undefined
    if (passwordHash !== known.passwordHash) await tx.update(users).set({ passwordHash }).where(eq(users.id, known.id))
    const { user } = current
    if (strongPassword === true ? !current.strong : strongPassword === false && !user.mustChangePassword) {
      await tx
        .update(users)
        .set({ strongPassword, ...(!strongPassword && { mustChangePassword: true }) })
        .where(eq(users.id, known.id))
      user.mustChangePassword ||= strongPassword === false
    }
    if (await hasSecondStep(tx, known.id)) return openPendingLogin(tx, known.id)
    return { user, token: await signIn(tx, user, request, { newLoginMail }) }
  })
}
const lockUser = statement('login_lock', (tx, { id }: Params<{ id: number }>) =>
  tx
    .select({ user: userView, hash: users.passwordHash, strong: users.strongPassword })
    .from(users)
    .where(eq(users.id, id))
    .for('no key update'),
)
