import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, mails, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createUser, password } from '../../../test/harness/factories.ts'
import { currentUser, login, updateProfile } from './contract.ts'
import { missingPasswordMessage, takenMessage, wrongPasswordMessage } from './rules.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp({ connections: 30 })
  await createUser(app.db, { username: 'Taken', email: 'Taken@Example.org' })
})
afterAll(() => app.close())

const form = (overrides: object = {}) => ({
  fullName: 'Lena Vogt',
  email: 'lena@example.org',
  currentPassword: password,
  ...overrides,
})
const put = ({ client }: SignedIn, body: unknown) =>
  client.request('/api/account/profile', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const rowOf = async ({ user }: SignedIn) => (await app.db.select().from(users).where(eq(users.id, user.id)))[0]!
const mailsOf = ({ user }: SignedIn) => app.db.select().from(mails).where(eq(mails.userId, user.id))
const auditOf = ({ user }: SignedIn) => app.db.select().from(auditLog).where(eq(auditLog.actorId, user.id))
const storedStateOf = async (who: SignedIn) =>
  JSON.stringify([await rowOf(who), await mailsOf(who), await auditOf(who)])

describe('a profile change is refused, and nothing is written,', () => {
  test.each([
    [{ fullName: 'x' }, 'fullName', 'Full name must be at least 2 characters'],
    [{ fullName: 'x'.repeat(101) }, 'fullName', 'Please use at most 100 characters'],
    [{ fullName: 'Pip \u202E' }, 'fullName', 'Please remove the control characters'],
    [{ email: 'nobody' }, 'email', 'Please enter a valid email address'],
    [{ email: 'a@example.org\r\nBcc: all@example.org' }, 'email', 'Please enter a valid email address'],
    [{ email: undefined }, 'email', 'Please enter a valid email address'],
    [{ currentPassword: undefined }, 'currentPassword', missingPasswordMessage],
    [{ currentPassword: '' }, 'currentPassword', missingPasswordMessage],
    [{ currentPassword: { $ne: '' } }, 'currentPassword', missingPasswordMessage],
  ])('with the same message as in the form: %j', async (input, path, message) => {
    const who = await app.signIn()
    const before = await storedStateOf(who)
    const response = await put(who, form(input))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message, code: 'invalid', issues: [{ path, message }] })
    expect(await storedStateOf(who)).toBe(before)
  })

  test('for a wrong password, with the error on its field', async () => {
    const who = await app.signIn()
    const before = await storedStateOf(who)
    const response = await put(who, form({ currentPassword: 'not the password' }))
    expect([response.status, await response.json()]).toEqual([
      403,
      {
        message: wrongPasswordMessage,
        code: 'wrong_password',
        issues: [{ path: 'currentPassword', message: wrongPasswordMessage }],
      },
    ])
    expect(await storedStateOf(who)).toBe(before)
  })

  test.each(['taken@example.org', 'TAKEN@EXAMPLE.ORG'])(
    'for the taken address %s, with the message of the registration form',
    async (email) => {
      const who = await app.signIn()
      const before = await storedStateOf(who)
      const response = await put(who, form({ email }))
      expect([response.status, await response.json()]).toEqual([
        409,
        { message: takenMessage, code: 'account_exists', issues: [{ path: 'email', message: takenMessage }] },
      ])
      expect(await storedStateOf(who)).toBe(before)
    },
  )

  test('for the second of two concurrent requests for the same address', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => app.signIn()))
    const responses = await Promise.all(
      all.map((who, i) => put(who, form({ email: i % 2 ? 'one@example.org' : 'ONE@example.org' }))),
    )
    expect(responses.map((response) => response.status).sort()).toEqual([200, ...Array(19).fill(409)])
  })
})

