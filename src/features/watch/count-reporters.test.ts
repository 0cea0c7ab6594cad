import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReport } from '#features/reports/contract.ts'
import { channels, reports } from '#server/db/tables.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { getReporterCount } from './contract.ts'

let world: WatchWorld
beforeAll(async () => {
  world = await watchWorld()
})
afterAll(() => world.close())

test('other customers with an open report of the last hour are counted once each', async () => {
  const channelId = await world.addChannel('news')
  const [channel] = await world.app.db.select().from(channels).where(eq(channels.id, channelId))
  const viewer = await world.signInViewer()
  const report = (who: SignedIn, contentName: string) =>
    who.client.call(createReport, { body: { contentType: 'channel', contentName, issue: 'not_working' } })
  const counted = async () => (await viewer.client.call(getReporterCount, { params: { channelId } })).count

  await report(viewer, channel!.name)
  expect(await counted()).toBe(0)
  const [first, second] = [await world.signInViewer(), await world.signInViewer()]
  await report(first, channel!.name)
  await report(first, channel!.name.toUpperCase())
  await report(first, 'Another channel')
  expect(await counted()).toBe(1)
  await report(second, channel!.name)
  expect(await counted()).toBe(2)
  await world.app.db.update(reports).set({ status: 'resolved' }).where(eq(reports.userId, second.user.id))
  expect(await counted()).toBe(1)
  await world.app.db.update(reports).set({ createdAt: '2026-01-01T00:00:00Z' }).where(eq(reports.userId, first.user.id))
  expect(await counted()).toBe(0)
  expect((await viewer.client.call(getReporterCount, { params: { channelId: 999_999 } })).count).toBe(0)
})
