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
let pageCache: App['responseCache']
let sockets: ReturnType<typeof liveSockets>
let customer: string
beforeAll(async () => {
  app = await buildApp({ config: { publicUrl: 'https://localhost', secureCookies: true } })
  const { context, database } = app
  const metrics = new Metrics()
  const pages = await builtPages(context.config, dist)
  const limits = new RateLimits(database.pool, { ...context.config, rateLimitFactor: 1 })
  const { hono, responseCache, answerDirectly }: App = createApp({
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
  pageCache = responseCache
  raw = await listenRaw({ app: hono, responseCache, answerDirectly, context })
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

/** Expects the headers that every response must have, and a content security policy without unsafe sources. */
function expectSecureHeaders({ status, headers }: Pick<RawResponse, 'status' | 'headers'>, what: string): void {
  const label = `${what}: ${status}`
  expect(headers, label).toMatchObject(always)
  for (const forbidden of ['server', 'x-powered-by', 'access-control-allow-origin', 'access-control-allow-credentials'])
    expect(headers, label).not.toHaveProperty(forbidden)
  const policy = String(headers['content-security-policy'])
  if (policy === closed) return
  const directives = new Map(
    policy.split('; ').map((directive) => [directive.split(' ')[0]!, directive.split(' ').slice(1)]),
  )
  expect(directives.get('default-src'), label).toEqual(["'none'"])
  expect(directives.get('frame-ancestors'), label).toEqual(["'none'"])
  expect(directives.get('base-uri'), label).toEqual(["'none'"])
  expect(["'self'", undefined], label).toContain(directives.get('form-action')?.join())
  for (const source of directives.get('script-src') ?? [])
    expect(source, label).toMatch(/^('self'|'sha256-[\w+/]{43}=')$/)
  for (const [name, sources] of directives)
    for (const source of sources)
      expect(`${name} ${source}`, label).not.toMatch(
        /unsafe-|\*|strict-dynamic| (https?|wss?|data|filesystem):$(?<!(img|media)-src data:)/,
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
/** Sends raw bytes and returns what is received until the connection closes or is silent for a second. */
const untilClosed = (bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(raw.port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString()
    })
    socket.once('close', () => resolve(received))
    socket.setTimeout(1_000, () => socket.destroy())
    socket.on('error', () => {})
    socket.write(bytes)
  })
const etagOf = async (path: string) => {
  await raw.send(get(path))
  return String((await raw.send(get(path))).headers.etag)
}

describe('every response has the same security headers and a strict content security policy', () => {
  test.each<[string, number, () => RawRequest | Promise<RawRequest>]>([
    ['a list', 200, () => get('/api/plans')],
    ['a cached list', 200, () => get('/api/plans')],
    [
      'a list that has not changed',
      304,
      async () => get('/api/plans', { 'if-none-match': await etagOf('/api/plans') }),
    ],
    ['a HEAD request for a list', 200, () => ({ method: 'HEAD', path: '/api/channels' })],
    ['a compressed list', 200, () => get('/api/device-categories', { 'accept-encoding': 'gzip' })],
    ['a page', 200, () => get('/')],
    ['a cached page', 200, () => get('/')],
    ['a page that has not changed', 304, async () => get('/', { 'if-none-match': await etagOf('/') })],
    ['a page of a customer', 200, () => get('/dashboard', { cookie: customer })],
    ['a page that needs a login', 307, () => get('/dashboard')],
    ['a path with a trailing slash', 301, () => get('/pricing/')],
    ['an old path', 301, () => get('/invoices/ORD-A1B2C3')],
    ['a script', 200, () => get(assets('.js'))],
    ['a compressed style', 200, () => get(assets('.css'), { 'accept-encoding': 'br' })],
    ['a file', 200, () => get('/favicon.svg')],
    ['robots.txt', 200, () => get('/robots.txt')],
    ['the sitemap', 200, () => get('/sitemap.xml')],
    ['the API documentation', 200, () => get('/api/docs')],
    ['the OpenAPI document', 200, () => get('/api/openapi.json')],
    ['health', 200, () => get('/healthz')],
    ['readiness', 200, () => get('/readyz')],
    ['metrics', 200, () => get('/metrics')],
    ['invalid JSON', 400, () => ({ ...post('/api/login', {}), body: '{' })],
    ['a request with an invalid Host', 400, () => get('/api/user', { host: 'a b' })],
    ['a path with a backslash', 400, () => get('/api\\plans')],
    ['a signed-out client', 401, () => get('/api/user')],
    ['a foreign page', 403, () => post('/api/login', {}, { origin: 'https://evil.example' })],
    ['a customer at an administrator endpoint', 403, () => get('/api/admin/users', { cookie: customer })],
    ['an unknown endpoint', 404, () => get('/api/nowhere')],
    ['an unknown page', 404, () => get('/nowhere')],
    ['an unknown file', 404, () => get('/assets/nowhere.js')],
    ['an unknown invoice for a customer', 404, () => get('/api/invoices/ORD-ZZZZZZ', { cookie: customer })],
    ['another method', 405, () => ({ method: 'PATCH', path: '/api/plans' })],
    [
      'a CORS preflight from a foreign site',
      405,
      () => ({ method: 'OPTIONS', path: '/api/plans', headers: { origin: 'https://evil.example' } }),
    ],
    ['another method for a page', 404, () => ({ method: 'PUT', path: '/' })],
    ['a body that is too large', 413, () => post('/api/login', { username: 'x'.repeat(70_000) })],
    ['a body that is not JSON', 415, () => post('/api/login', {}, { 'content-type': 'text/plain' })],
    [
      'a panel that is not configured',
      503,
      () => post('/api/iptv/validate', { iptvUsername: 'a', iptvPassword: 'b' }, { cookie: customer }),
    ],
  ])('%s (%i)', async (what, status, ask) => {
    const response = await raw.send(await ask())
    expect(response.status, response.text.slice(0, 300)).toBe(status)
    expectSecureHeaders(response, what)
  })

  test('too many requests (429)', async () => {
    const inquiry = post('/api/inquiries', {
      name: 'Pat Doe',
      email: 'pat@example.org',
      message: 'Do you carry the news in HD?',
    })
    const responses: RawResponse[] = []
    while (responses.at(-1)?.status !== 429 && responses.length < 20) responses.push(await raw.send(inquiry))
    expect(responses.at(-1)).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
    expectSecureHeaders(responses.at(-1)!, 'too many requests')
  })

  test('an internal error (500), which reveals no details', async () => {
    await app.database.pool.query('ALTER TABLE users RENAME TO gone')
    for (const path of ['/api/user', '/dashboard']) {
      const response = await raw.send(get(path, { cookie: customer }))
      expect([path, response.status]).toEqual([path, 500])
      expect(response.text).not.toMatch(/relation|42P01|select/i)
      expectSecureHeaders(response, path)
    }
    await app.database.pool.query('ALTER TABLE gone RENAME TO users')
  })

  test.each<[string, number, Record<string, string>, string?]>([
    ['from a foreign page', 403, { origin: 'https://evil.example' }],
    ['with an invalid key', 400, { 'sec-websocket-key': 'short' }],
    ['of an unsupported version', 400, { 'sec-websocket-version': '12' }],
    ['for another protocol', 400, { upgrade: 'h2c' }],
    ['by another method', 405, {}, 'POST'],
  ])('a refused WebSocket %s (%i)', async (what, status, headers, method = 'GET') => {
    const handshake = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    }
    const response = await raw.send({ method, path: '/ws', headers: { ...handshake, ...headers } })
    expect(response.status).toBe(status)
    expectSecureHeaders(response, what)
    if (status === 400) expect(response.headers['sec-websocket-version']).toBe('13, 8')
  })

  test.each([
    ['no HTTP request line', 400, 'hello\r\n\r\n'],
    ['an unknown method', 400, 'BREW /pot HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    [
      'two Content-Length headers',
      400,
      'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n',
    ],
    ['no Host header', 400, 'GET /api/user HTTP/1.1\r\n\r\n'],
    ['no Host header for a cached response', 400, 'GET /api/plans HTTP/1.1\r\n\r\n'],
    [
      'a chunk with an extension that is too long',
      413,
      `POST /api/login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5;a=${'b'.repeat(20_000)}\r\n`,
    ],
    ['an unknown Expect header', 417, 'GET /api/plans HTTP/1.1\r\nHost: localhost\r\nExpect: magic\r\n\r\n'],
    ['headers that are too long', 431, `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'y'.repeat(30_000)}\r\n\r\n`],
  ])('malformed HTTP: %s (%i)', async (what, status, bytes) => {
    const received = await untilClosed(bytes)
    const [head = '', text] = received.split('\r\n\r\n')
    const [first, ...lines] = head.split('\r\n')
    expect(first).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    expectSecureHeaders({ status, headers }, what)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-length': String(text!.length) })
  })
})

test('every session cookie is HttpOnly, Secure, SameSite and bound to the host', async () => {
  const username = `cookie-${Date.now().toString(36)}`
  const first = await raw.send(post('/api/register', { username, email: `${username}@example.org`, password }))
  const cookie = (first.headers['set-cookie'] ?? []).join().split(';')[0]!
  const responses = [
    first,
    await raw.send({
      ...post('/api/account/password', { currentPassword: password, newPassword: 'another horse' }, { cookie }),
      method: 'PUT',
    }),
    await raw.send(post('/api/login', { username, password: 'another horse' })),
    await raw.send(post('/api/logout', {}, { cookie: `${cookie}; __Host-own=x` })),
  ]
  for (const { status, headers } of responses) {
    expect(status).toBe(200)
    const set = headers['set-cookie'] ?? []
    expect(set.length).toBeGreaterThan(0)
    for (const each of set)
      expect(each).toMatch(/^__Host-(sid|own)=[\w-]{0,43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/)
  }
  expect(new Set(responses.slice(0, 3).map(({ headers }) => headers['set-cookie']![0]!.split(';')[0])).size).toBe(3)
})

test('unknown query parameters do not split the page cache; a page with known ones is cached at its second request', async () => {
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
    const stored = vi.spyOn(pageCache, 'store')
    await raw.send(get(`${path}&gclid=3`))
    expect(stored.mock.calls.map(([address]) => address)).toEqual([path])
    stored.mockRestore()
    const { status, headers, text } = await raw.send(get(`${path}&gclid=4`))
    expect([path, status, headers.etag]).toEqual([path, 200, expect.stringMatching(/^"/)])
    const shown = (html: string) => /<main[\s\S]*<\/main>/.exec(html)?.[0]
    expect(shown(text)).toBe(shown(first.text))
  }
})
