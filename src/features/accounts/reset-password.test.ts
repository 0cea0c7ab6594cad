import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, mails, sessions, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { password } from '../../../test/harness/factories.ts'
import { passwordResetForm, resetPassword } from './admin-contract.ts'
import { currentUser, login, updatePassword } from './contract.ts'
import { ownPasswordMessage } from './rules.ts'

let app: TestApp
let chief: SignedIn
beforeAll(async () => {
  app = await buildApp({ connections: 30 })
  chief = await app.signInAdmin({ username: 'chief' })
})
afterAll(() => app.close())

const temporary = 'temporary-horse'
const put = ({ client }: Pick<SignedIn, 'client'>, userId: number | string, body: unknown) =>
  client.request(`/api/admin/users/${userId}/reset-password`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const reset = ({ user }: SignedIn) =>
  chief.client.call(resetPassword, { params: { userId: user.id }, body: { newPassword: temporary } })
const storedStateOf = async ({ user }: SignedIn) => {
  const [row] = await app.db.select().from(users).where(eq(users.id, user.id))
  const open = await app.db.select({ tokenHash: sessions.tokenHash }).from(sessions).where(eq(sessions.userId, user.id))
  return { hash: row!.passwordHash, mustChange: row!.mustChangePassword, sessions: open.length }
}

describe('a reset is refused, and nothing is written,', () => {
  test('for anonymous callers and customers', async () => {
    const who = await app.signIn()
    const before = await storedStateOf(who)
    expect((await put({ client: app.client() }, who.user.id, { newPassword: temporary })).status).toBe(401)
    expect((await put(who, who.user.id, { newPassword: temporary })).status).toBe(403)
    expect(await storedStateOf(who)).toEqual(before)
  })

  test.each([{}, { newPassword: '12345' }, { newPassword: 123456 }, { newPassword: null }])(
    'with the same message as in the form: %j',
    async (body) => {
      const who = await app.signIn()
      const before = await storedStateOf(who)
      const response = await put(chief, who.user.id, body)
      const message = 'Password must be at least 6 characters'
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { message, issues: [{ path: 'newPassword', message }] },
      ])
      expect(await storedStateOf(who)).toEqual(before)
    },
  )

  test('for an unknown user', async () => {
    expect((await put(chief, 2147483647, { newPassword: temporary })).status).toBe(404)
  })

  test("for one's own account, which requires the current password", async () => {
    const before = await storedStateOf(chief)
    const response = await put(chief, chief.user.id, { newPassword: temporary })
    expect([response.status, await response.json()]).toEqual([
      409,
      { code: 'own_account', message: ownPasswordMessage },
    ])
    expect(await storedStateOf(chief)).toEqual(before)
  })

  test('when an administrator has used up the rate limit', async () => {
    const strict = await buildApp({ config: { rateLimitFactor: 0.1 } })
    const [admin, who] = [await strict.signInAdmin(), await strict.signIn()]
    const responses = []
    for (let i = 0; i < 4; i++)
      responses.push((await put(admin, who.user.id, { newPassword: `${temporary}${i}` })).status)
    expect(responses).toEqual([200, 200, 200, 429])
    await strict.close()
  })
})

test('the dialog requires the same password twice', () => {
  const issues = (form: object) =>
    passwordResetForm.safeParse(form).error?.issues.map(({ path, message }) => [path.join('.'), message])
  expect(issues({ newPassword: 'abcdef', confirmPassword: 'abcdeg' })).toEqual([
    ['confirmPassword', 'Passwords do not match'],
  ])
  expect(issues({ newPassword: 'abcdef', confirmPassword: 'abcdef' })).toBeUndefined()
})

describe('a reset', () => {
  test('ends all sessions, accepts only the new password, emails the user, and is audited without secrets', async () => {
    const who = await app.signIn()
    const { username, email, id } = who.user
    expect(await reset(who)).toMatchObject({ id, mustChangePassword: true })
    expect((await who.client.request('/api/user')).status).toBe(401)
    expect((await app.client().post('/api/login', { username, password })).status).toBe(401)
    expect((await app.client().post('/api/login', { username, password: temporary })).status).toBe(200)

    const sent = await app.db.select().from(mails).where(eq(mails.userId, id))
    expect(sent).toMatchObject([{ template: 'password_reset_by_admin', recipient: email, data: { username } }])
    const auditRows = await app.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.targetId, String(id)))
    expect(auditRows).toMatchObject([
      { actorId: chief.user.id, action: 'user.reset_password', before: null, after: { mustChangePassword: true } },
    ])
    expect(JSON.stringify([sent, auditRows, app.logs])).not.toContain(temporary)
    expect(JSON.stringify([sent, auditRows])).not.toMatch(/argon2/)
  })

  test('allows nothing but choosing a new password', async () => {
    const who = await app.signIn()
    await reset(who)
    const client = app.client()
    await client.call(login, { body: { username: who.user.username, password: temporary } })
    expect(await client.call(currentUser, {})).toMatchObject({ mustChangePassword: true })
    for (const path of ['/api/invoices', '/api/account/credit', '/api/trial-requests', '/api/reports']) {
      const response = await client.request(path)
      expect([response.status, await response.json()], path).toMatchObject([403, { code: 'must_change_password' }])
    }
    const changed = await client.call(updatePassword, {
      body: { currentPassword: temporary, newPassword: 'a horse of my own' },
    })
    expect(changed.mustChangePassword).toBe(false)
    expect((await client.request('/api/invoices')).status).toBe(200)
  })

  test('of an administrator blocks the Admin Panel until the password is changed', async () => {
    const other = await app.signInAdmin()
    await reset(other)
    const client = app.client()
    await client.call(login, { body: { username: other.user.username, password: temporary } })
    expect((await client.request('/api/admin/users')).status).toBe(403)
  })

  test('by an administrator who is demoted concurrently happens before the demotion or not at all', async () => {
    for (let round = 0; round < 10; round++) {
      const [actor, who] = [await app.signInAdmin(), await app.signIn()]
      const [response] = await Promise.all([
        put(actor, who.user.id, { newPassword: temporary }),
        app.database.pool.query("update users set role = 'user' where id = $1", [actor.user.id]),
      ])
      expect([200, 403]).toContain(response.status)
      expect((await storedStateOf(who)).mustChange).toBe(response.status === 200)
    }
  })
})
