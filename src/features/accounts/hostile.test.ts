import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { createUser, password } from '../../../test/harness/factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp()
  await createUser(app.db, { username: 'olive' })
})
afterAll(() => app.close())

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    "' or 1=1 --",
    '%',
    '\\',
    '{}',
    '$1',
    '1e9',
    '-1',
    'a@b.c\r\n',
    '__proto__',
    'x'.repeat(5_000),
  ),
)
const hostileText = fc.oneof(
  text,
  fc.double(),
  fc.constantFrom(null, true, [], {}, [['olive']], { toString: 'x' }, 2 ** 31, 2 ** 53, -1, 1e308),
)
const form = fc.record(
  {
    username: fc.oneof(hostileText, fc.constant('olive')),
    email: fc.oneof(hostileText, fc.constant('olive@example.org')),
    password: fc.oneof(hostileText, fc.constant(password)),
    fullName: hostileText,
    referralCode: hostileText,
    role: hostileText,
    id: hostileText,
  },
  { requiredKeys: [] },
)

test('login and registration never fail with a server error for hostile input', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('/api/login', '/api/register'),
      fc.oneof({ weight: 5, arbitrary: form }, { weight: 1, arbitrary: fc.jsonValue() }),
      async (path, body) => {
        const response = await app.client().post(path, body)
        expect(response.status).toBeLessThan(500)
        expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      },
    ),
    { numRuns: 400 },
  )
})

test('searching the list of users never fails with a server error for hostile input', async () => {
  const { client } = await app.signInAdmin()
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom('search', 'page', 'pageSize', 'sort', 'order', 'x'), text),
      async (query) => {
        const search = new URLSearchParams(Object.entries(query)).toString()
        expect((await client.request(`/api/admin/users?${search}`)).status).toBeLessThan(500)
      },
    ),
    { numRuns: 300 },
  )
})

test('a request with a hostile cookie is treated as anonymous', async () => {
  const printable = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 120,
  })
  await fc.assert(
    fc.asyncProperty(printable, async (cookie) => {
      expect((await app.client().request('/api/user', { headers: { cookie: `sid=${cookie}` } })).status).toBe(401)
    }),
    { numRuns: 200 },
  )
})

test('malformed, deeply nested and oversized bodies are refused before validation', async () => {
  const deep = `${'{"a":'.repeat(9)}1${'}'.repeat(9)}`
  const crowded = JSON.stringify(Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`k${i}`, 1])))
  const bodies: [string, number, string][] = [
    ['', 400, 'malformed_json'],
    ['{"username":', 400, 'malformed_json'],
    ['"olive"', 400, 'invalid'],
    [deep, 400, 'too_deep'],
    [crowded, 400, 'too_many_keys'],
    [JSON.stringify({ username: Array.from({ length: 600 }, () => 1) }), 400, 'too_many_keys'],
    ['{"__proto__":{"role":"admin"}}', 400, 'forbidden_key'],
    [JSON.stringify({ username: 'x'.repeat(70_000) }), 413, 'too_large'],
  ]
  for (const [body, status, code] of bodies) {
    const response = await app
      .client()
      .request('/api/register', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code])
  }
})
