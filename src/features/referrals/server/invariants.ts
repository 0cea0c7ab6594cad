import { sql } from 'drizzle-orm'
import type { Invariant } from '#server/invariants.ts'

/** Data invariants of account credit and referral bonuses. */
export const invariants: Invariant[] = [
  {
    statement: 'a balance is the sum of its ledger',
    broken: sql`SELECT u.id FROM users u LEFT JOIN credit_transactions t ON t.user_id = u.id GROUP BY u.id HAVING u.account_credit <> coalesce(sum(t.amount), 0)`,
  },
  {
    statement: 'no balance is negative',
    broken: sql`SELECT id FROM users WHERE account_credit < 0`,
    enforcedBy: ['users_account_credit_check'],
  },
  {
    statement:
      'every ledger row has a source: the activation of an invoice, the row that it reverses, an allocated payment, or an administrator',
    broken: sql`
      SELECT t.id FROM credit_transactions t LEFT JOIN activations a ON a.id = t.activation_id LEFT JOIN credit_transactions o ON o.id = t.reverses_id
      WHERE CASE WHEN t.type = 'admin_adjustment' THEN t.created_by IS NULL
          WHEN t.type = 'payment' AND t.activation_id IS NULL THEN NOT EXISTS (SELECT FROM payment_allocations p WHERE p.credit_transaction_id = t.id AND p.amount = t.amount AND p.user_id = t.user_id)
          ELSE a.invoice_id IS NULL OR t.related_invoice_id IS DISTINCT FROM a.invoice_id END
        OR (t.reverses_id IS NOT NULL AND (o.user_id <> t.user_id OR o.amount <> -t.amount))`,
  },
  {
    statement: 'credit booked for a reversed payment is reversed',
    broken: sql`SELECT a.id FROM activations a JOIN credit_transactions t ON t.activation_id = a.id WHERE a.reversed_at IS NOT NULL GROUP BY a.id HAVING sum(t.amount) <> 0`,
  },
  {
    statement: 'a referred customer has earned at most one bonus that is not reversed',
    broken: sql`SELECT i.user_id FROM credit_transactions t JOIN invoices i ON i.id = t.related_invoice_id WHERE t.type = 'referral_bonus' GROUP BY i.user_id HAVING count(*) FILTER (WHERE t.reverses_id IS NULL) - count(*) FILTER (WHERE t.reverses_id IS NOT NULL) > 1`,
    enforcedBy: ['one_booking_an_activation'],
  },
  {
    statement: 'a bonus is booked as credit once it is no longer pending, and not before',
    broken: sql`
      SELECT c.referee_id FROM referral_claims c LEFT JOIN LATERAL (
        SELECT coalesce(sum(t.amount), 0) AS cents FROM credit_transactions t
        WHERE t.user_id = c.referrer_id AND t.related_invoice_id = c.rewarded_invoice_id AND t.type = 'referral_bonus'
      ) booked ON true
      WHERE booked.cents <> CASE WHEN c.bonus_booked_at IS NULL THEN 0 ELSE c.bonus_cents END`,
    enforcedBy: ['rewarded_has_a_bonus'],
  },
  {
    statement: 'a referral bonus was earned by a paid invoice of the referred customer',
    broken: sql`SELECT c.referee_id FROM referral_claims c JOIN invoices i ON i.id = c.rewarded_invoice_id WHERE i.status <> 'paid' OR i.user_id <> c.referee_id`,
  },
]
