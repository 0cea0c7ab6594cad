import { sql } from 'drizzle-orm'
import type { Invariant } from '#server/invariants.ts'

const inForce = sql`(SELECT * FROM segments WHERE replaced_by IS NULL)`
const time = sql`(SELECT * FROM segments WHERE replaced_by IS NULL AND NOT withdrawn)`

// Bonuses, adjustments, and payments that became credit.
const isReceived = sql`(t.type IN ('referral_bonus', 'admin_adjustment')
  OR (t.type = 'payment' AND EXISTS (SELECT FROM payment_allocations p WHERE p.credit_transaction_id = t.id)))`

/**
 * For queries of users `u`, in cents: `received` is what the customer paid or was given (cash of paid invoices, bonuses, adjustments and credited
 * payments), `placed` is what is in segments, the balance and credit notes.
 */
const received = sql`((SELECT coalesce(sum(i.amount), 0) FROM invoices i WHERE i.user_id = u.id AND i.status IN ('paid', 'refunded'))
  + (SELECT coalesce(sum(t.amount), 0) FROM credit_transactions t WHERE t.user_id = u.id AND ${isReceived})
  + (SELECT coalesce(sum(a.legacy_credit_cents), 0) FROM activations a WHERE a.user_id = u.id AND a.reversed_at IS NULL))`
const placed = sql`((SELECT coalesce(sum(s.paid_cents), 0) FROM segments s WHERE s.user_id = u.id AND s.replaced_by IS NULL)
  + u.account_credit + (SELECT coalesce(sum(n.amount), 0) FROM credit_notes n WHERE n.user_id = u.id))`

