import { and, eq } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { Refusal } from '#server/errors.ts'
import type { Caller } from '#server/http/request.ts'
import type { AppContext } from '#server/http/route.ts'
import { unlimitedSlot } from '#server/overload/slot.ts'
import type { SessionUser } from '#server/session/session.ts'
import { userView } from '#server/session/user-view.ts'
import type { User } from '../../contract.ts'
import { wrongPasswordMessage } from '../../rules.ts'

/** The dependencies of changes to one's own account. */
export type AccountContext = Pick<AppContext, 'db' | 'limits' | 'passwords'>
/** The caller of a request and the request id. */
export type RequestContext = { caller: Caller; requestId: string }

/** Proof of ownership: the password, and a code where two-step verification is on. */
export type Proof = { currentPassword: string; code?: string | undefined }
/** Like `withPassword`, but also requires a code where two-step verification is on. Implemented by the two-factor feature. */
export type WithProof = <T>(
  ctx: AccountContext & Pick<AppContext, 'config'>,
  user: SessionUser,
  input: Proof,
  request: RequestContext,
  prepare: () => Change<T> | Promise<Change<T>>,
) => Promise<T>

type Change<T> = (tx: Tx, before: User) => Promise<T>

/**
 * Verifies a user's current password, then runs a change in a transaction that locks the user's row. In between, `prepare` runs outside the
 * transaction; it does slow work and returns the change. Throws 403 on `currentPassword`, 429 after too many wrong passwords (counted together with
 * failed logins), 503 when the hashing queue is full.
 */
export async function withPassword<T>(
  ctx: AccountContext,
  user: SessionUser,
  currentPassword: string,
  { caller }: RequestContext,
  prepare: () => Change<T> | Promise<Change<T>>,
): Promise<T> {
  const { db, limits, passwords } = ctx
  const { ip, slot = unlimitedSlot } = caller
  const attempt = await limits.login(user.username, ip)
  if (attempt.delayMs > 0) {
    await slot.wait(attempt.delayMs)
    await slot.acquire()
  }
  // Retry once, since a concurrent login may rehash the password during the comparison.
  for (let round = 0; round < 2; round++) {
    const [stored] = await db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, user.id))
    const matches = await passwords.verify(stored?.hash, currentPassword, attempt)
    if (!stored || !matches) break
    const change = await prepare()
    const done = await inTransaction(db, async (tx) => {
      const [before] = await tx
        .select(userView)
        .from(users)
        .where(and(eq(users.id, user.id), eq(users.passwordHash, stored.hash)))
        .for('no key update')
      return before && { result: await change(tx, before) }
    })
    if (done) return done.result
  }
  throw new Refusal(403, 'wrong_password', wrongPasswordMessage, {
    issues: [{ path: 'currentPassword', message: wrongPasswordMessage }],
  })
}
