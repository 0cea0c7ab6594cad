import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type App, createApp, endpoints } from '#server/app.ts'
import { builtPages } from '#server/http/pages.ts'
import { liveSockets } from '#server/live/socket.ts'
import { Metrics } from '#server/observability/metrics.ts'
import { Admission } from '#server/overload/admission.ts'
import { RateLimits } from '#server/overload/rate-limit.ts'
import { buildApp, type TestApp } from '../harness/app.ts'
import { password } from '../harness/factories.ts'
import { listenRaw, type RawApp, type RawRequest, type RawResponse } from '../harness/raw-http.ts'

const dist = join(import.meta.dirname, '../../dist')
let app: TestApp
let raw: RawApp
let kept: App['responseCache']
let sockets: ReturnType<typeof liveSockets>
let customer: string
beforeAll(async () => {
  app = await buildApp({ config: { publicUrl: 'https://localhost', secureCookies: true } })
  const { context, database } = app
  const metrics = new Metrics()
  const pages = await builtPages(context.config, dist)
  const limits = new RateLimits(database.pool, { ...context.config, rateLimitFactor: 1 })
  const { hono, responseCache }: App = createApp({
    ...context,
    limits,
    pages,
    metrics,
    staticRoot: join(dist, 'client'),
  })
  metrics.watch({
    pool: database.pool,
    presence: context.presence,
    responseCache,
    limiters: new Admission(context.config, endpoints, context.log).limiters,
  })
  kept = responseCache
  raw = await listenRaw({ app: hono, responseCache, context })
  sockets = liveSockets({ server: raw.server, config: context.config, log: context.log, db: context.db, endpoints })
  const { client } = await app.signIn()
  customer = `__Host-sid=${client.cookies.get('__Host-sid')}`
})
afterAll(async () => {
  await sockets.close()
  await raw.close()
  await app.close()
})

const always = {
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=63072000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}
const closed = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** Holds an answer against what every answer promises, and its policy against what a policy may say. */
function expectGuarded({ status, headers }: Pick<RawResponse, 'status' | 'headers'>, what: string): void {
  const said = `${what}: ${status}`
  expect(headers, said).toMatchObject(always)
  for (const talkative of ['server', 'x-powered-by', 'access-control-allow-origin', 'access-control-allow-credentials'])
    expect(headers, said).not.toHaveProperty(talkative)
  const policy = String(headers['content-security-policy'])
  if (policy === closed) return
  const directives = new Map(
    policy.split('; ').map((directive) => [directive.split(' ')[0]!, directive.split(' ').slice(1)]),
  )
  expect(directives.get('default-src'), said).toEqual(["'none'"])
  expect(directives.get('frame-ancestors'), said).toEqual(["'none'"])
  expect(directives.get('base-uri'), said).toEqual(["'none'"])
  expect(["'self'", undefined], said).toContain(directives.get('form-action')?.join())
  for (const source of directives.get('script-src') ?? [])
    expect(source, said).toMatch(/^('self'|'sha256-[\w+/]{43}=')$/)
  for (const [name, sources] of directives)
    for (const source of sources)
      expect(`${name} ${source}`, said).not.toMatch(
        /unsafe-|\*|strict-dynamic| (https?|wss?|data|filesystem):$(?<!img-src data:)/,
      )
}

const json = { 'content-type': 'application/json' }
const post = (path: string, body: unknown, headers: Record<string, string> = {}): RawRequest => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
  headers: { ...json, ...headers },
})
const get = (path: string, headers: Record<string, string> = {}): RawRequest => ({ method: 'GET', path, headers })
const assets = (ending: string) =>
  `/assets/${readdirSync(join(dist, 'client/assets')).find((name) => name.endsWith(ending))}`
/** Sends the bytes as they are and hears what comes until the line is closed, or silent for long. */
const untilClosed = (bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const line = connect(raw.port, '127.0.0.1')
    let heard = ''
    line.on('data', (chunk) => {
      heard += chunk.toString()
    })
    line.once('close', () => resolve(heard))
    line.setTimeout(1_000, () => line.destroy())
    line.on('error', () => {})
    line.write(bytes)
  })
const etagOf = async (path: string) => {
  await raw.send(get(path))
  return String((await raw.send(get(path))).headers.etag)
}

