import { createHash, randomBytes } from 'node:crypto'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { mailedTokens, users } from '#server/db/tables.ts'

type Purpose = (typeof mailedTokens.$inferSelect)['purpose']
export type Holder = { id: number; username: string; email: string; role: 'user' | 'admin' }

const lives: Record<Purpose, SQL> = {
  reset_password: sql`interval '15 minutes'`,
  verify_email: sql`interval '24 hours'`,
}

/** 256 random bits, to be mailed and never stored. */
export const drawToken = (): string => randomBytes(32).toString('base64url')

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
// A link proves that its address is read: after a change of address the old one's says nothing about this user.
const isLive = (purpose: Purpose, token: string) =>
  and(
    eq(mailedTokens.tokenHash, hashOf(token)),
    eq(mailedTokens.purpose, purpose),
    eq(mailedTokens.email, users.email),
    sql`${mailedTokens.expiresAt} > now()`,
  )

/** Makes a token the only live one of its user and purpose. The database's clock decides how long. */
export async function keepToken(
  tx: Tx,
  purpose: Purpose,
  token: string,
  user: { id: number; email: string },
): Promise<void> {
  const row = {
    tokenHash: hashOf(token),
    email: user.email,
    createdAt: sql`now()`,
    expiresAt: sql`now() + ${lives[purpose]}`,
  }
  await tx
    .insert(mailedTokens)
    .values({ userId: user.id, purpose, ...row })
    .onConflictDoUpdate({ target: [mailedTokens.userId, mailedTokens.purpose], set: row })
}

/** Whose token this is, without using it. */
export async function holderOf(db: Db, purpose: Purpose, token: string): Promise<Holder | undefined> {
  const [holder] = await db
    .select({ id: users.id, username: users.username, email: users.email, role: users.role })
    .from(mailedTokens)
    .innerJoin(users, eq(users.id, mailedTokens.userId))
    .where(isLive(purpose, token))
  return holder
}

/** Uses a token up: of all who try, one is told true. */
export async function spendToken(tx: Tx, purpose: Purpose, token: string): Promise<boolean> {
  const used = await tx.execute(
    sql`delete from mailed_tokens using users where users.id = mailed_tokens.user_id and ${isLive(purpose, token)}`,
  )
  return used.rowCount === 1
}

/** Takes back whatever was mailed to a user for a purpose. */
export async function dropTokens(tx: Tx, purpose: Purpose, userId: number): Promise<void> {
  await tx.delete(mailedTokens).where(and(eq(mailedTokens.userId, userId), eq(mailedTokens.purpose, purpose)))
}
