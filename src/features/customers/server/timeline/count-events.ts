import { type SQL, sql } from 'drizzle-orm'
import type { GrantablePermission } from '#kit/permissions.ts'
import type { Db } from '#server/db/connect.ts'
import { maxCounted, type TimelineGroup, timelineGroups } from '../../admin-timeline-contract.ts'
import { type CustomerPrefix, groupOfPrefix, prefixesOf } from '../../timeline-rules.ts'

const countLimit = maxCounted + 1

/**
 * Returns, for each filter, the number of events of a customer that a reader with these permissions may see. Each source is counted up to `maxCounted` + 1, so
 * that the cost does not grow with the history.
 */
export async function countEvents(
  db: Db,
  userId: number,
  email: string,
  permissions: readonly string[],
): Promise<Record<TimelineGroup, number>> {
  const upTo = (from: SQL) => sql`(select count(*)::int from (select 1 from ${from} limit ${countLimit}) counted)`
  const upToFor = (needs: GrantablePermission, from: SQL) => (permissions.includes(needs) ? upTo(from) : sql`0`)
  const { rows } = await db.execute<{
    money: number
    requests: number
    emails: number
    account: number
    line: number
    audit: Record<CustomerPrefix, number> | null
  }>(sql`
    select
      ${upToFor('invoices.read', sql`invoices where user_id = ${userId}`)}
        + ${upToFor('invoices.read', sql`invoices where user_id = ${userId} and submitted_at is not null`)}
        + ${upToFor('invoices.read', sql`credit_transactions where user_id = ${userId}`)} as money,
      ${upToFor('reports.read', sql`reports where user_id = ${userId}`)}
        + ${upToFor('trials.read', sql`trial_requests where user_id = ${userId}`)}
        + ${upToFor('inquiries.read', sql`inquiries where lower(email) = ${email.toLowerCase()}`)} as requests,
      ${upTo(sql`mails where user_id = ${userId}`)} as emails,
      1 + ${upTo(sql`sessions where user_id = ${userId} and impersonated_by is null`)} as account,
      ${upToFor('lines.read', sql`line_jobs where user_id = ${userId} and state <> 'done'`)} as line,
      (select json_object_agg(prefix, ${upTo(sql`audit_log where customer_id = ${userId} and split_part(action, '.', 1) = prefix
        and action <> 'user.adjust_credit'`)})
        from unnest(${sql.param(prefixesOf(undefined, permissions))}::text[]) prefix) as audit`)
  const { audit, ...counted } = rows[0]!
  const counts: Record<TimelineGroup, number> = counted
  for (const [prefix, count] of Object.entries(audit ?? {})) counts[groupOfPrefix[prefix as CustomerPrefix]] += count
  return Object.fromEntries(
    timelineGroups.map((group) => [group, Math.min(counts[group], countLimit)]),
  ) as typeof counts
}
