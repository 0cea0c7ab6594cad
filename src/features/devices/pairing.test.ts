import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deviceCodes, devices, mails } from '#server/db/tables.ts'
import type { Client, SignedIn } from '../../../test/harness/app.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import {
  claimDevice,
  createDeviceCode,
  type DeviceCode,
  decideCode,
  getTv,
  listDevices,
  lookUpCode,
  unpairTv,
} from './contract.ts'
import { maxDevices, shownCode } from './rules.ts'

let world: WatchWorld
beforeAll(async () => {
  world = await watchWorld()
})
afterAll(() => world.close())

type Tv = DeviceCode & { client: Client }
async function newTv(): Promise<Tv> {
  const client = world.app.client()
  return { client, ...(await client.call(createDeviceCode, {})) }
}
const claim = ({ client, deviceCode }: Tv) => client.call(claimDevice, { body: { deviceCode } })
const decide = ({ client }: SignedIn, { userCode }: DeviceCode, allow = true, name = 'Bedroom') =>
  client.call(decideCode, { body: { userCode, allow, name } })
/** Moves the last poll into the past, so that the TV may poll again. */
const letPollIntervalPass = () => world.app.db.update(deviceCodes).set({ polledAt: sql`now() - interval '1 minute'` })
const refused = (code: string) => ({ status: 400, code })

test('a TV waits for the customer, must slow down if it polls too often, and gets its token once', async () => {
  const viewer = await world.signInViewer()
  const tv = await newTv()
  expect(tv).toMatchObject({
    userCode: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
    verificationUri: 'http://localhost:3000/link',
    verificationUriComplete: `http://localhost:3000/link?c=${tv.userCode.replace('-', '')}`,
    expiresIn: 600,
    interval: 5,
  })
  await expect(claim(tv)).rejects.toMatchObject(refused('authorization_pending'))
  await expect(claim(tv)).rejects.toMatchObject(refused('slow_down'))
  const [slowed] = await world.app.db.select().from(deviceCodes).where(sql`${deviceCodes.pollSeconds} = 10`)
  expect(slowed).toBeDefined()
  await letPollIntervalPass()
  await expect(claim(tv)).rejects.toMatchObject(refused('authorization_pending'))

  // Case, spaces and dashes do not matter.
  const typed = ` ${tv.userCode.toLowerCase().replace('-', ' ')}`
  expect(await viewer.client.call(lookUpCode, { body: { userCode: typed } })).toMatchObject({ country: null })
  await viewer.client.call(decideCode, { body: { userCode: typed, allow: true, name: 'Living room' } })
  const claims = await Promise.allSettled([claim(tv), claim(tv), claim(tv)])
  expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(claim(tv)).rejects.toMatchObject(refused('expired_token'))
  expect(await tv.client.call(getTv, {})).toEqual({ name: 'Living room' })
  expect((await viewer.client.call(listDevices, {})).devices).toMatchObject([{ kind: 'tv', name: 'Living room' }])
  const [mail] = await world.app.db.select().from(mails).where(eq(mails.userId, viewer.user.id))
  expect(mail).toMatchObject({ template: 'device_added' })
  const stored = JSON.stringify([
    await world.app.db.select().from(deviceCodes),
    await world.app.db.select().from(devices),
    world.app.logs,
  ])
  for (const secret of [tv.deviceCode, tv.userCode, tv.userCode.replace('-', ''), tv.client.cookies.get('device')!])
    expect(stored).not.toContain(secret)

  await tv.client.call(unpairTv, {} as never)
  expect(tv.client.cookies.has('device')).toBe(false)
  expect((await viewer.client.call(listDevices, {})).devices).toEqual([])
})

test('a TV that was removed before it claimed its token gets no token', async () => {
  const viewer = await world.signInViewer()
  const tv = await newTv()
  await decide(viewer, tv)
  await world.app.db.update(devices).set({ endedAt: sql`now()` }).where(eq(devices.userId, viewer.user.id))
  await expect(claim(tv)).rejects.toMatchObject(refused('access_denied'))
  expect((await tv.client.request('/api/watch')).status).toBe(401)
})

describe('a code is refused', () => {
  test('after ten minutes, after it was refused, and after another customer accepted it', async () => {
    const [viewer, other] = [await world.signInViewer(), await world.signInViewer()]
    const [late, denied, taken] = [await newTv(), await newTv(), await newTv()]
    await decide(viewer, denied, false)
    await expect(claim(denied)).rejects.toMatchObject(refused('access_denied'))
    await decide(viewer, taken)
    for (const tv of [denied, taken]) await expect(decide(other, tv)).rejects.toMatchObject(refused('wrong_code'))
    await world.app.db.update(deviceCodes).set({ expiresAt: sql`now()` })
    await expect(decide(viewer, late)).rejects.toMatchObject({ issues: [{ path: 'userCode' }] })
    await expect(claim(late)).rejects.toMatchObject(refused('expired_token'))
    await expect(claim(taken)).rejects.toMatchObject(refused('expired_token'))
  })

  test('for all but one of fifty customers who accept it at the same time', async () => {
    const tv = await newTv()
    const viewers = await Promise.all(Array.from({ length: 50 }, () => world.app.signIn()))
    const results = await Promise.allSettled(viewers.map((viewer) => decide(viewer, tv)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await world.app.db.$count(devices, eq(devices.name, 'Bedroom'))).toBeGreaterThan(0)
  })

  test('if the customer already has twelve devices', async () => {
    const viewer = await world.signInViewer()
    await world.app.db
      .insert(devices)
      .values(Array.from({ length: maxDevices }, () => ({ userId: viewer.user.id, kind: 'tv' as const, name: 'TV' })))
    await expect(decide(viewer, await newTv())).rejects.toMatchObject({ status: 409, code: 'too_many_devices' })
  })

  test.each(['', 'x', 'ABCDEFGH', 'BDWPHQP1', 'BDWPHQPKK', 'B'.repeat(500), '<script>'])(
    'if it is malformed: %j',
    async (userCode) => {
      const { client } = await world.app.signIn()
      await expect(client.call(lookUpCode, { body: { userCode } })).rejects.toMatchObject({
        status: 400,
        issues: [{ path: 'userCode' }],
      })
    },
  )
})

test('a customer can enter at most five wrong codes, even with correct codes in between', async () => {
  const strict = await watchWorld({ rateLimitFactor: 1 })
  const { client } = await strict.signInViewer()
  const tv = await strict.app.client().call(createDeviceCode, {})
  const guess = (userCode: string) => client.call(lookUpCode, { body: { userCode } })
  for (let n = 0; n < 5; n++) {
    await guess(tv.userCode)
    await expect(guess(shownCode(`BBBBBBB${'BCDFG'[n]}`))).rejects.toMatchObject(refused('wrong_code'))
  }
  await expect(guess(tv.userCode)).rejects.toMatchObject({ status: 429 })
  for (let n = 1; n < 5; n++) await strict.app.client().call(createDeviceCode, {})
  await expect(strict.app.client().call(createDeviceCode, {})).rejects.toMatchObject({ status: 429 })
  await strict.close()
})
