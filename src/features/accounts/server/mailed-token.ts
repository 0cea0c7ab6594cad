import { createHash, randomBytes } from 'node:crypto'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { mailedTokens, users } from '#server/db/tables.ts'

type Purpose = (typeof mailedTokens.$inferSelect)['purpose']
export type TokenHolder = { id: number; username: string; email: string; role: 'user' | 'admin' }

const lifetimes: Record<Purpose | 'invitation', SQL> = {
  reset_password: sql`interval '15 minutes'`,
  verify_email: sql`interval '24 hours'`,
  // For a new account, which contains nothing to protect yet.
  invitation: sql`interval '7 days'`,
}

/** Returns 256 random bits in base64url, to be emailed and never stored in plain text. */
export const generateToken = (): string => randomBytes(32).toString('base64url')

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
// A link proves that its recipient reads that address, so it is void after the user's address has changed.
const isLive = (purpose: Purpose, token: string) =>
  and(
    eq(mailedTokens.tokenHash, hashOf(token)),
    eq(mailedTokens.purpose, purpose),
    eq(mailedTokens.email, users.email),
    sql`${mailedTokens.expiresAt} > now()`,
  )

/** Stores a token's hash as the only valid one for its user and purpose. It expires by the database clock, after the time of `lifetime`. */
export async function storeToken(
  tx: Tx,
  purpose: Purpose,
  token: string,
  user: { id: number; email: string },
  lifetime: keyof typeof lifetimes = purpose,
): Promise<void> {
  const row = {
    tokenHash: hashOf(token),
    email: user.email,
    createdAt: sql`now()`,
    expiresAt: sql`now() + ${lifetimes[lifetime]}`,
  }
  await tx
    .insert(mailedTokens)
    .values({ userId: user.id, purpose, ...row })
    .onConflictDoUpdate({ target: [mailedTokens.userId, mailedTokens.purpose], set: row })
}

/** Returns the user of a valid token without consuming it, or undefined. */
export async function findTokenHolder(db: Db, purpose: Purpose, token: string): Promise<TokenHolder | undefined> {
  const [holder] = await db
    .select({ id: users.id, username: users.username, email: users.email, role: users.role })
    .from(mailedTokens)
    .innerJoin(users, eq(users.id, mailedTokens.userId))
    .where(isLive(purpose, token))
  return holder
}

/** Consumes a valid token. Returns true for exactly one of several concurrent callers. */
export async function consumeToken(tx: Tx, purpose: Purpose, token: string): Promise<boolean> {
  const used = await tx.execute(
    sql`delete from mailed_tokens using users where users.id = mailed_tokens.user_id and ${isLive(purpose, token)}`,
  )
  return used.rowCount === 1
}

/** Revokes the emailed tokens of a user for a purpose. */
export async function revokeTokens(tx: Tx, purpose: Purpose, userId: number): Promise<void> {
  await tx.delete(mailedTokens).where(and(eq(mailedTokens.userId, userId), eq(mailedTokens.purpose, purpose)))
}
