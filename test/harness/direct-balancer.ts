// A panel's load balancer with HTTPS, from which browsers may load streams directly.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { localCertificate } from './certificate.ts'
import { bytes, liveWindow, playlist, type StreamMode, segmentOf } from './fake-streams.ts'

export type DirectBalancer = {
  /** The URL, such as `https://127.0.0.1:41234`, and its host with the port. */
  url: string
  host: string
  /** The certificate, in PEM. Processes trust it through NODE_EXTRA_CA_CERTS. */
  cert: string
  /** The Access-Control-Allow-Origin header of responses, by the prefix of the path; undefined omits it. The longest prefix applies, `/` to all other paths. */
  allows: Record<string, string | undefined>
  /** The Access-Control-Allow-Headers header of responses to OPTIONS requests. */
  allowsHeaders: string | undefined
  /** The title of the segments in its playlists. */
  title: string
  /**
   * How many bytes of a segment a browser gets per second; undefined sends all immediately. The app always gets them immediately, as over a faster connection.
   */
  bytesPerSecond: number | undefined
  /** The minimum size of a segment in bytes. The test stream alone has only 140 kbit/s. */
  segmentBytes: number
  /** Responses by path, which replace the usual ones. */
  files: Record<string, StreamMode>
  /** All requests so far. `agent` is the User-Agent. */
  requests: { method: string; path: string; origin: string | undefined; agent: string }[]
  /** Redirects to a playlist whose URL has a new token. The URLs of its segments have the same token. */
  redirect: StreamMode
  /** Makes all tokens invalid, as a restart does. */
  forgetTokens: () => void
  close: () => Promise<void>
}

/** A transport stream packet that players ignore. */
const nullPacket = Buffer.alloc(188, 0xff)
nullPacket.set([0x47, 0x1f, 0xff, 0x10])
/** Returns a segment with null packets appended until it has at least `length` bytes. */
const padded = (segment: Buffer, length: number): Buffer =>
  Buffer.concat([
    segment,
    ...Array.from({ length: Math.max(0, Math.ceil((length - segment.length) / nullPacket.length)) }, () => nullPacket),
  ])

function sendSlowly(response: ServerResponse, body: Buffer, bytesPerSecond: number): void {
  let sent = 0
  const timer = setInterval(() => {
    const next = body.subarray(sent, sent + Math.ceil(bytesPerSecond / 10))
    sent += next.length
    response.write(next)
    if (sent < body.length) return
    clearInterval(timer)
    response.end()
  }, 100)
  response.on('close', () => clearInterval(timer))
}

/** Starts a load balancer that permits all origins. */
export async function startDirectBalancer({ key, cert } = localCertificate()): Promise<DirectBalancer> {
  const tokens = new Set<string>()
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    const { origin, 'user-agent': agent = '' } = request.headers
    balancer.requests.push({ method: request.method ?? '', path, origin, agent })
    response.on('error', () => undefined)
    const begins = Object.keys(balancer.allows).filter((each) => path.startsWith(each))
    const allowed = balancer.allows[begins.sort((a, b) => b.length - a.length)[0] ?? '/']
    if (allowed !== undefined) response.setHeader('access-control-allow-origin', allowed)
    if (request.method === 'OPTIONS') {
      if (balancer.allowsHeaders) response.setHeader('access-control-allow-headers', balancer.allowsHeaders)
      return response.writeHead(204).end()
    }
    const file = balancer.files[path]
    if (file) return file(response, request)
    const [, token = '', n] = /^\/(?:auth|seg)\/([0-9a-f]+)(?:\/(\d+)\.ts)?$/.exec(path) ?? []
    if (!tokens.has(token)) return bytes('<html>No</html>', 'text/html', 403)(response, request)
    if (n === undefined) return playlist(...liveWindow(`/seg/${token}`).map(withTitle))(response, request)
    const segment = padded(segmentOf(Number(n)), balancer.segmentBytes)
    const { bytesPerSecond } = balancer
    response.writeHead(200, { 'content-type': 'video/mp2t', 'content-length': String(segment.length) })
    return bytesPerSecond !== undefined && agent.includes('Mozilla')
      ? sendSlowly(response, segment, bytesPerSecond)
      : void response.end(segment)
  }
  /** Replaces the title of a segment, which contains the URL of another host, with the title of this load balancer. */
  const withTitle = (line: string): string => line.replace(/^(#EXTINF:[\d.]+,).*/, `$1${balancer.title}`)
  const server = createServer({ key, cert }, answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const balancer: DirectBalancer = {
    url: `https://${host}`,
    host,
    cert,
    allows: { '/': '*' },
    allowsHeaders: 'range',
    title: '',
    bytesPerSecond: undefined,
    segmentBytes: 0,
    files: {},
    requests: [],
    redirect: (response) => {
      const token = randomBytes(8).toString('hex')
      tokens.add(token)
      response.writeHead(302, { location: `${balancer.url}/auth/${token}` }).end()
    },
    forgetTokens: () => tokens.clear(),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return balancer
}
