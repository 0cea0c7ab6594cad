import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLog } from '#server/db/tables.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { getWatching, setUnattended } from './admin-contract.ts'
import { getWatch } from './contract.ts'

let world: WatchWorld
beforeAll(async () => {
  world = await watchWorld()
})
afterAll(() => world.close())

const save = (unattendedHours: unknown) =>
  world.admin.client.call(setUnattended, { body: { unattendedHours } as { unattendedHours: number } })
const read = async () => (await world.admin.client.call(getWatching, {})).unattendedHours
const audited = () => world.app.db.select().from(auditLog).where(eq(auditLog.action, 'watching.unattended'))

test.each([-1, 25, 1.5, '', null, 'four'])('%j hours without input are refused', async (hours) => {
  await expect(save(hours)).rejects.toMatchObject({
    status: 400,
    issues: [{ path: 'unattendedHours', message: 'Please enter a number of hours from 0 to 24' }],
  })
  expect(await read()).toBe(4)
  expect(await audited()).toEqual([])
})

test('players get the stored hours, and each change is audited', async () => {
  const viewer = await world.signInViewer()
  for (const hours of [2, 2, 0, 24]) {
    expect(await save(hours)).toEqual({ unattendedHours: hours })
    expect((await viewer.client.call(getWatch, {})).unattendedHours).toBe(hours)
  }
  expect((await audited()).map(({ before, after }) => [before, after])).toEqual([
    [{ unattendedHours: 4 }, { unattendedHours: 2 }],
    [{ unattendedHours: 2 }, { unattendedHours: 0 }],
    [{ unattendedHours: 0 }, { unattendedHours: 24 }],
  ])
})
