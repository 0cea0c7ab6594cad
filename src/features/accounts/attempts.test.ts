import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { createUser, password } from '../../../test/harness/factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp({ config: { rateLimitFactor: 1 } })
  await createUser(app.db, { username: 'olive' })
})
afterAll(() => app.close())

const tryLogin = async (ip: string, username: string, typed: string) =>
  (await app.client({ ip }).post('/api/login', { username, password: typed })).status

test('the sixth guess from one network is not checked, right or wrong', async () => {
  const guesses = []
  for (let i = 0; i < 7; i++) guesses.push(await tryLogin('192.0.2.1', 'olive', `guess-${i}`))
  expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429])
  const response = await app.client({ ip: '192.0.2.1' }).post('/api/login', { username: 'OLIVE', password })
  expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect(await response.json()).toEqual({
    message: 'Too many attempts. Please wait a moment and try again.',
    code: 'too_many',
  })
})

test('the owner can still log in from another network', async () => {
  expect(await tryLogin('192.0.2.2', 'olive', password)).toBe(200)
})

test('an unknown name is limited exactly like a known one', async () => {
  const guesses = []
  for (let i = 0; i < 7; i++) guesses.push(await tryLogin('192.0.2.3', 'nobody-here', `guess-${i}`))
  expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429])
})

test('repeated logins with the right password are never refused', async () => {
  const responses = []
  for (let i = 0; i < 30; i++) responses.push(await tryLogin('192.0.2.4', 'olive', password))
  expect(new Set(responses)).toEqual(new Set([200]))
})

test('thirty concurrent correct logins all succeed', async () => {
  const responses = await Promise.all(Array.from({ length: 30 }, () => tryLogin('192.0.2.5', 'olive', password)))
  expect(responses).toEqual(Array(30).fill(200))
})

test('of a thousand guesses from one IPv6 network, only five are checked', async () => {
  const responses = await Promise.all(
    Array.from({ length: 1_000 }, (_, i) => tryLogin(`2001:db8:7:7::${i.toString(16)}`, 'olive', `guess-${i}`)),
  )
  expect(responses.filter((status) => status === 401).length).toBe(5)
  expect(responses.filter((status) => status === 429).length).toBe(995)
})

test('a forged X-Forwarded-For does not count as a new network', async () => {
  // The guesses of the tests above delay further logins to `olive`, so this test uses another account.
  await createUser(app.db, { username: 'oscar' })
  const guesses = []
  for (let i = 0; i < 7; i++)
    guesses.push(
      (
        await app
          .client({ ip: '192.0.2.6' })
          .post('/api/login', { username: 'oscar', password: `guess-${i}` }, { 'x-forwarded-for': `203.0.113.${i}` })
      ).status,
    )
  expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429])
})

test('the twenty-first registration per hour from one network is refused and creates no user', async () => {
  const responses = []
  for (let i = 0; i < 22; i++)
    responses.push(
      (
        await app
          .client({ ip: '192.0.2.7' })
          .post('/api/register', { username: `many_${i}`, email: `many${i}@example.org`, password })
      ).status,
    )
  expect(responses).toEqual([...Array(20).fill(200), 429, 429])
  const { rows } = await app.database.pool.query(
    "select count(*)::int as made from users where username like 'many\\_%'",
  )
  expect(rows[0].made).toBe(20)
})
