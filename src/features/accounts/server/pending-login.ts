import { createHash, randomBytes } from 'node:crypto'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { pendingLogins, twoFactor } from '#server/db/tables.ts'

const lifetimeSeconds = 300
/** Number of wrong codes after which the password must be entered again. */
const maxFailures = 5

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
const isOpen = (token: string) =>
  and(
    eq(pendingLogins.tokenHash, hashOf(token)),
    sql`${pendingLogins.expiresAt} > now()`,
    sql`${pendingLogins.failures} < ${maxFailures}`,
  )

/** Whether two-step verification is on for this user. */
export async function hasTwoFactor(tx: Db | Tx, userId: number): Promise<boolean> {
  return (await confirmedTwoFactor(tx, { userId })).length > 0
}
const confirmedTwoFactor = statement('second_step', (tx, { userId }: Params<{ userId: number }>) =>
  tx
    .select({ userId: twoFactor.userId })
    .from(twoFactor)
    .where(and(eq(twoFactor.userId, userId), isNotNull(twoFactor.confirmedAt))),
)

/** Records for five minutes that the right password was entered. The token is not a session: it is worthless without a code. */
export async function openPendingLogin(
  tx: Tx,
  userId: number,
): Promise<{ secondStep: { token: string; expiresInSeconds: number } }> {
  const token = randomBytes(32).toString('base64url')
  await tx
    .insert(pendingLogins)
    .values({ tokenHash: hashOf(token), userId, expiresAt: sql`now() + ${lifetimeSeconds} * interval '1 second'` })
  return { secondStep: { token, expiresInSeconds: lifetimeSeconds } }
}

/** Returns the user id of a pending login; undefined for a used, expired or invalid token and after too many wrong codes. */
export async function findPendingUserId(db: Db, token: string): Promise<number | undefined> {
  const [pending] = await db.select({ userId: pendingLogins.userId }).from(pendingLogins).where(isOpen(token))
  return pending?.userId
}

/** Locks a pending login until the transaction ends, so that concurrent requests with its token run one at a time. Returns whether it is still valid. */
export async function lockPendingLogin(tx: Tx, token: string): Promise<boolean> {
  const locked = await tx
    .select({ userId: pendingLogins.userId })
    .from(pendingLogins)
    .where(isOpen(token))
    .for('update')
  return locked.length === 1
}

/** Counts a wrong code and returns how many attempts are left. */
export async function countFailure(tx: Tx, token: string): Promise<number> {
  const [row] = await tx
    .update(pendingLogins)
    .set({ failures: sql`${pendingLogins.failures} + 1` })
    .where(eq(pendingLogins.tokenHash, hashOf(token)))
    .returning({ failures: pendingLogins.failures })
  return maxFailures - (row?.failures ?? maxFailures)
}

/** Deletes a completed pending login, so that its token cannot be used again. */
export async function closePendingLogin(tx: Tx, token: string): Promise<void> {
  await tx.delete(pendingLogins).where(eq(pendingLogins.tokenHash, hashOf(token)))
}
