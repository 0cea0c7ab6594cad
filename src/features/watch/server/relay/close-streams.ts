import { forwardToProcess } from '#server/outbound/forward.ts'
import type { Opened } from '../plays/open-play.ts'
import type { Play, RelayContext } from './play.ts'
import { ownerOf } from './store-relay.ts'
import type { Traffic } from './traffic.ts'

/** How long to wait for the other process. One that does not answer has ended, or closes its streams when it next reads the table. */
const timeoutMs = 1_500
const stopPath = /^\/stop\/([0-9a-f-]{36})\/(\d{1,10})$/
/** Later than every generation of a play. */
const everyGeneration = 2 ** 31

/**
 * Closes streams that this or another process of the machine still opens or cuts into segments. Call it before another stream is requested from the panel,
 * because the line may have no free connection. Of `play` itself, only streams of earlier generations are closed.
 */
export async function closeStreams(
  context: RelayContext,
  traffic: Traffic,
  closing: Opened['closing'],
  play: Pick<Play, 'id' | 'generation'>,
): Promise<void> {
  await Promise.all(
    closing.map(async ({ id, relay }) => {
      const before = id === play.id ? play.generation : everyGeneration
      traffic.stop(id, before)
      const port = await ownerOf(context, { relay })
      if (port === undefined) return
      const response = await forwardToProcess(port, `/stop/${id}/${before}`, AbortSignal.timeout(timeoutMs))
      response?.body.resume()
    }),
  )
}

/** Closes the streams of a play if the request of another process is for that. Returns whether it is. */
export function stopForProcess(path: string, traffic: Traffic): boolean {
  const [, id, before] = stopPath.exec(path) ?? []
  if (id === undefined) return false
  traffic.stop(id, Number(before))
  return true
}
