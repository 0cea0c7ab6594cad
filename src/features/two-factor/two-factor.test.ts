import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updatePassword } from '#features/accounts/contract.ts'
import { auditLog, mails, pendingLogins, recoveryCodes, sessions, twoFactor } from '#server/db/tables.ts'
import { buildApp, type Client, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { password } from '../../../test/harness/factories.ts'
import { cancelTwoFactor, confirmTwoFactor, createRecoveryCodes, createTwoFactor, getTwoFactor } from './contract.ts'
import { startOverMessage, wrongCodeMessage } from './rules.ts'
import { codeAt } from './server/totp.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp({ connections: 30, config: { secretKey: randomBytes(32).toString('base64') } })
})
afterAll(() => app.close())

type Secured = SignedIn & { secret: string; codes: string[] }
const at = (secret: string, steps = 0) => codeAt(secret, Date.now() / 1000 + 30 * steps)
/** Resets the last used time step, so that a test does not have to wait half a minute for the next code. */
const nextCode = (userId: number) => app.db.update(twoFactor).set({ lastStep: 0 }).where(eq(twoFactor.userId, userId))
async function secured(as: Parameters<TestApp['signIn']>[0] = {}): Promise<Secured> {
  const who = await app.signIn(as)
  const { secret } = await who.client.call(createTwoFactor, { body: { currentPassword: password } })
  const { recoveryCodes: codes } = await who.client.call(confirmTwoFactor, { body: { code: at(secret) } })
  await nextCode(who.user.id)
  return { ...who, secret, codes }
}
const statusAndBody = async (response: Response) => ({
  status: response.status,
  body: (await response.json()) as Record<string, unknown>,
})
async function firstStep(
  { user }: SignedIn,
  client: Client = app.client(),
): Promise<{ token: string; client: Client }> {
  const { body } = await statusAndBody(await client.post('/api/login', { username: user.username, password }))
  return { token: (body.secondStep as { token: string }).token, client }
}
const secondStep = async (token: string, code: string, client = app.client()) =>
  statusAndBody(await client.post('/api/login/second-step', { token, code }))
const wrong = {
  status: 401,
  body: { code: 'wrong_code', message: wrongCodeMessage, issues: [{ path: 'code', message: wrongCodeMessage }] },
}
const startOver = { status: 401, body: { code: 'login_expired', message: startOverMessage } }

describe('setting up two-step verification is refused', () => {
  test('with a wrong password, and nothing is stored', async () => {
    const { client, user } = await app.signIn()
    expect((await client.post('/api/account/two-factor/setup', { currentPassword: 'not it' })).status).toBe(403)
    expect(await app.db.$count(twoFactor, eq(twoFactor.userId, user.id))).toBe(0)
  })

  test('with a wrong code or without a started setup, and the password alone still logs in', async () => {
    const who = await app.signIn()
    expect((await who.client.post('/api/account/two-factor/enable', { code: '123456' })).status).toBe(409)
    const { secret } = await who.client.call(createTwoFactor, { body: { currentPassword: password } })
    for (const code of ['000000', at(secret, 3), at(secret, -3)])
      expect(await statusAndBody(await who.client.post('/api/account/two-factor/enable', { code }))).toMatchObject({
        status: 400,
        body: { code: 'wrong_code' },
      })
    expect(await who.client.call(getTwoFactor, {} as never)).toMatchObject({ enabled: false, recoveryCodesLeft: 0 })
    expect(
      (await app.client().post('/api/login', { username: who.user.username, password })).headers.getSetCookie(),
    ).toHaveLength(1)
  })

  test('when it is already on, and the secret is not replaced', async () => {
    const who = await secured()
    const [before] = await app.db.select().from(twoFactor).where(eq(twoFactor.userId, who.user.id))
    expect((await who.client.post('/api/account/two-factor/setup', { currentPassword: password })).status).toBe(409)
    expect(await app.db.select().from(twoFactor).where(eq(twoFactor.userId, who.user.id))).toEqual([before])
  })
})

