import { and, eq } from 'drizzle-orm'
import { plays } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { permittedLine } from '../plays/permitted-line.ts'
import type { RelayContext } from '../relay/play.ts'
import { relayOf } from '../relay/relay.ts'

type Sign = { playId: string; generation: number; relayed?: boolean | undefined }
type Viewer = { userId: number; deviceId: string | undefined; ip: string }
const ended = () => notFound('This play has ended')

/**
 * Records that a play is running whose stream the page loads from the panel, after the checks that a request to the relay has. `relayed`: the page could
 * not load it, and continues through this site. Throws 404 if the play has ended, changed its channel, or must end now.
 */
export async function keepAlive(
  context: RelayContext,
  { userId, deviceId, ip }: Viewer,
  { playId, generation, relayed = false }: Sign,
): Promise<{ alive: true }> {
  const relay = relayOf(context)
  const state = await relay.traffic.state(playId, generation)
  if (!state || state.userId !== userId || state.generation !== generation || state.endedAt !== null) return ended()
  if (deviceId !== undefined && state.deviceId !== deviceId) return ended()
  if ('why' in (await permittedLine(relay, context, state))) return ended()
  if (relay.traffic.isShared(playId, ip)) {
    await relay.end(state, 'shared_address')
    return ended()
  }
  relay.traffic.recordAlive(playId)
  if (relayed)
    await context.db
      .update(plays)
      .set({ direct: 'browser' })
      .where(and(eq(plays.id, playId), eq(plays.generation, generation), eq(plays.direct, 'direct')))
  return { alive: true }
}
