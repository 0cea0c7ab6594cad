import { type SQL, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import type { Reader } from '#server/session/session.ts'
import type { PromisedTimes } from '../../admin-overview-contract.ts'
import { type PromisedKind, promisedKinds, queuePromise, workPermission } from '../../queue-rules.ts'

/** Only this many of the newest decisions of each kind are considered. */
const maxDecisions = 1_000

/** Selects the first decision about each target in the last seven days from the audit log: its time `at` and the target `id`. */
const decisions = (action: SQL, condition = sql`true`) => sql`
  select min(at) as at, target_id::int as id from (
    select at, target_id from audit_log where ${action} and at > now() - interval '7 days' and ${condition}
    order by at desc, id desc limit ${maxDecisions}) as newest
  where target_id ~ '^[1-9][0-9]{0,8}$' group by target_id`

/** For each kind, selects when the promised time began (`since`) and when the work was done (`at`). */
const done: Record<PromisedKind, SQL> = {
  payment: sql`select coalesce(i.submitted_at, i.created_at) as since, d.at from (${decisions(sql`action = 'invoice.confirm'`)}) d
    join invoices i on i.id = d.id and i.payment_method is distinct from 'creditcard'`,
  card_link: sql`select coalesce(i.submitted_at, i.created_at) as since, d.at
    from (${decisions(sql`action = 'invoice.payment_link'`, sql`before ->> 'paymentLink' is null`)}) d join invoices i on i.id = d.id`,
  line: sql`select created_at as since, finished_at as at
    from (select created_at, finished_at from line_jobs where state = 'done' order by id desc limit ${maxDecisions}) as newest
    where finished_at > now() - interval '7 days'`,
  trial: sql`select t.request_date as since, d.at from (${decisions(sql`action in ('trial.approved', 'trial.denied')`)}) d
    join trial_requests t on t.id = d.id`,
  report: sql`select r.created_at as since, d.at from (${decisions(sql`action = 'report.update'`, sql`before ->> 'status' = 'pending'`)}) d
    join reports r on r.id = d.id`,
  inquiry: sql`select q.created_at as since, d.at from (${decisions(sql`action = 'inquiry.answer'`)}) d join inquiries q on q.id = d.id`,
  ticket: sql`select (before ->> 'waitingSince')::timestamptz as since, at from audit_log
    where action = 'ticket.reply' and at > now() - interval '7 days' and before ->> 'waitingSince' is not null
    order by at desc, id desc limit ${maxDecisions}`,
  refund: sql`select r.created_at as since, d.at from (${decisions(sql`action in ('refund.approve', 'refund.decline')`)}) d
    join refund_requests r on r.invoice_id = d.id`,
}

/**
 * Returns how many items were done in the last seven days, and how many of them within their promised time. Leaves out kinds without finished work
 * and kinds that the administrator may not see.
 */
export async function readPromisedTimes(db: Db, { permissions }: Reader): Promise<PromisedTimes> {
  const payments = await settings.read(db, 'payments')
  const seen = promisedKinds.filter((kind) => permissions.includes(workPermission[kind]))
  if (seen.length === 0) return []
  const parts = seen.map(
    (kind) => sql`(select ${kind}::text as kind, count(*)::int as done,
      count(*) filter (where at - since <= make_interval(mins => ${queuePromise(kind, payments)}))::int as "inTime" from (${done[kind]}) as pairs)`,
  )
  const { rows } = await db.execute<PromisedTimes[number]>(sql.join(parts, sql` union all `))
  return rows.filter((row) => row.done > 0)
}
