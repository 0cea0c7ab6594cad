import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endIncident, openIncident } from '#features/incidents/admin-contract.ts'
import { updateReport } from '#features/reports/admin-contract.ts'
import { createReport } from '#features/reports/contract.ts'
import { channels, reports } from '#server/db/tables.ts'
import type { SignedIn } from '../../../../test/harness/app.ts'
import { type WatchWorld, watchWorld } from '../../../../test/harness/watch-world.ts'
import { getReporterCount } from '../contract.ts'

let world: WatchWorld
beforeAll(async () => {
  world = await watchWorld()
})
afterAll(() => world.close())

test('each other customer with an open report from the last hour is counted once', async () => {
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
  await report(second, `US: ${channel!.name} HD`)
  expect(await counted()).toBe(2)
  await world.app.db.update(reports).set({ status: 'resolved' }).where(eq(reports.userId, second.user.id))
  expect(await counted()).toBe(1)
  await world.app.db.update(reports).set({ createdAt: '2026-01-01T00:00:00Z' }).where(eq(reports.userId, first.user.id))
  expect(await counted()).toBe(0)
  expect((await viewer.client.call(getReporterCount, { params: { channelId: 999_999 } })).count).toBe(0)
})

test('work on a channel begins with an incident or a report under review; other channels and ended incidents do not count', async () => {
  const [channelId, otherId] = [await world.addChannel('news'), await world.addChannel('news')]
  const rows = await world.app.db.select().from(channels)
  const nameOf = (id: number) => rows.find((row) => row.id === id)!.name
  const viewer = await world.signInViewer()
  const since = async (id: number) =>
    (await viewer.client.call(getReporterCount, { params: { channelId: id } })).workingSince
  expect(await since(channelId)).toBeNull()

  const { id } = await viewer.client.call(createReport, {
    body: { contentType: 'channel', contentName: nameOf(channelId).toUpperCase(), issue: 'not_working' },
  })
  expect(await since(channelId)).toBeNull()
  const review = (status: 'reviewing' | 'resolved') =>
    world.admin.client.call(updateReport, { params: { reportId: id }, body: { status } })
  await review('reviewing')
  const taken = await since(channelId)
  expect(Date.now() - Date.parse(taken!)).toBeLessThan(60_000)
  expect(await since(otherId)).toBeNull()
  await review('resolved')
  expect(await since(channelId)).toBeNull()

  const incident = { kind: 'problem' as const, title: 'Problem', text: 'We are looking into it.', categories: [] }
  const opened = await world.admin.client.call(openIncident, { body: { ...incident, channels: [nameOf(channelId)] } })
  expect(await since(channelId)).not.toBeNull()
  expect(await since(otherId)).toBeNull()
  await world.admin.client.call(endIncident, {
    params: { incidentId: opened.id },
    body: { text: 'Fixed.', notifies: false, version: opened.version },
  })
  expect(await since(channelId)).toBeNull()
  await world.admin.client.call(openIncident, { body: { ...incident, categories: ['news'], channels: [] } })
  expect(await since(otherId)).not.toBeNull()
})