test('neither the secret nor a recovery code is readable in the database or the logs; the QR code contains the user and the site', async () => {
  const who = await app.signIn()
  const { secret, address } = await who.client.call(createTwoFactor, { body: { currentPassword: password } })
  const { recoveryCodes: codes } = await who.client.call(confirmTwoFactor, { body: { code: at(secret) } })
  expect(address).toMatch(new RegExp(`^otpauth://totp/SauceTV:${who.user.username}\\?.*secret=${secret}`))
  expect(new Set(codes).size).toBe(10)
  const tables = await Promise.all(
    [twoFactor, recoveryCodes, auditLog, mails].map((table) => app.db.select().from(table)),
  )
  const stored =
    JSON.stringify(tables, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    ) + app.logs.join()
  for (const text of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
    expect(stored).not.toContain(text)
  expect(await app.db.select({ data: mails.data }).from(mails).where(eq(mails.userId, who.user.id))).toMatchObject([
    { data: { change: 'on' } },
  ])
})

describe('a login with a second step', () => {
  test('opens no session with the password alone, and the returned token is not a session token', async () => {
    const who = await secured()
    const before = await app.db.$count(sessions, eq(sessions.userId, who.user.id))
    const response = await app.client().post('/api/login', { username: who.user.username, password })
    const { body } = await statusAndBody(response.clone())
    expect([response.status, response.headers.getSetCookie(), Object.keys(body)]).toEqual([200, [], ['secondStep']])
    const client = app.client()
    client.cookies.set('sid', (body.secondStep as { token: string }).token)
    expect((await client.request('/api/user')).status).toBe(401)
    expect(await app.db.$count(sessions, eq(sessions.userId, who.user.id))).toBe(before)
  })

  test('accepts the codes of the current, the previous and the next time step, and no others', async () => {
    const who = await secured()
    for (const steps of [-3, 3])
      expect(await secondStep((await firstStep(who)).token, at(who.secret, steps))).toEqual(wrong)
    for (const steps of [-1, 0, 1]) {
      await nextCode(who.user.id)
      const { token, client } = await firstStep(who)
      expect(await secondStep(token, at(who.secret, steps), client)).toMatchObject({
        status: 200,
        body: { user: { id: who.user.id }, recoveryCodesLeft: 10 },
      })
      expect((await client.request('/api/user')).status).toBe(200)
    }
  })

  test('accepts no code twice, and no older code after a newer one', async () => {
    const who = await secured()
    const code = at(who.secret)
    expect((await secondStep((await firstStep(who)).token, code)).status).toBe(200)
    const { token } = await firstStep(who)
    expect(await secondStep(token, code)).toEqual(wrong)
    expect(await secondStep(token, at(who.secret, -1))).toEqual(wrong)
  })

  test('succeeds for one of twenty concurrent logins with the same code, and the others get identical responses', async () => {
    const who = await secured()
    const code = at(who.secret)
    const tokens = await Promise.all(Array.from({ length: 20 }, async () => (await firstStep(who)).token))
    const responses = await Promise.all(tokens.map((token) => secondStep(token, code)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status !== 200)).toEqual(Array(19).fill(wrong))
  })

  test('succeeds for one of twenty concurrent requests with the same token', async () => {
    const who = await secured()
    const { token } = await firstStep(who)
    const responses = await Promise.all(who.codes.flatMap((code) => [secondStep(token, code), secondStep(token, code)]))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status !== 200)).toEqual(Array(19).fill(startOver))
    expect((await who.client.call(getTwoFactor, {} as never)).recoveryCodesLeft).toBe(9)
  })

  test('fails with the same response after five wrong codes, after five minutes, for a used token and for an invalid one', async () => {
    const who = await secured()
    const guessedLogin = await firstStep(who)
    for (let i = 0; i < 4; i++) expect(await secondStep(guessedLogin.token, '000000')).toEqual(wrong)
    for (const code of ['000000', at(who.secret)]) expect(await secondStep(guessedLogin.token, code)).toEqual(startOver)
    const late = await firstStep(who)
    await app.db.update(pendingLogins).set({ expiresAt: '2020-01-01T00:00:00.000Z' })
    expect(await secondStep(late.token, at(who.secret))).toEqual(startOver)
    expect(await secondStep(randomBytes(32).toString('base64url'), at(who.secret))).toEqual(startOver)
    const used = await firstStep(who)
    expect((await secondStep(used.token, at(who.secret))).status).toBe(200)
    expect(await secondStep(used.token, at(who.secret, 1))).toEqual(startOver)
  })

  test('fails when the password was changed in the meantime', async () => {
    const who = await secured()
    const { token } = await firstStep(who)
    await who.client.call(updatePassword, { body: { currentPassword: password, newPassword: 'another horse' } })
    expect(await secondStep(token, at(who.secret))).toEqual(startOver)
  })

  test('is refused after ten wrong codes for a user, across all of their logins', async () => {
    const limited = await buildApp({ config: { rateLimitFactor: 1, secretKey: app.context.config.secretKey } })
    const { client, user } = await limited.signIn()
    const { secret } = await client.call(createTwoFactor, { body: { currentPassword: password } })
    await client.call(confirmTwoFactor, { body: { code: at(secret) } })
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) {
      const { body } = await statusAndBody(
        await limited.client().post('/api/login', { username: user.username, password }),
      )
      statuses.push(
        (
          await limited
            .client()
            .post('/api/login/second-step', { token: (body.secondStep as { token: string }).token, code: '000000' })
        ).status,
      )
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    await limited.close()
  })
})

