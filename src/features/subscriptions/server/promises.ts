import { sql } from 'drizzle-orm'
import type { Promised } from '#server/promises.ts'

const inForce = sql`SELECT a.* FROM activations a WHERE a.user_id = u.id AND a.reversed_at IS NULL`

/** What holds of subscriptions. */
export const promises: Promised[] = [
  {
    promise: 'an active subscription has its dates and its plan',
    broken: sql`SELECT id FROM users WHERE subscription_status = 'active' AND (plan_id IS NULL OR subscription_start_date IS NULL OR subscription_end_date < subscription_start_date)`,
  },
  {
    promise: 'an active subscription was paid for or granted',
    broken: sql`
      SELECT u.id FROM users u WHERE u.subscription_status = 'active'
        AND NOT EXISTS (SELECT FROM (${inForce}) a LEFT JOIN invoices i ON i.id = a.invoice_id WHERE a.kind = 'grant' OR i.status = 'paid')`,
  },
  {
    promise: 'a subscription is what its last activation in force made of it, or has run out since',
    broken: sql`
      SELECT u.id FROM users u JOIN LATERAL (SELECT a.after FROM (${inForce}) a ORDER BY a.id DESC LIMIT 1) a ON true
      WHERE u.plan_id IS DISTINCT FROM (a.after ->> 'planId')::int
        OR u.subscription_start_date IS DISTINCT FROM (a.after ->> 'startDate')::timestamptz
        OR u.subscription_end_date IS DISTINCT FROM (a.after ->> 'endDate')::timestamptz
        OR NOT (u.subscription_status = a.after ->> 'status'
          OR (a.after ->> 'status' = 'active' AND u.subscription_status = 'expired' AND u.subscription_end_date <= now()))`,
  },
]
