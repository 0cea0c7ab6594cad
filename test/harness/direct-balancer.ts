// A load balancer of a panel with https, from which browsers may load streams themselves.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { localCertificate } from './certificate.ts'
import { bytes, liveWindow, playlist, type StreamMode, segmentOf } from './fake-streams.ts'

export type DirectBalancer = {
  /** The address, such as `https://127.0.0.1:41234`, and its host with the port. */
  url: string
  host: string
  /** The certificate, in PEM. Processes trust it through NODE_EXTRA_CA_CERTS. */
  cert: string
  /** The header Access-Control-Allow-Origin of its answers, by the beginning of their path; undefined for none. `/` concerns all others. */
  allows: Record<string, string | undefined>
  /** Access-Control-Allow-Headers in the answers to OPTIONS. */
  allowsHeaders: string | undefined
  /** The title of the segments in its playlists. */
  title: string
  /** How many bytes of a segment a browser gets each second; undefined for all at once. This site gets them at once, as if it had a better way there. */
  bytesPerSecond: number | undefined
  /** How many bytes each segment has at least. The test stream needs only 140 kbit/s. */
  segmentBytes: number
  /** Answers by path, instead of its own. */
  files: Record<string, StreamMode>
  /** What was requested: the method, the path and the origin. */
  requests: { method: string; path: string; origin: string | undefined; agent: string }[]
  /** Redirects to a playlist with a new token, which refers to segments with that token. */
  redirect: StreamMode
  /** Makes all tokens invalid, as a restart does. */
  forgetTokens: () => void
  close: () => Promise<void>
}

/** A packet of a transport stream that players ignore. */
const nullPacket = Buffer.alloc(188, 0xff)
nullPacket.set([0x47, 0x1f, 0xff, 0x10])
/** A segment with such packets at its end, until it has this length. */
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
  /** With the title of this load balancer, instead of the address of another host. */
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
