import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, mailedTokens, mails, sessions, users } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { password } from '../../../test/harness/factories.ts'
import { mailedLink } from '../../../test/harness/mailed-link.ts'
import { brokenLinkMessage, guessablePasswordMessage, resetRequestedMessage } from './rules.ts'

const { minimumMs } = limits.passwordReset
let app: TestApp
beforeAll(async () => {
  app = await buildApp({ connections: 30, config: { secretKey: randomBytes(32).toString('base64') } })
  limits.passwordReset.minimumMs = 1
})
afterAll(async () => {
  limits.passwordReset.minimumMs = minimumMs
  await app.close()
})

const newPassword = 'a new beginning'
const ask = (email: string) => app.client().post('/api/forgot-password', { email })
const reset = async (token: unknown, chosen: unknown = newPassword) => {
  const response = await app.client().post('/api/reset-password', { token, newPassword: chosen })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const canLogIn = async ({ user }: SignedIn, typed: string) =>
  (await app.client().post('/api/login', { username: user.username, password: typed })).status
const mailsTo = (recipient: string) =>
  app.db.select({ template: mails.template }).from(mails).where(eq(mails.recipient, recipient))
const broken = { status: 400, body: { code: 'broken_link', message: brokenLinkMessage } }
/** A customer who requested a reset, with the token from their email. */
async function requestedReset(as: Parameters<TestApp['signIn']>[0] = {}): Promise<SignedIn & { token: string }> {
  const who = await app.signIn(as)
  expect((await ask(who.user.email)).status).toBe(200)
  return { ...who, token: (await mailedLink(app, 'password_reset', who.user.email)).token }
}

describe('requesting a link', () => {
  test('is refused without an address, with the same message as in the form', async () => {
    for (const email of ['', 'nobody', undefined]) {
      const response = await ask(email as string)
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { message: 'Please enter a valid email address' },
      ])
    }
  })

  test('gets the same response for an unknown address, which gets no email', async () => {
    const { user } = await app.signIn()
    const responses = await Promise.all([ask(user.email.toUpperCase()), ask('nobody@example.org')])
    const [known, unknown] = await Promise.all(
      responses.map(async (r) => [r.status, [...r.headers.keys()], await r.text()]),
    )
    expect(known).toEqual(unknown)
    expect(known).toMatchObject([200, expect.anything(), JSON.stringify({ message: resetRequestedMessage })])
    expect(await mailsTo(user.email)).toEqual([{ template: 'password_reset' }])
    expect(await mailsTo('nobody@example.org')).toEqual([])
  })

  test('is limited per network for each address, known or unknown, and per mailbox across networks', async () => {
    const limited = await buildApp({ config: { rateLimitFactor: 1, secretKey: app.context.config.secretKey } })
    const { user } = await limited.signIn()
    const statusOfRequest = async (email: string, ip: string) =>
      (await limited.client({ ip }).post('/api/forgot-password', { email })).status
    for (const email of [user.email, 'nobody@example.org']) {
      const statuses = await Promise.all(Array.from({ length: 6 }, () => statusOfRequest(email, '192.0.2.1')))
      expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 429])
    }
    const sent = () => limited.db.$count(mails, eq(mails.recipient, user.email))
    // Each further network can trigger one email, up to 30 in total.
    const others = (from: number, to: number) =>
      Promise.all(Array.from({ length: to - from }, (_, i) => statusOfRequest(user.email, `192.0.${from + i}.1`)))
    expect(new Set(await others(10, 45))).toEqual(new Set([200]))
    expect(await sent()).toBe(34)
    await others(10, 13)
    expect(await sent()).toBe(34)
    await limited.close()
  })

  test('is not blocked for the owner by requests from other people, and never on a known device', async () => {
    const limited = await buildApp({ config: { rateLimitFactor: 1, secretKey: app.context.config.secretKey } })
    const { user } = await limited.signIn()
    const statusOfRequest = async (ip: string) =>
      (await limited.client({ ip }).post('/api/forgot-password', { email: user.email })).status
    const sent = () =>
      limited.db.$count(mails, and(eq(mails.recipient, user.email), eq(mails.template, 'password_reset')))
    await limited.client({ ip: '198.51.100.7' }).post('/api/login', { username: user.username, password })
    const foreign = (from: number, to: number) =>
      Promise.all(
        Array.from({ length: to - from }, (_, i) => limited.context.limits.mayMail(user.email, `192.0.${from + i}.1`)),
      )
    await foreign(10, 20)
    await statusOfRequest('203.0.113.5')
    expect(await sent()).toBe(1)
    await foreign(20, 60)
    await statusOfRequest('203.0.113.6')
    expect(await sent()).toBe(1)
    await statusOfRequest('198.51.100.7')
    expect(await sent()).toBe(2)
    await limited.close()
  })

  test('leaves no token in the database, the mail log, the audit log or the app log', async () => {
    const { user, token } = await requestedReset()
    const rows = [
      await app.db.select().from(mailedTokens),
      await app.db.select().from(mails),
      await app.db.select().from(auditLog),
    ]
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(rows) + app.logs.join()).not.toContain(token)
    expect(
      await app.db
        .select()
        .from(auditLog)
        .where(eq(auditLog.targetId, String(user.id))),
    ).toMatchObject([{ action: 'user.create_password_reset' }])
  })
})

