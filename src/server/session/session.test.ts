import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { createUser } from '../../../test/harness/factories.ts'
import { sessions, users } from '../db/tables.ts'
import { sessionTokenIn } from '../http/request.ts'
import { endSessionsOf, openSession, userOfToken } from './session.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp()
})
afterAll(() => app.close())

const caller = { ip: '127.0.0.1', userAgent: 'test' }
const open = async (role: 'user' | 'admin' = 'user') => {
  const user = await createUser(app.db, { role })
  return { user, token: await openSession(app.db, user, caller) }
}
const shift = (userId: number, column: 'created_at' | 'last_seen_at' | 'expires_at', interval: string) =>
  app.database.pool.query(`update sessions set ${column} = now() - $1::interval where user_id = $2`, [interval, userId])

describe('a session is invalid', () => {
  test.each([
    undefined,
    '',
    'short',
    'x'.repeat(42),
    'x'.repeat(43),
    'x'.repeat(44),
    `${'x'.repeat(42)}'`,
    '\u0000'.repeat(43),
  ])('with the token %j', async (token) => {
    expect(await userOfToken(app, token)).toBeNull()
  })

  test.each([
    ['user', 'last_seen_at', '7 days 1 second'],
    ['user', 'created_at', '30 days 1 second'],
    ['user', 'expires_at', '1 second'],
    ['admin', 'last_seen_at', '30 minutes 1 second'],
    ['admin', 'created_at', '12 hours 1 second'],
  ] as const)('if the %s’s %s is %s ago', async (role, column, interval) => {
    const { user, token } = await open(role)
    expect((await userOfToken(app, token))?.id).toBe(user.id)
    await shift(user.id, column, interval)
    expect(await userOfToken(app, token)).toBeNull()
  })

  test('if its user became an administrator and it is older than the limit for administrators', async () => {
    const { user, token } = await open()
    await shift(user.id, 'created_at', '13 hours')
    expect((await userOfToken(app, token))?.role).toBe('user')
    await app.db.update(users).set({ role: 'admin' }).where(eq(users.id, user.id))
    expect(await userOfToken(app, token)).toBeNull()
  })

  test('if a request carries two session cookies', async () => {
    const { client } = await app.signIn()
    const token = client.cookies.get('sid')
    for (const cookie of [`sid=${token}; sid=${token}`, `sid=x; sid=${token}`, `sid=${token};sid=`]) {
      expect((await client.request('/api/user', { headers: { cookie } })).status).toBe(401)
    }
    expect(
      (await client.request('/api/user', { headers: { cookie: `theme=dark; sid=${token}; other_sid=1` } })).status,
    ).toBe(200)
  })
})

describe('a session is valid', () => {
  test.each([
    ['user', 'last_seen_at', '6 days 23 hours'],
    ['user', 'created_at', '29 days 23 hours'],
    ['admin', 'last_seen_at', '29 minutes'],
    ['admin', 'created_at', '11 hours 59 minutes'],
  ] as const)('if the %s’s %s is %s ago', async (role, column, interval) => {
    const { user, token } = await open(role)
    await shift(user.id, column, interval)
    expect(await userOfToken(app, token)).toMatchObject({
      id: user.id,
      username: user.username,
      email: user.email,
      role,
    })
  })

  test('and its last visit is recorded at most once a minute', async () => {
    const { user, token } = await open()
    const recorded = async () =>
      (await app.db.select().from(sessions).where(eq(sessions.userId, user.id)))[0]!.lastSeenAt
    const first = await recorded()
    await userOfToken(app, token)
    expect(await recorded()).toBe(first)
    await shift(user.id, 'last_seen_at', '2 minutes')
    await userOfToken(app, token)
    const again = await recorded()
    expect(again >= first).toBe(true)
    await userOfToken(app, token)
    expect(await recorded()).toBe(again)
  })

  test('with the current role and email address of its user', async () => {
    const { user, token } = await open()
    await app.db.update(users).set({ role: 'admin', email: 'moved@example.org' }).where(eq(users.id, user.id))
    expect(await userOfToken(app, token)).toMatchObject({ role: 'admin', email: 'moved@example.org' })
  })
})

