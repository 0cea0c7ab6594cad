import type { ServerResponse } from 'node:http'
import { bytes, type StreamMode, transport } from './fake-streams.ts'

/** What a panel does when a line has no connection left: it closes the oldest one, refuses, or refuses and also counts closed ones for a while. */
export type FullLineBehavior = 'closes_oldest' | 'refuses' | 'lags'
export type CountedChannel = {
  mode: StreamMode
  /** The most connections that one line had or asked for at the same time. */
  most: () => number
  /** How often a line asked for more than its connections. */
  over: () => number
  open: () => number
  requests: () => number
}

/** A transport stream that counts the connections of each line. With `lags`, a closed connection counts `lagMs` longer. */
export function countedChannel(manner: FullLineBehavior, connections: number, { lagMs = 30_000 } = {}): CountedChannel {
  const lines = new Map<string, { open: Set<ServerResponse>; closing: number }>()
  const send = transport({ burst: 4 })
  const seen = { most: 0, over: 0, requests: 0 }
  return {
    mode: (response, request) => {
      const name = /\/live\/([^/]+)\//.exec(request.url ?? '')?.[1] ?? ''
      const line = lines.get(name) ?? { open: new Set(), closing: 0 }
      lines.set(name, line)
      seen.requests++
      seen.most = Math.max(seen.most, line.open.size + 1)
      if (line.open.size >= connections) seen.over++
      if (line.open.size + line.closing >= connections) {
        if (manner !== 'closes_oldest') return bytes('<html>Limit</html>', 'text/html', 403)(response, request)
        const [oldest] = line.open
        line.open.delete(oldest!)
        oldest?.destroy()
      }
      line.open.add(response)
      response.on('close', () => {
        if (!line.open.delete(response) || manner !== 'lags') return
        line.closing++
        setTimeout(() => line.closing--, lagMs).unref()
      })
      send(response, request)
    },
    most: () => seen.most,
    over: () => seen.over,
    open: () => [...lines.values()].reduce((sum, { open }) => sum + open.size, 0),
    requests: () => seen.requests,
  }
}
