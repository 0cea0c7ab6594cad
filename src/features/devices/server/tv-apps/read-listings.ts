import { sql } from 'drizzle-orm'
import { type ProgramRow, programColumns } from '#features/guide/server/read/program-columns.ts'
import { programsBetween } from '#features/guide/server/read/programs-between.ts'
import type { Db } from '#server/db/connect.ts'

export type Listing = ProgramRow & { description: string }

/** Returns the programs of these channels between two times in milliseconds, sorted by channel and time; at most `max` for each channel. */
export async function readListings(
  db: Db,
  channelIds: number[],
  { from, to, max = 1_000 }: { from: number; to: number; max?: number },
): Promise<Listing[]> {
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), max }
  const { rows } = await db.execute<Listing>(programsBetween(sql`${programColumns}, p.description`, channelIds, range))
  return rows
}