describe('after the loss of a device', () => {
  test('each recovery code logs in once, in any spelling', async () => {
    const who = await secured()
    const [first = '', second = ''] = who.codes
    expect(
      await secondStep((await firstStep(who)).token, ` ${first.toLowerCase().replaceAll('-', ' ')} `),
    ).toMatchObject({
      status: 200,
      body: { recoveryCodesLeft: 9 },
    })
    const { token } = await firstStep(who)
    expect(await secondStep(token, first)).toEqual(wrong)
    expect(await secondStep(token, second)).toMatchObject({ status: 200, body: { recoveryCodesLeft: 8 } })
    const audited = await app.db
      .select({ action: auditLog.action })
      .from(auditLog)
      .where(eq(auditLog.actorId, who.user.id))
    expect(audited.filter(({ action }) => action === 'user.use_recovery_code')).toHaveLength(2)
  })

  test('a recovery code of another user does not log in', async () => {
    const [who, other] = [await secured(), await secured()]
    expect(await secondStep((await firstStep(who)).token, other.codes[0]!)).toEqual(wrong)
    expect((await other.client.call(getTwoFactor, {} as never)).recoveryCodesLeft).toBe(10)
  })

  test('the recovery codes can be replaced with the password and a code, and the old codes stop working', async () => {
    const who = await secured()
    for (const body of [
      { currentPassword: 'not it', code: at(who.secret) },
      { currentPassword: password, code: '000000' },
    ])
      expect((await who.client.post('/api/account/two-factor/recovery-codes', body)).status).toBeGreaterThanOrEqual(400)
    const { recoveryCodes: fresh } = await who.client.call(createRecoveryCodes, {
      body: { currentPassword: password, code: at(who.secret) },
    })
    const { token } = await firstStep(who)
    expect(await secondStep(token, who.codes[0]!)).toEqual(wrong)
    expect((await secondStep(token, fresh[0]!)).status).toBe(200)
  })

  test('an administrator can turn two-step verification off: audited, emailed, all sessions end, and the password alone logs in', async () => {
    const who = await secured()
    const admin = await app.signInAdmin()
    const reset = (id: number) => admin.client.post(`/api/admin/users/${id}/reset-two-factor`, {})
    expect((await reset(admin.user.id)).status).toBe(409)
    expect((await reset(2_147_483_647)).status).toBe(404)
    expect((await reset((await app.signIn()).user.id)).status).toBe(409)
    expect((await reset(who.user.id)).status).toBe(200)
    expect((await who.client.request('/api/user')).status).toBe(401)
    const logIn = await app.client().post('/api/login', { username: who.user.username, password })
    expect(logIn.headers.getSetCookie()).toHaveLength(1)
    const audited = await app.db.select().from(auditLog).where(eq(auditLog.actorId, admin.user.id))
    expect(audited).toMatchObject([
      {
        action: 'user.reset_two_factor',
        targetId: String(who.user.id),
        before: { twoFactor: true },
        after: { twoFactor: false },
      },
    ])
    const emails = await app.db.select({ data: mails.data }).from(mails).where(eq(mails.userId, who.user.id))
    expect(emails.at(-1)).toMatchObject({ data: { change: 'reset' } })
  })
})

