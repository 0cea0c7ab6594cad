import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Output } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { plays } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import type { getPlay as endpoint } from '../../contract.ts'
import type { Reason } from '../../rules.ts'

/** Returns whether a play of a customer is still running, or why it ended. Throws 404 for a play of another customer. */
export async function getPlay(db: Db, userId: number, id: string): Promise<Output<typeof endpoint>> {
  const [play] = await db
    .select({
      generation: plays.generation,
      endedAt: plays.endedAt,
      why: plays.why,
      takenBy: plays.takenBy,
      tab: plays.tab,
    })
    .from(plays)
    .where(and(eq(plays.id, id), eq(plays.userId, userId)))
  return play ? { ...play, why: play.why as Reason | null } : notFound('Play not found')
}

/** Returns the channel of an open play of this customer on the caller's device, which `isHere` selects. Throws 404 for any other play. */
export async function channelOfPlay(
  db: Db,
  { id, userId }: { id: string; userId: number },
  isHere: SQL,
): Promise<number> {
  // `isHere` is not in the condition, because PostgreSQL could then read all open plays from their partial index.
  const [play] = await db
    .select({ channelId: plays.channelId, isOpenHere: sql<boolean>`${isHere} and ${plays.endedAt} is null` })
    .from(plays)
    .where(and(eq(plays.id, id), eq(plays.userId, userId)))
  return play?.isOpenHere ? play.channelId : notFound('Play not found')
}