test('tokens are 256 random bits, and only their SHA-256 is stored', async () => {
  const { user, token } = await open()
  expect(Buffer.from(token, 'base64url').length).toBe(32)
  const found = await app.db
    .select({ id: sessions.userId })
    .from(sessions)
    .where(eq(sessions.tokenHash, sql`sha256(convert_to(${token}, 'UTF8'))`))
  expect(found).toEqual([{ id: user.id }])
})

test('endSessionsOf ends all sessions of a user except the given one', async () => {
  const { user, token } = await open()
  const other = await openSession(app.db, user, caller)
  const stranger = await open()
  await app.db.transaction((tx) => endSessionsOf(tx, user.id, { except: other }))
  expect([await userOfToken(app, token), (await userOfToken(app, other))?.id]).toEqual([null, user.id])
  await app.db.transaction((tx) => endSessionsOf(tx, user.id))
  expect(await userOfToken(app, other)).toBeNull()
  expect((await userOfToken(app, stranger.token))?.id).toBe(stranger.user.id)
})

test('deleting a user deletes their sessions', async () => {
  const { user, token } = await open()
  await app.db.delete(users).where(eq(users.id, user.id))
  expect(await userOfToken(app, token)).toBeNull()
})

test('the token is read only from the cookie with the name for this installation', () => {
  expect(sessionTokenIn('sid=a; __Host-sid=b', { secureCookies: true })).toBe('b')
  expect(sessionTokenIn('sid=a; __Host-sid=b', { secureCookies: false })).toBe('a')
  expect(sessionTokenIn('xsid=a', { secureCookies: false })).toBeUndefined()
  expect(sessionTokenIn(undefined, { secureCookies: false })).toBeUndefined()
})

test('concurrent lookups share one query for customers and one for all others, and each lookup returns its own user', async () => {
  const [one, other, ended] = [await open(), await open('admin'), await open()]
  await app.db.transaction((tx) => endSessionsOf(tx, ended.user.id))
  const queries = vi.spyOn(app.database.pool, 'query')
  const found = await Promise.all(
    [one, other, ended, one, { token: 'x'.repeat(43) }].map(({ token }) => userOfToken(app, token)),
  )
  expect(found.map((user) => user?.id)).toEqual([one.user.id, other.user.id, undefined, one.user.id, undefined])
  expect(found.map((user) => user?.role)).toEqual(['user', 'admin', undefined, 'user', undefined])
  expect(queries).toHaveBeenCalledTimes(2)
  await Promise.all([one, ended, one].map(({ token }) => userOfToken(app, token)))
  expect(queries).toHaveBeenCalledTimes(3)
  await userOfToken(app, other.token)
  expect(queries).toHaveBeenCalledTimes(4)
  queries.mockRestore()
})

test('a promotion and a demotion take effect at the next lookup', async () => {
  const { token, user } = await open()
  const roleAfter = async (role: 'user' | 'admin') => {
    await app.db.update(users).set({ role }).where(eq(users.id, user.id))
    return (await userOfToken(app, token))?.role
  }
  for (const role of ['user', 'admin', 'user', 'admin'] as const) expect(await roleAfter(role)).toBe(role)
})

test('background requests of a page do not reset the idle limit of an administrator, user actions do', async () => {
  const { client, user } = await app.signInAdmin()
  const seen = async () =>
    Date.now() - Date.parse((await app.db.select().from(sessions).where(eq(sessions.userId, user.id)))[0]!.lastSeenAt)
  await shift(user.id, 'last_seen_at', '20 minutes')
  expect((await client.request('/api/admin/users', { headers: { 'x-background': '1' } })).status).toBe(200)
  expect(await seen()).toBeGreaterThan(1_000_000)
  await shift(user.id, 'last_seen_at', '31 minutes')
  expect((await client.request('/api/admin/users', { headers: { 'x-background': '1' } })).status).toBe(401)
  await shift(user.id, 'last_seen_at', '20 minutes')
  expect((await client.request('/api/admin/users')).status).toBe(200)
  expect(await seen()).toBeLessThan(60_000)
})
