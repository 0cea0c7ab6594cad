import { sql } from 'drizzle-orm'
import type { Invariant } from '#server/invariants.ts'

/** Data invariants of trial requests. */
export const invariants: Invariant[] = [
  {
    statement: 'at most one open trial request per customer',
    broken: sql`SELECT user_id FROM trial_requests WHERE status = 'pending' GROUP BY user_id HAVING count(*) > 1`,
    enforcedBy: ['one_open_trial'],
  },
  {
    statement: 'an approved trial has credentials and an expiry date, a decided one a response date',
    broken: sql`
      SELECT id FROM trial_requests WHERE (status = 'pending') <> (response_date IS NULL)
        OR (status = 'approved' AND (trial_username IS NULL OR trial_password IS NULL OR trial_server IS NULL OR expiry_date IS NULL))`,
  },
]