test('turning two-step verification off requires both the password and a code', async () => {
  const who = await secured()
  const off = (body: object) => who.client.post('/api/account/two-factor/disable', body)
  expect((await off({ currentPassword: 'not it', code: at(who.secret) })).status).toBe(403)
  expect((await off({ currentPassword: password, code: '000000' })).status).toBe(400)
  expect((await off({ currentPassword: password })).status).toBe(400)
  expect(await who.client.call(getTwoFactor, {} as never)).toMatchObject({ enabled: true })
  await who.client.call(cancelTwoFactor, { body: { currentPassword: password, code: at(who.secret) } })
  expect(await who.client.call(getTwoFactor, {} as never)).toMatchObject({ enabled: false, recoveryCodesLeft: 0 })
  expect((await off({ currentPassword: password, code: at(who.secret, 1) })).status).toBe(409)
})

test('when two-step verification is required, an administrator without it can only set it up, and then cannot turn it off', async () => {
  const strict = await buildApp({ config: { secretKey: app.context.config.secretKey } })
  await strict.database.pool.query(
    `INSERT INTO settings (key, value) VALUES ('accounts', '{"requireTwoFactorForAdmins":true}')`,
  )
  const { client, user } = await strict.signInAdmin()
  const list = () => client.request('/api/admin/users')
  expect(await statusAndBody(await list())).toMatchObject({ status: 403, body: { code: 'two_factor_required' } })
  expect(await client.call(getTwoFactor, {} as never)).toMatchObject({ enabled: false, required: true })
  const { secret } = await client.call(createTwoFactor, { body: { currentPassword: password } })
  await client.call(confirmTwoFactor, { body: { code: at(secret) } })
  expect((await list()).status).toBe(200)
  await strict.db.update(twoFactor).set({ lastStep: 0 }).where(eq(twoFactor.userId, user.id))
  expect(
    (await client.post('/api/account/two-factor/disable', { currentPassword: password, code: at(secret) })).status,
  ).toBe(409)
  const { client: customer } = await strict.signIn()
  expect((await customer.request('/api/user')).status).toBe(200)
  await strict.close()
})

describe('with two-step verification, a code is also required', () => {
  const refused = (code: string) => ({ status: 400, body: { code, issues: [{ path: 'code' }] } })

  test('for a new email address, but not for a full name', async () => {
    const who = await secured()
    const put = async (body: object) =>
      statusAndBody(
        await who.client.request('/api/account/profile', {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ fullName: 'Olive Oyl', email: who.user.email, currentPassword: password, ...body }),
        }),
      )
    const email = `moved-${who.user.email}`
    expect((await put({})).status).toBe(200)
    expect(await put({ email })).toMatchObject(refused('code_required'))
    expect(await put({ email, code: '000000' })).toMatchObject(refused('wrong_code'))
    expect(await put({ email, currentPassword: 'not it', code: at(who.secret) })).toMatchObject({ status: 403 })
    expect(await put({ email, code: at(who.secret) })).toMatchObject({ status: 200, body: { email } })
  })

  test('to remove a passkey', async () => {
    const who = await secured()
    const { rows } = await app.database.pool.query(
      "INSERT INTO passkeys (user_id, credential_id, public_key, transports, name) VALUES ($1, $2, 'x', '[]', 'My phone') RETURNING id",
      [who.user.id, who.user.username],
    )
    const remove = async (body: object) =>
      statusAndBody(
        await who.client.post(`/api/account/passkeys/${rows[0].id}/remove`, { currentPassword: password, ...body }),
      )
    expect(await remove({})).toMatchObject(refused('code_required'))
    expect(await remove({ code: '000000' })).toMatchObject(refused('wrong_code'))
    expect(await remove({ code: who.codes[0]! })).toMatchObject({ status: 200 })
  })
})
