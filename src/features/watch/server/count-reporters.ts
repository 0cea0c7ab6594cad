import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { channels, reports } from '#server/db/tables.ts'

/** Returns how many customers other than `userId` reported a channel, in any spelling, in the last hour. Counts only reports that are still open. */
export async function countReporters(db: Db, userId: number, channelId: number): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(distinct ${reports.userId})::int` })
    .from(reports)
    .where(
      sql`${reports.createdAt} > now() - interval '1 hour' and ${reports.userId} <> ${userId}
        and ${reports.status} in ('pending', 'reviewing')
        and (lower(${reports.contentName}) = (select lower(${channels.name}) from ${channels} where ${channels.id} = ${channelId})
          or ${reports.caseId} in (select id from report_cases where channel_id = ${channelId}))`,
    )
  return row!.count
}
