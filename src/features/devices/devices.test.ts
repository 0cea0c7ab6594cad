import { randomBytes, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updatePassword } from '#features/accounts/contract.ts'
import { getPlay, listPlays } from '#features/watch/contract.ts'
import { relayOf } from '#features/watch/server/relay/relay.ts'
import { auditLog, devices, plays } from '#server/db/tables.ts'
import { hashOfToken, lockDevice } from '#server/session/devices.ts'
import { openSession } from '#server/session/session.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { password } from '../../../test/harness/factories.ts'
import { newTvApp } from '../../../test/harness/tv-app.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { listDevices, removeDevice, renameDevice } from './contract.ts'

let world: WatchWorld
let news: number
beforeAll(async () => {
  world = await watchWorld()
  news = await world.addChannel('news')
})
afterAll(() => world.close())

const chrome = 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0'
/** Logs the same customer in with another browser. */
async function otherBrowser({ user }: SignedIn): Promise<SignedIn> {
  const client = world.app.client()
  client.cookies.set('sid', await openSession(world.app.db, user, { ip: '127.0.0.1', userAgent: chrome }))
  return { client, user }
}
const watchOn = async ({ client }: SignedIn) =>
  (await client.post('/api/plays', { channelId: news }, { 'user-agent': chrome })).json() as Promise<{ id: string }>
const devicesOf = async ({ client }: SignedIn) => (await client.call(listDevices, {})).devices

