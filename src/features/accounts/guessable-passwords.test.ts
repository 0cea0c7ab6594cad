import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp, testConfig } from '../../../test/harness/app.ts'
import { createUser, password } from '../../../test/harness/factories.ts'
import { mailedLink } from '../../../test/harness/mailed-link.ts'
import { listUsers, updateRole } from './admin-contract.ts'
import { currentUser, register, updatePassword } from './contract.ts'
import { guessablePasswordMessage } from './rules.ts'
import { isGuessablePassword } from './server/guessable-passwords.ts'
import { createAdmin } from './server/service/create-admin.ts'
import { ensureFirstAdmin } from './server/service/create-first-admin.ts'
import { resetAccess } from './server/service/reset-access.ts'

let app: TestApp
let chief: SignedIn
beforeAll(async () => {
  app = await buildApp({ config: { secretKey: randomBytes(32).toString('base64') } })
  chief = await app.signInAdmin({ username: 'chief' })
})
afterAll(() => app.close())

const olive = { username: 'olive.oyl', email: 'popeye@example.org' }
const guessable = (typed: string) => isGuessablePassword(app.db, typed, olive)

describe('a password is guessable', () => {
  test('when it is one of more than 3,000 common ones, ignoring case', async () => {
    const { dictionary } = await import('@zxcvbn-ts/language-common')
    const all = (dictionary['passwords-common'] as string[]).filter((typed) => typed.length >= 6)
    expect(all.length).toBeGreaterThan(3_000)
    for (const typed of all.slice(0, 3_000)) expect(await guessable(typed.toUpperCase()), typed).toBe(true)
  })

  test.each(
    `000000 22222222 121212 123123123 abcabc asdasdasd zaq1zaq1 654321 98765432 0123456789 abcdefgh qwertzuiop lkjhgfdsa zxczxc
    p@ssw0rd P@ssw0rd1 passw0rd! password123! Password2026 summer2026 welcome2025! admin123456 princess12 iloveyou3
    olive.oyl popeye popeye1 Popeye2026! popeye@example.org saucetv SauceTV1 sauce123 iptv1234 Sauce2026!`.split(/\s+/),
  )('%s', async (typed) => expect(await guessable(typed)).toBe(true))

  test.each([
    'correct horse',
    'only the owner knows',
    'j7#kd92mZq',
    'Tr0ub4dor&3',
    'tomato-radio-glacier',
    'a new beginning',
  ])('but not %s', async (typed) => expect(await guessable(typed)).toBe(false))
})

const strength = async (username: string) => {
  const all = await app.db
    .select({ username: users.username, strong: users.strongPassword, mustChange: users.mustChangePassword })
    .from(users)
  const { username: _, ...row } = all.find((each) => each.username === username)!
  return row
}
const logIn = async (username: string, typed: string) => {
  const client = app.client()
  const response = await client.post('/api/login', { username, password: typed })
  return { client, status: response.status, user: (await response.json()) as { mustChangePassword: boolean } }
}
const promote = (userId: number) => chief.client.call(updateRole, { params: { userId }, body: { role: 'admin' } })
const newCustomer = async (username: string, typed: string) => {
  const client = app.client()
  const { user } = await client.call(register, {
    body: { username, email: `${username}@example.org`, password: typed },
  })
  return { client, user }
}

