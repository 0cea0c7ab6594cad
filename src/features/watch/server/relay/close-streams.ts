import { EventEmitter, once } from 'node:events'
import { notifyStreams, type StreamsToClose } from '#server/live/notify.ts'
import { forwardToProcess } from '#server/outbound/forward.ts'
import type { PlayToStart } from '../plays/open-play.ts'
import { portOnThisMachine, relayName } from './inner-server.ts'
import type { Play, RelayContext } from './play.ts'
import { relayOf } from './relay.ts'
import type { Traffic } from './traffic.ts'
import { warnOf } from './warn-of.ts'

/** How long to wait for the other process, in milliseconds. A process that does not answer has ended, or closes its streams when it next reads the table. */
const timeoutMs = 1_500
const stopPath = /^\/stop\/([0-9a-f-]{36})\/(\d{1,10})$/
/** Greater than every generation of a play. */
const everyGeneration = 2 ** 31 - 1
/** Emits the key of streams that a process on another machine has closed. */
const closed = new EventEmitter().setMaxListeners(0)
const keyOf = ({ playId, before }: StreamsToClose): string => `${playId} ${before}`

/**
 * Closes streams that this or another process still opens or cuts into segments. Call it before another stream is requested from the panel, because the line
 * may have no free connection. Of `play` itself, only streams of earlier generations are closed. A process on this machine gets the request on the loopback
 * address, a process on another machine through the database.
 */
export async function closeStreams(
  context: RelayContext,
  traffic: Traffic,
  closing: PlayToStart['closing'],
  play: Pick<Play, 'id' | 'generation'>,
): Promise<void> {
  const own = await relayName(context)
  await Promise.all(
    closing.map(async ({ id, relay }) => {
      const before = id === play.id ? play.generation : everyGeneration
      traffic.stop(id, before)
      if (relay === own) return
      const port = portOnThisMachine(relay)
      if (port === undefined) return closeElsewhere(context, { playId: id, before, relay })
      const response = await forwardToProcess(port, `/stop/${id}/${before}`, AbortSignal.timeout(timeoutMs))
      response?.body.resume()
    }),
  )
}

async function closeElsewhere({ db }: RelayContext, streams: StreamsToClose): Promise<void> {
  const answer = once(closed, keyOf(streams), { signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined)
  await notifyStreams(db, streams)
  await answer
}

/** Closes the streams of a play if another process requested that with this path. Returns whether it did. */
export function stopForProcess(path: string, traffic: Traffic): boolean {
  const [, id, before] = stopPath.exec(path) ?? []
  if (id === undefined) return false
  traffic.stop(id, Number(before))
  return true
}

/** Returns the handler for the notifications of `notifyStreams`. It closes streams of this process and answers, or receives the answer of another process. */
export function streamCloser(context: RelayContext): (streams: StreamsToClose) => void {
  const close = async ({ relay, ...streams }: StreamsToClose) => {
    if (relay !== (await relayName(context))) return
    relayOf(context).traffic.stop(streams.playId, streams.before)
    await notifyStreams(context.db, streams)
  }
  const notAnswered = warnOf(context.log, 'another host could not be notified that its stream was closed')
  return (streams) => {
    if (streams.relay === undefined) closed.emit(keyOf(streams))
    else void close(streams).catch(notAnswered)
  }
}
