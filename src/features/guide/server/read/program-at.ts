import { sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { shift } from './program-columns.ts'

export type ProgramTime = { title: string; startsAt: Instant; endsAt: Instant }

/** Returns the program that is on at a time, with the times shown to customers; undefined if nothing is listed then. */
export async function programAt(db: Db | Tx, channelId: number, at: Instant): Promise<ProgramTime | undefined> {
  const { rows } = await db.execute<{ title: string; start: number; end: number }>(sql`
    SELECT p.title, (extract(epoch FROM p.starts_at + ${shift}) * 1000)::float8 AS start,
      (extract(epoch FROM p.ends_at + ${shift}) * 1000)::float8 AS end
    FROM channel_guides g JOIN guide_programs p ON p.guide_channel_id = g.guide_channel_id
      AND p.starts_at <= ${at}::timestamptz - ${shift} AND p.starts_at > ${at}::timestamptz - ${shift} - interval '24 hours'
      AND p.ends_at > ${at}::timestamptz - ${shift}
    WHERE g.channel_id = ${channelId} ORDER BY p.starts_at DESC LIMIT 1`)
  const [found] = rows
  return (
    found && {
      title: found.title,
      startsAt: new Date(found.start).toISOString(),
      endsAt: new Date(found.end).toISOString(),
    }
  )
}
