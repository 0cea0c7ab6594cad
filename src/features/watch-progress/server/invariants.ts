import { sql } from 'drizzle-orm'
import type { Invariant } from '#server/invariants.ts'
import { maxProgress } from '../rules.ts'

/** Data invariants of the watch history. */
export const invariants: Invariant[] = [
  {
    statement: `the positions of at most ${maxProgress} programs are stored for a customer`,
    broken: sql`SELECT user_id AS id FROM watch_progress GROUP BY user_id HAVING count(*) > ${maxProgress}`,
  },
  {
    statement: 'no positions are stored for customers who turned their watch history off',
    broken: sql`SELECT id FROM users WHERE no_history_since IS NOT NULL AND EXISTS (SELECT FROM watch_progress WHERE user_id = users.id)`,
  },
]
