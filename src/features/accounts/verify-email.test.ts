import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, invoices, mails, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan, password } from '../../../test/harness/factories.ts'
import { mailedLink } from '../../../test/harness/mailed-link.ts'
import { createEmailVerification, getEmailVerification } from './contract.ts'
import { brokenLinkMessage, verifyFirstMessage } from './rules.ts'

const key = randomBytes(32).toString('base64')
const appWith = async (emailVerification: string, rateLimitFactor = 10_000) => {
  const app = await buildApp({ connections: 30, config: { secretKey: key, rateLimitFactor } })
  await app.database.pool.query('INSERT INTO settings (key, value) VALUES ($1, $2)', [
    'accounts',
    JSON.stringify({ emailVerification }),
  ])
  return app
}
let app: TestApp
beforeAll(async () => {
  app = await appWith('required')
})
afterAll(() => app.close())

const confirm = async (token: string, on = app) => {
  const response = await on.client().post('/api/verify-email', { token })
  return { status: response.status, body: await response.json() }
}
const broken = { status: 400, body: { code: 'broken_link', message: brokenLinkMessage } }
const isVerified = async ({ user }: Pick<SignedIn, 'user'>) =>
  (await app.db.select().from(users).where(eq(users.id, user.id)))[0]?.emailVerifiedAt !== null
const stateOf = ({ client }: SignedIn) => client.call(getEmailVerification, {} as never)
const tokenOf = async ({ user }: SignedIn) => (await mailedLink(app, 'verify_email', user.email)).token
async function requestedLink(): Promise<SignedIn & { token: string }> {
  const who = await app.signIn()
  await who.client.call(createEmailVerification, {} as never)
  return { ...who, token: await tokenOf(who) }
}

describe('an address is not confirmed', () => {
  test('by an invalid, used, replaced or expired token, or by a token for another address or purpose', async () => {
    expect(await confirm(randomBytes(32).toString('base64url'))).toEqual(broken)
    const used = await requestedLink()
    expect((await confirm(used.token)).status).toBe(200)
    expect(await confirm(used.token)).toEqual(broken)
    const replaced = await requestedLink()
    await replaced.client.call(createEmailVerification, {} as never)
    expect(await confirm(replaced.token)).toEqual(broken)
    const late = await requestedLink()
    await app.database.pool.query(
      `UPDATE mailed_tokens SET expires_at = expires_at - interval '24 hours' WHERE user_id = ${late.user.id}`,
    )
    expect(await confirm(late.token)).toEqual(broken)
    const moved = await requestedLink()
    await app.db
      .update(users)
      .set({ email: `moved-${moved.user.email}` })
      .where(eq(users.id, moved.user.id))
    expect(await confirm(moved.token)).toEqual(broken)
    const resetUser = await app.signIn()
    await app.client().post('/api/forgot-password', { email: resetUser.user.email })
    expect(await confirm((await mailedLink(app, 'password_reset', resetUser.user.email)).token)).toEqual(broken)
    for (const who of [replaced, late, moved, resetUser]) expect(await isVerified(who)).toBe(false)
  })

  test('more than once: of twenty concurrent requests, one succeeds', async () => {
    const { token, user } = await requestedLink()
    const responses = await Promise.all(Array.from({ length: 20 }, () => confirm(token)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status !== 200)).toEqual(Array(19).fill(broken))
    expect(await app.db.$count(auditLog, eq(auditLog.targetId, String(user.id)))).toBe(1)
  })
})

describe('when addresses must be confirmed before buying', () => {
  const buy = async ({ client, user }: SignedIn, planId: number) =>
    client.post('/api/create-invoice', { planId, email: user.email })

  test('nothing can be ordered or changed until the address is confirmed', async () => {
    const { id: planId } = await createPlan(app.db)
    const who = await requestedLink()
    for (const response of [
      await buy(who, planId),
      await who.client.post('/api/change-subscription', { planId, prorated: true }),
    ])
      expect([response.status, await response.json()]).toMatchObject([
        403,
        { code: 'verify_email_first', message: verifyFirstMessage },
      ])
    expect(await app.db.$count(invoices, eq(invoices.userId, who.user.id))).toBe(0)
    expect((await confirm(who.token)).status).toBe(200)
    expect((await buy(who, planId)).status).toBe(200)
  })

  test('a registration and a change of address each cause an email with a link', async () => {
    const client = app.client()
    const name = `fresh_${randomBytes(3).toString('hex')}`
    const registered = await client.post('/api/register', { username: name, email: `${name}@example.org`, password })
    const { user } = (await registered.json()) as { user: SignedIn['user'] }
    const who = { client, user }
    expect(await stateOf(who)).toEqual({ mode: 'required', email: user.email, verified: false })
    expect((await confirm(await tokenOf(who))).status).toBe(200)
    expect(await stateOf(who)).toMatchObject({ verified: true })
    const body = JSON.stringify({ fullName: '', email: `new-${user.email}`, currentPassword: password })
    expect(
      (
        await client.request('/api/account/profile', {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body,
        })
      ).status,
    ).toBe(200)
    expect(await stateOf(who)).toMatchObject({ verified: false, email: `new-${user.email}` })
    expect((await confirm((await mailedLink(app, 'verify_email', `new-${user.email}`)).token)).status).toBe(200)
  })
})

describe('another link', () => {
  test('is refused if the address is already confirmed', async () => {
    const who = await requestedLink()
    await confirm(who.token)
    expect((await who.client.post('/api/account/email-verification', {})).status).toBe(409)
  })

  test('is refused after five links within an hour', async () => {
    const limited = await appWith('optional', 1)
    const { client, user } = await limited.signIn()
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await client.post('/api/account/email-verification', {})).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect(await limited.db.$count(mails, eq(mails.userId, user.id))).toBe(5)
    const { id: planId } = await createPlan(limited.db)
    expect(
      (await client.post('/api/create-invoice', { planId, email: user.email })).status,
      'optional verification does not block purchases',
    ).toBe(200)
    await limited.close()
  })
})

test('with verification off, no link is emailed and nothing is blocked', async () => {
  const relaxed = await appWith('off')
  const client = relaxed.client()
  await client.post('/api/register', { username: 'relaxed', email: 'relaxed@example.org', password })
  expect(await relaxed.db.select({ template: mails.template }).from(mails)).toEqual([{ template: 'welcome' }])
  expect((await client.post('/api/account/email-verification', {})).status).toBe(409)
  await relaxed.close()
})
