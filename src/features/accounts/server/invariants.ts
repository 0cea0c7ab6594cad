import { sql } from 'drizzle-orm'
import type { Invariant } from '#server/invariants.ts'

/** Invariants of accounts. */
export const invariants: Invariant[] = [
  {
    statement: 'at least one administrator exists',
    broken: sql`SELECT 'no owner' AS administrator WHERE NOT EXISTS (SELECT FROM users WHERE role = 'admin' AND staff_role_id IS NULL)`,
  },
  {
    statement: 'a username and an email address belong to one account, ignoring case',
    broken: sql`SELECT lower(username) AS name FROM users GROUP BY lower(username) HAVING count(*) > 1 UNION ALL SELECT lower(email) FROM users GROUP BY lower(email) HAVING count(*) > 1`,
    enforcedBy: ['users_name', 'users_mail'],
  },
]
