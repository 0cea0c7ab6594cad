import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import type { GuideNow } from '../../contract.ts'
import type { CompactProgram } from '../../rules.ts'
import { compactProgramOf, type ProgramRow, programColumns, shift } from './program-columns.ts'

type Cached = { minute: number; guide: Promise<GuideNow> }
const cache = new WeakMap<Db, Cached>()

/** Returns what is on now and next on every channel with listings. Each process queries it at most once a minute. */
export function readNow(db: Db): Promise<GuideNow> {
  const minute = Math.floor(Date.now() / 60_000)
  const cached = cache.get(db)
  if (cached?.minute === minute) return cached.guide
  const guide = queryNow(db)
  cache.set(db, { minute, guide })
  // A failure is not cached.
  guide.catch(() => cache.get(db)?.guide === guide && cache.delete(db))
  return guide
}

/** Clears this process's cached answer of `readNow`, after listings were stored or channels changed. */
export const clearNowCache = (db: Db): void => void cache.delete(db)

/** For each channel the program that is on now, if any, and the next two, because the first of those may start before the next query. */
async function queryNow(db: Db): Promise<GuideNow> {
  const { rows } = await db.execute<ProgramRow>(sql`
    SELECT ${programColumns} FROM channel_guides g JOIN channels c ON c.id = g.channel_id AND NOT c.hidden
    CROSS JOIN LATERAL (
      (SELECT * FROM guide_programs WHERE guide_channel_id = g.guide_channel_id
        AND starts_at <= now() - ${shift} AND starts_at > now() - ${shift} - interval '24 hours' ORDER BY starts_at DESC LIMIT 1)
      UNION ALL
      (SELECT * FROM guide_programs WHERE guide_channel_id = g.guide_channel_id
        AND starts_at > now() - ${shift} AND starts_at < now() - ${shift} + interval '24 hours' ORDER BY starts_at LIMIT 2)
    ) p WHERE p.ends_at > now() - ${shift} ORDER BY g.channel_id, p.starts_at`)
  const programs = new Map<number, CompactProgram[]>()
  for (const row of rows)
    programs.set(row.channelId, [...(programs.get(row.channelId) ?? []), compactProgramOf(row, 0)])
  const [source] = (
    await db.execute<{ readAt: string | null; names: string[] }>(sql`
      SELECT max(read_at) AS "readAt", coalesce(array_agg(DISTINCT shown_as) FILTER (WHERE shown_as <> '' AND EXISTS (
        SELECT FROM guide_channels l JOIN channel_guides g ON g.guide_channel_id = l.id WHERE l.source_id = guide_sources.id)), '{}') AS names
      FROM guide_sources`)
  ).rows
  return {
    readAt: source?.readAt ? new Date(source.readAt).toISOString() : null,
    sources: source?.names ?? [],
    rows: [...programs],
  }
}
