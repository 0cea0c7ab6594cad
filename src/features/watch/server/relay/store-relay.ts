import { and, eq, isNull, sql } from 'drizzle-orm'
import { plays } from '#server/db/tables.ts'
import { portOnThisMachine, relayName } from './inner-server.ts'
import type { Play, RelayContext } from './play.ts'

type Channel = Pick<Play, 'id' | 'generation'>

/**
 * Stores that this process opens the stream of a play and cuts it into segments, so that other processes of the machine forward requests to it, and all
 * can close it. `relay`: the process that was stored last, which has ended. Returns false if the play has ended or changed its channel, or another process
 * was faster: the panel must not be asked then.
 */
export async function claimStream(
  context: RelayContext,
  { id, generation }: Channel,
  { relay }: { relay: string | null },
): Promise<boolean> {
  const own = await relayName(context)
  const isFree = sql`(${plays.relay} is not distinct from ${relay} or ${plays.relay} = ${own})`
  const { rowCount } = await context.db
    .update(plays)
    .set({ relay: own })
    .where(and(eq(plays.id, id), eq(plays.generation, generation), isNull(plays.endedAt), isFree))
  return rowCount === 1
}

/** Stores that this process keeps no connection for the stream of a play: it is HLS, could not be opened, or another host opens it. */
export async function clearRelay(context: RelayContext, { id, generation }: Channel): Promise<void> {
  const isOwn = eq(plays.relay, await relayName(context))
  await context.db
    .update(plays)
    .set({ relay: null })
    .where(and(eq(plays.id, id), eq(plays.generation, generation), isOwn))
}

/** The port of another process of this machine that cuts the stream of a play; undefined if it is this process or another machine. */
export async function ownerOf(context: RelayContext, { relay }: { relay: string | null }): Promise<number | undefined> {
  return relay === null || relay === (await relayName(context)) ? undefined : portOnThisMachine(relay)
}
