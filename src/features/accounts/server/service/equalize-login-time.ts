import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { statement } from '#server/db/statement.ts'
import { users } from '#server/db/tables.ts'
import type { Slot } from '#server/overload/slot.ts'

// Longer than the comparison with the most expensive hash that an import accepts.
const minimumMs = 1_000

/**
 * Delays a refused login while imported password hashes are stored: comparing a password with an imported hash takes longer than with our own hash,
 * so the response time would reveal who was imported and has not logged in yet. `startedAt` is the `performance.now()` before the comparison. The
 * delay does not occupy the slot.
 */
export async function equalizeLoginTime(db: Db, startedAt: number, slot: Slot): Promise<void> {
  const [imported] = await anyImported(db, {})
  const restMs = minimumMs - (performance.now() - startedAt)
  if (imported && restMs > 0) await slot.wait(restMs)
}

// Must match the condition of the partial index `users_imported_password`.
const anyImported = statement('any_imported_password', (db) =>
  db.select({ one: sql`1` }).from(users).where(sql`${users.passwordHash} like 'import:%'`).limit(1),
)
