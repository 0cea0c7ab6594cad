import { type SQL, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db } from '#server/db/connect.ts'
import type { Showing } from '../../contract.ts'
import { maxSearchResults, titleQuery } from '../../rules.ts'
import { type ProgramRow, programColumns, shift, showingOf } from './program-columns.ts'

type Search = {
  /** The search text: the beginnings of words in the title. */
  q: string
  /** A category of channels, or `favorites` for the channels on the watchlist of `userId`. */
  category?: string | undefined
  userId: number
  from?: Instant | undefined
  to?: Instant | undefined
}

/** Returns the programs that match the search, end after `from` and start before `to`, in order of time. */
export const searchPrograms = (db: Db, search: Search & { from: Instant }): Promise<Showing[]> =>
  find(db, search, {
    where: sql`p.ends_at > ${search.from}::timestamptz - ${shift}`,
    order: sql`p.starts_at + ${shift}`,
  })

/** A channel, and how many hours back its archive goes. */
export type Archive = { id: number; archiveHours: number }

/** Returns the ended programs that match the search, start between `from` and `to`, and are within the archive of their channel: the latest first. */
export const searchEnded = (db: Db, archives: readonly Archive[], search: Search): Promise<Showing[]> =>
  find(db, search, {
    join: sql`JOIN unnest(${sql.param(archives.map(({ id }) => id))}::int[], ${sql.param(archives.map(({ archiveHours }) => archiveHours))}::int[])
      AS a (channel_id, hours) ON a.channel_id = g.channel_id`,
    where: sql`p.ends_at <= now() - ${shift} AND p.starts_at >= now() - ${shift} - a.hours * interval '1 hour'
      ${search.from === undefined ? sql`` : sql`AND p.starts_at >= ${search.from}::timestamptz - ${shift}`}`,
    order: sql`p.starts_at + ${shift} DESC`,
  })

async function find(
  db: Db,
  { q, category, userId, to }: Search,
  { join = sql``, where, order }: { join?: SQL; where: SQL; order: SQL },
): Promise<Showing[]> {
  const words = titleQuery(q)
  if (!words) return []
  const { rows } = await db.execute<ProgramRow>(sql`
    SELECT ${programColumns} FROM guide_programs p
    JOIN channel_guides g ON g.guide_channel_id = p.guide_channel_id
    JOIN channels c ON c.id = g.channel_id AND NOT c.hidden ${join}
    WHERE to_tsvector('simple', p.title) @@ to_tsquery('simple', ${words}) AND ${where} ${inCategory(category, userId)}
      ${to === undefined ? sql`` : sql`AND p.starts_at < ${to}::timestamptz - ${shift}`}
    ORDER BY ${order}, g.channel_id LIMIT ${maxSearchResults}`)
  return rows.map(showingOf)
}

function inCategory(category: string | undefined, userId: number): SQL {
  if (category === undefined) return sql``
  return category === 'favorites'
    ? sql`AND EXISTS (SELECT FROM watchlist WHERE user_id = ${userId} AND channel_id = c.id)`
    : sql`AND c.category = ${category}`
}
