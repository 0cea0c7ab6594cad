import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, mails, sessions } from '#server/db/tables.ts'
import { deleteExpiredSessions, openSession } from '#server/session/session.ts'
import { buildApp, type Client, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createUser, password } from '../../../test/harness/factories.ts'
import { endOtherSessions, endSession, listSessions } from './contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp()
})
afterAll(() => app.close())

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'
async function otherBrowserOf({ user }: SignedIn, userAgent = iphone): Promise<Client> {
  const client = app.client()
  client.cookies.set('sid', await openSession(app.db, user, { ip: '192.0.2.7', userAgent }))
  return client
}
const isIn = async (client: Client) => (await client.request('/api/user')).status === 200
const rowsOf = ({ user }: SignedIn) =>
  app.db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, user.id))

describe('ending a session is refused', () => {
  test('for another user’s session, with the same message as for an unknown session, and both users stay logged in', async () => {
    const [mine, theirs] = [await app.signIn(), await app.signIn()]
    const [row] = await rowsOf(theirs)
    const responses = await Promise.all(
      [row!.id, 2_000_000_000].map(async (id) => {
        const response = await mine.client.post('/api/account/sessions/end', { id })
        return [response.status, await response.text()]
      }),
    )
    expect(responses[0]).toEqual(responses[1])
    expect(responses[0]![0]).toBe(404)
    expect([await isIn(mine.client), await isIn(theirs.client)]).toEqual([true, true])
  })

  test.each([0, -1, 1.5, '1', null, 2 ** 40])('for the invalid id %j', async (id) => {
    const { client } = await app.signIn()
    expect((await client.post('/api/account/sessions/end', { id })).status).toBe(400)
  })
})

describe('the list of sessions', () => {
  test('contains the device and address of each session, marks the current session, and contains no token and no other user’s session', async () => {
    const who = await app.signIn()
    await app.signIn()
    const other = await otherBrowserOf(who)
    const list = await who.client.call(listSessions, {} as never)
    expect(list).toMatchObject([
      { device: 'Safari on iPhone', address: '192.0.2.7', current: false },
      { device: 'An unknown device', address: '127.0.0.1', current: true },
    ])
    expect(Object.keys(list[0]!).toSorted()).toEqual(['address', 'createdAt', 'current', 'device', 'id', 'lastSeenAt'])
    expect((await other.call(listSessions, {} as never)).map(({ current }) => current)).toEqual([true, false])
  })

  test('does not contain expired sessions', async () => {
    const who = await app.signIn()
    await otherBrowserOf(who)
    await app.database.pool.query(
      `UPDATE sessions SET last_seen_at = now() - interval '8 days' WHERE user_id = ${who.user.id} AND ip = '192.0.2.7'`,
    )
    expect(await who.client.call(listSessions, {} as never)).toHaveLength(1)
  })
})

describe('a user', () => {
  test('can end one of their sessions once, and this is audited', async () => {
    const who = await app.signIn()
    const other = await otherBrowserOf(who)
    const [{ id } = { id: 0 }] = await who.client.call(listSessions, {} as never)
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => who.client.post('/api/account/sessions/end', { id })),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404])
    expect([await isIn(other), await isIn(who.client)]).toEqual([false, true])
    expect(await app.db.select().from(auditLog).where(eq(auditLog.actorId, who.user.id))).toMatchObject([
      { action: 'session.end', targetId: String(id) },
    ])
  })

  test('can end all other sessions, and the response contains their number', async () => {
    const who = await app.signIn()
    const others = [await otherBrowserOf(who), await otherBrowserOf(who, chrome)]
    expect(await who.client.call(endOtherSessions, {} as never)).toEqual({ ended: 2 })
    expect([...(await Promise.all(others.map(isIn))), await isIn(who.client)]).toEqual([false, false, true])
    expect(await who.client.call(endOtherSessions, {} as never)).toEqual({ ended: 0 })
  })

  test('can end their current session', async () => {
    const who = await app.signIn()
    const [row] = await rowsOf(who)
    await who.client.call(endSession, { body: { id: row!.id } })
    expect(await isIn(who.client)).toBe(false)
  })
})

