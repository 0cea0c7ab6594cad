import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'

/**
 * Returns when an administrator began to work on a channel: when a current incident for the channel, its category or the whole service was published, or when
 * the first report on the channel that is still under review was taken up. Null if neither happened. Ignores reports older than a week.
 */
export async function readWorkingSince(db: Db, channelId: number): Promise<string | null> {
  const { rows } = await db.execute<{ since: string | null }>(sql`
    with channel as (select id, name, category from channels where id = ${channelId})
    select min(since) as since from (
      select i.created_at as since from channel c, incidents i
      where i.ended_at is null and i.withdrawn_at is null and i.begun and i.kind <> 'maintenance'
        and (not exists (select from incident_targets t where t.incident_id = i.id)
          or exists (select from incident_targets t where t.incident_id = i.id
            and t.name = case t.scope when 'channel' then c.name else c.category end))
      union all
      select a.at from channel c
        join reports r on (lower(r.content_name) = lower(c.name) or r.case_id in (select id from report_cases where channel_id = c.id))
          and r.content_type = 'channel' and r.status = 'reviewing' and r.created_at > now() - interval '7 days'
        join audit_log a on a.target_id = r.id::text and a.target_type = 'report' and a.action = 'report.update'
          and a.after ->> 'status' = 'reviewing'
    ) working`)
  const since = rows[0]?.since
  return since ? new Date(since).toISOString() : null
}
