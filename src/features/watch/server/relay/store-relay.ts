import { and, eq, isNull, sql } from 'drizzle-orm'
import { plays } from '#server/db/tables.ts'
import { portOnThisMachine, relayName } from './inner-server.ts'
import type { Play, RelayContext } from './play.ts'

type Channel = Pick<Play, 'id' | 'generation'>

/**
 * Stores that this process opens the stream of a play and cuts it into segments, so that other processes on the machine can forward requests to it, and all
 * processes can close the stream. `relay`: the process that is stored now and has ended. Returns false if the play has ended or changed its channel, or another
 * process was faster; then the stream must not be requested from the panel.
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

/** Stores that this process has no connection for the stream of a play, because it is HLS, could not be opened, or is opened by another host. */
export async function clearRelay(context: RelayContext, { id, generation }: Channel): Promise<void> {
  const isOwn = eq(plays.relay, await relayName(context))
  await context.db
    .update(plays)
    .set({ relay: null })
    .where(and(eq(plays.id, id), eq(plays.generation, generation), isOwn))
}

/**
 * Returns the port of the other process on this machine that cuts the stream of a play; undefined if no process, this process or one on another machine cuts
 * it.
 */
export async function ownerOf(context: RelayContext, { relay }: { relay: string | null }): Promise<number | undefined> {
  return relay === null || relay === (await relayName(context)) ? undefined : portOnThisMachine(relay)
}