describe('a login from a new device', () => {
  const logIn = (username: string, userAgent: string, ip: string) =>
    app.client({ ip }).post('/api/login', { username, password }, { 'user-agent': userAgent })
  const newLoginMailsOf = (userId: number) =>
    app.db.select({ data: mails.data, to: mails.recipient }).from(mails).where(eq(mails.userId, userId))

  test('causes one email, but not if it is the first login or follows an update of the same browser', async () => {
    const { id, username, email } = await createUser(app.db)
    await logIn(username, chrome, '192.0.2.1')
    await logIn(username, chrome.replace('140', '141'), '192.0.2.1')
    expect(await newLoginMailsOf(id)).toEqual([])
    for (let i = 0; i < 2; i++) await logIn(username, iphone, '192.0.2.1')
    const first = { to: email, data: { username, device: 'Safari on iPhone', ip: '192.0.2.1', at: expect.any(String) } }
    expect(await newLoginMailsOf(id)).toEqual([first])
    await logIn(username, iphone, '198.51.100.1')
    expect(await newLoginMailsOf(id)).toMatchObject([first, { data: { ip: '198.51.100.1' } }])
  })

  test('causes no email if it is the device used to register, but the next new device causes one', async () => {
    const name = `fresh_${Date.now().toString(36)}`
    const client = app.client({ ip: '192.0.2.1' })
    const registered = await client.post(
      '/api/register',
      { username: name, email: `${name}@example.org`, password },
      { 'user-agent': chrome },
    )
    const { user } = (await registered.json()) as { user: { id: number } }
    await logIn(name, chrome, '192.0.2.1')
    const names = async () =>
      (await app.db.select({ template: mails.template }).from(mails).where(eq(mails.userId, user.id))).map(
        ({ template }) => template,
      )
    expect(await names()).toEqual(['welcome'])
    await logIn(name, chrome, '203.0.113.1')
    expect(await names()).toEqual(['welcome', 'new_login'])
  })

  test('causes no email when the operator turned these emails off', async () => {
    const withoutMails = await buildApp()
    await withoutMails.database.pool.query(
      `INSERT INTO settings (key, value) VALUES ('accounts', '{"newLoginMail":false}')`,
    )
    const { username } = await createUser(withoutMails.db)
    for (const ip of ['192.0.2.1', '198.51.100.1'])
      await withoutMails.client({ ip }).post('/api/login', { username, password })
    expect(await withoutMails.db.$count(mails)).toBe(0)
    await withoutMails.close()
  })
})

test('the nightly job deletes expired sessions and keeps active ones', async () => {
  // Earlier tests also leave expired sessions.
  await deleteExpiredSessions(app.db)
  const [idle, old, expired, alive] = await Promise.all([app.signIn(), app.signIn(), app.signIn(), app.signIn()])
  const set = (who: SignedIn, change: Record<string, unknown>) =>
    app.db.update(sessions).set(change).where(eq(sessions.userId, who.user.id))
  await set(idle, { lastSeenAt: sql`now() - interval '7 days'` })
  await set(old, { createdAt: sql`now() - interval '30 days'` })
  await set(expired, { expiresAt: sql`now()` })
  await set(alive, { lastSeenAt: sql`now() - interval '6 days 23 hours'`, createdAt: sql`now() - interval '29 days'` })
  expect(await deleteExpiredSessions(app.db, 2)).toBe(3)
  expect(await Promise.all([idle, old, expired, alive].map(async (who) => (await rowsOf(who)).length))).toEqual([
    0, 0, 0, 1,
  ])
  expect(await isIn(alive.client)).toBe(true)
})
