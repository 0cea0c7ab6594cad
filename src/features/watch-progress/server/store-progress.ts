import { sql } from 'drizzle-orm'
import { offeredStream, recordingAt } from '#features/watch/server/plays/offered-stream.ts'
import { refuse } from '#features/watch/server/plays/refuse.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { isDone, jumpMs, maxProgress, type ProgressKind, parseProgressRef, storeSeconds } from '../rules.ts'
import { keepsHistory, lockProgress } from './history.ts'

type Watcher = { userId: number; country: string | null }
export type Progress = { kind: ProgressKind; ref: string }
/** A row of `watch_progress`. */
type Row = Progress & { userId: number; positionMs: number; lengthMs: number }

/**
 * Stores how far a customer watched a program in the archive. `positionMs` counts from the start of the program; a position after the end counts as the end.
 * The length comes from the guide. Returns false if the customer's watch history is off, or if another position in the program was just stored. Throws the same
 * errors as opening the recording: 404 for a channel or a program that is not offered, and 403 if the channel is not licensed in this country. The open pages
 * of the customer are notified only if the list of programs changes, not of every position.
 */
export const storeProgress = (db: Db, { userId, country }: Watcher, { kind, ref }: Progress, positionMs: number) =>
  inTransaction(db, async (tx) => {
    const { channelId, startsAt } = parseProgressRef(ref) ?? notFound('There is no such program')
    await lockProgress(tx, userId)
    if (!(await keepsHistory(tx, userId))) return false
    const program = await recordingAt(tx, channelId, startsAt, await offeredStream(tx, channelId, country))
    if (program.startsAt !== startsAt) return refuse('archive_missing')
    const lengthMs = Date.parse(program.endsAt) - Date.parse(startsAt)
    const row: Row = { userId, kind, ref, lengthMs, positionMs: Math.min(positionMs, lengthMs) }
    const stored = await upsert(tx, row)
    if (!stored) return false
    const isNew = stored.wasDone === null
    if (isNew) await deleteOldest(tx, row)
    if (isNew || stored.wasDone !== stored.done) await changed(tx, 'watch_progress', { user: userId })
    return true
  })

/** Returns undefined if the position was ignored. `wasDone` is null for a new row. */
async function upsert(tx: Tx, { userId, kind, ref, positionMs, lengthMs }: Row) {
  const done = isDone(positionMs, lengthMs)
  // A subquery in RETURNING reads the row as it was before the statement.
  const { rows } = await tx.execute<{ done: boolean; wasDone: boolean | null }>(sql`
    INSERT INTO watch_progress AS w (user_id, kind, ref, position_ms, length_ms, done)
    VALUES (${userId}, ${kind}, ${ref}, ${positionMs}, ${lengthMs}, ${done})
    ON CONFLICT (user_id, kind, ref) DO UPDATE
      SET position_ms = excluded.position_ms, length_ms = excluded.length_ms, done = excluded.done, seen_at = excluded.seen_at
      WHERE w.seen_at <= now() - ${storeSeconds}::int * interval '1 second' OR abs(w.position_ms - excluded.position_ms) > ${jumpMs}
    RETURNING w.done, (SELECT o.done FROM watch_progress o
      WHERE o.user_id = w.user_id AND o.kind = w.kind AND o.ref = w.ref) AS "wasDone"`)
  return rows[0]
}

/** Deletes all but `maxProgress` rows of a customer. Keeps the new row and the most recently watched ones. */
async function deleteOldest(tx: Tx, { userId, kind, ref }: Row): Promise<void> {
  await tx.execute(sql`
    DELETE FROM watch_progress WHERE user_id = ${userId} AND (kind, ref) IN (
      SELECT kind, ref FROM watch_progress WHERE user_id = ${userId} AND (kind, ref) <> (${kind}, ${ref})
      ORDER BY seen_at DESC, kind, ref OFFSET ${maxProgress - 1})`)
}
