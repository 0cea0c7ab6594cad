import { count } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creditTransactions, mails, referralClaims, sessions, users } from '#server/db/tables.ts'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { createPlan, createUser } from '../../../test/harness/factories.ts'
import { currentUser, login, register, registrationForm } from './contract.ts'
import { takenMessage } from './rules.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp({ connections: 30 })
  await createUser(app.db, { username: 'Olive', email: 'Olive@Example.org', referralCode: 'ABCDEFGH23' })
})
afterAll(() => app.close())

let serial = 0
const form = (overrides: object = {}) => {
  const username = `new_${++serial}`
  return { username, email: `${username}@example.org`, password: 'secret1', ...overrides }
}
const rows = async () => {
  const tables = await Promise.all(
    [users, sessions, mails, referralClaims, creditTransactions].map((table) =>
      app.db.select({ rows: count() }).from(table),
    ),
  )
  return tables.map(([table]) => table!.rows)
}
const row = async (username: string) =>
  (await app.database.pool.query('select * from users where username = $1', [username])).rows[0] as Record<
    string,
    unknown
  >

describe('a registration is refused, and nothing is written,', () => {
  test.each([
    [{ username: 'ab' }, 'username', 'Username must be at least 3 characters'],
    [{ username: undefined }, 'username', 'Username must be at least 3 characters'],
    [{ username: 'x'.repeat(33) }, 'username', 'Username must be at most 32 characters'],
    [{ username: 'two words' }, 'username', 'Username may only contain letters, digits, dots, dashes and underscores'],
    [{ username: '\u0430dmin' }, 'username', 'Username may only contain letters, digits, dots, dashes and underscores'],
    [{ username: 'pi\u202Ep' }, 'username', 'Username may only contain letters, digits, dots, dashes and underscores'],
    [{ email: 'nobody' }, 'email', 'Please enter a valid email address'],
    [{ email: 'a@b' }, 'email', 'Please enter a valid email address'],
    [{ email: 'a@example.org\r\nBcc: all@example.org' }, 'email', 'Please enter a valid email address'],
    [{ email: `${'x'.repeat(250)}@example.org` }, 'email', 'Please enter a valid email address'],
    [{ email: undefined }, 'email', 'Please enter a valid email address'],
    [{ password: '12345' }, 'password', 'Password must be at least 6 characters'],
    [{ password: undefined }, 'password', 'Password must be at least 6 characters'],
    [{ password: 'x'.repeat(129) }, 'password', 'Password must be at most 128 characters'],
    [{ fullName: 'x' }, 'fullName', 'Full name must be at least 2 characters'],
    [{ fullName: 'x'.repeat(101) }, 'fullName', 'Please use at most 100 characters'],
    [{ fullName: 'Pip \u0000' }, 'fullName', 'Please remove the control characters'],
    [{ referralCode: 'ABCDE' }, 'referralCode', 'Referral code must be at least 6 characters'],
  ])('with the same message as in the form: %j', async (input, path, message) => {
    const before = await rows()
    const response = await app.client().post('/api/register', form(input))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message, code: 'invalid', issues: [{ path, message }] })
    expect(await rows()).toEqual(before)
  })

  test('for an unknown referral code, with the error on its field', async () => {
    const before = await rows()
    const response = await app.client().post('/api/register', form({ referralCode: 'ZZZZZZZZZZ' }))
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      message: 'This referral code does not exist',
      code: 'unknown_referral_code',
      issues: [{ path: 'referralCode', message: 'This referral code does not exist' }],
    })
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await rows()).toEqual(before)
  })

  test.each(['admin', 'Admin', 'ADMIN', 'a.d.m.i.n', 'Support', 'sauce_tv', 'root', 'anonymous'])(
    'for the reserved name %s',
    async (username) => {
      const response = await app.client().post('/api/register', form({ username }))
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ code: 'reserved_name', issues: [{ path: 'username' }] })
    },
  )

  test('with the same message for a taken name and a taken email address, ignoring case', async () => {
    const before = await rows()
    const taken = [
      { username: 'Olive' },
      { username: 'oLIVE' },
      { email: 'olive@example.org' },
      { email: 'OLIVE@EXAMPLE.ORG' },
      { username: 'olive', email: 'olive@example.org' },
    ]
    for (const input of taken) {
      const response = await app.client().post('/api/register', form(input))
      expect(response.status).toBe(409)
      const issues = [
        { path: 'username', message: takenMessage },
        { path: 'email', message: takenMessage },
      ]
      expect(await response.json()).toEqual({
        message: 'That username or email is already in use',
        code: 'account_exists',
        issues,
      })
    }
    expect(await rows()).toEqual(before)
  })
})

