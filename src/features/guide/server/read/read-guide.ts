import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { categoryIndex } from '#features/catalog/server/service/read-lists.ts'
import type { Instant } from '#kit/dates.ts'
import type { Db } from '#server/db/connect.ts'
import { channels } from '#server/db/tables.ts'
import type { Guide } from '../../contract.ts'
import { type CompactProgram, guideRequestLimits } from '../../rules.ts'
import { compactProgramOf, type ProgramRow, programColumns } from './program-columns.ts'
import { programsBetween } from './programs-between.ts'

type Range = { from: Instant; hours?: number; ids?: string; offset?: number; channels?: number }

/**
 * Returns the programs that are on within `hours` after `from`. The channels are those of `ids`, in that order, or else `channels` channels of the
 * lineup from position `offset`. Hidden channels are left out.
 */
export async function readGuide(db: Db, range: Range): Promise<Guide> {
  const { from, hours = 4 } = range
  const ids = await visibleIds(db, range)
  const start = Date.parse(from)
  const programs = new Map<number, CompactProgram[]>(ids.map((id) => [id, []]))
  const to = new Date(start + hours * 3_600_000).toISOString()
  const { rows } = await db.execute<ProgramRow>(programsBetween(programColumns, ids, { from, to }))
  for (const row of rows) programs.get(row.channelId)?.push(compactProgramOf(row, start))
  return { from, rows: [...programs] }
}

async function visibleIds(
  db: Db,
  { ids, offset = 0, channels: count = guideRequestLimits.channels }: Range,
): Promise<number[]> {
  if (ids !== undefined) {
    const requested = [...new Set(ids.split(',').map(Number))]
    const found = await db
      .select({ id: channels.id })
      .from(channels)
      .where(and(inArray(channels.id, requested), eq(channels.hidden, false)))
    const visible = new Set(found.map(({ id }) => id))
    return requested.filter((id) => visible.has(id))
  }
  const rows = await db
    .select({ id: channels.id })
    .from(channels)
    .where(eq(channels.hidden, false))
    .orderBy(categoryIndex, sql`lower(${channels.name})`, asc(channels.id))
    .offset(offset)
    .limit(count)
  return rows.map(({ id }) => id)
}
