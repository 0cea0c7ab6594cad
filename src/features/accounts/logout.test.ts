import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { createUser, password } from '../../../test/harness/factories.ts'
import { currentUser, login, logout } from './contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp()
})
afterAll(() => app.close())

test('a logout ends the session, so that the old cookie no longer works', async () => {
  const { client } = await app.signIn()
  const token = client.cookies.get('sid')!
  await client.call(logout, {})
  expect(client.cookies.has('sid')).toBe(false)
  client.cookies.set('sid', token)
  expect((await client.request('/api/user')).status).toBe(401)
})

test('a logout makes the browser delete the cookie and its cached pages', async () => {
  const { client } = await app.signIn()
  const response = await client.post('/api/logout', {})
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ message: "You've been logged out successfully." })
  expect(response.headers.getSetCookie()).toEqual(['sid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
  expect(response.headers.get('clear-site-data')).toBe('"cache"')
})

test('a logout does not affect other browsers of the same user', async () => {
  const user = await createUser(app.db)
  const [home, away] = [app.client(), app.client()]
  for (const client of [home, away]) await client.call(login, { body: { username: user.username, password } })
  await home.call(logout, {})
  expect(await home.call(currentUser, {})).toBeNull()
  expect((await away.call(currentUser, {}))?.id).toBe(user.id)
})

test('a logout without a session, or a repeated one, succeeds', async () => {
  const { client } = await app.signIn()
  expect((await app.client().post('/api/logout', {})).status).toBe(200)
  expect((await client.post('/api/logout', {})).status).toBe(200)
  expect((await client.post('/api/logout', {})).status).toBe(200)
})