describe('a registration', () => {
  test('creates a customer and logs in', async () => {
    const client = app.client()
    const before = await rows()
    const sent = form({ fullName: '  Ana   Mar\u0065\u0301  ' })
    const { user, referralApplied } = await client.call(register, { body: sent })
    expect(referralApplied).toBe(false)
    expect(user).toMatchObject({
      username: sent.username,
      email: sent.email,
      fullName: 'Ana   Mar\u00e9',
      role: 'user',
      planId: null,
      subscriptionStatus: 'none',
      accountCredit: 0,
      iptvSynced: false,
      mustChangePassword: false,
    })
    expect(user.referralCode).toMatch(/^[A-HJ-NP-Z2-9]{10}$/)
    expect((await client.call(currentUser, {}))?.id).toBe(user.id)
    expect(await rows()).toEqual([before[0]! + 1, before[1]! + 1, before[2]! + 1, before[3], before[4]])
    expect(await app.client().call(login, { body: { username: sent.email, password: sent.password } })).toMatchObject({
      id: user.id,
    })
  })

  test('treats empty optional fields as missing', async () => {
    const { user, referralApplied } = await app
      .client()
      .call(register, { body: form({ fullName: '', referralCode: '' }) as never })
    expect([user.fullName, referralApplied]).toEqual([null, false])
  })

  test('enqueues one welcome email to the new address, without secrets', async () => {
    const sent = form()
    const { user } = await app.client().call(register, { body: sent })
    const mine = (await app.db.select().from(mails)).filter((mail) => mail.userId === user.id)
    expect(mine).toMatchObject([
      {
        dedupeKey: `welcome:${user.id}`,
        recipient: sent.email,
        template: 'welcome',
        status: 'queued',
        data: { username: sent.username },
      },
    ])
  })

  test('stores an argon2id hash and not the password', async () => {
    const sent = form({ password: 'canary-password' })
    await app.client().call(register, { body: sent })
    const stored = await row(sent.username)
    expect(stored.password_hash).toMatch(/^\$argon2id\$v=19\$/)
    expect(JSON.stringify(stored)).not.toContain('canary')
    expect(app.logs.join('')).not.toContain('canary')
  })

  test.each(['\u{1F980}'.repeat(32), ' leading and trailing ', 'x'.repeat(128), '123456'])(
    'keeps any password exactly as typed: %j',
    async (typed) => {
      const sent = form({ password: typed })
      await app.client().call(register, { body: sent })
      expect((await app.client().post('/api/login', { username: sent.username, password: typed })).status).toBe(200)
      expect(
        (await app.client().post('/api/login', { username: sent.username, password: `${typed.slice(0, -1)}?` })).status,
      ).toBe(401)
    },
  )

  test('ignores a role, credit, plan, id or referrer in the body', async () => {
    const plan = await createPlan(app.db)
    const referrer = await createUser(app.db)
    const forbiddenFields = {
      id: 4711,
      role: 'admin',
      accountCredit: 99_999,
      account_credit: 99_999,
      planId: plan.id,
      subscriptionStatus: 'active',
      subscriptionEndDate: '2099-01-01T00:00:00Z',
    }
    const more = {
      referredBy: referrer.id,
      referred_by: referrer.id,
      emailVerifiedAt: '2020-01-01T00:00:00Z',
      mustChangePassword: true,
      passwordHash: 'x',
      createdAt: '2020-01-01T00:00:00Z',
      iptvSynced: true,
      iptvMaxConnections: 99,
    }
    const sent = form({ ...forbiddenFields, ...more, confirmPassword: 'other', referralApplied: true })
    const { user, referralApplied } = await app.client().call(register, { body: sent })
    expect(referralApplied).toBe(false)
    expect(user).toMatchObject({
      role: 'user',
      accountCredit: 0,
      planId: null,
      subscriptionStatus: 'none',
      subscriptionEndDate: null,
      iptvSynced: false,
      iptvMaxConnections: null,
      mustChangePassword: false,
    })
    expect(user.id).not.toBe(4711)
    const stored = await row(sent.username)
    expect(stored).toMatchObject({ referred_by: null, email_verified_at: null })
    expect((stored.created_at as Date).getFullYear()).toBeGreaterThan(2020)
  })

  test.each(['ABCDEFGH23', 'abcdefgh23', ' abcde-fgh23 '])(
    'with an existing referral code %j claims the referral without credit yet',
    async (referralCode) => {
      const { user, referralApplied } = await app.client().call(register, { body: form({ referralCode }) })
      expect(referralApplied).toBe(true)
      const olive = await row('Olive')
      expect((await row(user.username)).referred_by).toBe(olive.id)
      const claims = (await app.db.select().from(referralClaims)).filter((claim) => claim.refereeId === user.id)
      expect(claims).toMatchObject([{ referrerId: olive.id, rewardedInvoiceId: null }])
      expect([user.accountCredit, olive.account_credit, await app.db.select().from(creditTransactions)]).toEqual([
        0,
        0,
        [],
      ])
    },
  )

  test('ends the session the browser had before', async () => {
    const { client } = await app.signIn()
    const before = client.cookies.get('sid')!
    await client.call(register, { body: form() })
    expect((await app.client().request('/api/user', { headers: { cookie: `sid=${before}` } })).status).toBe(401)
  })

  test('succeeds for exactly one of fifty concurrent requests for the same name', async () => {
    const before = await rows()
    const spellings = ['racer', 'Racer', 'RACER', 'rAcEr']
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, i) => app.client().post('/api/register', form({ username: spellings[i % 4] }))),
    )
    expect(responses.map((response) => response.status).sort()).toEqual([200, ...Array(49).fill(409)])
    expect(await rows()).toEqual([before[0]! + 1, before[1]! + 1, before[2]! + 1, before[3], before[4]])
  })

  test('succeeds for exactly one of fifty concurrent requests for the same address', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        app.client().post('/api/register', form({ email: i % 2 ? 'one@example.org' : 'ONE@example.org' })),
      ),
    )
    expect(responses.map((response) => response.status).sort()).toEqual([200, ...Array(49).fill(409)])
  })
})

