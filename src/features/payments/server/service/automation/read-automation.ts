import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { paymentAutomation, users } from '#server/db/tables.ts'
import { batch } from '#server/overload/batch.ts'
import type { Automation } from '../../../admin-automation-contract.ts'
import { provableRails } from '../../../automation-rules.ts'
import type { ConfirmedToday } from '../../matching/types.ts'

export type AutomationRow = typeof paymentAutomation.$inferSelect

const automationSwitch = batch(
  async (db: Db | Tx, keys: 'switch'[]) => new Map([[keys[0]!, (await db.select().from(paymentAutomation))[0]!]]),
)
/** Returns the mode and the limits as stored. Payments that are compared at the same time share one query. */
export const readSwitch = async (db: Db | Tx): Promise<AutomationRow> => (await automationSwitch(db, 'switch'))!

/** Like `readSwitch`, but locks the row until the end of the transaction, so that only one transaction at a time checks the daily limits. */
export const lockSwitch = async (tx: Tx): Promise<AutomationRow> =>
  (await tx.select().from(paymentAutomation).for('no key update'))[0]!

/** Returns the mode and limits, how often administrators agreed with the rule since the current mode began, and what was confirmed today. */
export async function readAutomation(db: Db | Tx): Promise<Automation> {
  const [row] = await db
    .select({ known: paymentAutomation, changedBy: users.username })
    .from(paymentAutomation)
    .leftJoin(users, eq(users.id, paymentAutomation.changedBy))
  const { id: _, rails, ...known } = row!.known
  const [agreement, today] = await Promise.all([readAgreement(db, known.since), confirmedToday(db)])
  return {
    ...known,
    rails: provableRails.filter((rail) => rails.includes(rail)),
    changedBy: row!.changedBy,
    ...agreement,
    confirmedToday: { count: today.count, cents: today.cents },
  }
}

/**
 * Returns how often administrators decided as the rule would have, and how often differently. Only payments count that the rule would have confirmed in shadow
 * mode since `since`, each with its latest decision that was not undone.
 */
export async function readAgreement(db: Db | Tx, since: string): Promise<{ agreed: number; differed: number }> {
  const { rows } = await db.execute<{ agreed: number; differed: number }>(sql`
    select count(*) filter (where d.agrees)::int as agreed, count(*) filter (where not d.agrees)::int as differed
    from payment_rule_results r
    join lateral (
      select d.action in ('confirm', 'link') and exists (select from payment_allocations a
        where a.decision_id = d.id and a.target = 'invoice' and a.amount > 0 and a.invoice_id = r.invoice_id) as agrees
      from payment_decisions d
      where d.payment_id = r.payment_id and d.action <> 'undo' and not exists (select from payment_decisions u where u.undoes_id = d.id)
      order by d.id desc limit 1
    ) d on true
    where r.state = 'shadow' and r.created_at >= ${since}`)
  return rows[0]!
}

/**
 * Returns how many payments the rule has confirmed since midnight UTC, or would have confirmed in shadow mode: in total, from this payer and for this customer.
 * `cents` is the total amount.
 */
export async function confirmedToday(
  db: Db | Tx,
  payerKey: string | null = null,
  customerId = 0,
): Promise<ConfirmedToday> {
  const { rows } = await db.execute<Omit<ConfirmedToday, 'cents'> & { cents: string }>(sql`
    select count(*)::int as count, coalesce(sum(p.amount), 0) as cents, count(*) filter (where p.payer_key = ${payerKey} and p.payer_key <> '')::int as "ofPayer",
      count(*) filter (where i.user_id = ${customerId})::int as "ofCustomer"
    from payment_rule_results r join payments p on p.id = r.payment_id join invoices i on i.id = r.invoice_id
    where r.state in ('confirmed', 'shadow') and r.created_at >= date_trunc('day', now(), 'UTC')`)
  const { cents, ...counts } = rows[0]!
  return { ...counts, cents: Number(cents) }
}
