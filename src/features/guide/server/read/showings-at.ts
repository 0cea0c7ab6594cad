import { sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db } from '#server/db/connect.ts'
import type { Showing } from '../../contract.ts'
import { type ProgramRow, programColumns, shift, showingOf } from './program-columns.ts'

/** Returns the listed programs that start on these channels at these times, as shown to customers. */
export async function showingsAt(
  db: Db,
  programs: readonly { channelId: number; startsAt: Instant }[],
): Promise<Showing[]> {
  const { rows } = await db.execute<ProgramRow>(sql`
    SELECT ${programColumns} FROM unnest(${sql.param(programs.map(({ channelId }) => channelId))}::int[],
      ${sql.param(programs.map(({ startsAt }) => startsAt))}::timestamptz[]) AS s (channel_id, starts_at)
    JOIN channel_guides g ON g.channel_id = s.channel_id
    JOIN guide_programs p ON p.guide_channel_id = g.guide_channel_id AND p.starts_at = s.starts_at - ${shift}`)
  return rows.map(showingOf)
}
