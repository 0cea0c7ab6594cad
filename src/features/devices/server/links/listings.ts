import { sql } from 'drizzle-orm'
import { type ProgramRow, programColumns, shift } from '#features/guide/server/read/program-columns.ts'
import type { Db } from '#server/db/connect.ts'

export type Listing = ProgramRow & { description: string }

/** The programs of channels that run between two times in milliseconds, by channel and time; at most `most` of each channel. */
export async function readListings(
  db: Db,
  channelIds: number[],
  { from, to, most = 1_000 }: { from: number; to: number; most?: number },
): Promise<Listing[]> {
  const [start, end] = [new Date(from).toISOString(), new Date(to).toISOString()]
  const { rows } = await db.execute<Listing>(sql`
    SELECT ${programColumns}, p.description FROM channel_guides g CROSS JOIN LATERAL (
      SELECT * FROM guide_programs WHERE guide_channel_id = g.guide_channel_id
        AND starts_at > ${start}::timestamptz - ${shift} - interval '24 hours' AND starts_at < ${end}::timestamptz - ${shift}
        AND ends_at > ${start}::timestamptz - ${shift}
      ORDER BY starts_at LIMIT ${most}) p
    WHERE g.channel_id = ANY(${sql.param(channelIds)}::int[]) ORDER BY g.channel_id, p.starts_at`)
  return rows
}
