import type { IncomingMessage, ServerResponse } from 'node:http'
import { bytes, type FakeStreams, liveWindow, playlist, redirect, type StreamMode, transport } from './fake-streams.ts'

/** What a panel does when a line has no connection left: it closes the oldest one, refuses, or refuses and also counts closed ones for a while. */
export type FullLineBehavior = 'closes_oldest' | 'refuses' | 'lags'
export type CountedChannel = {
  /** Sends the transport stream. */
  mode: StreamMode
  /** Redirects to the HLS playlist, which occupies a new connection. The connection counts for a while after each request for that playlist. */
  playlist: StreamMode
  /** The maximum number of transport streams that one line had open or requested at the same time. */
  most: () => number
  /** How often a line requested more streams than it has connections. */
  over: () => number
  open: () => number
  /** How often a connection was requested. */
  requests: () => number
}
type Line = { open: Set<ServerResponse>; closing: number; hls: Map<string, number> }
type Options = {
  /** With `lags`: how long a closed transport stream still counts, in milliseconds. */
  lagMs?: number
  /** How long an HLS connection counts after a request for its playlist, in milliseconds. */
  hlsMs?: number
  /** How long the panel takes to send the transport stream, in milliseconds. The connection already counts from the request on. */
  answerMs?: number
  /** The streams of the panel, for HLS. */
  streams?: () => FakeStreams
}

let serial = 0
/** Creates a channel of a panel that counts the connections of each line. `connections` is the limit per line, `manner` what happens when it is exceeded. */
export function countedChannel(
  manner: FullLineBehavior,
  connections: number,
  { lagMs = 30_000, hlsMs = 30_000, answerMs = 0, streams }: Options = {},
): CountedChannel {
  const lines = new Map<string, Line>()
  const send = transport({ burst: 4 })
  const seen = { most: 0, over: 0, requests: 0 }
  const lineOf = (request: IncomingMessage) => {
    const [, user = '', typed = ''] = /\/live\/([^/]+)\/([^/]+)\//.exec(request.url ?? '') ?? []
    const line = lines.get(user) ?? { open: new Set(), closing: 0, hls: new Map() }
    lines.set(user, line)
    for (const [path, until] of line.hls) if (until < Date.now()) line.hls.delete(path)
    return { line, own: `${user}/${typed}` }
  }
  /** Counts a new connection. Returns whether the panel accepts it. */
  const accepts = (line: Line): boolean => {
    seen.requests++
    if (line.open.size + line.hls.size >= connections) seen.over++
    if (line.open.size + line.hls.size + line.closing < connections) return true
    if (manner !== 'closes_oldest') return false
    const [oldestPlaylist] = line.hls.keys()
    const [oldest] = line.open
    if (oldestPlaylist !== undefined) line.hls.delete(oldestPlaylist)
    else if (oldest) {
      line.open.delete(oldest)
      oldest.destroy()
    }
    return true
  }
  const refuse = bytes('<html>Limit</html>', 'text/html', 403)
  return {
    mode: (response, request) => {
      const { line } = lineOf(request)
      seen.most = Math.max(seen.most, line.open.size + 1)
      if (!accepts(line)) return refuse(response, request)
      line.open.add(response)
      response.on('close', () => {
        if (!line.open.delete(response) || manner !== 'lags') return
        line.closing++
        setTimeout(() => line.closing--, lagMs).unref()
      })
      if (answerMs === 0) send(response, request)
      else setTimeout(() => !response.destroyed && send(response, request), answerMs)
    },
    playlist: (response, request) => {
      const { line, own } = lineOf(request)
      if (!streams || !accepts(line)) return refuse(response, request)
      const { files, balancer } = streams()
      const path = `/counted/${++serial}.m3u8`
      const count = () => line.hls.set(path, Date.now() + hlsMs)
      count()
      files[path] = (...call) => {
        if ((line.hls.get(path) ?? 0) < Date.now()) return refuse(...call)
        count()
        playlist(...liveWindow(`${balancer}/hls/${own}`))(...call)
      }
      redirect(balancer + path)(response, request)
    },
    most: () => seen.most,
    over: () => seen.over,
    open: () => [...lines.values()].reduce((sum, { open }) => sum + open.size, 0),
    requests: () => seen.requests,
  }
}
