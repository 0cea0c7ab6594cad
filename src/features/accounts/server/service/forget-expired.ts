import { lt, or, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '#server/db/connect.ts'
import { adminRequests, loginPlaces, mailedTokens, pendingLogins, sessions } from '#server/db/tables.ts'

/** Deletes what time has made worthless: ended sessions, mailed links, logins left half way, requests to other administrators, and places not seen for a year. Returns how many rows. */
export async function forgetExpired(db: Db): Promise<number> {
  const past = sql`now()`
  const worthless: [PgTable, SQL | undefined][] = [
    [sessions, or(lt(sessions.expiresAt, past), lt(sessions.lastSeenAt, sql`now() - interval '7 days'`))],
    [mailedTokens, lt(mailedTokens.expiresAt, past)],
    [pendingLogins, lt(pendingLogins.expiresAt, past)],
    [adminRequests, lt(adminRequests.requestedAt, sql`now() - interval '1 day'`)],
    [loginPlaces, lt(loginPlaces.lastSeenAt, sql`now() - interval '1 year'`)],
  ]
  let forgotten = 0
  for (const [table, where] of worthless) forgotten += (await db.delete(table).where(where)).rowCount ?? 0
  return forgotten
}
