import { and, eq } from 'drizzle-orm'
import { plays } from '#server/db/tables.ts'
import { portOnThisMachine, relayName } from './inner-server.ts'
import type { Play, RelayContext } from './play.ts'

/** Stores that this process cuts the stream of a play into segments, so that other processes of the machine forward requests to it. */
export async function storeRelay(
  context: RelayContext,
  { id, generation }: Pick<Play, 'id' | 'generation'>,
): Promise<void> {
  await context.db
    .update(plays)
    .set({ relay: await relayName(context) })
    .where(and(eq(plays.id, id), eq(plays.generation, generation)))
}

/** The port of another process of this machine that cuts the stream of a play; undefined if it is this process or another machine. */
export async function ownerOf(context: RelayContext, { relay }: { relay: string | null }): Promise<number | undefined> {
  return relay === null || relay === (await relayName(context)) ? undefined : portOnThisMachine(relay)
}
