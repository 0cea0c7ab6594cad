import { sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { conflict, notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { ProgramMark } from '../../contract.ts'
import { shift } from '../read/program-columns.ts'

export const marksMost = 200
type Wanted = { onWatchlist: boolean; reminder: boolean }
type MarkRow = Omit<ProgramMark, 'startsAt' | 'endsAt'> & { startsAt: string; endsAt: string }

/** The marked programs of a customer that have not ended, by time. */
export async function listMarks(db: Db, userId: number): Promise<ProgramMark[]> {
  const { rows } = await db.execute<MarkRow>(sql`
    SELECT m.channel_id AS "channelId", c.name AS "channelName", m.starts_at AS "startsAt", m.ends_at AS "endsAt", m.title,
      m.on_watchlist AS "onWatchlist", m.reminder
    FROM program_marks m JOIN channels c ON c.id = m.channel_id AND NOT c.hidden
    WHERE m.user_id = ${userId} AND m.ends_at > now() ORDER BY m.starts_at, m.channel_id LIMIT ${marksMost}`)
  return rows.map((row) => ({
    ...row,
    startsAt: new Date(row.startsAt).toISOString(),
    endsAt: new Date(row.endsAt).toISOString(),
  }))
}

type Listed = {
  endsAt: string
  title: string
  hasStarted: boolean
  hasEnded: boolean
  marks: number
  isMarked: boolean
}

/**
 * Sets how a customer marked a program of the listings. Throws 404 for a program that is not listed, and 409 for a reminder of one that has started,
 * for one that has ended and for more than 200 marks.
 */
export async function markProgram(
  db: Db,
  userId: number,
  channelId: number,
  startsAt: Instant,
  wanted: Wanted,
): Promise<Wanted> {
  await inTransaction(db, async (tx) => {
    // Marks of programs that have ended are of no use.
    await tx.execute(sql`DELETE FROM program_marks WHERE user_id = ${userId} AND ends_at < now() - interval '1 day'`)
    const { rows } = await tx.execute<Listed>(sql`
      SELECT p.ends_at + ${shift} AS "endsAt", p.title, ${startsAt}::timestamptz <= now() AS "hasStarted", p.ends_at + ${shift} <= now() AS "hasEnded",
        (SELECT count(*)::int FROM program_marks WHERE user_id = ${userId}) AS marks,
        EXISTS (SELECT FROM program_marks WHERE user_id = ${userId} AND channel_id = ${channelId} AND starts_at = ${startsAt}::timestamptz) AS "isMarked"
      FROM channel_guides g JOIN channels c ON c.id = g.channel_id AND NOT c.hidden
      JOIN guide_programs p ON p.guide_channel_id = g.guide_channel_id AND p.starts_at = ${startsAt}::timestamptz - ${shift}
      WHERE g.channel_id = ${channelId}`)
    const program = rows[0] ?? notFound('This program is not in the listings')
    if (program.hasEnded) return conflict('program_ended', 'This program has ended.')
    if (wanted.reminder && program.hasStarted && !program.isMarked)
      return conflict('program_started', 'This program has already started.')
    if (!program.isMarked && program.marks >= marksMost)
      return conflict('too_many_marks', `You can mark ${marksMost} programs. Remove some to mark more.`)
    await tx.execute(
      wanted.onWatchlist || wanted.reminder
        ? sql`INSERT INTO program_marks AS m (user_id, channel_id, starts_at, ends_at, title, on_watchlist, reminder)
            VALUES (${userId}, ${channelId}, ${startsAt}, ${program.endsAt}, ${program.title}, ${wanted.onWatchlist}, ${wanted.reminder})
            ON CONFLICT (user_id, channel_id, starts_at) DO UPDATE
            SET ends_at = excluded.ends_at, title = excluded.title, on_watchlist = excluded.on_watchlist, reminder = excluded.reminder`
        : deleteMark(userId, channelId, startsAt),
    )
    await changed(tx, 'program_mark', { user: userId })
  })
  return wanted
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