describe('a new password', () => {
  test('is refused with the same message as in the form, and the link still works', async () => {
    const who = await requestedReset()
    expect(await reset(who.token, '12345')).toMatchObject({ status: 400, body: { issues: [{ path: 'newPassword' }] } })
    expect(await canLogIn(who, password)).toBe(200)
    expect((await reset(who.token)).status).toBe(200)
  })

  test('gets the same response for an invalid, used, replaced or expired token and for a token sent to a former address', async () => {
    expect(await reset(randomBytes(32).toString('base64url'))).toEqual(broken)
    for (const token of ['x', "' or 1=1 --", '💥']) expect(await reset(token)).toEqual(broken)

    const used = await requestedReset()
    expect((await reset(used.token)).status).toBe(200)
    expect(await reset(used.token, 'yet another one')).toEqual(broken)

    const replaced = await requestedReset()
    await ask(replaced.user.email)
    expect(await reset(replaced.token)).toEqual(broken)

    const late = await requestedReset()
    await app.database.pool.query(
      `UPDATE mailed_tokens SET expires_at = expires_at - interval '15 minutes' WHERE user_id = ${late.user.id}`,
    )
    expect(await reset(late.token)).toEqual(broken)

    const moved = await requestedReset()
    await app.db
      .update(users)
      .set({ email: `moved-${moved.user.email}` })
      .where(eq(users.id, moved.user.id))
    expect(await reset(moved.token)).toEqual(broken)
    for (const who of [replaced, late, moved]) expect(await canLogIn(who, password)).toBe(200)
  })

  test('cannot be set with a link that was requested before the password changed', async () => {
    const who = await requestedReset()
    const body = JSON.stringify({ currentPassword: password, newPassword: 'changed in between' })
    const changed = await who.client.request('/api/account/password', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(changed.status).toBe(200)
    expect(await reset(who.token)).toEqual(broken)
  })

  test('is set by one of twenty concurrent uses of a link, and the others get identical responses', async () => {
    const who = await requestedReset()
    const responses = await Promise.all(Array.from({ length: 20 }, (_, i) => reset(who.token, `new beginning ${i}`)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status !== 200)).toEqual(Array(19).fill(broken))
    expect(await canLogIn(who, `new beginning ${responses.findIndex(({ status }) => status === 200)}`)).toBe(200)
    expect((await mailsTo(who.user.email)).filter(({ template }) => template === 'password_changed')).toHaveLength(1)
  })

  test('ends all sessions, opens none, verifies the address and emails the user', async () => {
    const who = await requestedReset({ mustChangePassword: true })
    const response = await app.client().post('/api/reset-password', { token: who.token, newPassword })
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []])
    expect(await app.db.$count(sessions, eq(sessions.userId, who.user.id))).toBe(0)
    expect((await who.client.request('/api/user')).status).toBe(401)
    expect([await canLogIn(who, password), await canLogIn(who, newPassword)]).toEqual([401, 200])
    const [row] = await app.db.select().from(users).where(eq(users.id, who.user.id))
    expect(row).toMatchObject({ mustChangePassword: false, emailVerifiedAt: expect.any(String) })
    expect(await mailsTo(who.user.email)).toEqual([{ template: 'password_reset' }, { template: 'password_changed' }])
    const audited = await app.db
      .select({ action: auditLog.action })
      .from(auditLog)
      .where(eq(auditLog.actorId, who.user.id))
    expect(audited).toEqual([{ action: 'user.confirm_password_reset' }])
  })

  test('lets a user who was blocked by failed logins log in immediately', async () => {
    const limited = await buildApp({ config: { rateLimitFactor: 1, secretKey: app.context.config.secretKey } })
    const { user } = await limited.signIn()
    const logIn = async (typed: string) =>
      (await limited.client().post('/api/login', { username: user.username, password: typed })).status
    for (let i = 0; i < 5; i++) expect(await logIn('not the password')).toBe(401)
    expect(await logIn(password)).toBe(429)
    await limited.client().post('/api/forgot-password', { email: user.email })
    const { token } = await mailedLink(limited, 'password_reset', user.email)
    expect((await limited.client().post('/api/reset-password', { token, newPassword })).status).toBe(200)
    expect(await logIn(newPassword)).toBe(200)
    await limited.close()
  })
})

describe('a guessable password', () => {
  const common = ['password123', 'QWERTY123', 'aaaaaaaa']
  const refused = {
    status: 400,
    body: { code: 'guessable_password', issues: [{ path: 'newPassword', message: guessablePasswordMessage }] },
  }

  test('is refused for an administrator, even one derived from their username', async () => {
    const who = await requestedReset({ role: 'admin' })
    for (const chosen of [...common, who.user.username, `${who.user.username}1!`, who.user.email])
      expect(await reset(who.token, chosen)).toMatchObject(refused)
    expect((await reset(who.token)).status).toBe(200)
  })

  test('is allowed for customers unless the operator forbids it, at registration, change and reset', async () => {
    const body = (name: string) => ({ username: name, email: `${name}@example.org`, password: 'password123' })
    expect((await app.client().post('/api/register', body('careless'))).status).toBe(200)
    const strict = await buildApp({ config: { secretKey: app.context.config.secretKey } })
    await strict.database.pool.query(
      `INSERT INTO settings (key, value) VALUES ('accounts', '{"refuseGuessablePasswords":"everyone"}')`,
    )
    const register = await strict.client().post('/api/register', body('careless'))
    expect([register.status, await register.json()]).toMatchObject([
      400,
      { issues: [{ path: 'password', message: guessablePasswordMessage }] },
    ])
    const { client } = await strict.signIn()
    const change = { currentPassword: password, newPassword: 'letmein' }
    const changed = await client.request('/api/account/password', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(change),
    })
    expect([changed.status, await changed.json()]).toMatchObject([400, { code: 'guessable_password' }])
    await strict.close()
  })
})