/** Data invariants of subscriptions and paid time. They only add up rows and do not use the product's formulas. */
export const invariants: Invariant[] = [
  {
    statement: 'days given to a customer belong to an edit in force, and days taken back belong to a reversed edit',
    broken: sql`SELECT c.gift_id AS id, c.user_id FROM time_gift_customers c JOIN activations a ON a.id = c.activation_id
      WHERE a.user_id <> c.user_id OR a.kind <> 'grant' OR (c.state = 'undone') <> (a.reversed_at IS NOT NULL)`,
    enforcedBy: ['gift_with_its_activation', 'time_gift_customers_activation'],
  },
  {
    statement: 'a moved subscription is withdrawn from one account and granted to another, or neither',
    broken: sql`SELECT m.id FROM subscription_moves m JOIN activations f ON f.id = m.from_activation JOIN activations t ON t.id = m.to_activation
      WHERE f.user_id <> m.from_user_id OR t.user_id <> m.to_user_id
        OR (m.undone_at IS NULL) <> (f.reversed_at IS NULL) OR (m.undone_at IS NULL) <> (t.reversed_at IS NULL)`,
    enforcedBy: ['subscription_moves_from', 'subscription_moves_to', 'moved_to_another_account'],
  },
  {
    statement: 'a customer gets days for an incident at most once',
    broken: sql`SELECT min(gift_id) AS id, user_id FROM time_gift_customers WHERE incident_id IS NOT NULL AND state IN ('waiting', 'added', 'kept')
      GROUP BY incident_id, user_id HAVING count(*) > 1`,
    enforcedBy: ['one_gift_for_an_incident'],
  },
  {
    statement: 'a finished gift has no waiting customer',
    broken: sql`SELECT g.id FROM time_gifts g WHERE g.state IN ('given', 'undone') AND EXISTS (
      SELECT FROM time_gift_customers c WHERE c.gift_id = g.id AND (c.state = 'waiting' OR (g.state = 'undone' AND c.state = 'added')))`,
  },
  {
    statement: 'an active subscription has its dates and its plan',
    broken: sql`SELECT id FROM users WHERE subscription_status = 'active' AND (plan_id IS NULL OR subscription_start_date IS NULL OR subscription_end_date < subscription_start_date)`,
  },
  {
    statement: 'an active subscription was paid for or granted',
    broken: sql`
      SELECT u.id FROM users u WHERE u.subscription_status = 'active' AND NOT EXISTS (
        SELECT FROM ${time} s JOIN activations a ON a.id = s.activation_id LEFT JOIN invoices i ON i.id = a.invoice_id
        WHERE s.user_id = u.id AND a.reversed_at IS NULL AND (a.kind = 'grant' OR i.status = 'paid'))`,
  },
  {
    statement: 'a customer with paid time left has an active subscription',
    broken: sql`SELECT u.id FROM users u WHERE u.subscription_status <> 'active' AND EXISTS (SELECT FROM ${time} s WHERE s.user_id = u.id AND s.ends_at > now())`,
  },
  {
    statement: 'segments belong to activations in force, and only activations in force replace them',
    broken: sql`
      SELECT s.id FROM segments s JOIN activations a ON a.id = s.activation_id LEFT JOIN activations r ON r.id = s.replaced_by
      WHERE a.reversed_at IS NOT NULL OR r.reversed_at IS NOT NULL OR a.user_id <> s.user_id OR r.user_id <> s.user_id`,
  },
  {
    statement: 'segments of a customer do not overlap',
    broken: sql`SELECT s.id, o.id AS other FROM ${time} s JOIN ${time} o ON o.user_id = s.user_id AND o.id > s.id AND o.starts_at < s.ends_at AND s.starts_at < o.ends_at`,
    enforcedBy: ['segments_do_not_overlap'],
  },
  {
    statement: 'remaining paid time has no gap',
    broken: sql`
      SELECT id FROM (SELECT id, ends_at, lead(starts_at) OVER (PARTITION BY user_id ORDER BY starts_at) AS next FROM ${time} s) s
      WHERE ends_at > now() AND next <> ends_at`,
  },
  {
    statement: 'the dates of an active subscription are those of its segments, and its plan is that of one of them',
    broken: sql`
      SELECT u.id FROM users u LEFT JOIN LATERAL (SELECT max(ends_at) AS ends FROM ${time} s WHERE s.user_id = u.id) last ON true
      WHERE u.subscription_status = 'active' AND (
        u.subscription_end_date IS DISTINCT FROM last.ends
        OR NOT EXISTS (SELECT FROM ${time} s WHERE s.user_id = u.id AND s.starts_at = u.subscription_start_date)
        OR NOT EXISTS (SELECT FROM ${time} s WHERE s.user_id = u.id AND s.plan_id = u.plan_id AND s.ends_at > u.subscription_start_date))`,
  },
  {
    statement:
      'the cents that a payment or an edit puts into segments are those it takes out of segments plus those paid, minus the credit given',
    broken: sql`
      SELECT a.id, made.cents AS made, taken.cents AS taken FROM activations a LEFT JOIN invoices i ON i.id = a.invoice_id
      LEFT JOIN LATERAL (SELECT coalesce(sum(paid_cents), 0) AS cents FROM segments WHERE activation_id = a.id) made ON true
      LEFT JOIN LATERAL (SELECT coalesce(sum(paid_cents), 0) AS cents FROM segments WHERE replaced_by = a.id) taken ON true
      LEFT JOIN LATERAL (SELECT coalesce(sum(t.amount), 0) AS cents FROM credit_transactions t
        WHERE t.activation_id = a.id AND t.user_id = a.user_id AND t.type IN ('payment', 'refund')) booked ON true
      WHERE a.reversed_at IS NULL AND made.cents <> taken.cents + coalesce(i.amount, 0) - booked.cents + a.legacy_credit_cents`,
  },
  {
    statement: 'the credit given by a plan change is never more than the cents paid for the time that it replaced',
    broken: sql`
      SELECT a.id FROM activations a JOIN credit_transactions t ON t.activation_id = a.id AND t.type = 'refund' AND t.user_id = a.user_id
      WHERE a.reversed_at IS NULL GROUP BY a.id
      HAVING sum(t.amount) > (SELECT coalesce(sum(paid_cents), 0) FROM segments WHERE replaced_by = a.id) + a.legacy_credit_cents`,
  },
  {
    statement: 'every cent a customer paid or was given is in a segment, in the balance or in a refund',
    broken: sql`SELECT u.id, ${received} AS received, ${placed} AS placed FROM users u WHERE ${received} <> ${placed}`,
  },
  {
    statement: 'every cent received or given is in a segment, in a balance or in a refund',
    broken: sql`
      SELECT received, placed FROM (SELECT
        (SELECT coalesce(sum(amount), 0) FROM invoices WHERE status IN ('paid', 'refunded')) + (SELECT coalesce(sum(amount), 0) FROM credit_transactions t WHERE ${isReceived})
          + (SELECT coalesce(sum(legacy_credit_cents), 0) FROM activations WHERE reversed_at IS NULL) AS received,
        (SELECT coalesce(sum(paid_cents), 0) FROM ${inForce} s) + (SELECT coalesce(sum(account_credit), 0) FROM users) + (SELECT coalesce(sum(amount), 0) FROM credit_notes) AS placed) total
      WHERE received <> placed`,
  },
]
