import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessions, users } from '#server/db/tables.ts'
import { Passwords } from '#server/session/password.ts'
import { buildApp, cheapHashing, type TestApp } from '../../../test/harness/app.ts'
import { createUser, password } from '../../../test/harness/factories.ts'
import * as contract from './contract.ts'
import { login } from './server/service/login.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp()
  await createUser(app.db, { username: 'Olive', email: 'Olive@Example.org' })
})
afterAll(() => app.close())

const refusal = async (response: Response) => ({
  status: response.status,
  body: await response.text(),
  cookies: response.headers.getSetCookie(),
})

describe('a login is refused', () => {
  test.each([
    [{ username: 'ab', password: 'secret1' }, 'username', 'Username must be at least 3 characters'],
    [{ password: 'secret1' }, 'username', 'Username must be at least 3 characters'],
    [{ username: 'olive', password: '12345' }, 'password', 'Password must be at least 6 characters'],
    [{ username: 'olive' }, 'password', 'Password must be at least 6 characters'],
    [{ username: 'olive', password: 123456 }, 'password', 'Password must be at least 6 characters'],
    [{ username: { $ne: 1 }, password: 'secret1' }, 'username', 'Username must be at least 3 characters'],
    [{ username: 'oli\u0000ve', password: 'secret1' }, 'username', 'Please remove the control characters'],
    [{ username: 'x'.repeat(255), password: 'secret1' }, 'username', 'Please use at most 254 characters'],
    [{ username: 'olive', password: 'x'.repeat(129) }, 'password', 'Password must be at most 128 characters'],
  ])('with the same message as in the form: %j', async (body, path, message) => {
    const response = await app.client().post('/api/login', body)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ message, code: 'invalid', issues: [{ path, message }] })
  })

  test('with the same message for an unknown name and a wrong password', async () => {
    const wrong = await refusal(await app.client().post('/api/login', { username: 'olive', password: 'not the one' }))
    const unknown = await refusal(
      await app.client().post('/api/login', { username: 'nobody-here', password: 'not the one' }),
    )
    expect(wrong).toEqual(unknown)
    expect(wrong).toEqual({
      status: 401,
      body: '{"message":"Invalid username or password","code":"wrong_login"}',
      cookies: [],
    })
  })

  test.each(['Correct horse', 'correct horse ', ' correct horse', 'correct hors', 'correct horse\u0000'])(
    'when the password differs in one character: %j',
    async (nearly) => {
      expect((await app.client().post('/api/login', { username: 'olive', password: nearly })).status).toBe(401)
    },
  )

  test('when the name has look-alike letters', async () => {
    expect((await app.client().post('/api/login', { username: '\u041elive', password })).status).toBe(401)
  })

  test('when the password changes during the comparison, so that a reset leaves no session', async () => {
    const user = await createUser(app.db)
    const other = await new Passwords(cheapHashing).hash('another password')
    class Meddling extends Passwords {
      override async verify(...args: Parameters<Passwords['verify']>): Promise<boolean> {
        const matches = await super.verify(...args)
        await app.db.update(users).set({ passwordHash: other }).where(eq(users.id, user.id))
        return matches
      }
    }
    const attempt = login(
      { ...app.context, passwords: new Meddling(cheapHashing) },
      { username: user.username, password },
      { caller: { ip: '127.0.0.1', userAgent: '', sessionToken: undefined }, requestId: 'test' },
    )
    await expect(attempt).rejects.toMatchObject({ status: 401, code: 'wrong_login' })
    expect(await app.db.select().from(sessions).where(eq(sessions.userId, user.id))).toEqual([])
  })

  test('with 503 and Retry-After when too many passwords are being compared', async () => {
    const busy = await buildApp({
      passwords: { cost: { memoryCost: 4_096, timeCost: 1, parallelism: 1 }, atOnce: 1, queue: 1 },
    })
    const responses = await Promise.all(
      Array.from({ length: 12 }, () =>
        busy.client().post('/api/login', { username: 'nobody-here', password: 'secret1' }),
      ),
    )
    const refused = responses.filter((response) => response.status === 503)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.map((response) => response.headers.get('retry-after'))).toEqual(refused.map(() => '2'))
    expect(responses.filter((response) => response.status === 401).length).toBe(12 - refused.length)
    await busy.close()
  })
})