test('devices of other customers and missing devices get the same 404, and a name must have 1 to 24 characters', async () => {
  const [owner, stranger] = [await world.signInViewer(), await world.signInViewer()]
  await watchOn(owner)
  const id = (await devicesOf(owner))[0]!.id
  const answers = new Set<string>()
  for (const deviceId of [id, randomUUID(), 'x'])
    for (const method of ['PUT', 'DELETE']) {
      const response = await stranger.client.request(`/api/devices/${deviceId}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Mine' }),
      })
      answers.add(`${response.status} ${deviceId === 'x' ? '' : await response.text()}`)
    }
  expect([...answers]).toHaveLength(2)
  for (const name of ['', ' ', 'x'.repeat(25), 'a\u202eb'])
    await expect(owner.client.call(renameDevice, { params: { deviceId: id }, body: { name } })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'name' }],
    })
})

test('a browser becomes a device when it first plays a channel; its name is shown when it uses a screen, and is kept after a new login', async () => {
  const viewer = await world.signInViewer(2)
  expect(await devicesOf(viewer)).toEqual([])
  const { id: playId } = await watchOn(viewer)
  const [browser] = await devicesOf(viewer)
  expect(browser).toMatchObject({
    kind: 'browser',
    name: 'Chrome on Windows',
    isHere: true,
    playing: { playId, channelId: news },
  })
  await viewer.client.call(renameDevice, { params: { deviceId: browser!.id }, body: { name: 'Living room' } })
  const second = await otherBrowser(viewer)
  expect(await second.client.call(listPlays, {})).toMatchObject([{ device: 'Living room', isHere: false }])
  expect((await devicesOf(second)).map(({ isHere }) => isHere)).toEqual([false])
  const taken = await watchOn(second)
  await viewer.client.post('/api/plays', { channelId: news, take: taken.id }, { 'user-agent': chrome })
  expect(await second.client.call(getPlay, { params: { playId: taken.id } })).toMatchObject({ takenBy: 'Living room' })

  await viewer.client.post('/api/logout', {})
  expect((await devicesOf(second)).map(({ name }) => name)).toEqual(['Chrome on Windows'])
  const again = await otherBrowser(viewer)
  await watchOn(again)
  expect((await devicesOf(again)).find(({ isHere }) => isHere)).toMatchObject({ id: browser!.id, name: 'Living room' })
})

test('a removed browser is logged out, its play ends, and the audit log contains its name', async () => {
  const viewer = await world.signInViewer()
  const second = await otherBrowser(viewer)
  const { id: playId } = await watchOn(second)
  const [browser] = await devicesOf(viewer)
  await viewer.client.call(removeDevice, { params: { deviceId: browser!.id } })
  await expect(viewer.client.call(removeDevice, { params: { deviceId: browser!.id } })).rejects.toMatchObject({
    status: 404,
  })
  expect((await second.client.request('/api/user')).status).toBe(401)
  expect((await world.app.db.select().from(plays).where(eq(plays.id, playId)))[0]).toMatchObject({
    why: 'session_over',
  })
  expect(
    (await world.app.db.select().from(auditLog).where(eq(auditLog.targetId, browser!.id))).map(({ action }) => action),
  ).toEqual(['device.remove'])
})

test('simultaneous first requests of several tabs create one device with one play', async () => {
  const viewer = await world.signInViewer(5)
  await Promise.all(Array.from({ length: 5 }, () => watchOn(viewer)))
  expect(await devicesOf(viewer)).toHaveLength(1)
  expect(await viewer.client.call(listPlays, {})).toHaveLength(1)
})

test('a paired TV can watch and nothing else', async () => {
  const viewer = await world.signInViewer()
  const token = randomBytes(32).toString('base64url')
  const [tv] = await world.app.db
    .insert(devices)
    .values({ userId: viewer.user.id, kind: 'tv', name: 'Bedroom', tokenHash: hashOfToken(token) })
    .returning()
  const client = world.app.client()
  client.cookies.set('device', token)
  const { address } = await world.play({ client, user: viewer.user }, news)
  expect((await client.request(address)).status).toBe(200)
  expect(await devicesOf(viewer)).toMatchObject([{ name: 'Bedroom', kind: 'tv', playing: { channelId: news } }])
  for (const path of ['/api/user', '/api/devices', '/api/account/subscription', '/api/line', '/api/reports'])
    expect((await client.request(path)).status).toBe(401)

  await viewer.client.call(removeDevice, { params: { deviceId: tv!.id } })
  expect((await client.request('/api/watch')).status).toBe(401)
  await relayOf(world.app.context).traffic.checkNow()
  expect((await client.request(address)).status).toBe(410)
})

test('a password change removes TVs and TV apps, unless the customer chooses to keep them; with a wrong current password, no device is removed', async () => {
  const viewer = await world.signInViewer(2)
  const token = randomBytes(32).toString('base64url')
  await world.app.db
    .insert(devices)
    .values({ userId: viewer.user.id, kind: 'tv', name: 'Bedroom', tokenHash: hashOfToken(token) })
  const tv = world.app.client()
  tv.cookies.set('device', token)
  const app = await newTvApp(world.app, viewer)
  const answers = async () => [(await tv.request('/api/watch')).status, (await app.list()).status]
  const change = (currentPassword: string, newPassword: string, keepDevices?: boolean) =>
    viewer.client.call(updatePassword, { body: { currentPassword, newPassword, ...(keepDevices && { keepDevices }) } })

  await expect(change('not the password', 'another horse')).rejects.toMatchObject({ status: 403 })
  expect(await answers()).toEqual([200, 200])
  await change(password, 'another horse', true)
  expect(await answers()).toEqual([200, 200])
  await change('another horse', 'a third horse')
  expect(await answers()).toEqual([401, 404])
  expect(await devicesOf(viewer)).toEqual([])
})

test('removing a device waits for its open transactions', async () => {
  const viewer = await world.signInViewer()
  const [tv] = await world.app.db
    .insert(devices)
    .values({ userId: viewer.user.id, kind: 'tv', name: 'Living room' })
    .returning({ id: devices.id })
  const steps: string[] = []
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const write = world.app.db.transaction(async (tx) => {
    expect(await lockDevice(tx, tv!.id)).toBe('user')
    held.resolve()
    await released.promise
    steps.push('written')
  })
  await held.promise
  const removal = viewer.client.call(removeDevice, { params: { deviceId: tv!.id } }).then(() => steps.push('removed'))
  // A removal that did not wait would finish within this time.
  await new Promise((resolve) => setTimeout(resolve, 300))
  released.resolve()
  await Promise.all([write, removal])
  expect(steps).toEqual(['written', 'removed'])
  await world.app.db.transaction(async (tx) => expect(await lockDevice(tx, tv!.id)).toBeUndefined())
})
