import { and, eq } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { Refusal } from '#server/errors.ts'
import type { Caller } from '#server/http/request.ts'
import type { AppContext } from '#server/http/route.ts'
import { unlimitedSlot } from '#server/overload/slot.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { User } from '../../contract.ts'
import { wrongPasswordMessage } from '../../rules.ts'
import { userView } from '../user-view.ts'

/** What a change of one's own account needs of the house, and who asks for it from where. */
export type Vault = Pick<AppContext, 'db' | 'limits' | 'passwords'>
export type Request = { caller: Caller; requestId: string }

/** What proves that the owner asks: the password, and a code where a second factor is on. */
export type Proof = { currentPassword: string; code?: string | undefined }
/** `withPassword` that asks for a code too where a second factor is on; the room of the second factor has it. */
export type WithProof = <T>(
  vault: Vault & Pick<AppContext, 'config'>,
  user: SessionUser,
  given: Proof,
  request: Request,
  prepare: () => Change<T> | Promise<Change<T>>,
) => Promise<T>

type Change<T> = (tx: Tx, before: User) => Promise<T>

/**
 * Does a change for somebody who knows their current password, in one transaction that holds their row. `prepare` runs between
 * the two and makes the change: work that no transaction should wait for. Throws 403 on `currentPassword`, 429 after as many wrong ones as a login may have (they count together), 503 when hashing is overbooked.
 */
export async function withPassword<T>(
  vault: Vault,
  user: SessionUser,
  given: string,
  { caller }: Request,
  prepare: () => Change<T> | Promise<Change<T>>,
): Promise<T> {
  const { db, limits, passwords } = vault
  const { ip, slot = unlimitedSlot } = caller
  const attempt = await limits.login(user.username, ip)
  if (attempt.delayMs > 0) {
    await slot.wait(attempt.delayMs)
    await slot.acquire()
  }
  // Twice, since the stored hash may be made anew by a login while this one compares.
  for (let turn = 0; turn < 2; turn++) {
    const [known] = await db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, user.id))
    const matches = await passwords.verify(known?.hash, given, attempt)
    if (!known || !matches) break
    const change = await prepare()
    const done = await inTransaction(db, async (tx) => {
      const [before] = await tx
        .select(userView)
        .from(users)
        .where(and(eq(users.id, user.id), eq(users.passwordHash, known.hash)))
        .for('no key update')
      return before && { result: await change(tx, before) }
    })
    if (done) return done.result
  }
  throw new Refusal(403, 'wrong_password', wrongPasswordMessage, {
    issues: [{ path: 'currentPassword', message: wrongPasswordMessage }],
  })
}
