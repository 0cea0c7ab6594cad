import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, mails, passkeyChallenges, passkeys, sessions } from '#server/db/tables.ts'
import { buildApp, type Client, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { password } from '../../../test/harness/factories.ts'
import { PasskeyDevice } from '../../../test/harness/passkey-device.ts'
import { createPasskeyChallenge, createPasskeyOptions, listPasskeys, updatePasskey } from './contract.ts'
import { refusedPasskeyMessage } from './rules.ts'
import { userHandleOf } from './server/challenge.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp({ connections: 30 })
})
afterAll(() => app.close())

const site = { origin: 'http://localhost:3000', rpId: 'localhost' }
type Choices = Parameters<PasskeyDevice['assert']>[1]
const statusAndBody = async (response: Response) => ({
  status: response.status,
  body: (await response.json()) as Record<string, unknown>,
})
const options = ({ client }: Pick<SignedIn, 'client'>) =>
  client.call(createPasskeyOptions, { body: { currentPassword: password } })
const add = async ({ client }: Pick<SignedIn, 'client'>, passkey: unknown, name = 'My phone') =>
  statusAndBody(await client.post('/api/account/passkeys', { name, passkey }))
const challenge = async () => (await app.client().call(createPasskeyChallenge, {} as never)).challenge
const enter = async (passkey: unknown, client: Client = app.client()) =>
  statusAndBody(await client.post('/api/passkeys/login', { passkey }))
const keysOf = ({ user }: SignedIn) => app.db.select().from(passkeys).where(eq(passkeys.userId, user.id))
async function equipped(as: Parameters<TestApp['signIn']>[0] = {}): Promise<SignedIn & { device: PasskeyDevice }> {
  const who = await app.signIn(as)
  const device = new PasskeyDevice(site)
  expect((await add(who, device.attest((await options(who)).challenge))).status).toBe(200)
  return { ...who, device }
}
const refusedHere = { status: 400, body: { code: 'passkey_refused', message: refusedPasskeyMessage } }
const refused = { status: 401, body: { code: 'passkey_refused', message: refusedPasskeyMessage } }

