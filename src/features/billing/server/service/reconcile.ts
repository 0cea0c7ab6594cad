import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'

/** What must hold whatever happened: each query finds the rows that break one promise. */
const violations: Record<string, SQL> = {
  'a balance is the sum of its ledger': sql`SELECT u.id FROM users u LEFT JOIN credit_transactions t ON t.user_id = u.id GROUP BY u.id HAVING u.account_credit <> coalesce(sum(t.amount), 0)`,
  'no balance is negative': sql`SELECT id FROM users WHERE account_credit < 0`,
  'paid means a date and exactly one activation in force': sql`SELECT i.id FROM invoices i WHERE (i.status = 'paid') <> (i.paid_at IS NOT NULL) OR (i.status = 'paid') <> EXISTS (SELECT 1 FROM activations a WHERE a.invoice_id = i.id AND a.reversed_at IS NULL)`,
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
