import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'

/** Answers one request for a stream, a playlist or a segment. */
export type StreamMode = (response: ServerResponse, request: IncomingMessage) => void
export type FakeStreams = {
  /**
   * Responses by stream id, with `.ts` appended for transport streams and recordings. Otherwise `news` and `direct` are live channels, and other ids get 404.
   */
  modes: Record<string, StreamMode>
  /** Responses of the load balancer by path, which replace the usual ones. */
  files: Record<string, StreamMode>
  /** Paths that were requested, on the panel and on the load balancer. */
  requests: string[]
  /** The number of responses that are still open on both servers. */
  open: () => number
  /** The URL of the load balancer. */
  balancer: string
  /** Makes all tokens of the load balancer invalid, as its restart would. */
  forgetTokens: () => void
  answer: (request: IncomingMessage, response: ServerResponse) => void
}

const folder = join(import.meta.dirname, '../stream')
const parts = Array.from({ length: 6 }, (_, n) => readFileSync(join(folder, `part-${n}.mpegts`)))
/** Returns the `n`th segment of the test stream, which repeats. */
export const segmentOf = (n: number): Buffer => parts[n % parts.length]!
const segmentMs = 2_000
const tokenMs = 5_000
const windowLength = 6
const playlistType = 'application/vnd.apple.mpegurl'

/** Sends a playlist. */
export const playlist =
  (...lines: string[]): StreamMode =>
  (response) =>
    response.writeHead(200, { 'content-type': playlistType }).end(`${lines.join('\n')}\n`)
/** Sends bytes. */
export const bytes =
  (body: Buffer | string, type = 'video/mp2t', status = 200): StreamMode =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body)
/**
 * Sends the test stream again and again, as a panel sends a transport stream: the first `burst` seconds immediately, the rest in real time. It ends after
 * `seconds`.
 */
export const transport =
  ({ burst = 4, seconds = Number.POSITIVE_INFINITY }: { burst?: number; seconds?: number } = {}): StreamMode =>
  (response) => {
    response.writeHead(200, { 'content-type': 'video/mp2t' })
    const startedAt = Date.now()
    let sent = 0
    const send = () => {
      while (sent < seconds && sent * 1000 < Date.now() - startedAt + burst * 1000) {
        response.write(segmentOf(sent / 2))
        sent += 2
      }
      if (sent < seconds) return
      clearInterval(timer)
      response.end()
    }
    const timer = setInterval(send, 100)
    response.on('close', () => clearInterval(timer))
    send()
  }
/** Redirects. */
export const redirect =
  (location: string): StreamMode =>
  (response) =>
    response.writeHead(302, { location }).end()

/** Returns the lines of a live playlist with six segments. `prefix` is the base URL of the segments, which on real panels contains the credentials. */
export function liveWindow(prefix: string, now = Date.now()): string[] {
  const first = Math.floor(now / segmentMs) - windowLength
  const segments = Array.from({ length: windowLength }, (_, n) => first + n)
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    '#EXT-X-TARGETDURATION:2',
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${Math.floor((first - 1) / parts.length)}`,
    ...segments.flatMap((n) => [
      ...(n % parts.length === 0 ? ['#EXT-X-DISCONTINUITY'] : []),
      '#EXTINF:2.000000,News http://line:secret@panel.example/',
      `${prefix}/${n}.ts`,
    ]),
  ]
}

/**
 * Creates the streams of the fake panel and their load balancer. `/live/U/P/news.m3u8` redirects to a token that must be used within 5 s and may then be
 * polled; `/live/U/P/direct.m3u8` is the playlist itself. Lines `line.1`, `line.2` … and `unsaid.1` … with this password may watch. As with lines, the stream
 * id up to a dot selects the behavior.
 */
export function fakeStreams(password: string): FakeStreams & { balancerServer: Server } {
  const tokens = new Map<string, { own: string; issuedAt: number; isUsed: boolean }>()
  const isOwn = (user: string, typed: string) =>
    /^(line|unsaid)(\.\d+)?$/.test(user) && decodeURIComponent(typed) === password
  let open = 0
  const track = (request: IncomingMessage, response: ServerResponse) => {
    open++
    streams.requests.push(request.url ?? '')
    response.on('close', () => open--).on('error', () => undefined)
  }
  const balance = (request: IncomingMessage, response: ServerResponse) => {
    track(request, response)
    const path = request.url ?? ''
    const file = streams.files[path]
    if (file) return file(response, request)
    const token = tokens.get(path.replace('/auth/', ''))
    if (token && (token.isUsed || Date.now() - token.issuedAt < tokenMs)) {
      token.isUsed = true
      return playlist(...liveWindow(`/hls/${token.own}`))(response, request)
    }
    const [, user = '', typed = '', n] = /^\/hls\/([^/]+)\/([^/]+)\/(\d+)\.ts$/.exec(path) ?? []
    return isOwn(user, typed)
      ? bytes(segmentOf(Number(n)))(response, request)
      : bytes('<html>No</html>', 'text/html', 403)(response, request)
  }
  const streams: FakeStreams & { balancerServer: Server } = {
    modes: {},
    files: {},
    requests: [],
    open: () => open,
    balancer: '',
    forgetTokens: () => tokens.clear(),
    balancerServer: createServer(balance),
    answer: (request, response) => {
      track(request, response)
      const { pathname } = new URL(request.url ?? '', 'http://panel')
      const [, user = '', typed = '', id = '', extension] =
        /\/(?:live|timeshift)\/([^/]+)\/([^/]+)\/(?:\d+\/[^/]+\/)?(\w+)[^/]*\.(m3u8|ts)$/.exec(pathname) ?? []
      if (!isOwn(user, typed)) return bytes('<html>Invalid</html>', 'text/html', 403)(response, request)
      const own = `${user}/${typed}`
      const mode = streams.modes[extension === 'ts' ? `${id}.ts` : id]
      if (mode) return mode(response, request)
      if (id === 'direct') return playlist(...liveWindow(`${streams.balancer}/hls/${own}`))(response, request)
      if (id !== 'news' || extension === 'ts') return bytes('<html>Missing</html>', 'text/html', 404)(response, request)
      const token = randomBytes(8).toString('hex')
      tokens.set(token, { own, issuedAt: Date.now(), isUsed: false })
      return redirect(`${streams.balancer}/auth/${token}`)(response, request)
    },
  }
  return streams
}
