import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { offsetsOf } from '#features/guide/time-rules.ts'
import { type FakeEpg, fakeEpg } from './fake-epg.ts'
import { type FakeLines, fakeLines } from './fake-lines.ts'
import { type FakeStreams, fakeStreams } from './fake-streams.ts'
import { faults, html, json, type Mode } from './panel-modes.ts'

/** The password of every line on the panel. */
export const linePassword = 'pw of-a/line&+%41#7'
export const lineConnections = 3
/** The time zone of the panel. */
export const panelZone = 'America/New_York'

export type FakePanel = {
  url: string
  /** All calls so far, in order. */
  calls: { address: URL; userAgent: string | undefined }[]
  /** How often the target of a redirect was requested. */
  canaryHits: () => number
  /** The categories and streams of the line `line`, and the file at `/xmltv.php`. */
  watch: { categories: object[]; streams: object[]; xmltv?: string }
  /** The program guide, the same for every valid line. */
  epg: FakeEpg
  /** Makes an action of the line `line` stream `rows` rows as fast as the client reads them; `rows()` returns how many were written. */
  endlessList: (action: string, row: (n: number) => object, rows: number) => { rows: () => number; stop: () => void }
  /** The files at `/logos/NAME`. */
  logos: Record<string, Mode>
  /** The provisioning APIs: `panel.lines.address` is XUI's administrator API; `/reseller/index.php` below it is the reseller API. */
  lines: FakeLines
  /** The channels of the line `line`. */
  streams: FakeStreams
  /** Stops listening; `start` listens again at the same address. */
  stop: () => Promise<void>
  start: () => Promise<void>
  close: () => Promise<void>
}

const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds)
const line = (other: object = {}) => ({
  user_info: {
    auth: 1,
    status: 'Active',
    exp_date: inSeconds(86_400),
    max_connections: String(lineConnections),
    active_cons: '0',
    message: '',
    ...other,
  },
  server_info: {
    timezone: panelZone,
    timestamp_now: Math.floor(Date.now() / 1000),
    time_now: new Date(Date.now() + offsetsOf(panelZone)(Date.now()) * 60_000)
      .toISOString()
      .slice(0, 19)
      .replace('T', ' '),
  },
})
const wrong = json({ user_info: { auth: 0, message: 'Invalid username or password' } })

/** The part of the username before the dot selects the behavior: `slow.17` behaves like `slow`. Other usernames do not exist. */
const modes: Record<string, Mode> = {
  line: (response, target) => json(line())(response, target),
  unlimited: json(line({ max_connections: 999_999 })),
  unsaid: json(line({ max_connections: null })),
  disabled: json(line({ status: 'Disabled' })),
  banned: json(line({ status: 'Banned' })),
  expired: json(line({ exp_date: inSeconds(-60) })),
  waiting: json({ user_info: { auth: 0, message: 'Too many failed attempts. Try later.' } }),
  forbidden: json('', 403),
  missing: html(404),
  proto: json(
    '{"__proto__":{"user_info":{"auth":1,"status":"Active"}},"user_info":{"__proto__":{"auth":1,"status":"Active"}}}',
  ),
  ...faults,
}

/** A fake panel: an HTTP server on loopback with valid lines and all faults of `modes`. */
export async function startFakePanel(): Promise<FakePanel> {
  const calls: FakePanel['calls'] = []
  const lines = fakeLines()
  const streams = fakeStreams(linePassword)
  const watch: FakePanel['watch'] = { categories: [], streams: [] }
  const epg = fakeEpg(panelZone)
  const logos: FakePanel['logos'] = {}
  const lists: Record<string, () => object[]> = {
    get_live_categories: () => watch.categories,
    get_live_streams: () => watch.streams,
  }
  const streamed = new Map<string, Mode>()
  let hits = 0
  const canary = createServer((_, response) => {
    hits++
    json(line())(response, '')
  })
  const canaryUrl = await listen(canary)
  streams.balancer = await listen(streams.balancerServer)
  const panel = createServer((request, response) => {
    const address = new URL(request.url ?? '', 'http://panel')
    calls.push({ address, userAgent: request.headers['user-agent'] })
    const username = address.searchParams.get('username') ?? ''
    const isLine = address.searchParams.get('password') === linePassword
    const action = address.searchParams.get('action') ?? ''
    const isGuide = action === 'get_short_epg' && isLine && /^(line|unlimited|unsaid)(\.|$)/.test(username)
    const mode = isGuide ? epg.answer(address.searchParams) : (isLine && modes[username.split('.')[0]!]) || wrong
    const list = isLine && username === 'line' && (lists[action] as (() => object[]) | undefined)
    const long = isLine && username === 'line' && streamed.get(action)
    response.on('error', () => undefined)
    const logo = logos[address.pathname.replace('/logos/', '')]
    if (logo) logo(response, `${canaryUrl}/`)
    else if (address.pathname.startsWith(lines.path)) void lines.answer(request, response, `${canaryUrl}/`)
    else if (/^\/c\/(live|timeshift)\//.test(address.pathname)) streams.answer(request, response)
    else if (address.pathname === '/c/xmltv.php' && watch.xmltv !== undefined)
      response.writeHead(200, { 'content-type': 'application/xml' }).end(watch.xmltv)
    else if (address.pathname === '/c/player_api.php' && request.method === 'GET')
      (long || (list ? json(list()) : mode))(response, `${canaryUrl}/player_api.php`)
    else html(404)(response, '')
  })
  const origin = await listen(panel)
  const url = `${origin}/c`
  return {
    url,
    lines: Object.assign(lines, { address: origin + lines.path }),
    calls,
    streams,
    endlessList: (action, row, rows) => {
      let written = 0
      streamed.set(action, (response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('[')
        let n = 0
        const write = () => {
          let canWrite = true
          while (n < rows && canWrite && !response.destroyed) {
            canWrite = response.write(`${n > 0 ? ',' : ''}${JSON.stringify(row(++n))}`)
            written++
          }
          if (n >= rows) response.end(']')
        }
        response.on('drain', write)
        write()
      })
      return { rows: () => written, stop: () => streamed.delete(action) }
    },
    watch,
    epg,
    logos,
    canaryHits: () => hits,
    stop: () => stopped(panel),
    start: async () => void (await listen(panel, Number(new URL(url).port))),
    close: async () => void (await Promise.all([stopped(panel), stopped(canary), stopped(streams.balancerServer)])),
  }
}

async function listen(server: Server, port = 0): Promise<string> {
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
