import { and, eq } from 'drizzle-orm'
import { plays } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { permittedLine } from '../plays/permitted-line.ts'
import type { RelayContext } from '../relay/play.ts'
import { relayOf } from '../relay/relay.ts'
import { containsSecret } from './find-credentials.ts'

type Heartbeat = { playId: string; generation: number; relayed?: boolean | undefined; loaded?: string[] | undefined }
type Viewer = { userId: number; deviceId: string | undefined; ip: string }
const ended = () => notFound('This play has ended')

/**
 * Handles the heartbeat of a play whose stream the page loads from the panel: makes the same checks as for a request to the relay, and records that the play is
 * running. `relayed`: the page could not load the stream and continues through this site. `loaded`: what the page loaded last. In the result, `direct` is false
 * if `loaded` contains the username or the password of the line; then the page must continue through this site. Throws 404 if the play has ended, changed its
 * channel, or must end now.
 */
export async function keepAlive(
  context: RelayContext,
  { userId, deviceId, ip }: Viewer,
  { playId, generation, relayed = false, loaded = [] }: Heartbeat,
): Promise<{ alive: true; direct: boolean }> {
  const relay = relayOf(context)
  const state = await relay.traffic.state(playId, generation)
  if (!state || state.userId !== userId || state.generation !== generation || state.endedAt !== null) return ended()
  if (deviceId !== undefined && state.deviceId !== deviceId) return ended()
  const permitted = await permittedLine(relay, context, state)
  if ('why' in permitted) return ended()
  if (relay.traffic.isShared(playId, ip)) {
    await relay.end(state, 'shared_address')
    return ended()
  }
  relay.traffic.recordAlive(playId)
  const { line } = permitted
  const direct = !containsSecret(loaded.join('\n'), [line.username, line.password()])
  if (relayed || !direct)
    await context.db
      .update(plays)
      .set({ direct: direct ? 'browser' : 'credentials' })
      .where(and(eq(plays.id, playId), eq(plays.generation, generation), eq(plays.direct, 'direct')))
  return { alive: true, direct }
}
