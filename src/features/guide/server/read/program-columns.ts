import { sql } from 'drizzle-orm'
import type { Showing } from '../../contract.ts'
import { type CompactProgram, detailOf, newFlag } from '../../rules.ts'

/** A program as the statements here read it. `start` is the time shown to customers. Both times are in milliseconds since 1970. */
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

/** The shift of a channel's listings, for the alias `g` of `channel_guides`. */
export const shift = sql`g.shift_minutes * interval '1 minute'`

/** The columns of a `ProgramRow`, for the aliases `g` of `channel_guides` and `p` of `guide_programs`. */
export const programColumns = sql`g.channel_id AS "channelId",
  (extract(epoch FROM p.starts_at) * 1000)::float8 + g.shift_minutes * 60000 AS start,
  (extract(epoch FROM p.ends_at) * 1000)::float8 + g.shift_minutes * 60000 AS end,
  p.title, p.subtitle, p.category, p.season, p.episode, p.is_new AS "isNew"`

/** The row of a program in a compact answer whose minutes refer to `from`, in milliseconds. */
export const compact = (row: ProgramRow, from: number): CompactProgram => [
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
