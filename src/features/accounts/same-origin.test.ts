import { count } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessions, users } from '#server/db/tables.ts'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { createUser, password } from '../../../test/harness/factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp()
  await createUser(app.db, { username: 'olive' })
})
afterAll(() => app.close())

const json = 'application/json'
const ours = 'http://localhost:3000'
const shapes: [string, number, Record<string, string | null>][] = [
  ['no Origin', 403, { origin: null, 'content-type': json }],
  ['a foreign Origin', 403, { origin: 'https://evil.example', 'content-type': json }],
  ['the Origin "null"', 403, { origin: 'null', 'content-type': json }],
  ['an Origin that starts with ours', 403, { origin: `${ours}.evil.example`, 'content-type': json }],
  ['our Origin on another port', 403, { origin: 'http://localhost:3001', 'content-type': json }],
  ['our Origin, but Sec-Fetch-Site: cross-site', 403, { 'sec-fetch-site': 'cross-site', 'content-type': json }],
  ['our Origin, but Sec-Fetch-Site: same-site', 403, { 'sec-fetch-site': 'same-site', 'content-type': json }],
  ['JSON sent as text/plain', 415, { 'content-type': 'text/plain' }],
  ['JSON sent as a form', 415, { 'content-type': 'application/x-www-form-urlencoded' }],
  ['no media type', 415, { 'content-type': null }],
  ['a media type that starts with application/json', 415, { 'content-type': 'application/json+evil' }],
  ['another charset', 415, { 'content-type': 'application/json; charset=utf-16' }],
]

describe.each(shapes)('a write with %s', (_, status, headers) => {
  test(`is refused with ${status} and changes nothing`, async () => {
    const held = async () =>
      JSON.stringify([
        await app.db.select({ rows: count() }).from(users),
        await app.db.select({ rows: count() }).from(sessions),
      ])
    const { client } = await app.signIn('olive')
    const before = await held()
    const bodies = {
      '/api/login': { username: 'olive', password },
      '/api/register': { username: 'mallory', email: 'mallory@example.org', password },
    }
    for (const [path, body] of Object.entries(bodies)) {
      const response = await client.post(path, body, headers)
      expect([path, response.status]).toEqual([path, status])
      expect(response.headers.getSetCookie()).toEqual([])
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
    if (status === 403) expect((await client.post('/api/logout', {}, headers)).status).toBe(403)
    expect(await held()).toBe(before)
    expect((await client.request('/api/user')).status).toBe(200)
  })
})

test.each(['X-HTTP-Method-Override', 'X-Method-Override'])(
  '%s does not override the method of a GET',
  async (header) => {
    const { client } = await app.signIn('olive')
    expect((await client.request('/api/logout', { headers: { [header]: 'POST' } })).status).toBe(405)
    expect((await client.request('/api/user')).status).toBe(200)
  },
)

test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
  '%s on a write path gets 405 with the allowed method',
  async (method) => {
    const response = await app.client().request('/api/login', { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  },
)

test('a write from our own page is accepted, with and without a charset', async () => {
  for (const type of [json, 'application/json; charset=utf-8', 'APPLICATION/JSON;charset=UTF-8']) {
    expect(
      (
        await app
          .client()
          .post(
            '/api/login',
            { username: 'olive', password },
            { 'content-type': type, 'sec-fetch-site': 'same-origin' },
          )
      ).status,
    ).toBe(200)
  }
})
