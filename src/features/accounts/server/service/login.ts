import { eq, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { users } from '#server/db/tables.ts'
import { signInFirst } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { unlimitedSlot } from '#server/overload/slot.ts'
import { userView } from '#server/session/user-view.ts'
import type { login as endpoint, User } from '../../contract.ts'
import { wrongLoginMessage } from '../../rules.ts'
import { isGuessablePassword } from '../guessable-passwords.ts'
import { hasTwoFactor, openPendingLogin } from '../pending-login.ts'
import type { RequestContext } from './confirm-password.ts'
import { equalizeLoginTime } from './equalize-login-time.ts'
import { signIn } from './sign-in.ts'

type StoredAccount = { id: number; passwordHash: string; role: 'user' | 'admin'; username: string; email: string }
/** `strongPassword` is undefined when the password was not checked. */
type PasswordUpdate = { passwordHash: string; strongPassword: boolean | undefined }
type SignedIn = { user: User; token: string }
type Pending = Output<typeof endpoint> & { secondStep: unknown }

/**
 * Logs in with a username or an email address, ignoring case; the browser's previous session ends. If two-step verification is on, no session is
 * opened yet, and the returned token proves the password for five minutes. Throws 401 with the same message and after the same work for an unknown
 * name and a wrong password, 429 after too many failures, 503 when the hashing queue is full. Logins with an administrator's name use separate
 * slots, so that other logins cannot block them. The first login replaces an imported hash.
 */
export async function login(
  ctx: Pick<AppContext, 'db' | 'limits' | 'passwords'>,
  input: { username: string; password: string },
  request: RequestContext,
): Promise<SignedIn | Pending> {
  const { db, limits, passwords } = ctx
  const { ip, slot = unlimitedSlot } = request.caller
  const attempt = await limits.login(input.username, ip)
  if (attempt.delayMs > 0) await slot.wait(attempt.delayMs)
  let account = await findAccount(db, input.username)
  await slot.acquire(account?.role === 'admin' ? 'administratorLogins' : 'hashing')
  const startedAt = performance.now()
  // Retry once, since a concurrent login may replace the stored hash during the comparison.
  for (let round = 0; round < 2; round++) {
    if (round > 0) account = await findAccount(db, input.username)
    const matches = await passwords.verify(account?.passwordHash, input.password, attempt)
    if (!account || !matches) break
    const passwordHash = passwords.isOutdated(account.passwordHash)
      ? await passwords.hash(input.password)
      : account.passwordHash
    const strongPassword =
      account.role === 'admin' ? !(await isGuessablePassword(db, input.password, account)) : undefined
    const signedIn = await completeLogin(db, account, { passwordHash, strongPassword }, request)
    if (signedIn) return signedIn
  }
  await equalizeLoginTime(db, startedAt, slot)
  return signInFirst(wrongLoginMessage, 'wrong_login')
}

async function findAccount(db: Db, typedName: string): Promise<StoredAccount | undefined> {
  // Lower-cased here, as the rate limits do, and not by the database, whose case mapping differs.
  const name = typedName.toLowerCase()
  const [row] = await (name.includes('@') ? byEmail : byUsername)(db, { name })
  return row
}
const accountBy = (statementName: string, column: typeof users.email | typeof users.username) =>
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
const byEmail = accountBy('login_by_email', users.email)
const byUsername = accountBy('login_by_username', users.username)

/** Returns undefined when the password has changed since the comparison: no session may be opened after a reset that ended all sessions. */
async function completeLogin(
  db: Db,
  account: { id: number; passwordHash: string },
  { passwordHash, strongPassword }: PasswordUpdate,
  request: RequestContext,
): Promise<SignedIn | Pending | undefined> {
  const { newLoginMail } = await settings.read(db, 'accounts')
  return db.transaction(async (tx) => {
    const [current] = await lockUser(tx, { id: account.id })
    if (current?.hash !== account.passwordHash) return undefined
    if (passwordHash !== account.passwordHash)
      await tx.update(users).set({ passwordHash }).where(eq(users.id, account.id))
    const { user } = current
    if (strongPassword === true ? !current.strong : strongPassword === false && !user.mustChangePassword) {
      await tx
        .update(users)
        .set({ strongPassword, ...(!strongPassword && { mustChangePassword: true }) })
        .where(eq(users.id, account.id))
      user.mustChangePassword ||= strongPassword === false
    }
    if (await hasTwoFactor(tx, account.id)) return openPendingLogin(tx, account.id)
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
