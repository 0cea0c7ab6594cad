import { sql } from 'drizzle-orm'
import { type ProgramRow, programColumns, shift } from '#features/guide/server/read/program-columns.ts'
import type { Db } from '#server/db/connect.ts'

export type Listing = ProgramRow & { description: string }

/** The programs of channels that are on between two times in milliseconds, by channel and time; at most `max` for each channel. */
export async function readListings(
  db: Db,
  channelIds: number[],
  { from, to, max = 1_000 }: { from: number; to: number; max?: number },
): Promise<Listing[]> {
  const [start, end] = [new Date(from).toISOString(), new Date(to).toISOString()]
  const { rows } = await db.execute<Listing>(sql`
    SELECT ${programColumns}, p.description FROM channel_guides g CROSS JOIN LATERAL (
      SELECT * FROM guide_programs WHERE guide_channel_id = g.guide_channel_id
        AND starts_at > ${start}::timestamptz - ${shift} - interval '24 hours' AND starts_at < ${end}::timestamptz - ${shift}
        AND ends_at > ${start}::timestamptz - ${shift}
      ORDER BY starts_at LIMIT ${max}) p
    WHERE g.channel_id = ANY(${sql.param(channelIds)}::int[]) ORDER BY g.channel_id, p.starts_at`)
  return rows
}
