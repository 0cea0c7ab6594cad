import { sql } from 'drizzle-orm'
import type { Invariant } from '#server/invariants.ts'

/** Invariants of accounts. */
export const promises: Invariant[] = [
  {
    promise: 'at least one administrator exists',
    broken: sql`SELECT 'nobody' AS administrator WHERE NOT EXISTS (SELECT FROM users WHERE role = 'admin')`,
  },
  {
    promise: 'a username and an email address belong to one account, ignoring case',
    broken: sql`SELECT lower(username) AS name FROM users GROUP BY lower(username) HAVING count(*) > 1 UNION ALL SELECT lower(email) FROM users GROUP BY lower(email) HAVING count(*) > 1`,
    heldBy: ['users_name', 'users_mail'],
  },
]
