import { type SQL, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db } from '#server/db/connect.ts'
import { notFound } from '#server/errors.ts'
import type { Program } from '../../contract.ts'
import { featureTexts } from '../../feature-rules.ts'
import { type ProgramRow, programColumns, shift, showingOf } from './program-columns.ts'

const maxShowings = 6
type Details = { description: string; features: number; rating: string; source: string }

/** Returns the program of a channel that starts at `startsAt`, as shown to customers, with the other showings of the same title. Throws 404. */
export async function readProgram(db: Db, channelId: number, startsAt: Instant): Promise<Program> {
  const { rows } = await db.execute<ProgramRow & Details>(sql`
    SELECT ${programColumns}, p.description, p.features, p.rating, coalesce(s.shown_as, '') AS source FROM channel_guides g JOIN channels c ON c.id = g.channel_id AND NOT c.hidden
    JOIN guide_programs p ON p.guide_channel_id = g.guide_channel_id AND p.starts_at = ${startsAt}::timestamptz - ${shift}
    JOIN guide_channels l ON l.id = g.guide_channel_id LEFT JOIN guide_sources s ON s.id = l.source_id
    WHERE g.channel_id = ${channelId}`)
  const program = rows[0] ?? notFound('This program is not in the listings')
  const others = async (state: SQL, order: SQL) => {
    const found = await db.execute<ProgramRow>(sql`
      SELECT ${programColumns} FROM channel_guides g
      JOIN guide_programs p ON p.guide_channel_id = g.guide_channel_id AND p.starts_at <> ${startsAt}::timestamptz - ${shift}
      WHERE g.channel_id = ${channelId} AND p.title = ${program.title} AND ${state} ORDER BY ${order} LIMIT ${maxShowings}`)
    return found.rows.map(showingOf)
  }
  const more = await others(sql`p.ends_at > now() - ${shift}`, sql`p.starts_at`)
  const earlier = await others(sql`p.ends_at <= now() - ${shift}`, sql`p.starts_at DESC`)
  const { description, category, features, rating, source } = program
  const texts = featureTexts(features, rating)
  return { ...showingOf(program), description, category, features: texts, source, more, earlier }
}
