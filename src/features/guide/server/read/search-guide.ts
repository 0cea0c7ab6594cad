import { sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db } from '#server/db/connect.ts'
import type { Showing } from '../../contract.ts'
import { maxSearchResults, titleQuery } from '../../rules.ts'
import { type ProgramRow, programColumns, shift, showingOf } from './program-columns.ts'

/** The programs whose titles contain words that begin with those of `search` and that end after `from`, by time. */
export async function searchPrograms(db: Db, search: string, from: Instant): Promise<Showing[]> {
  const words = titleQuery(search)
  if (!words) return []
  const { rows } = await db.execute<ProgramRow>(sql`
    SELECT ${programColumns} FROM guide_programs p
    JOIN channel_guides g ON g.guide_channel_id = p.guide_channel_id
    JOIN channels c ON c.id = g.channel_id AND NOT c.hidden
    WHERE to_tsvector('simple', p.title) @@ to_tsquery('simple', ${words}) AND p.ends_at > ${from}::timestamptz - ${shift}
    ORDER BY p.starts_at + ${shift}, g.channel_id LIMIT ${maxSearchResults}`)
  return rows.map(showingOf)
}
