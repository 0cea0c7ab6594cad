import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Output } from '#kit/endpoint.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { plays } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import type { getPlay as endpoint } from '../../contract.ts'
import type { Reason } from '../../rules.ts'

/** Ends a play for a reason. Returns whether it did. A play that has already ended keeps its reason. `generation`: only if the play is still on that channel; `deviceId`: only if this device plays it. */
export async function endPlay(
  db: Db,
  { id, userId, generation, deviceId }: { id: string; userId: number; generation?: number; deviceId?: string },
  why: Reason,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [play] = await tx
      .select({ generation: plays.generation, endedAt: plays.endedAt, deviceId: plays.deviceId })
      .from(plays)
      .where(and(eq(plays.id, id), eq(plays.userId, userId)))
      .for('no key update')
    if (deviceId !== undefined && play?.deviceId !== deviceId) return false
    if (!play || play.endedAt !== null || (generation !== undefined && play.generation !== generation)) return false
    await tx.update(plays).set({ endedAt: sql`now()`, why }).where(eq(plays.id, id))
    await changed(tx, 'play', { user: userId })
    return true
  })
}

/** Ends the open play of a device that is removed. */
export async function endPlaysOfDevice(tx: Tx, deviceId: string, why: Reason): Promise<void> {
  await tx
    .update(plays)
    .set({ endedAt: sql`now()`, why })
    .where(and(eq(plays.deviceId, deviceId), isNull(plays.endedAt)))
}

/** Whether a customer's play still runs, and why it ended. Throws 404 for a play of another customer. */
export async function getPlay(db: Db, userId: number, id: string): Promise<Output<typeof endpoint>> {
  const [play] = await db
    .select({ endedAt: plays.endedAt, why: plays.why, takenBy: plays.takenBy })
    .from(plays)
    .where(and(eq(plays.id, id), eq(plays.userId, userId)))
  return play ? { ...play, why: play.why as Reason | null } : notFound('Play not found')
}

/** The channel of an open play of this customer among those that `isHere` selects. Throws 404 for any other play. */
export async function channelOfPlay(
  db: Db,
  { id, userId }: { id: string; userId: number },
  isHere: SQL,
): Promise<number> {
  // Not in the condition: PostgreSQL could then read all open plays from their partial index.
  const [play] = await db
    .select({ channelId: plays.channelId, isOpenHere: sql<boolean>`${isHere} and ${plays.endedAt} is null` })
    .from(plays)
    .where(and(eq(plays.id, id), eq(plays.userId, userId)))
  return play?.isOpenHere ? play.channelId : notFound('Play not found')
}

/** Ends plays that made no request for an hour, and deletes those that are older than `limits.relay.keptDays`. Returns how many were deleted. */
export async function removeOldPlays(db: Db): Promise<number> {
  await db
    .update(plays)
    .set({ endedAt: sql`${plays.seenAt}`, why: 'closed' })
    .where(and(isNull(plays.endedAt), sql`${plays.seenAt} < now() - interval '1 hour'`))
  const old = sql`${plays.seenAt} < now() - make_interval(days => ${limits.relay.keptDays})`
  return (await db.delete(plays).where(old)).rowCount ?? 0
}
