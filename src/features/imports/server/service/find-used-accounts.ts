import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import type { AccountUse } from '../../rules.ts'

export type UsedAccount = { rowKey: string; line: number; username: string; reason: AccountUse }
/** A row of an import that was created, and its customer. */
export type CreatedRow = { rowKey: string; userId: number }

/**
 * Returns those of these imported customers whose accounts were used, with the reason, in the order of the file. A few accounts are the actors of
 * most audit entries, so PostgreSQL would read the whole audit log for each customer. The query therefore searches the entries of all customers at
 * once.
 */
export async function findUsedAccounts(tx: Tx, rows: CreatedRow[]): Promise<UsedAccount[]> {
  const keys = sql.param(rows.map(({ rowKey }) => rowKey))
  const userIds = sql.param(rows.map(({ userId }) => userId))
  const { rows: found } = await tx.execute<UsedAccount>(sql`
    select * from (
      select r.row_key as "rowKey", r.line, u.username, case
        when exists (select from sessions s where s.user_id = u.id) or exists (select from login_places l where l.user_id = u.id)
          or u.id in (select a.actor_id from audit_log a where a.actor_id = any(${userIds}::int[]))
          or exists (select from passkeys p where p.user_id = u.id) then 'login'
        when exists (select from invoices i where i.user_id = u.id) then 'invoice'
        when exists (select from payer_identities p where p.user_id = u.id) then 'payment'
        when (select count(*) from credit_transactions t where t.user_id = u.id) <> (r.credit > 0)::int or u.account_credit <> r.credit then 'credit'
        when (select count(*) from activations a where a.user_id = u.id) <> (r.paid_until is not null)::int then 'subscription'
        when exists (select from line_jobs j where j.user_id = u.id) then 'line'
        when exists (select from trial_requests t where t.user_id = u.id) or exists (select from reports p where p.user_id = u.id)
          or exists (select from tickets k where k.user_id = u.id) then 'request'
        when exists (select from referral_claims c where c.referee_id = u.id or c.referrer_id = u.id) then 'referral'
        when u.role <> 'user' then 'role'
        when exists (select from audit_log a where a.customer_id = u.id and a.action not in ('user.import', 'subscription.expire')) then 'edited'
      end as reason
      from import_rows r join users u on u.id = r.user_id where r.verdict = 'created' and r.row_key = any(${keys}::text[])) checked
    where reason is not null order by line`)
  return found
}
