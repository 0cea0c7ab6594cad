import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'

export type OpeningBalance = { userId: number; cents: number }

/** Books the credit that imported customers had in another system, as adjustments by `actorId`, in one statement. */
export async function bookOpeningBalances(tx: Tx, balances: OpeningBalance[], actorId: number): Promise<void> {
  const positive = balances.filter(({ cents }) => cents > 0)
  if (positive.length === 0) return
  await tx.execute(sql`
    with input as (select * from jsonb_to_recordset(${JSON.stringify(positive)}::jsonb) as input("userId" int, cents int)),
      moved as (update users u set account_credit = u.account_credit + input.cents from input where u.id = input."userId")
    insert into credit_transactions (user_id, amount, description, type, created_by)
    select "userId", cents, 'Balance from the previous system', 'admin_adjustment', ${actorId}::int from input`)
}

/** Reverses every booking of these customers. Call it only for customers who have no bookings except opening balances. Repeating it changes nothing. */
export async function reverseOpeningBalances(tx: Tx, userIds: number[], actorId: number): Promise<void> {
  await tx.execute(sql`
    with booking as (
        select t.* from credit_transactions t where t.user_id = any(${sql.param(userIds)}::int[]) and t.reverses_id is null
          and not exists (select from credit_transactions r where r.reverses_id = t.id)),
      moved as (
        update users u set account_credit = u.account_credit - sums.cents
        from (select user_id, sum(amount)::int as cents from booking group by user_id) sums where u.id = sums.user_id)
    insert into credit_transactions (user_id, amount, description, type, reverses_id, created_by)
    select user_id, -amount, 'Reversed: ' || description, type, id, ${actorId}::int from booking`)
}