describe('a login', () => {
  test.each(['Olive', 'olive', 'OLIVE', ' olive ', 'olive@example.org', 'OLIVE@EXAMPLE.ORG'])(
    'finds the account by %j',
    async (username) => {
      const client = app.client()
      const user = await client.call(contract.login, { body: { username, password } })
      expect(user).toMatchObject({ username: 'Olive', email: 'Olive@Example.org', role: 'user' })
      expect((await client.call(contract.currentUser, {}))?.username).toBe('Olive')
    },
  )

  test('returns no secret and sets a cookie that scripts cannot read', async () => {
    const response = await app.client().post('/api/login', { username: 'olive', password })
    const body = await response.text()
    expect(Object.keys(JSON.parse(body)).filter((key) => /password|secret|token/i.test(key))).toEqual([
      'mustChangePassword',
    ])
    expect(response.headers.get('cache-control')).toBe('no-store')
    const [cookie = '', ...more] = response.headers.getSetCookie()
    expect(more).toEqual([])
    expect(cookie).toMatch(/^sid=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
    expect(body).not.toContain(cookie.slice(4, 47))
  })

  test('over HTTPS sets a cookie that no other host can set', async () => {
    const secure = await buildApp({ config: { publicUrl: 'https://tv.example', secureCookies: true } })
    await createUser(secure.db, { username: 'pip' })
    const client = secure.client()
    const response = await client.post('/api/login', { username: 'pip', password })
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-sid=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/),
    ])
    expect((await client.request('/api/user')).status).toBe(200)
    await secure.close()
  })

  test('replaces the previous cookie and ends its session', async () => {
    const { client, user } = await app.signIn()
    const before = client.cookies.get('sid')
    await client.call(contract.login, { body: { username: user.username, password } })
    const after = client.cookies.get('sid')
    expect(after).not.toBe(before)
    client.cookies.set('sid', before!)
    expect((await client.request('/api/user')).status).toBe(401)
  })

  test('does not adopt a planted token', async () => {
    const client = app.client()
    const planted = 'p'.repeat(43)
    client.cookies.set('sid', planted)
    await client.call(contract.login, { body: { username: 'olive', password } })
    expect(client.cookies.get('sid')).not.toBe(planted)
    expect((await app.client().request('/api/user', { headers: { cookie: `sid=${planted}` } })).status).toBe(401)
  })

  test('does not affect other browsers of the same user', async () => {
    const [first, second] = [app.client(), app.client()]
    await first.call(contract.login, { body: { username: 'olive', password } })
    await second.call(contract.login, { body: { username: 'olive', password } })
    expect((await first.request('/api/user')).status).toBe(200)
    expect((await second.request('/api/user')).status).toBe(200)
  })

  test('rehashes the password when the stored hash has another cost', async () => {
    const costlier = await buildApp({ passwords: { cost: { ...cheapHashing.cost, timeCost: 2 } } })
    const stored = async () =>
      (await costlier.database.pool.query<{ password_hash: string }>('select password_hash from users')).rows[0]!
        .password_hash
    await createUser(costlier.db, { username: 'Quill' })
    expect(await stored()).toContain('t=1')
    await costlier.client().call(contract.login, { body: { username: 'quill', password } })
    const renewed = await stored()
    expect(renewed).toContain('t=2')
    await costlier.client().call(contract.login, { body: { username: 'quill', password } })
    expect(await stored()).toBe(renewed)
    await costlier.close()
  })

  test('that rehashes the password does not fail concurrent logins', async () => {
    const costlier = await buildApp({ passwords: { cost: { ...cheapHashing.cost, timeCost: 2 } } })
    await createUser(costlier.db, { username: 'Quill' })
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => costlier.client().post('/api/login', { username: 'quill', password })),
    )
    expect(responses.map((response) => response.status)).toEqual(Array(10).fill(200))
    await costlier.close()
  })

  test('is logged without the entered credentials', async () => {
    await app.client().post('/api/login', { username: 'canary-name', password: 'canary-password' })
    await app.client().call(contract.login, { body: { username: 'olive', password } })
    expect(app.logs.join('')).not.toMatch(/canary|correct horse/)
  })
})

test('the current user is 401 for anonymous callers, and null through the contract', async () => {
  const response = await app.client().request('/api/user')
  expect(response.status).toBe(401)
  expect(await response.json()).toEqual({ message: 'Please log in first', code: 'not_signed_in' })
  expect(await app.client().call(contract.currentUser, {})).toBeNull()
})

test('the database stores no usable session token', async () => {
  const client = app.client()
  await client.call(contract.login, { body: { username: 'olive', password } })
  const rows = await app.db.select().from(sessions)
  expect(rows.length).toBeGreaterThan(0)
  expect(
    JSON.stringify(
      rows.map((row) => ({
        ...row,
        tokenHash: row.tokenHash.toString('latin1') + row.tokenHash.toString('base64url'),
      })),
    ),
  ).not.toContain(client.cookies.get('sid'))
})
