import { sql } from 'drizzle-orm'
import type { Invariant } from '#server/invariants.ts'

const counted = sql`NOT EXISTS (SELECT FROM insight_marks m WHERE m.user_id = e.user_id)`

/** Data invariants of the rollups. A mark (a row of `insight_marks`) means that a customer's events are recomputed before the figures are shown. */
export const invariants: Invariant[] = [
  {
    statement:
      'the stored events of a customer without a mark follow from their payments, paid time, credit and trials',
    broken: sql`
      WITH source AS (SELECT * FROM (SELECT u.id AS user_id, f.* FROM users u, insight_events_of(u.id) f) e WHERE ${counted}),
        stored AS (SELECT * FROM insight_events e WHERE ${counted})
      (TABLE source EXCEPT ALL TABLE stored) UNION ALL (TABLE stored EXCEPT ALL TABLE source)`,
    enforcedBy: ['insight_added', 'insight_changed'],
  },
  {
    statement: 'the figures of a day are the sums of its stored events',
    broken: sql`
      SELECT * FROM (SELECT day, figure, plan_id, reason, count(*) AS events, sum(cents) AS cents FROM insight_events GROUP BY 1, 2, 3, 4) e
      FULL JOIN (SELECT * FROM insight_days WHERE events <> 0 OR cents <> 0) d USING (day, figure, plan_id, reason)
      WHERE (e.events, e.cents) IS DISTINCT FROM (d.events, d.cents)`,
    enforcedBy: ['insight_days_pkey'],
  },
  {
    statement: 'the subscribers, recurring revenue and first payments of each month are the sums of its days',
    broken: sql`
      SELECT * FROM (SELECT date_trunc('month', day)::date AS month,
          sum(CASE WHEN figure IN ('new', 'winback') THEN events WHEN figure = 'churn' THEN -events ELSE 0 END) AS subscribers,
          sum(CASE WHEN figure IN ('new', 'winback', 'expansion') THEN cents WHEN figure IN ('churn', 'contraction') THEN -cents ELSE 0 END) AS mrr_cents,
          sum(CASE WHEN figure = 'first_payment' THEN events ELSE 0 END) AS first_payments
        FROM insight_days GROUP BY 1) d
      FULL JOIN (SELECT month, sum(subscribers) AS subscribers, sum(mrr_cents) AS mrr_cents, sum(first_payments) AS first_payments
        FROM insight_months GROUP BY 1) m USING (month)
      WHERE (coalesce(d.subscribers, 0), coalesce(d.mrr_cents, 0), coalesce(d.first_payments, 0))
        <> (coalesce(m.subscribers, 0), coalesce(m.mrr_cents, 0), coalesce(m.first_payments, 0))`,
    enforcedBy: ['insight_months_pkey'],
  },
]
