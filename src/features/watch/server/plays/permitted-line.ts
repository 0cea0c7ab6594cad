import type { Reason } from '../../rules.ts'
import type { RelayContext } from '../relay/play.ts'
import type { Relay } from '../relay/relay.ts'
import { type LineToWatch, lineToWatch } from './line-to-watch.ts'
import { type PlayState, whyToEnd } from './play-state.ts'

/** Returns the line and the stream of an open play if the play may continue. Otherwise ends the play and returns the reason. */
export async function permittedLine(
  relay: Relay,
  { db, config }: Pick<RelayContext, 'db' | 'config'>,
  state: PlayState,
): Promise<{ line: LineToWatch; stream: string } | { why: Reason }> {
  const blocked = whyToEnd(state)
  const watching = await lineToWatch(db, config, state)
  if (!blocked && 'line' in watching && state.stream !== null) return { line: watching.line, stream: state.stream }
  const why = blocked ?? ('blocked' in watching ? watching.blocked : 'not_licensed')
  await relay.end(state, why)
  return { why }
}
