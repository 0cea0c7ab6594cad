import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPasskeyChallenge, createPasskeyOptions, listPasskeys } from '#features/passkeys/contract.ts'
import { confirmTwoFactor, createTwoFactor } from '#features/two-factor/contract.ts'
import { codeAt } from '#features/two-factor/server/totp.ts'
import { auditLog, mails, passkeys, sessions, twoFactor, users } from '#server/db/tables.ts'
import { buildApp, type Client, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { password } from '../../../test/harness/factories.ts'
import { mailedLink } from '../../../test/harness/mailed-link.ts'
import { PasskeyDevice } from '../../../test/harness/passkey-device.ts'
import { resetPassword } from './admin-contract.ts'
import { currentUser, updatePassword } from './contract.ts'
import { resetAccess } from './server/service/reset-access.ts'

let app: TestApp
let chief: SignedIn
beforeAll(async () => {
  app = await buildApp({ config: { secretKey: randomBytes(32).toString('base64') } })
  chief = await app.signInAdmin()
})
afterAll(() => app.close())

const chosen = 'only the owner knows'
type Stolen = SignedIn & { device: PasskeyDevice; recoveryCode: string; secret: string }

/** Creates a user in whose account an intruder who knows the password added a passkey, a second factor and sessions. */
async function stolen(as: Parameters<TestApp['signIn']>[0] = {}): Promise<Stolen> {
  const who = await app.signIn(as)
  const { device } = await withPasskey(who)
  const { secret } = await who.client.call(createTwoFactor, { body: { currentPassword: password } })
  const { recoveryCodes } = await who.client.call(confirmTwoFactor, {
    body: { code: codeAt(secret, Date.now() / 1000) },
  })
  await app.db.update(twoFactor).set({ lastStep: 0 }).where(eq(twoFactor.userId, who.user.id))
  return { ...who, device, secret, recoveryCode: recoveryCodes[0]! }
}
async function withPasskey(who: SignedIn, name = "The intruder's phone") {
  const device = new PasskeyDevice({ origin: app.context.config.publicUrl, rpId: 'localhost' })
  const { challenge } = await who.client.call(createPasskeyOptions, { body: { currentPassword: password } })
  const added = await who.client.post('/api/account/passkeys', { name, passkey: device.attest(challenge) })
  expect(added.status).toBe(200)
  return { device }
}
const passkeyLogin = async ({ device }: { device: PasskeyDevice }, client: Client = app.client()) => {
  const { challenge } = await client.call(createPasskeyChallenge, {} as never)
  return (await client.post('/api/passkeys/login', { passkey: device.assert(challenge) })).status
}
const passwordLogin = async ({ user }: Pick<SignedIn, 'user'>, typed: string) => {
  const response = await app.client().post('/api/login', { username: user.username, password: typed })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const byMail = async ({ user }: SignedIn) => {
  await app.client().post('/api/forgot-password', { email: user.email })
  const { token } = await mailedLink(app, 'password_reset', user.email)
  const response = await app.client().post('/api/reset-password', { token, newPassword: chosen })
  return ((await response.json()) as { message: string }).message
}
const byAdministrator = async ({ user }: SignedIn) =>
  void (await chief.client.call(resetPassword, {
    params: { userId: user.id },
    body: { newPassword: chosen, removeTwoFactor: true },
  }))
const lastMail = async ({ user }: SignedIn) =>
  (await app.db.select().from(mails).where(eq(mails.userId, user.id)).orderBy(mails.id)).findLast(({ template }) =>
    template.startsWith('password_'),
  )

describe('for an account in which an intruder added a passkey, a second factor and sessions', () => {
  test.each([
    ['an emailed link', byMail],
    ["an administrator's reset", byAdministrator],
  ])('%s removes everything the intruder added', async (_method, recover) => {
    const who = await stolen()
    const other = app.client()
    expect(await passkeyLogin(who, other)).toBe(200)
    await recover(who)
    for (const client of [who.client, other]) expect(await client.call(currentUser, {} as never)).toBeNull()
    expect(await passkeyLogin(who)).toBe(401)
    expect((await passwordLogin(who, password)).status).toBe(401)
    const { status, body } = await passwordLogin(who, chosen)
    expect([status, body.secondStep]).toEqual([200, undefined])
    for (const table of [passkeys, twoFactor]) expect(await app.db.$count(table, eq(table.userId, who.user.id))).toBe(0)
    expect(await app.db.$count(sessions, eq(sessions.userId, who.user.id))).toBe(1)
    expect(await lastMail(who)).toMatchObject({
      data: { removed: { passkeys: ["The intruder's phone"], secondFactor: true } },
    })
    const entries = await app.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.targetId, String(who.user.id)))
      .orderBy(auditLog.id)
    expect(entries.at(-1)?.after).toMatchObject({ removed: { passkeys: ["The intruder's phone"], secondFactor: true } })
  })

  test('the command line removes the passkeys and sessions', async () => {
    const who = await stolen()
    const { removed } = await resetAccess(app.context, who.user.username)
    expect(removed.passkeys).toEqual(["The intruder's phone"])
    expect(await who.client.call(currentUser, {} as never)).toBeNull()
    expect(await passkeyLogin(who)).toBe(401)
    expect(await lastMail(who)).toMatchObject({
      template: 'password_reset_by_admin',
      data: { removed: { passkeys: ["The intruder's phone"] } },
    })
  })

  test('a link emailed before an administrator reset the password no longer works', async () => {
    const who = await stolen()
    await app.client().post('/api/forgot-password', { email: who.user.email })
    const { token } = await mailedLink(app, 'password_reset', who.user.email)
    await byAdministrator(who)
    expect((await app.client().post('/api/reset-password', { token, newPassword: chosen })).status).toBe(400)
  })

  test('the response to an emailed link lists what was removed', async () => {
    expect(await byMail(await stolen())).toMatch(
      /Passkeys were removed: The intruder's phone\..*Two-step verification was turned off\./,
    )
    expect(await byMail(await app.signIn())).not.toContain('removed')
  })
})

