import { createHash, randomBytes } from 'node:crypto'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { pendingLogins, twoFactor } from '#server/db/tables.ts'

const seconds = 300
/** Wrong codes before the password has to be given again. */
const most = 5

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
const isOpen = (token: string) =>
  and(
    eq(pendingLogins.tokenHash, hashOf(token)),
    sql`${pendingLogins.expiresAt} > now()`,
    sql`${pendingLogins.failures} < ${most}`,
  )

/** Whether a password alone does not open this user's account. */
export async function hasSecondStep(tx: Db | Tx, userId: number): Promise<boolean> {
  return (await confirmedStep(tx, { userId })).length > 0
}
const confirmedStep = statement('second_step', (tx, { userId }: Params<{ userId: number }>) =>
  tx
    .select({ userId: twoFactor.userId })
    .from(twoFactor)
    .where(and(eq(twoFactor.userId, userId), isNotNull(twoFactor.confirmedAt))),
)

/** Remembers for five minutes that somebody gave the right password. The token is no session: without a code it opens nothing. */
export async function openPendingLogin(
  tx: Tx,
  userId: number,
): Promise<{ secondStep: { token: string; expiresInSeconds: number } }> {
  const token = randomBytes(32).toString('base64url')
  await tx
    .insert(pendingLogins)
    .values({ tokenHash: hashOf(token), userId, expiresAt: sql`now() + ${seconds} * interval '1 second'` })
  return { secondStep: { token, expiresInSeconds: seconds } }
}

/** Whose login this is, undefined for a used, late or guessed token and after too many wrong codes. */
export async function pendingUser(db: Db, token: string): Promise<number | undefined> {
  const [pending] = await db.select({ userId: pendingLogins.userId }).from(pendingLogins).where(isOpen(token))
  return pending?.userId
}

/** Holds a pending login until the transaction ends: of all who come with its token, one at a time goes on. */
export async function holdPendingLogin(tx: Tx, token: string): Promise<boolean> {
  const held = await tx.select({ userId: pendingLogins.userId }).from(pendingLogins).where(isOpen(token)).for('update')
  return held.length === 1
}

/** Counts a wrong code and says how many more it may be. */
export async function countFailure(tx: Tx, token: string): Promise<number> {
  const [row] = await tx
    .update(pendingLogins)
    .set({ failures: sql`${pendingLogins.failures} + 1` })
    .where(eq(pendingLogins.tokenHash, hashOf(token)))
    .returning({ failures: pendingLogins.failures })
  return most - (row?.failures ?? most)
}

/** The login went on; its token is worth nothing any more. */
export async function closePendingLogin(tx: Tx, token: string): Promise<void> {
  await tx.delete(pendingLogins).where(eq(pendingLogins.tokenHash, hashOf(token)))
}
