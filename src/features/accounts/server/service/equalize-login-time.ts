import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { statement } from '#server/db/statement.ts'
import { users } from '#server/db/tables.ts'
import type { Slot } from '#server/overload/slot.ts'

// Longer than the comparison with the most expensive hash that an import accepts.
const minimumMs = 1_000

/**
 * Delays a refused login while imported password hashes are stored: comparing with one takes longer than with our own, and the response time would
 * reveal who was imported and has not logged in since. `startedAt` is the `performance.now()` before the comparison. Releases the slot.
 */
export async function equalizeLoginTime(db: Db, startedAt: number, slot: Slot): Promise<void> {
  const [imported] = await anyImported(db, {})
  const restMs = minimumMs - (performance.now() - startedAt)
  if (imported && restMs > 0) await slot.wait(restMs)
}

// The condition is that of the partial index `users_imported_password`.
const anyImported = statement('any_imported_password', (db) =>
  db.select({ one: sql`1` }).from(users).where(sql`${users.passwordHash} like 'import:%'`).limit(1),
)
