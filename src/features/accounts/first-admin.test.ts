import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildApp, type TestApp, testConfig } from '../../../test/harness/app.ts'
import { createUser } from '../../../test/harness/factories.ts'
import { ensureFirstAdmin } from './server/service/create-first-admin.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildApp()
})
afterEach(() => app.close())

const admins = async () => (await app.database.pool.query("select username from users where role = 'admin'")).rows

test('with a configured password, the first administrator is created and no password is returned', async () => {
  const config = {
    ...testConfig,
    firstAdmin: { username: 'admin', email: 'boss@example.org', password: 'chosen-by-operator' },
  }
  expect(await ensureFirstAdmin({ ...app.context, config })).toBeUndefined()
  const response = await app
    .client()
    .post('/api/login', { username: 'boss@example.org', password: 'chosen-by-operator' })
  expect(await response.json()).toMatchObject({ username: 'admin', role: 'admin' })
})

test('without a configured password, a random password is generated and returned once', async () => {
  const shown = await ensureFirstAdmin(app.context)
  expect(shown).toEqual({ username: 'admin', password: expect.stringMatching(/^[\w-]{20}$/) })
  expect((await app.client().post('/api/login', shown)).status).toBe(200)
  expect(await ensureFirstAdmin(app.context)).toBeUndefined()
  expect(await admins()).toEqual([{ username: 'admin' }])
})

test('an installation that has an administrator gets no second one', async () => {
  await createUser(app.db, { username: 'chief', role: 'admin' })
  expect(await ensureFirstAdmin(app.context)).toBeUndefined()
  expect(await admins()).toEqual([{ username: 'chief' }])
})

test('several processes that start concurrently create one administrator and return one password', async () => {
  const shown = await Promise.all(Array.from({ length: 6 }, () => ensureFirstAdmin(app.context)))
  expect(shown.filter((one) => one !== undefined).length).toBe(1)
  expect(await admins()).toEqual([{ username: 'admin' }])
})

test('a username or address that belongs to a customer is reported as the reason for the failure', async () => {
  await createUser(app.db, { username: 'someone', email: testConfig.firstAdmin.email })
  await expect(ensureFirstAdmin(app.context)).rejects.toThrow(/ADMIN_USERNAME or ADMIN_EMAIL/)
  expect(await admins()).toEqual([])
})

test('a fresh installation rejects guessable passwords', async () => {
  await ensureFirstAdmin(app.context)
  for (const guess of ['admin1', 'administrator', 'password', '123456', 'changeme', 'saucetv', 'sauce123']) {
    expect((await app.client().post('/api/login', { username: 'admin', password: guess })).status).toBe(401)
  }
})

test('the audit log records the creation of the first administrator without the password', async () => {
  const shown = await ensureFirstAdmin(app.context)
  const { rows } = await app.database.pool.query('select actor_id, action, target_type, after from audit_log')
  expect(rows).toEqual([
    { actor_id: null, action: 'user.create_admin', target_type: 'user', after: { username: 'admin', role: 'admin' } },
  ])
  expect(JSON.stringify(rows)).not.toContain(shown!.password)
})
