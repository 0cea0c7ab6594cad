import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { hiddenActions } from '../../activity-rules.ts'
import type { ActivityEntry } from '../../admin-overview-contract.ts'

const shown = 20
/** More audit entries are read than shown, because some actions are left out. */
const auditRead = 80

const numeric = sql`~ '^[1-9][0-9]{0,8}$'`
/** Selects the newest audit entries, with the names of their targets. */
const audited = sql`
  select 'audit' as event, entry.id::bigint as id, entry.at, entry.actor_id as "actorId", actor.username as "actorName", entry.action,
    entry.target_type as "targetType", entry.target_id as "targetId", coalesce(target.username, invoice.invoice_number) as "targetLabel",
    customer.username as customer, invoice.amount
  from (select * from audit_log order by at desc, id desc limit ${auditRead}) as entry
  left join users actor on actor.id = entry.actor_id
  left join users target on entry.target_type = 'user' and target.id = case when entry.target_id ${numeric} then entry.target_id::int end
  left join invoices invoice on entry.target_type = 'invoice' and invoice.id = case when entry.target_id ${numeric} then entry.target_id::int end
  left join users customer on customer.id = invoice.user_id`

const byCustomer = (event: string, targetType: string, rows: ReturnType<typeof sql>) => sql`
  select ${event}::text, made.id::bigint, made.at, made.user_id, customer.username, ''::text, ${targetType}::text, made.id::text, made.label,
    customer.username, made.amount
  from (${rows}) as made join users customer on customer.id = made.user_id`
const registrations = byCustomer(
  'registration',
  'user',
  sql`select id, created_at as at, id as user_id, username as label, null::int as amount from users order by created_at desc, users.id desc limit ${shown}`,
)
// Selects the newest payments without a decision. Decided payments are in the audit log. The conditions repeat those of the partial indexes.
const submitted = (hasLink: boolean) => sql`
  select id, coalesce(submitted_at, created_at) as at, user_id, invoice_number as label, amount from invoices
  where status = 'pending' and (submitted_at is not null or amount = 0)
    and ${hasLink ? sql`(payment_method is distinct from 'creditcard' or payment_link is not null)` : sql`payment_method = 'creditcard' and payment_link is null`}
  order by coalesce(submitted_at, created_at) desc, id desc limit ${shown}`
const requests = byCustomer(
  'trial',
  'trial_request',
  sql`select id, request_date as at, user_id, device as label, null::int as amount from trial_requests order by request_date desc, id desc limit ${shown}`,
)
const reported = byCustomer(
  'report',
  'report',
  sql`select id, created_at as at, user_id, content_name as label, null::int as amount from reports order by created_at desc, id desc limit ${shown}`,
)
const asked = sql`
  select 'inquiry', id::bigint, created_at, null::int, null::text, ''::text, 'inquiry', id::text, name, null::text, null::int
  from (select id, created_at, name from inquiries order by created_at desc, id desc limit ${shown}) as made`

type Row = Omit<ActivityEntry, 'key' | 'actor'> & { id: string; actorId: number | null; actorName: string | null }

/** Returns the newest events, newest first. The events of each kind are read from the end of an index. */
export async function readActivity(db: Db): Promise<ActivityEntry[]> {
  const parts = [
    audited,
    registrations,
    byCustomer('payment', 'invoice', submitted(true)),
    byCustomer('card_order', 'invoice', submitted(false)),
    requests,
    reported,
    asked,
  ]
  const { rows } = await db.execute<Row>(sql`
    select * from (${sql.join(
      parts.map((part) => sql`(${part})`),
      sql` union all `,
    )}) as events
    where not (event = 'audit' and action in ${[...hiddenActions]})
    order by at desc, id desc limit ${shown}`)
  return rows.map(({ id, actorId, actorName, at, ...row }) => ({
    ...row,
    key: `${row.event}:${id}`,
    at: new Date(at).toISOString(),
    actor: actorId !== null && actorName !== null ? { id: actorId, username: actorName } : null,
  }))
}
