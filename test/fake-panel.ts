import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** The password of every line on the panel. */
export const linePassword = 'pw of-a/line&+%41#7'
export const lineConnections = 3

export type FakePanel = {
  url: string
  /** Every call so far, as it came in. */
  calls: { address: URL; userAgent: string | undefined }[]
  /** How often somebody followed a redirect. */
  canaryHits: () => number
  /** As if the machine were gone; `start` brings it back at the same address. */
  stop: () => Promise<void>
  start: () => Promise<void>
  close: () => Promise<void>
}

type Mode = (response: ServerResponse, canary: string) => unknown

const json = (body: object | string, status = 200): Mode => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}
const html = (status: number): Mode => {
  return (response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<!DOCTYPE html><html><body>Sorry</body></html>')
}
const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds)
const line = (other: object = {}) => ({
  user_info: { auth: 1, status: 'Active', exp_date: inSeconds(86_400), max_connections: String(lineConnections), active_cons: '0', message: '', ...other },
})
const wrong = json({ user_info: { auth: 0, message: 'Invalid username or password' } })

/** More than anybody wants to hold, without end. */
const endless: Mode = (response) => {
  const chunk = Buffer.alloc(64 * 1024, ' ')
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.writeHead(200, { 'content-type': 'application/json' }).on('drain', more)
  more()
}
let bomb: Buffer | undefined
const gzipBomb: Mode = (response) => {
  bomb ??= gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb)
}
const byteASecond: Mode = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{')
  const timer = setInterval(() => response.write(' '), 1_000)
  response.on('close', () => clearInterval(timer))
}
const resetMidBody: Mode = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"user_info":{"auth":1,"status":"Active"')
  setTimeout(() => response.socket?.resetAndDestroy(), 20)
}

/** What the panel does is said by the username, up to a dot: `slow.17` is as slow as `slow`. Other names are unknown. */
const modes: Record<string, Mode> = {
  line: json(line()),
  unlimited: json(line({ max_connections: 999_999 })),
  unsaid: json(line({ max_connections: null })),
  disabled: json(line({ status: 'Disabled' })),
  banned: json(line({ status: 'Banned' })),
  expired: json(line({ exp_date: inSeconds(-60) })),
  waiting: json({ user_info: { auth: 0, message: 'Too many failed attempts. Try later.' } }),
  forbidden: json('', 403),
  missing: html(404),
  redirect: (response, canary) => response.writeHead(302, { location: canary }).end(),
  failing: html(500),
  badjson: json('{"user_info":{"auth":1'),
  proto: json('{"__proto__":{"user_info":{"auth":1,"status":"Active"}},"user_info":{"__proto__":{"auth":1,"status":"Active"}}}'),
  html: html(200),
  endless,
  bomb: gzipBomb,
  slow: byteASecond,
  reset: resetMidBody,
  silent: () => undefined,
}

/** A panel of our own: a real server on loopback that plays good lines and every fault of `modes`. */
export async function startFakePanel(): Promise<FakePanel> {
  const calls: FakePanel['calls'] = []
  let hits = 0
  const canary = createServer((_, response) => {
    hits++
    json(line())(response, '')
  })
  const canaryUrl = await listening(canary)
  const panel = createServer((request, response) => {
    const address = new URL(request.url ?? '', 'http://panel')
    calls.push({ address, userAgent: request.headers['user-agent'] })
    const username = address.searchParams.get('username') ?? ''
    const isLine = address.searchParams.get('password') === linePassword
    const mode = (isLine && modes[username.split('.')[0]!]) || wrong
    response.on('error', () => undefined)
    if (address.pathname === '/c/player_api.php' && request.method === 'GET') mode(response, `${canaryUrl}/player_api.php`)
    else html(404)(response, '')
  })
  const url = `${await listening(panel)}/c`
  return {
    url,
    calls,
    canaryHits: () => hits,
    stop: () => stopped(panel),
    start: async () => void (await listening(panel, Number(new URL(url).port))),
    close: async () => void (await Promise.all([stopped(panel), stopped(canary)])),
  }
}

async function listening(server: Server, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function stopped(server: Server): Promise<void> {
  if (!server.listening) return
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}