describe('every answer carries the same headers and a closed policy', () => {
  test.each<[string, number, () => RawRequest | Promise<RawRequest>]>([
    ['a list', 200, () => get('/api/plans')],
    ['a list from memory', 200, () => get('/api/plans')],
    [
      'a list that has not changed',
      304,
      async () => get('/api/plans', { 'if-none-match': await etagOf('/api/plans') }),
    ],
    ['only the head of a list', 200, () => ({ method: 'HEAD', path: '/api/channels' })],
    ['a compressed list', 200, () => get('/api/device-categories', { 'accept-encoding': 'gzip' })],
    ['a page', 200, () => get('/')],
    ['a page from memory', 200, () => get('/')],
    ['a page that has not changed', 304, async () => get('/', { 'if-none-match': await etagOf('/') })],
    ['a page of a customer', 200, () => get('/dashboard', { cookie: customer })],
    ['a page for others', 307, () => get('/dashboard')],
    ['an address with a slash too many', 301, () => get('/pricing/')],
    ['an old address', 301, () => get('/invoices/ORD-A1B2C3')],
    ['a script', 200, () => get(assets('.js'))],
    ['a compressed style', 200, () => get(assets('.css'), { 'accept-encoding': 'br' })],
    ['a file', 200, () => get('/favicon.svg')],
    ['robots.txt', 200, () => get('/robots.txt')],
    ['the map of the site', 200, () => get('/sitemap.xml')],
    ['the documentation', 200, () => get('/api/docs')],
    ['the document of it', 200, () => get('/api/openapi.json')],
    ['health', 200, () => get('/healthz')],
    ['readiness', 200, () => get('/readyz')],
    ['figures', 200, () => get('/metrics')],
    ['JSON that is none', 400, () => ({ ...post('/api/login', {}), body: '{' })],
    ['a request for an impossible host', 400, () => get('/api/user', { host: 'a b' })],
    ['an address with a backslash', 400, () => get('/api\\plans')],
    ['a signed-out client', 401, () => get('/api/user')],
    ['a foreign page', 403, () => post('/api/login', {}, { origin: 'https://evil.example' })],
    ['a customer at the office', 403, () => get('/api/admin/users', { cookie: customer })],
    ['no such endpoint', 404, () => get('/api/nowhere')],
    ['no such page', 404, () => get('/nowhere')],
    ['no such file', 404, () => get('/assets/nowhere.js')],
    ['a page that is not there for a customer', 404, () => get('/api/invoices/ORD-ZZZZZZ', { cookie: customer })],
    ['another method', 405, () => ({ method: 'PATCH', path: '/api/plans' })],
    [
      'a question by another site',
      405,
      () => ({ method: 'OPTIONS', path: '/api/plans', headers: { origin: 'https://evil.example' } }),
    ],
    ['another method for a page', 404, () => ({ method: 'PUT', path: '/' })],
    ['too much', 413, () => post('/api/login', { username: 'x'.repeat(70_000) })],
    ['no JSON', 415, () => post('/api/login', {}, { 'content-type': 'text/plain' })],
    [
      'a panel that is not there',
      503,
      () => post('/api/iptv/validate', { iptvUsername: 'a', iptvPassword: 'b' }, { cookie: customer }),
    ],
  ])('%s (%i)', async (what, status, ask) => {
    const answer = await raw.send(await ask())
    expect(answer.status, answer.text.slice(0, 300)).toBe(status)
    expectGuarded(answer, what)
  })

  test('too often (429)', async () => {
    const inquiry = post('/api/inquiries', {
      name: 'Pat Doe',
      email: 'pat@example.org',
      message: 'Do you carry the news in HD?',
    })
    const answers: RawResponse[] = []
    while (answers.at(-1)?.status !== 429 && answers.length < 20) answers.push(await raw.send(inquiry))
    expect(answers.at(-1)).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
    expectGuarded(answers.at(-1)!, 'too often')
  })

  test('an internal error (500), which reveals no details', async () => {
    await app.database.pool.query('ALTER TABLE users RENAME TO gone')
    for (const path of ['/api/user', '/dashboard']) {
      const answer = await raw.send(get(path, { cookie: customer }))
      expect([path, answer.status]).toEqual([path, 500])
      expect(answer.text).not.toMatch(/relation|42P01|select/i)
      expectGuarded(answer, path)
    }
    await app.database.pool.query('ALTER TABLE gone RENAME TO users')
  })

  test.each<[string, number, Record<string, string>, string?]>([
    ['of a foreign page', 403, { origin: 'https://evil.example' }],
    ['without a key', 400, { 'sec-websocket-key': 'short' }],
    ['of an unsupported version', 400, { 'sec-websocket-version': '12' }],
    ['for another protocol', 400, { upgrade: 'h2c' }],
    ['by another method', 405, {}, 'POST'],
  ])('a refused line %s (%i)', async (what, status, headers, method = 'GET') => {
    const handshake = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    }
    const answer = await raw.send({ method, path: '/ws', headers: { ...handshake, ...headers } })
    expect(answer.status).toBe(status)
    expectGuarded(answer, what)
    if (status === 400) expect(answer.headers['sec-websocket-version']).toBe('13, 8')
  })

  test.each([
    ['no line of HTTP', 400, 'hello\r\n\r\n'],
    ['an unknown method', 400, 'BREW /pot HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    [
      'two lengths',
      400,
      'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n',
    ],
    ['no host', 400, 'GET /api/user HTTP/1.1\r\n\r\n'],
    ['no host for what is kept in memory', 400, 'GET /api/plans HTTP/1.1\r\n\r\n'],
    [
      'a piece that says too much of itself',
      413,
      `POST /api/login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5;a=${'b'.repeat(20_000)}\r\n`,
    ],
    ['an unknown expectation', 417, 'GET /api/plans HTTP/1.1\r\nHost: localhost\r\nExpect: magic\r\n\r\n'],
    ['headers without an end', 431, `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'y'.repeat(30_000)}\r\n\r\n`],
  ])('what breaks HTTP, by %s (%i)', async (what, status, bytes) => {
    const heard = await untilClosed(bytes)
    const [head = '', text] = heard.split('\r\n\r\n')
    const [first, ...lines] = head.split('\r\n')
    expect(first).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    expectGuarded({ status, headers }, what)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-length': String(text!.length) })
  })
})

