import { sql } from 'drizzle-orm'
import type { Showing } from '../../contract.ts'
import { type CompactProgram, detailOf, newFlag } from '../../rules.ts'

/** A row of `programColumns`. `start` and `end` are the times shown to customers, in milliseconds since 1970. */
export type ProgramRow = {
  channelId: number
  start: number
  end: number
  title: string
  subtitle: string
  category: string
  season: number | null
  episode: number | null
  isNew: boolean
}

/** The shift of a channel's listings as an interval. `channel_guides` must have the alias `g`. */
export const shift = sql`g.shift_minutes * interval '1 minute'`

/** The columns of a `ProgramRow`. `channel_guides` must have the alias `g`, and `guide_programs` the alias `p`. */
export const programColumns = sql`g.channel_id AS "channelId",
  (extract(epoch FROM p.starts_at) * 1000)::float8 + g.shift_minutes * 60000 AS start,
  (extract(epoch FROM p.ends_at) * 1000)::float8 + g.shift_minutes * 60000 AS end,
  p.title, p.subtitle, p.category, p.season, p.episode, p.is_new AS "isNew"`

/** Converts a row for a response whose minutes are counted from `from`, in milliseconds. */
export const compactProgramOf = (row: ProgramRow, from: number): CompactProgram => [
  (row.start - from) / 60_000,
  (row.end - row.start) / 60_000,
  row.title,
  detailOf(row),
  row.isNew ? newFlag : 0,
]

export const showingOf = (row: ProgramRow): Showing => ({
  channelId: row.channelId,
  startsAt: new Date(row.start).toISOString(),
  endsAt: new Date(row.end).toISOString(),
  title: row.title,
  detail: detailOf(row),
  isNew: row.isNew,
})
