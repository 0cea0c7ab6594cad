import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Db } from '../db/connect.ts'
import { sessions } from '../db/tables.ts'

/**
 * Returns the id of the session with this token; undefined if the session has ended. The id identifies a browser of the user without revealing the
 * token.
 */
export async function sessionIdOf(db: Db, token: string | undefined): Promise<number | undefined> {
  if (token === undefined) return undefined
  const hash = createHash('sha256').update(token).digest()
  const [session] = await db.select({ id: sessions.id }).from(sessions).where(eq(sessions.tokenHash, hash))
  return session?.id
}