describe('a second factor', () => {
  const weekAgo = (userId: number) =>
    app.database.pool.query("UPDATE two_factor SET confirmed_at = now() - interval '8 days' WHERE user_id = $1", [
      userId,
    ])
  const verified = { emailVerifiedAt: '2026-01-01T00:00:00.000Z' }

  test('older than a week is kept by a reset with a link sent to a confirmed address', async () => {
    const who = await stolen(verified)
    await weekAgo(who.user.id)
    await byMail(who)
    expect((await passwordLogin(who, chosen)).body.secondStep).toBeTruthy()
  })

  test('of any age is removed by a reset with the first link sent to an unconfirmed address', async () => {
    const who = await stolen({ emailVerifiedAt: null })
    await weekAgo(who.user.id)
    await byMail(who)
    expect((await passwordLogin(who, chosen)).body.secondStep).toBeUndefined()
  })

  test('of an administrator is never removed by an emailed link', async () => {
    const who = await stolen({ role: 'admin', emailVerifiedAt: null })
    await byMail(who)
    expect((await passwordLogin(who, chosen)).body.secondStep).toBeTruthy()
  })

  test('is kept after an administrator’s reset that does not remove it', async () => {
    const who = await stolen()
    await chief.client.call(resetPassword, { params: { userId: who.user.id }, body: { newPassword: chosen } })
    expect((await passwordLogin(who, chosen)).body.secondStep).toBeTruthy()
  })
})

describe('when users change their own password', () => {
  const change = (who: SignedIn, removePasskeys?: boolean) =>
    who.client.call(updatePassword, {
      body: { currentPassword: password, newPassword: chosen, ...(removePasskeys !== undefined && { removePasskeys }) },
    })

  test('passkeys are kept, and the email lists them', async () => {
    const who = await app.signIn()
    const key = await withPasskey(who, 'My phone')
    await change(who)
    expect(await who.client.call(listPasskeys, {} as never)).toMatchObject([{ name: 'My phone' }])
    expect(await lastMail(who)).toMatchObject({
      template: 'password_changed',
      data: { kept: ['My phone'], removed: {} },
    })
    expect(await passkeyLogin(key)).toBe(200)
  })

  test('passkeys are removed on request, and the email lists them', async () => {
    const who = await app.signIn()
    const key = await withPasskey(who, 'My phone')
    await change(who, true)
    expect(await who.client.call(listPasskeys, {} as never)).toEqual([])
    expect(await lastMail(who)).toMatchObject({ data: { kept: [], removed: { passkeys: ['My phone'] } } })
    expect(await passkeyLogin(key)).toBe(401)
    const [row] = await app.db.select().from(users).where(eq(users.id, who.user.id))
    expect(row?.mustChangePassword).toBe(false)
  })
})
