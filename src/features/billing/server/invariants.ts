import { sql } from 'drizzle-orm'
import type { Invariant } from '#server/invariants.ts'

/** Data invariants of invoices, refunds and credit notes. */
export const invariants: Invariant[] = [
  {
    statement: 'a paid invoice has a payment date and exactly one activation in force',
    broken: sql`SELECT i.id FROM invoices i WHERE (i.status IN ('paid', 'refunded')) <> (i.paid_at IS NOT NULL) OR (i.status = 'paid') <> EXISTS (SELECT 1 FROM activations a WHERE a.invoice_id = i.id AND a.reversed_at IS NULL)`,
    enforcedBy: ['paid_has_a_date', 'one_activation_in_force'],
  },
  {
    statement: 'the audit log has one more confirmation than reversals for a paid invoice, and equally many otherwise',
    broken: sql`
      SELECT i.id, i.status, coalesce(a.confirmed, 0) AS confirmed FROM invoices i LEFT JOIN (
        SELECT target_id, count(*) FILTER (WHERE action = 'invoice.confirm')
          - count(*) FILTER (WHERE action = 'refund.approve' OR (action IN ('invoice.reopen', 'invoice.cancel') AND before ->> 'status' = 'paid')) AS confirmed
        FROM audit_log WHERE target_type = 'invoice' GROUP BY target_id
      ) a ON a.target_id = i.id::text WHERE coalesce(a.confirmed, 0) <> CASE i.status WHEN 'paid' THEN 1 ELSE 0 END`,
  },
  {
    statement: 'the amount of a paid invoice is the one that was confirmed',
    broken: sql`
      SELECT i.id, i.amount, a.amount AS confirmed FROM invoices i JOIN LATERAL (
        SELECT (after ->> 'amount')::int AS amount FROM audit_log WHERE target_type = 'invoice' AND target_id = i.id::text AND action = 'invoice.confirm' ORDER BY id DESC LIMIT 1
      ) a ON true WHERE i.status IN ('paid', 'refunded') AND i.amount <> a.amount`,
  },
  {
    statement: 'every confirmation code has its folded form stored for comparison',
    broken: sql`
      SELECT coalesce(i.id, c.invoice_id) AS id FROM invoices i FULL JOIN payment_codes c ON c.invoice_id = i.id
      WHERE folded_code(i.confirmation_code) IS DISTINCT FROM c.folded`,
  },
  {
    statement: 'the amount of an invoice is the sum of its items',
    broken: sql`SELECT i.id FROM invoices i JOIN invoice_lines l ON l.invoice_id = i.id GROUP BY i.id HAVING i.amount <> sum(l.amount)`,
  },
  {
    statement: 'a refunded invoice has an approved request and a credit note for the amount paid',
    broken: sql`SELECT i.id FROM invoices i LEFT JOIN refund_requests r ON r.invoice_id = i.id AND r.status = 'approved' LEFT JOIN credit_notes n ON n.invoice_id = i.id WHERE CASE i.status WHEN 'refunded' THEN r.id IS NULL OR n.amount IS DISTINCT FROM i.amount ELSE r.id IS NOT NULL OR n.number IS NOT NULL END`,
    enforcedBy: ['one_refund_request'],
  },
  {
    statement: 'credit bookings of a refunded invoice add up to zero',
    broken: sql`SELECT i.id FROM invoices i JOIN credit_transactions t ON t.related_invoice_id = i.id WHERE i.status = 'refunded' AND t.activation_id IS NOT NULL GROUP BY i.id HAVING sum(t.amount) <> 0`,
  },
  {
    statement: 'a credit note returns the credit its invoice used',
    broken: sql`SELECT n.number FROM credit_notes n WHERE n.credit_returned <> (SELECT coalesce(-sum(l.amount), 0) FROM invoice_lines l WHERE l.invoice_id = n.invoice_id AND l.kind = 'credit')`,
  },
  {
    statement: 'an open refund request belongs to a paid invoice',
    broken: sql`SELECT r.id FROM refund_requests r JOIN invoices i ON i.id = r.invoice_id WHERE r.status = 'pending' AND i.status <> 'paid'`,
  },
  {
    statement: 'credit note numbers have no gap',
    broken: sql`SELECT max(number) AS last FROM credit_notes HAVING max(number) <> count(*)`,
  },
  {
    statement: 'at most one open draft per customer',
    broken: sql`SELECT user_id FROM invoices WHERE status = 'draft' AND kind = 'purchase' GROUP BY user_id HAVING count(*) > 1`,
    enforcedBy: ['one_open_draft'],
  },
  {
    statement: 'at most one open plan change per customer',
    broken: sql`SELECT user_id FROM invoices WHERE status IN ('draft', 'pending') AND kind = 'plan_change' GROUP BY user_id HAVING count(*) > 1`,
    enforcedBy: ['one_open_change'],
  },
]
