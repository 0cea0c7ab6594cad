import { lt, or, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '#server/db/connect.ts'
import { adminRequests, loginPlaces, mailedTokens, pendingLogins, sessions } from '#server/db/tables.ts'

/**
 * Deletes expired sessions, emailed links, pending logins and requests for a second administrator, and records of devices and networks without a
 * login for a year. Returns the number of deleted rows.
 */
export async function deleteExpired(db: Db): Promise<number> {
  const now = sql`now()`
  const expired: [PgTable, SQL | undefined][] = [
    [sessions, or(lt(sessions.expiresAt, now), lt(sessions.lastSeenAt, sql`now() - interval '7 days'`))],
    [mailedTokens, lt(mailedTokens.expiresAt, now)],
    [pendingLogins, lt(pendingLogins.expiresAt, now)],
    [adminRequests, lt(adminRequests.requestedAt, sql`now() - interval '1 day'`)],
    [loginPlaces, lt(loginPlaces.lastSeenAt, sql`now() - interval '1 year'`)],
  ]
  let deleted = 0
  for (const [table, where] of expired) deleted += (await db.delete(table).where(where)).rowCount ?? 0
  return deleted
}
