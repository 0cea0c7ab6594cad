import { eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, channelRights, channels } from '#server/db/tables.ts'
import { rightNow, type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import {
  createRights,
  deleteRight,
  getWatching,
  listRights,
  listWatchableChannels,
  publishChannels,
  rightsStatement,
  setWatching,
  updateRight,
} from './admin-contract.ts'
import { getWatch, openPlay } from './contract.ts'

let world: WatchWorld
beforeAll(async () => {
  world = await watchWorld()
})
afterAll(() => world.close())

const call = () => world.admin.client.call
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const right = (channelId: number, more: object = {}) => ({
  channelIds: [channelId],
  ...rightNow,
  territories: 'WORLD',
  ...more,
})
const create = (channelId: number, more: object = {}) => call()(createRights, { body: right(channelId, more) })
const publish = (channelId: number, published = true) =>
  call()(publishChannels, { body: { channelIds: [channelId], published } })
const rightOf = async (channelId: number) => {
  const [row] = await world.app.db.select().from(channelRights).where(eq(channelRights.channelId, channelId))
  return row!
}
const actions = async () =>
  (await world.app.db.select().from(auditLog).where(like(auditLog.action, '%channel%'))).map(({ action }) => action)

describe('a right is refused', () => {
  test.each([
    ['without a licensor', { licensor: ' ' }],
    ['with an unknown territory', { territories: 'Europe' }],
    ['without a territory', { territories: ' , ' }],
    ['with a date that does not exist', { validUntil: '2027-02-30' }],
    ['that ends before it begins', { validFrom: '2027-02-02', validUntil: '2027-02-01' }],
    ['without a contract', { document: '' }],
    ['for a channel that does not exist', { channelIds: [999_999] }],
    ['without a channel', { channelIds: [] }],
  ])('%s', async (_, more) => {
    const channelId = await world.addChannel('news', { licensed: false, published: false })
    await expect(create(channelId, more)).rejects.toMatchObject({ status: 400 })
  })
})

test('a change to a right is refused if another administrator has changed the right in the meantime', async () => {
  const channelId = await world.addChannel('news')
  const { id } = await rightOf(channelId)
  const { channelIds: _, ...body } = right(channelId, { licensor: 'Bay Media', territories: 'us, ca us' })
  const changed = await call()(updateRight, { params: { rightId: id }, body: { ...body, version: 1 } })
  expect(changed).toMatchObject({ licensor: 'Bay Media', territories: 'CA,US', version: 2, state: 'in_force' })
  const again = call()(updateRight, { params: { rightId: id }, body: { ...body, licensor: 'Other', version: 1 } })
  await expect(again).rejects.toMatchObject({ status: 409, code: 'stale' })
  await expect(call()(deleteRight, { params: { rightId: id }, query: { version: 1 } })).rejects.toMatchObject({
    code: 'stale',
  })
  expect((await rightOf(channelId)).licensor).toBe('Bay Media')
})

describe('a channel is not published', () => {
  test.each([
    ['without a right', undefined],
    ['with a right that has lapsed', () => ({ validUntil: dayIn(-1) })],
    ['with a right that has not begun', () => ({ validFrom: dayIn(1) })],
  ])('%s', async (_, more) => {
    const channelId = await world.addChannel('news', { licensed: false, published: false })
    if (more) await create(channelId, more())
    await expect(publish(channelId)).rejects.toMatchObject({ status: 409, code: 'not_licensed' })
    expect((await call()(listWatchableChannels, {})).find(({ id }) => id === channelId)).toMatchObject({
      licensed: false,
      published: false,
    })
  })

  test('without a stream on the panel, or without GEOIP_DATABASE if its rights are limited to countries', async () => {
    const channelId = await world.addChannel('news', { published: false, territories: 'US' })
    await expect(publish(channelId)).rejects.toMatchObject({ code: 'no_country_database' })
    await create(channelId)
    await world.app.db.update(channels).set({ panelStream: null }).where(eq(channels.id, channelId))
    await expect(publish(channelId)).rejects.toMatchObject({ code: 'no_stream' })
  })

  test('together with a channel that has no right: then none of the channels is', async () => {
    const [licensed, other] = [
      await world.addChannel('news', { published: false }),
      await world.addChannel('news', { licensed: false, published: false }),
    ]
    const body = { channelIds: [licensed, other], published: true }
    await expect(call()(publishChannels, { body })).rejects.toMatchObject({ code: 'not_licensed' })
    expect(
      (await call()(listWatchableChannels, {})).filter(({ id, published }) => id === licensed && published),
    ).toEqual([])
  })
})

test('a channel whose right lapses cannot be watched, although it stays published', async () => {
  const viewer = await world.signInViewer()
  const channelId = await world.addChannel('news')
  const shown = async () => (await viewer.client.call(getWatch, {})).channels.find(({ id }) => id === channelId)
  expect(await shown()).toMatchObject({ blocked: null })
  await world.app.db
    .update(channelRights)
    .set({ validUntil: dayIn(-1) })
    .where(eq(channelRights.channelId, channelId))
  expect(await shown()).toMatchObject({ blocked: 'not_licensed' })
  await expect(world.play(viewer, channelId)).rejects.toMatchObject({ status: 403, code: 'not_licensed' })
  expect(await call()(getWatching, {})).toMatchObject({ unlicensed: 1 })
  await publish(channelId, false)
  expect(await shown()).toBeUndefined()
  await expect(world.play(viewer, channelId)).rejects.toMatchObject({ status: 404 })
})

test('a viewer whose country is unknown is refused if the right is limited to countries', async () => {
  const viewer = await world.signInViewer()
  const channelId = await world.addChannel('news')
  await world.app.db.update(channelRights).set({ territories: 'DE,US' }).where(eq(channelRights.channelId, channelId))
  await expect(world.play(viewer, channelId)).rejects.toMatchObject({ status: 403, code: 'territory' })
})

test('the register shows the state of each right, can be searched by channel and licensor, and warns 30 days before a right ends', async () => {
  const channelId = await world.addChannel('news', { licensed: false, published: false })
  await create(channelId, { licensor: 'Sunset Rights', validUntil: dayIn(30) })
  await publish(channelId)
  const before = await call()(getWatching, {})
  const rows = await call()(listRights, { query: { search: 'sunset', status: 'ending' } })
  expect(rows).toMatchObject({
    total: 1,
    rows: [{ channelId, licensor: 'Sunset Rights', state: 'ending', published: true }],
  })
  await create(channelId, { licensor: 'Sunset Rights', validUntil: dayIn(31) })
  expect((await call()(getWatching, {})).ending).toBe(before.ending - 1)
  expect(await call()(listRights, { query: { search: 'sunset', status: 'in_force' } })).toMatchObject({ total: 1 })
})

test('every change to a right and to the published channels is audited with its details', async () => {
  const channelId = await world.addChannel('news')
  const before = await actions()
  const { id, version } = await rightOf(channelId)
  await publish(channelId, false)
  await publish(channelId, false)
  await call()(deleteRight, { params: { rightId: id }, query: { version } })
  expect((await actions()).slice(before.length)).toEqual(['watch_channel.withdraw', 'channel_right.delete'])
  expect(before).toEqual(expect.arrayContaining(['channel_right.create', 'watch_channel.publish']))
  const [removed] = await world.app.db.select().from(auditLog).where(eq(auditLog.action, 'channel_right.delete'))
  expect(removed!.before).toMatchObject({ licensor: 'Harbor Media', document: 'Contract 4711' })
})

test('watching is turned on only if the statement is confirmed, and the audit log contains the statement', async () => {
  const viewer = await world.signInViewer()
  const channelId = await world.addChannel('news')
  await call()(setWatching, { body: { enabled: false } })
  expect((await viewer.client.call(getWatch, {})).channels).toEqual([])
  await expect(viewer.client.call(openPlay, { body: { channelId } })).rejects.toMatchObject({ status: 404 })
  await expect(call()(setWatching, { body: { enabled: true, statement: 'Yes' } as never })).rejects.toMatchObject({
    status: 400,
  })
  await call()(setWatching, { body: { enabled: true, statement: rightsStatement } })
  const [entry] = await world.app.db.select().from(auditLog).where(eq(auditLog.action, 'watching.enable'))
  expect(entry!.after).toMatchObject({ statement: rightsStatement })
  expect(await call()(getWatching, {})).toMatchObject({ enabledBy: world.admin.user.username })
})

test('a channel with rights cannot be deleted', async () => {
  const channelId = await world.addChannel('news')
  const response = await world.admin.client.request(`/api/admin/channels/${channelId}?version=1`, { method: 'DELETE' })
  expect(response.status).toBe(409)
})