describe('a passkey is not added', () => {
  test('without the password', async () => {
    const { client } = await app.signIn()
    expect((await client.post('/api/account/passkeys/options', { currentPassword: 'not it' })).status).toBe(403)
    expect(await app.db.$count(passkeyChallenges)).toBe(0)
  })

  test.each<[string, Choices]>([
    ['for another site', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['by a device that did not verify its user', { verified: false }],
    ['for a login instead of a registration', { type: 'webauthn.get' }],
  ])('when it was signed %s', async (_what, choices) => {
    const who = await app.signIn()
    expect(await add(who, new PasskeyDevice(site).attest((await options(who)).challenge, choices))).toEqual(refusedHere)
    expect(await keysOf(who)).toEqual([])
  })

  test('for a challenge that is unknown, used, expired, issued to another user or issued for a login', async () => {
    const [who, other] = [await equipped(), await app.signIn()]
    const used = await options(who)
    expect((await add(who, new PasskeyDevice(site).attest(used.challenge))).status).toBe(200)
    const late = await options(who)
    await app.db.update(passkeyChallenges).set({ expiresAt: '2020-01-01T00:00:00.000Z' })
    for (const each of [
      randomBytes(32).toString('base64url'),
      used.challenge,
      late.challenge,
      (await options(other)).challenge,
      await challenge(),
    ])
      expect(await add(who, new PasskeyDevice(site).attest(each))).toEqual(refusedHere)
    expect(await keysOf(who)).toHaveLength(2)
  })

  test('a second time, for another user, or as the eleventh passkey', async () => {
    const [who, other] = [await equipped(), await app.signIn()]
    for (const each of [who, other])
      expect((await add(each, who.device.attest((await options(each)).challenge))).status).toBe(409)
    for (let i = 1; i < 9; i++)
      expect((await add(who, new PasskeyDevice(site).attest((await options(who)).challenge))).status).toBe(200)
    const challenges = [await options(who), await options(who), await options(who)]
    const responses = await Promise.all(
      challenges.map((each) => add(who, new PasskeyDevice(site).attest(each.challenge))),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect((await who.client.post('/api/account/passkeys/options', { currentPassword: password })).status).toBe(409)
  })

  test('from malformed input, which gets a 400 response', async () => {
    const who = await app.signIn()
    const right = new PasskeyDevice(site).attest((await options(who)).challenge)
    for (const passkey of [
      {},
      null,
      { ...right, id: '<script>' },
      { ...right, response: { ...right.response, attestationObject: 'AAAA' } },
    ])
      expect((await add(who, passkey)).status).toBe(400)
    expect((await add(who, right, '')).status).toBe(400)
  })
})

describe('a login with a passkey', () => {
  test('opens a session without a second step and records the use', async () => {
    const who = await equipped()
    const client = app.client()
    const passkey = who.device.assert(await challenge(), { userHandle: userHandleOf(app.context.config, who.user.id) })
    expect(await enter(passkey, client)).toMatchObject({
      status: 200,
      body: { id: who.user.id, username: who.user.username },
    })
    expect((await client.request('/api/user')).status).toBe(200)
    expect(await keysOf(who)).toMatchObject([{ name: 'My phone', counter: 1, lastUsedAt: expect.any(String) }])
    expect(Object.keys((await who.client.call(listPasskeys, {} as never))[0]!).toSorted()).toEqual([
      'createdAt',
      'id',
      'lastUsedAt',
      'name',
    ])
  })

  test.each<[string, Choices]>([
    ['for another site', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['by a device that did not verify its user', { verified: false }],
    ['for a registration instead of a login', { type: 'webauthn.create' }],
    ['for another user', { userHandle: 'AAAA' }],
  ])('is refused when it was signed %s', async (_what, choices) => {
    const { device, user } = await equipped()
    const before = await app.db.$count(sessions, eq(sessions.userId, user.id))
    expect(await enter(device.assert(await challenge(), choices))).toEqual(refused)
    expect(await app.db.$count(sessions, eq(sessions.userId, user.id))).toBe(before)
  })

  test('gets the same response for an unknown key, a wrong signature and any invalid challenge', async () => {
    const who = await equipped()
    const { device } = who
    expect(await enter(new PasskeyDevice(site).assert(await challenge()))).toEqual(refused)
    const stranger = new PasskeyDevice(site).assert(await challenge())
    expect(await enter({ ...stranger, id: device.id })).toEqual(refused)
    expect(await enter(device.assert(randomBytes(32).toString('base64url')))).toEqual(refused)
    expect(await enter(device.assert((await options(who)).challenge))).toEqual(refused)
    const late = await challenge()
    await app.db.update(passkeyChallenges).set({ expiresAt: '2020-01-01T00:00:00.000Z' })
    expect(await enter(device.assert(late))).toEqual(refused)
    const once = device.assert(await challenge())
    expect((await enter(once)).status).toBe(200)
    expect(await enter(once)).toEqual(refused)
  })

  test('is refused when the counter does not increase, as with a cloned key', async () => {
    const { device } = await equipped()
    expect((await enter(device.assert(await challenge(), { counter: 5 }))).status).toBe(200)
    for (const counter of [5, 4, 0]) expect(await enter(device.assert(await challenge(), { counter }))).toEqual(refused)
    expect((await enter(device.assert(await challenge(), { counter: 6 }))).status).toBe(200)
  })

  test('works with a device without a counter', async () => {
    const { device } = await equipped()
    for (let i = 0; i < 2; i++) expect((await enter(device.assert(await challenge(), { counter: 0 }))).status).toBe(200)
  })

  test('succeeds for one of twenty concurrent logins with the same challenge, and for one of twenty with the same counter', async () => {
    const { device } = await equipped()
    const once = device.assert(await challenge())
    const same = await Promise.all(Array.from({ length: 20 }, () => enter(once)))
    const challenges = await Promise.all(Array.from({ length: 20 }, challenge))
    const copies = await Promise.all(challenges.map((each) => enter(device.assert(each, { counter: 9 }))))
    for (const responses of [same, copies]) {
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(responses.filter(({ status }) => status !== 200)).toEqual(Array(19).fill(refused))
    }
  })
})

describe('a passkey', () => {
  test('can be renamed and removed only by its owner, and a removed passkey no longer logs in', async () => {
    const [who, other] = [await equipped(), await app.signIn()]
    const [{ id } = { id: 0 }] = await keysOf(who)
    const put = (client: Client) =>
      client.request(`/api/account/passkeys/${id}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: '{"name":"Mine now"}',
      })
    expect([
      (await put(other.client)).status,
      (await other.client.post(`/api/account/passkeys/${id}/remove`, { currentPassword: password })).status,
    ]).toEqual([404, 404])
    expect(
      await who.client.call(updatePasskey, { params: { passkeyId: id }, body: { name: 'Blue phone' } }),
    ).toMatchObject({ name: 'Blue phone' })
    const remove = async (body: object) => (await who.client.post(`/api/account/passkeys/${id}/remove`, body)).status
    expect([await remove({}), await remove({ currentPassword: 'not it' })]).toEqual([400, 403])
    expect([await remove({ currentPassword: password }), await remove({ currentPassword: password })]).toEqual([
      200, 404,
    ])
    expect(await enter(who.device.assert(await challenge()))).toEqual(refused)
    const audited = await app.db
      .select({ action: auditLog.action })
      .from(auditLog)
      .where(eq(auditLog.actorId, who.user.id))
    expect(audited.map(({ action }) => action)).toEqual(['passkey.create', 'passkey.update', 'passkey.remove'])
    const emails = await app.db.select({ data: mails.data }).from(mails).where(eq(mails.userId, who.user.id))
    expect(emails.map(({ data }) => [data.change, data.name])).toEqual([
      ['added', 'My phone'],
      ['removed', 'Blue phone'],
    ])
  })
})
