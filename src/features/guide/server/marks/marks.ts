import { type SQL, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { conflict, notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { ProgramMark } from '../../contract.ts'
import { shift } from '../read/program-columns.ts'

export const maxMarks = 200
type MarkSettings = { onWatchlist: boolean; reminder: boolean }
type MarkRow = Omit<ProgramMark, 'startsAt' | 'endsAt'> & { startsAt: string; endsAt: string }

/** SQL: how long the panel keeps recordings of a channel. What a customer may watch also depends on rights, which only the `watch` feature can read. */
const kept = (channelId: SQL) =>
  sql`coalesce((SELECT archive_days FROM channel_streams WHERE channel_id = ${channelId}), 0) * interval '1 day'`

/** Returns a customer's marked programs in order of time: those that have not ended, and those on the watchlist that the panel still keeps. */
export async function listMarks(db: Db, userId: number): Promise<ProgramMark[]> {
  const { rows } = await db.execute<MarkRow>(sql`
    SELECT m.channel_id AS "channelId", c.name AS "channelName", m.starts_at AS "startsAt", m.ends_at AS "endsAt", m.title,
      m.on_watchlist AS "onWatchlist", m.reminder
    FROM program_marks m JOIN channels c ON c.id = m.channel_id AND NOT c.hidden
    WHERE m.user_id = ${userId} AND (m.ends_at > now() OR (m.on_watchlist AND m.starts_at > now() - ${kept(sql`m.channel_id`)})) ORDER BY m.starts_at, m.channel_id LIMIT ${maxMarks}`)
  return rows.map((row) => ({
    ...row,
    startsAt: new Date(row.startsAt).toISOString(),
    endsAt: new Date(row.endsAt).toISOString(),
  }))
}

type ListedProgram = {
  endsAt: string
  title: string
  hasStarted: boolean
  hasEnded: boolean
  isKept: boolean
  marks: number
  isMarked: boolean
}

/**
 * Sets a customer's mark for a program; removes it if both settings are false. Throws 404 if the program is not listed, and 409 if it has ended and the
 * panel does not keep it, if it has started and a reminder is wanted, or if the customer already has 200 marks.
 */
export async function markProgram(
  db: Db,
  userId: number,
  channelId: number,
  startsAt: Instant,
  settings: MarkSettings,
): Promise<MarkSettings> {
  await inTransaction(db, async (tx) => {
    // Marks of ended programs that are no longer shown must not count toward the maximum.
    await tx.execute(sql`DELETE FROM program_marks m WHERE user_id = ${userId} AND ends_at < now() - interval '1 day'
      AND NOT (on_watchlist AND starts_at > now() - ${kept(sql`m.channel_id`)})`)
    const { rows } = await tx.execute<ListedProgram>(sql`
      SELECT p.ends_at + ${shift} AS "endsAt", p.title, ${startsAt}::timestamptz <= now() AS "hasStarted", p.ends_at + ${shift} <= now() AS "hasEnded",
        ${startsAt}::timestamptz > now() - ${kept(sql`g.channel_id`)} AS "isKept",
        (SELECT count(*)::int FROM program_marks WHERE user_id = ${userId}) AS marks,
        EXISTS (SELECT FROM program_marks WHERE user_id = ${userId} AND channel_id = ${channelId} AND starts_at = ${startsAt}::timestamptz) AS "isMarked"
      FROM channel_guides g JOIN channels c ON c.id = g.channel_id AND NOT c.hidden
      JOIN guide_programs p ON p.guide_channel_id = g.guide_channel_id AND p.starts_at = ${startsAt}::timestamptz - ${shift}
      WHERE g.channel_id = ${channelId}`)
    const program = rows[0] ?? notFound('This program is not in the listings')
    if (program.hasEnded && !program.isKept) return conflict('program_ended', 'This program has ended.')
    if (settings.reminder && program.hasStarted && !program.isMarked)
      return conflict('program_started', 'This program has already started.')
    if (!program.isMarked && program.marks >= maxMarks)
      return conflict('too_many_marks', `You can mark ${maxMarks} programs. Remove some to mark more.`)
    await tx.execute(
      settings.onWatchlist || settings.reminder
        ? sql`INSERT INTO program_marks AS m (user_id, channel_id, starts_at, ends_at, title, on_watchlist, reminder)
            VALUES (${userId}, ${channelId}, ${startsAt}, ${program.endsAt}, ${program.title}, ${settings.onWatchlist}, ${settings.reminder})
            ON CONFLICT (user_id, channel_id, starts_at) DO UPDATE
            SET ends_at = excluded.ends_at, title = excluded.title, on_watchlist = excluded.on_watchlist, reminder = excluded.reminder`
        : deleteMark(userId, channelId, startsAt),
    )
    await changed(tx, 'program_mark', { user: userId })
  })
  return settings
}

/** Removes the mark of a program; idempotent. */
export async function unmarkProgram(db: Db, userId: number, channelId: number, startsAt: Instant): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.execute(deleteMark(userId, channelId, startsAt))
    await changed(tx, 'program_mark', { user: userId })
  })
}

const deleteMark = (userId: number, channelId: number, startsAt: Instant) =>
  sql`DELETE FROM program_marks WHERE user_id = ${userId} AND channel_id = ${channelId} AND starts_at = ${startsAt}::timestamptz`