test('the form requires the same password twice and shows its own message', () => {
  const checked = registrationForm.safeParse({ ...form(), confirmPassword: 'secret2' })
  expect(checked.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['confirmPassword', "Passwords don't match"],
  ])
  expect(registrationForm.safeParse({ ...form(), confirmPassword: 'secret1' }).success).toBe(true)
  expect(registrationForm.safeParse({ ...form(), confirmPassword: 'short' }).error?.issues[0]?.message).toBe(
    'Password must be at least 6 characters',
  )
})

test('one network gets at most ten responses per hour that a username or address is taken, counting registrations and profile changes', async () => {
  const limited = await buildApp({ config: { rateLimitFactor: 1 } })
  const { user } = await limited.signIn()
  const probe = (ip: string, i: number, email = user.email) =>
    limited.client({ ip }).post('/api/register', { username: `probe${i}`, email, password: 'a good password' })
  const statuses: number[] = []
  for (let i = 0; i < 12; i++) statuses.push((await probe('192.0.2.1', i)).status)
  expect(statuses).toEqual([...Array(10).fill(409), 429, 429])
  // Names that are not taken are then also refused, so that the response reveals nothing. Other networks are not affected.
  expect((await probe('192.0.2.1', 20, 'new@example.org')).status).toBe(429)
  expect((await probe('192.0.2.2', 21, 'new@example.org')).status).toBe(200)
  await limited.close()
})
