import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'

const setVerdict = (verdict: 'exists' | 'refused', reason: string, from: SQL, rows: SQL) => sql`
  update import_rows r set verdict = ${verdict}, reason = ${reason}, password_hash = null, line_password = null
  from ${from} and r.verdict = 'create' and ${rows}`

/**
 * Sets the verdict `exists` for rows whose email address has an account, and refuses rows whose username or line belongs to another account. `rows`
 * is a condition on `import_rows r`.
 */
export async function markKnown(tx: Tx, rows: SQL): Promise<void> {
  await tx.execute(setVerdict('exists', 'exists', sql`users u where lower(u.email) = lower(r.email)`, rows))
  await tx.execute(
    setVerdict('refused', 'username_taken', sql`users u where lower(u.username) = lower(r.username)`, rows),
  )
  await tx.execute(setVerdict('refused', 'line_taken', sql`lines l where l.username = r.line_username`, rows))
}
