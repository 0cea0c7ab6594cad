import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import { endpoints } from '#server/app.ts'
import { buildApp, type SignedIn, type TestApp } from './app.ts'

let app: TestApp
let customer: SignedIn
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  customer = await app.signIn()
  admin = await app.signInAdmin()
})
afterAll(() => app.close())

/** A path with plausible parameters that belong to nobody. */
const pathOf = (endpoint: AnyEndpoint) =>
  endpoint.path
    .replace(/:invoiceNumber/, 'ORD-ZZZZZZ')
    .replace(/:document/, 'terms')
    .replace(/:section/, 'brand')
    .replace(/:\w+/g, '2147483647')
type Who = SignedIn['client']
const call = (who: Who, endpoint: AnyEndpoint, headers: Record<string, string | null> = {}) =>
  who.request(pathOf(endpoint), {
    method: endpoint.method,
    headers: { ...(endpoint.method !== 'GET' && { 'content-type': 'application/json' }), ...headers },
    ...(endpoint.method !== 'GET' && { body: '{}' }),
  })
const writes = endpoints.filter((endpoint) => endpoint.method !== 'GET')
const named = (list: AnyEndpoint[]) => list.map((endpoint) => [endpoint.id, endpoint] as const)

describe('every endpoint guards itself', () => {
  test.each(named(endpoints.filter((endpoint) => endpoint.access !== 'public')))('%s refuses nobody with 401', async (_id, endpoint) => {
    const stale = app.client()
    stale.cookies.set('sid', 'x'.repeat(43))
    for (const who of [app.client(), stale]) {
      const response = await call(who, endpoint)
      expect([response.status, await response.json()]).toMatchObject([401, { code: 'not_signed_in' }])
    }
  })

  test.each(named(endpoints.filter((endpoint) => endpoint.access === 'admin')))('%s refuses a customer with 403', async (_id, endpoint) => {
    const response = await call(customer.client, endpoint)
    expect([response.status, await response.json()]).toMatchObject([403, { code: 'admins_only' }])
  })

  test.each(named(endpoints.filter((endpoint) => endpoint.access === 'admin')))(
    '%s refuses an administrator who was demoted a moment ago',
    async (_id, endpoint) => {
      const demoted = await app.signInAdmin()
      await app.database.pool.query("UPDATE users SET role = 'user' WHERE id = $1", [demoted.user.id])
      expect((await call(demoted.client, endpoint)).status).toBe(403)
    },
  )

  test.each(named(endpoints))('%s answers those it is for, without ever failing', async (_id, endpoint) => {
    const who = { public: app.client(), member: customer.client, admin: admin.client }[endpoint.access]
    const { status } = await call(who, endpoint)
    expect([401, 403, 405, 500, 503]).not.toContain(endpoint.path === '/api/login' ? 200 : status)
  })
})

describe('every write', () => {
  test.each(named(writes))('%s refuses what does not come from our own pages', async (_id, endpoint) => {
    const shapes: Record<string, string | null>[] = [
      { origin: null },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of shapes) expect((await call(admin.client, endpoint, headers)).status, JSON.stringify(headers)).toBe(403)
  })

  test.each(named(writes.filter((endpoint) => endpoint.body)))('%s takes JSON only', async (_id, endpoint) => {
    const who = endpoint.access === 'admin' ? admin.client : customer.client
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/json; charset=latin1', ''])
      expect((await call(who, endpoint, { 'content-type': type })).status, type).toBe(415)
  })
})

test('another method is 405 and names the right one; an unknown address is 404; both as JSON', async () => {
  const patch = await app.client().request('/api/plans', { method: 'PATCH' })
  expect([patch.status, patch.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  const nowhere = await app.client().request('/api/nowhere')
  expect([nowhere.status, await nowhere.json()]).toMatchObject([404, { code: 'no_such_endpoint' }])
})

test('every answer carries the security headers', async () => {
  for (const path of ['/api/plans', '/api/user', '/api/nowhere', '/healthz']) {
    const { headers } = await app.client().request(path)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
  }
})
