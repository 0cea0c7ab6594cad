import { sql } from 'drizzle-orm'
import type { Invariant } from '#server/invariants.ts'

/** Data invariants of the payment book. */
export const invariants: Invariant[] = [
  {
    statement: 'the open part of a payment and its allocations add up to its amount',
    broken: sql`SELECT c.payment_id FROM payment_cases c JOIN payments p ON p.id = c.payment_id
      WHERE p.amount <> c.open_cents + (SELECT coalesce(sum(a.amount), 0) FROM payment_allocations a WHERE a.payment_id = p.id)`,
    enforcedBy: [
      'payments_append_only',
      'payments_only_withdrawn',
      'payment_allocations_append_only',
      'payment_decisions_append_only',
    ],
  },
  {
    statement:
      'every payment and reversal that is not withdrawn has a case, held if money is held for it and done if nothing is open',
    broken: sql`SELECT p.id FROM payments p LEFT JOIN payment_cases c ON c.payment_id = p.id
      LEFT JOIN LATERAL (SELECT coalesce(sum(a.amount), 0) AS cents FROM payment_allocations a WHERE a.payment_id = p.id AND a.target = 'hold') held ON true
      WHERE (p.direction <> 'out' AND p.withdrawn_at IS NULL) <> (c.payment_id IS NOT NULL) OR (c.status = 'held' AND held.cents = 0) OR (c.status = 'done' AND held.cents <> 0)`,
    enforcedBy: ['settled_means_nothing_open'],
  },
  {
    statement:
      'the payments allocated to a paid invoice add up to its amount, and none are allocated to any other invoice',
    broken: sql`SELECT i.id FROM invoices i JOIN payment_allocations a ON a.invoice_id = i.id AND a.target = 'invoice' GROUP BY i.id
      HAVING sum(a.amount) NOT IN (0, i.amount) OR (i.status NOT IN ('paid', 'refunded') AND sum(a.amount) <> 0)`,
  },
  {
    statement:
      'payments settle an activation with exactly the amount of its invoice or not at all, and only while it is in force',
    broken: sql`SELECT a.activation_id FROM payment_allocations a JOIN activations x ON x.id = a.activation_id JOIN invoices i ON i.id = a.invoice_id
      WHERE a.target = 'invoice' GROUP BY a.activation_id, i.id, x.id
      HAVING sum(a.amount) NOT IN (0, i.amount) OR x.invoice_id <> i.id OR (sum(a.amount) <> 0 AND x.reversed_at IS NOT NULL AND i.status <> 'refunded')`,
  },
  {
    statement: 'no more is held for an invoice than its amount',
    broken: sql`SELECT i.id FROM invoices i JOIN payment_allocations a ON a.invoice_id = i.id AND a.target = 'hold' GROUP BY i.id HAVING sum(a.amount) < 0 OR sum(a.amount) > i.amount`,
  },
  {
    statement: 'every allocation to credit has its own row of the same amount in the ledger',
    broken: sql`SELECT a.id FROM payment_allocations a LEFT JOIN credit_transactions t ON t.id = a.credit_transaction_id
      WHERE a.target = 'credit' AND (t.amount IS DISTINCT FROM a.amount OR t.user_id IS DISTINCT FROM a.user_id)`,
    enforcedBy: ['one_allocation_a_credit'],
  },
  {
    statement: 'the rule confirmed only payments whose source is proven, each by its own decision',
    broken: sql`SELECT r.payment_id FROM payment_rule_results r LEFT JOIN payment_decisions d ON d.id = r.decision_id
      WHERE r.state = 'confirmed' AND (d.payment_id IS DISTINCT FROM r.payment_id OR d.decided_by IS NOT NULL OR NOT EXISTS (
        SELECT FROM payment_mail_links l JOIN payment_mails m ON m.id = l.mail_id WHERE l.payment_id = r.payment_id AND m.auth = 'proven' AND m.outcome = 'payment')
        AND NOT EXISTS (SELECT FROM payment_event_links l WHERE l.payment_id = r.payment_id))`,
    enforcedBy: ['confirmed_by_a_decision', 'one_rule_result_a_decision'],
  },
  {
    statement: 'a decision takes from a payment exactly what its reversal took back',
    broken: sql`SELECT a.decision_id FROM payment_allocations a JOIN payments p ON p.id = a.payment_id WHERE a.target = 'taken_back' GROUP BY a.decision_id
      HAVING sum(CASE p.direction WHEN 'reversal' THEN a.amount ELSE -a.amount END) <> 0`,
  },
  {
    statement: 'a reversal has the opposite amount, payment and target of the allocation it reverses',
    broken: sql`SELECT r.id FROM payment_allocations r JOIN payment_allocations a ON a.id = r.reverses_id
      WHERE r.amount <> -a.amount OR r.payment_id <> a.payment_id OR r.target <> a.target OR r.invoice_id IS DISTINCT FROM a.invoice_id`,
    enforcedBy: ['one_reversal_an_allocation', 'one_undo'],
  },
]
