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
    return bytes(segmentOf(Number(n)))(response, request)
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
