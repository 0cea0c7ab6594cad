import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'

/** What must hold whatever happened: each query finds the rows that break one promise. */
const violations: Record<string, SQL> = {
  'a balance is the sum of its ledger': sql`SELECT u.id FROM users u LEFT JOIN credit_transactions t ON t.user_id = u.id GROUP BY u.id HAVING u.account_credit <> coalesce(sum(t.amount), 0)`,
  'no balance is negative': sql`SELECT id FROM users WHERE account_credit < 0`,
  'paid means a date and exactly one activation in force': sql`SELECT i.id FROM invoices i WHERE (i.status IN ('paid', 'refunded')) <> (i.paid_at IS NOT NULL) OR (i.status = 'paid') <> EXISTS (SELECT 1 FROM activations a WHERE a.invoice_id = i.id AND a.reversed_at IS NULL)`,
  'refunded means an approved request and a credit note over what was paid': sql`SELECT i.id FROM invoices i LEFT JOIN refund_requests r ON r.invoice_id = i.id AND r.status = 'approved' LEFT JOIN credit_notes n ON n.invoice_id = i.id WHERE CASE i.status WHEN 'refunded' THEN r.id IS NULL OR n.amount IS DISTINCT FROM i.amount ELSE r.id IS NOT NULL OR n.number IS NOT NULL END`,
  'nothing booked for a refunded invoice is left': sql`SELECT i.id FROM invoices i JOIN credit_transactions t ON t.related_invoice_id = i.id WHERE i.status = 'refunded' AND t.activation_id IS NOT NULL GROUP BY i.id HAVING sum(t.amount) <> 0`,
  'a credit note returns the credit its invoice used': sql`SELECT n.number FROM credit_notes n WHERE n.credit_returned <> (SELECT coalesce(-sum(l.amount), 0) FROM invoice_lines l WHERE l.invoice_id = n.invoice_id AND l.kind = 'credit')`,
  'an open refund request is about a paid invoice': sql`SELECT r.id FROM refund_requests r JOIN invoices i ON i.id = r.invoice_id WHERE r.status = 'pending' AND i.status <> 'paid'`,
  'credit notes are numbered without a gap': sql`SELECT max(number) AS last FROM credit_notes HAVING max(number) <> count(*)`,
  'at most one bonus in force for a referred customer': sql`SELECT i.user_id FROM credit_transactions t JOIN invoices i ON i.id = t.related_invoice_id WHERE t.type = 'referral_bonus' GROUP BY i.user_id HAVING count(*) FILTER (WHERE t.reverses_id IS NULL) - count(*) FILTER (WHERE t.reverses_id IS NOT NULL) > 1`,
  'an invoice is the sum of its lines': sql`SELECT i.id FROM invoices i JOIN invoice_lines l ON l.invoice_id = i.id GROUP BY i.id HAVING i.amount <> sum(l.amount)`,
  'at most one open draft a customer': sql`SELECT user_id FROM invoices WHERE status = 'draft' AND kind = 'purchase' GROUP BY user_id HAVING count(*) > 1`,
  'an active subscription has its dates and its plan': sql`SELECT id FROM users WHERE subscription_status = 'active' AND (plan_id IS NULL OR subscription_start_date IS NULL OR subscription_end_date < subscription_start_date)`,
  'there is an administrator': sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM users WHERE role = 'admin')`,
}

/** Asks the database for every promise that money depends on. Returns each with the rows that break it; none when the books balance. */
export async function reconcile(db: Db): Promise<{ promise: string; broken: unknown[] }[]> {
  const answers: { promise: string; broken: unknown[] }[] = []
  for (const [promise, query] of Object.entries(violations)) answers.push({ promise, broken: (await db.execute(query)).rows })
  return answers
}