test('a session’s cookie is out of reach for scripts, other sites and unencrypted lines, whatever sets it', async () => {
  const username = `cookie-${Date.now().toString(36)}`
  const first = await raw.send(post('/api/register', { username, email: `${username}@example.org`, password }))
  const cookie = (first.headers['set-cookie'] ?? []).join().split(';')[0]!
  const answers = [
    first,
    await raw.send({
      ...post('/api/account/password', { currentPassword: password, newPassword: 'another horse' }, { cookie }),
      method: 'PUT',
    }),
    await raw.send(post('/api/login', { username, password: 'another horse' })),
    await raw.send(post('/api/logout', {}, { cookie: `${cookie}; __Host-own=x` })),
  ]
  for (const { status, headers } of answers) {
    expect(status).toBe(200)
    const set = headers['set-cookie'] ?? []
    expect(set.length).toBeGreaterThan(0)
    for (const each of set)
      expect(each).toMatch(/^__Host-(sid|own)=[\w-]{0,43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/)
  }
  expect(new Set(answers.slice(0, 3).map(({ headers }) => headers['set-cookie']![0]!.split(';')[0])).size).toBe(3)
})

test('a page with a query that it does not read is the kept one; one with words that it reads is kept when it is asked for again, and no list with it', async () => {
  for (const query of ['?utm_source=mail', '?gclid=1', ''])
    expect((await raw.send(get(`/devices${query}`))).status).toBe(200)
  expect((await raw.send(get('/devices?gclid=2'))).headers.etag).toBe(await etagOf('/devices'))

  for (const path of [
    '/pricing?tier=beast',
    '/channels?category=Sports',
    '/channels/lineup?tab=all',
    '/setup?device=firestick',
  ]) {
    const first = await raw.send(get(path))
    expect([path, first.status, first.headers.etag]).toEqual([path, 200, undefined])
    const keep = vi.spyOn(kept, 'store')
    await raw.send(get(`${path}&gclid=3`))
    expect(keep.mock.calls.map(([address]) => address)).toEqual([path])
    keep.mockRestore()
    const { status, headers, text } = await raw.send(get(`${path}&gclid=4`))
    expect([path, status, headers.etag]).toEqual([path, 200, expect.stringMatching(/^"/)])
    const shown = (html: string) => /<main[\s\S]*<\/main>/.exec(html)?.[0]
    expect(shown(text)).toBe(shown(first.text))
  }
})
