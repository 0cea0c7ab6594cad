import { sql } from 'drizzle-orm'
import type { Invariant } from '#server/invariants.ts'

/** What holds of requests for a trial. */
export const invariants: Invariant[] = [
  {
    promise: 'at most one open request for a trial a customer',
    broken: sql`SELECT user_id FROM trial_requests WHERE status = 'pending' GROUP BY user_id HAVING count(*) > 1`,
    heldBy: ['one_open_trial'],
  },
  {
    promise: 'an approved trial has its credentials and its end, a decided one its moment',
    broken: sql`
      SELECT id FROM trial_requests WHERE (status = 'pending') <> (response_date IS NULL)
        OR (status = 'approved' AND (trial_username IS NULL OR trial_password IS NULL OR trial_server IS NULL OR expiry_date IS NULL))`,
  },
]