describe('a profile change', () => {
  test('changes name and address, notifies the old address, requires a new verification and is audited', async () => {
    const who = await app.signIn({ emailVerifiedAt: '2026-01-01T00:00:00Z', fullName: 'Before' })
    const changed = await who.client.call(updateProfile, { body: form({ fullName: '  Lena Vogt ' }) })
    expect(changed).toMatchObject({
      id: who.user.id,
      username: who.user.username,
      fullName: 'Lena Vogt',
      email: 'lena@example.org',
    })
    expect(await who.client.call(currentUser, {})).toEqual(changed)
    expect(await rowOf(who)).toMatchObject({ emailVerifiedAt: null, role: 'user' })
    expect(await mailsOf(who)).toMatchObject([
      {
        recipient: who.user.email,
        template: 'email_changed',
        status: 'queued',
        data: { username: who.user.username, newEmail: 'lena@example.org' },
      },
    ])
    expect(await auditOf(who)).toMatchObject([
      {
        action: 'user.update_profile',
        targetId: String(who.user.id),
        before: { email: who.user.email, fullName: 'Before' },
        after: { email: 'lena@example.org', fullName: 'Lena Vogt' },
        requestId: expect.any(String),
      },
    ])
    expect(await app.client().call(login, { body: { username: 'LENA@example.org', password } })).toMatchObject({
      id: who.user.id,
    })
  })

  test('of the name alone keeps the email address verified and sends no email; an empty name removes the name', async () => {
    const who = await app.signIn({ emailVerifiedAt: '2026-01-01T00:00:00Z' })
    const { email } = who.user
    await who.client.call(updateProfile, { body: form({ email }) })
    expect(await rowOf(who)).toMatchObject({ fullName: 'Lena Vogt', emailVerifiedAt: expect.any(String) })
    expect((await who.client.call(updateProfile, { body: form({ email, fullName: '' }) })).fullName).toBeNull()
    expect(await mailsOf(who)).toEqual([])
    expect((await auditOf(who)).map(({ before, after }) => [before, after])).toEqual([
      [{ fullName: null }, { fullName: 'Lena Vogt' }],
      [{ fullName: 'Lena Vogt' }, { fullName: null }],
    ])
  })

  test('without any change is not audited', async () => {
    const who = await app.signIn({ fullName: 'Lena Vogt' })
    const before = await storedStateOf(who)
    await who.client.call(updateProfile, { body: form({ email: who.user.email }) })
    expect(await storedStateOf(who)).toBe(before)
  })

  test('may change only the case of the email address', async () => {
    const who = await app.signIn({ username: 'Speller' })
    expect((await who.client.call(updateProfile, { body: form({ email: 'SPELLER@example.org' }) })).email).toBe(
      'SPELLER@example.org',
    )
  })

  test('ignores a role, credit, plan or username in the body', async () => {
    const who = await app.signIn()
    const forbiddenFields = {
      id: 1,
      role: 'admin',
      username: 'admin',
      accountCredit: 99_999,
      planId: 1,
      emailVerifiedAt: '2020-01-01T00:00:00Z',
      passwordHash: 'x',
    }
    const { email: _, fullName: __, ...untouched } = await rowOf(who)
    await who.client.call(updateProfile, { body: form({ email: 'wisher@example.org', ...forbiddenFields }) as never })
    expect(await rowOf(who)).toMatchObject(untouched)
  })
})

describe('guesses through profile changes', () => {
  test('of the password count together with failed logins: five from one network also block its logins', async () => {
    const strict = await buildApp({ config: { rateLimitFactor: 1 } })
    const who = await strict.signIn('olive')
    const guesses = []
    for (let i = 0; i < 7; i++) guesses.push((await put(who, form({ currentPassword: `guess-${i}` }))).status)
    expect(guesses).toEqual([403, 403, 403, 403, 403, 429, 429])
    expect((await put(who, form())).status).toBe(429)
    expect((await strict.client().post('/api/login', { username: 'olive', password })).status).toBe(429)
    expect((await strict.client({ ip: '192.0.2.9' }).post('/api/login', { username: 'olive', password })).status).toBe(
      200,
    )
    await strict.close()
  })

  test('of taken addresses are limited to ten per hour', async () => {
    const strict = await buildApp({ config: { rateLimitFactor: 1 } })
    const who = await strict.signIn()
    await createUser(strict.db, { username: 'sought' })
    const responses = []
    for (let i = 0; i < 22; i++) responses.push((await put(who, form({ email: 'sought@example.org' }))).status)
    expect(responses).toEqual([...Array(10).fill(409), ...Array(12).fill(429)])
    await strict.close()
  })
})
