import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAuditLog } from '#features/audit/admin-contract.ts'
import { plays } from '#server/db/tables.ts'
import { bytes } from '../../../test/harness/fake-streams.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { listChannelHealth, listRunningPlays, stopPlay } from './admin-plays-contract.ts'
import { getPlay } from './contract.ts'

let world: WatchWorld
beforeAll(async () => {
  world = await watchWorld()
})
afterAll(() => world.close())

test('an administrator sees who is watching on which device, but not which channel, and stopping a play twice has one effect', async () => {
  const channel = await world.addChannel('news')
  const viewer = await world.signInViewer()
  const { id } = await world.play(viewer, channel)
  const { client } = world.admin
  const running = await client.call(listRunningPlays, {})
  expect(running).toMatchObject([{ id, username: viewer.user.username }])
  expect(JSON.stringify(running)).not.toContain('Channel')

  for (let n = 0; n < 2; n++) expect(await client.call(stopPlay, { params: { playId: id } })).toEqual({ ended: true })
  expect(await viewer.client.call(getPlay, { params: { playId: id } })).toMatchObject({ why: 'closed' })
  expect(await client.call(listRunningPlays, {})).toEqual([])
  const { rows } = await client.call(listAuditLog, { query: { action: 'device.stop' } })
  expect(rows).toMatchObject([{ action: 'device.stop', targetId: String(viewer.user.id) }])
})

test('channel health counts starts in the last day, and failures that are not the fault of the viewer', async () => {
  const channel = await world.addChannel('dark')
  world.panel.streams.modes.dark = bytes('', 'text/html', 404)
  for (let n = 0; n < 2; n++) await world.play(await world.signInViewer(), channel).catch(() => undefined)
  const left = await world.signInViewer()
  await world.play(left, channel).catch(() => undefined)
  await world.app.db.update(plays).set({ why: 'closed' }).where(eq(plays.userId, left.user.id))
  const [row] = await world.admin.client.call(listChannelHealth, {})
  expect(row).toMatchObject({
    channelId: channel,
    viewers: 0,
    starts: 3,
    failures: 2,
    failedCustomers: 2,
    reason: 'channel_down',
  })
  expect(row!.lastFailureAt).not.toBeNull()
  await world.app.db.update(plays).set({ seenAt: sql`now() - interval '25 hours'` }).where(eq(plays.channelId, channel))
  const rows = await world.admin.client.call(listChannelHealth, {})
  expect(rows.filter(({ channelId }) => channelId === channel)).toEqual([])
})