describe('a customer who is promoted', () => {
  test('must change a guessable password before acting as an administrator', async () => {
    const { client, user } = await newCustomer('weak', '123456')
    expect(await strength('weak')).toEqual({ strong: false, mustChange: false })
    await promote(user.id)
    expect(await client.call(currentUser, {} as never)).toMatchObject({ role: 'admin', mustChangePassword: true })
    expect((await client.request('/api/admin/users')).status).toBe(403)
    const again = await logIn('weak', '123456')
    expect([again.user.mustChangePassword, (await again.client.request('/api/admin/users')).status]).toEqual([
      true,
      403,
    ])
    const refused = await again.client.request('/api/account/password', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ currentPassword: '123456', newPassword: 'password1' }),
    })
    expect([refused.status, await refused.json()]).toMatchObject([400, { message: guessablePasswordMessage }])
    await again.client.call(updatePassword, {
      body: { currentPassword: '123456', newPassword: 'only the owner knows' },
    })
    expect((await again.client.call(listUsers, { query: { pageSize: 1 } })).rows).toHaveLength(1)
  })

  test('must also change an unchecked password, but not a strong password', async () => {
    const unknown = await createUser(app.db, { strongPassword: false })
    await promote(unknown.id)
    expect(await strength(unknown.username)).toEqual({ strong: false, mustChange: true })
    const { client, user } = await newCustomer('good', 'only the owner knows')
    await promote(user.id)
    expect((await client.call(listUsers, { query: { pageSize: 1 } })).rows).toHaveLength(1)
  })
})

describe('at the next login of an administrator whose password was not checked by an earlier release', () => {
  test('a strong password is recorded as strong', async () => {
    const { username } = await createUser(app.db, { role: 'admin', strongPassword: false })
    expect((await logIn(username, password)).user.mustChangePassword).toBe(false)
    expect(await strength(username)).toEqual({ strong: true, mustChange: false })
  })

  test('a guessable password must be changed', async () => {
    const passwordHash = await app.context.passwords.hash('password1')
    const { username } = await createUser(app.db, { role: 'admin', strongPassword: false, passwordHash })
    const { client, user } = await logIn(username, 'password1')
    expect([user.mustChangePassword, (await client.request('/api/admin/users')).status]).toEqual([true, 403])
  })
})

test('an emailed link cannot set a guessable password for an administrator', async () => {
  const { user } = await app.signIn()
  await app.client().post('/api/forgot-password', { email: user.email })
  const { token } = await mailedLink(app, 'password_reset', user.email)
  await promote(user.id)
  expect((await app.client().post('/api/reset-password', { token, newPassword: '123456' })).status).toBe(400)
})

describe('the first administrator', () => {
  const first = (configured?: string) => ({
    ...testConfig,
    firstAdmin: { username: 'first', email: 'first@example.org', password: configured },
  })

  test('cannot have a guessable ADMIN_PASSWORD: the app refuses to start with a message', async () => {
    const fresh = await buildApp()
    for (const configured of ['password', 'first1', 'saucetv2026'])
      await expect(ensureFirstAdmin({ ...fresh.context, config: first(configured) })).rejects.toThrow(
        /^ADMIN_PASSWORD is too easy to guess\. [^.]+\.$/,
      )
    expect(await ensureFirstAdmin({ ...fresh.context, config: first('chosen-by-operator') })).toBeUndefined()
    const [row] = await fresh.db.select().from(users)
    expect(row).toMatchObject({ mustChangePassword: false, strongPassword: true })
    // ADMIN_PASSWORD is not used once an administrator exists, so a guessable one does not prevent the start.
    expect(await ensureFirstAdmin({ ...fresh.context, config: first('password') })).toBeUndefined()
    await fresh.close()
  })

  test('must change the generated password', async () => {
    const fresh = await buildApp()
    const drawn = await ensureFirstAdmin({ ...fresh.context, config: first() })
    const client = fresh.client()
    const response = await client.post('/api/login', { username: 'first', password: drawn!.password })
    expect([response.status, await response.json()]).toMatchObject([200, { mustChangePassword: true }])
    expect((await client.request('/api/admin/users')).status).toBe(403)
    await fresh.close()
  })
})

test('a password generated by the command line must be changed', async () => {
  await createAdmin(app.context, { username: 'from-shell', email: 'from-shell@example.org' })
  expect(await strength('from-shell')).toEqual({ strong: true, mustChange: true })
  await resetAccess(app.context, 'from-shell')
  expect(await strength('from-shell')).toEqual({ strong: true, mustChange: true })
})
