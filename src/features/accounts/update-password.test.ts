import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, mails, sessions, users } from '#server/db/tables.ts'
import { openSession } from '#server/session/session.ts'
import { buildApp, type Client, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { password } from '../../../test/harness/factories.ts'
import { currentUser, passwordForm, updatePassword } from './contract.ts'
import { missingPasswordMessage, samePasswordMessage, wrongPasswordMessage } from './rules.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp({ connections: 30 })
})
afterAll(() => app.close())

const form = (overrides: object = {}) => ({ currentPassword: password, newPassword: 'another horse', ...overrides })
const put = ({ client }: SignedIn, body: unknown) =>
  client.request('/api/account/password', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const storedStateOf = async ({ user }: SignedIn) =>
  JSON.stringify([
    await app.db.select().from(users).where(eq(users.id, user.id)),
    await app.db.select({ tokenHash: sessions.tokenHash }).from(sessions).where(eq(sessions.userId, user.id)),
    await app.db.select().from(mails).where(eq(mails.userId, user.id)),
    await app.db.select().from(auditLog).where(eq(auditLog.actorId, user.id)),
  ])
/** Opens a session of the same user in another browser. */
async function otherBrowserOf({ user }: SignedIn): Promise<Client> {
  const client = app.client()
  client.cookies.set('sid', await openSession(app.db, user, { ip: '192.0.2.1', userAgent: 'other' }))
  return client
}
const canLogIn = async ({ user }: SignedIn, typed: string) =>
  (await app.client().post('/api/login', { username: user.username, password: typed })).status

describe('a password change is refused, and nothing is written,', () => {
  test.each([
    [{ newPassword: '12345' }, 'newPassword', 'Password must be at least 6 characters'],
    [{ newPassword: 'x'.repeat(129) }, 'newPassword', 'Password must be at most 128 characters'],
    [{ newPassword: undefined }, 'newPassword', 'Password must be at least 6 characters'],
    [{ currentPassword: undefined }, 'currentPassword', missingPasswordMessage],
    [{ newPassword: password }, 'newPassword', samePasswordMessage],
  ])('with the same message as in the form: %j', async (input, path, message) => {
    const who = await app.signIn()
    const before = await storedStateOf(who)
    const response = await put(who, form(input))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message, issues: [{ path, message }] })
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await storedStateOf(who)).toBe(before)
  })

  test('for a wrong current password, with the error on its field, and no session ends', async () => {
    const who = await app.signIn()
    const other = await otherBrowserOf(who)
    const before = await storedStateOf(who)
    const response = await put(who, form({ currentPassword: 'not the password' }))
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { code: 'wrong_password', issues: [{ path: 'currentPassword', message: wrongPasswordMessage }] },
    ])
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await storedStateOf(who)).toBe(before)
    expect((await other.request('/api/user')).status).toBe(200)
  })

  test('after too many wrong guesses, which count together with failed logins', async () => {
    const strict = await buildApp({ config: { rateLimitFactor: 1 } })
    const who = await strict.signIn('olive')
    const guesses = []
    for (let i = 0; i < 6; i++) guesses.push((await put(who, form({ currentPassword: `guess-${i}` }))).status)
    expect(guesses).toEqual([403, 403, 403, 403, 403, 429])
    expect((await strict.client().post('/api/login', { username: 'olive', password })).status).toBe(429)
    await strict.close()
  })
})

describe('a password change', () => {
  test('ends all other sessions; this browser continues with a new token', async () => {
    const who = await app.signIn()
    const other = await otherBrowserOf(who)
    const oldToken = who.client.cookies.get('sid')!
    const response = await put(who, form())
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sid=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/),
    ])
    expect(who.client.cookies.get('sid')).not.toBe(oldToken)
    expect((await who.client.call(currentUser, {}))?.id).toBe(who.user.id)
    for (const cookie of [`sid=${oldToken}`, `sid=${other.cookies.get('sid')}`])
      expect((await app.client().request('/api/user', { headers: { cookie } })).status).toBe(401)
  })

  test('accepts only the new password', async () => {
    const who = await app.signIn()
    await who.client.call(updatePassword, { body: form() })
    expect([await canLogIn(who, password), await canLogIn(who, 'another horse')]).toEqual([401, 200])
  })

  test('emails the user and is audited, without either password', async () => {
    const who = await app.signIn()
    await who.client.call(updatePassword, { body: form({ newPassword: 'canary-password' }) })
    const mail = await app.db.select().from(mails).where(eq(mails.userId, who.user.id))
    const entries = await app.db.select().from(auditLog).where(eq(auditLog.actorId, who.user.id))
    expect(mail).toMatchObject([
      { recipient: who.user.email, template: 'password_changed', data: { username: who.user.username } },
    ])
    expect(entries).toMatchObject([
      { action: 'user.update_password', targetId: String(who.user.id), before: null, after: null },
    ])
    expect(JSON.stringify([mail, entries, app.logs])).not.toMatch(/canary|correct horse/)
  })

  test('clears the requirement to choose a new password', async () => {
    const who = await app.signIn({ mustChangePassword: true })
    expect((await who.client.call(updatePassword, { body: form() })).mustChangePassword).toBe(false)
  })

  test('succeeds once for twenty concurrent requests', async () => {
    const who = await app.signIn()
    const cookie = `sid=${who.client.cookies.get('sid')}`
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        app.client().request('/api/account/password', {
          method: 'PUT',
          headers: { 'content-type': 'application/json', cookie },
          body: JSON.stringify(form({ newPassword: `another horse ${i}` })),
        }),
      ),
    )
    const done = responses.flatMap(({ status }, i) => (status === 200 ? [i] : []))
    expect(done.length).toBe(1)
    expect(await canLogIn(who, `another horse ${done[0]}`)).toBe(200)
    expect((await app.db.select().from(sessions).where(eq(sessions.userId, who.user.id))).length).toBe(2)
  })
})

test('the form requires the same new password twice and shows its own message', () => {
  const checked = passwordForm.safeParse({ ...form(), confirmPassword: 'another house' })
  expect(checked.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['confirmPassword', "Passwords don't match"],
  ])
  expect(passwordForm.safeParse({ ...form(), confirmPassword: 'another horse' }).success).toBe(true)
})
