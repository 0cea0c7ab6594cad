import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { plays } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import type { Reason } from '../../rules.ts'

type OpenPlay = {
  id: string
  /** Ends the play only if it belongs to this customer. */
  userId?: number
  /** Ends the play only if it still has this generation. */
  generation?: number
  /** Ends the play only if this device is playing it. */
  deviceId?: string
}

/** Ends an open play. Returns the play, or undefined if there is no such open play. A play that has already ended keeps its reason. */
export async function endOpenPlay(
  tx: Tx,
  { id, userId, generation, deviceId }: OpenPlay,
  why: Reason,
): Promise<{ userId: number; device: string } | undefined> {
  const [play] = await tx.select().from(plays).where(eq(plays.id, id)).for('no key update')
  // These are not conditions of the UPDATE, because PostgreSQL could then read all open plays from their partial index.
  if (!play || play.endedAt !== null) return undefined
  if (userId !== undefined && play.userId !== userId) return undefined
  if (generation !== undefined && play.generation !== generation) return undefined
  if (deviceId !== undefined && play.deviceId !== deviceId) return undefined
  await tx.update(plays).set({ endedAt: sql`now()`, why }).where(eq(plays.id, id))
  await changed(tx, 'play', { user: play.userId })
  return play
}

/** Ends an open play of a customer in a transaction of its own. Returns whether there was one. */
export const endPlay = (db: Db, play: OpenPlay & { userId: number }, why: Reason): Promise<boolean> =>
  inTransaction(db, async (tx) => (await endOpenPlay(tx, play, why)) !== undefined)

/** Ends the open play of a device, for example when it is removed. */
export async function endPlaysOfDevice(tx: Tx, deviceId: string, why: Reason): Promise<void> {
  await tx
    .update(plays)
    .set({ endedAt: sql`now()`, why })
    .where(and(eq(plays.deviceId, deviceId), isNull(plays.endedAt)))
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
