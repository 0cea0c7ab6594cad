import { and, eq } from 'drizzle-orm'
import { plays } from '#server/db/tables.ts'
import { portOnThisMachine, relayName } from './inner-server.ts'
import type { Play, RelayContext } from './play.ts'

type Channel = Pick<Play, 'id' | 'generation'>

/** Stores that this process cuts the stream of a play into segments, so that other processes of the machine forward requests to it. */
export const storeRelay = async (context: RelayContext, play: Channel): Promise<void> =>
  setRelay(context, play, await relayName(context))

/** Stores that no process cuts the stream of a play: it is HLS, or could not be opened. */
export const clearRelay = (context: RelayContext, play: Channel): Promise<void> => setRelay(context, play, null)

async function setRelay({ db }: RelayContext, { id, generation }: Channel, relay: string | null): Promise<void> {
  await db
    .update(plays)
    .set({ relay })
    .where(and(eq(plays.id, id), eq(plays.generation, generation)))
}

/** The port of another process of this machine that cuts the stream of a play; undefined if it is this process or another machine. */
export async function ownerOf(context: RelayContext, { relay }: { relay: string | null }): Promise<number | undefined> {
  return relay === null || relay === (await relayName(context)) ? undefined : portOnThisMachine(relay)
}
