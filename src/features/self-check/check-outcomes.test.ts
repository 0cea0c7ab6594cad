import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { selfChecks, selfCheckVerdicts } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { workingBrowser as browser } from '../../../test/harness/check-facts.ts'
import { bytes } from '../../../test/harness/fake-streams.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { listCheckOutcomes } from './admin-contract.ts'
import { type Cause, recordVerdict, reportCheck, runCheck } from './contract.ts'
import { jobs } from './server/jobs.ts'

let world: WatchWorld
let dark: number
let viewer: SignedIn
beforeAll(async () => {
  world = await watchWorld()
  dark = await world.addChannel('dark')
  world.panel.streams.modes.dark = bytes('', 'text/html', 404)
})
afterAll(() => world.close())
beforeEach(async () => {
  viewer = await world.signInViewer()
  await world.app.db.delete(selfCheckVerdicts)
})

const check = async () => (await viewer.client.call(runCheck, { body: { channelId: dark } })).id
const record = (checkId: string, cause: Cause, by = viewer) =>
  by.client.call(recordVerdict, { params: { checkId }, body: { cause } })
const report = (checkId: string) => viewer.client.call(reportCheck, { params: { checkId }, body: { browser } })
const outcomes = () => world.admin.client.call(listCheckOutcomes, {})

test('a verdict is refused without a session, for another customer’s or an unknown check, and with an unknown cause', async () => {
  const id = await check()
  const path = `/api/self-check/${id}/verdict`
  const put = (body: object, client = viewer.client) =>
    client.request(path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect((await put({ cause: 'works' }, world.app.client())).status).toBe(401)
  await expect(record(id, 'works', await world.app.signIn())).rejects.toMatchObject({ status: 404 })
  await expect(record(crypto.randomUUID(), 'works')).rejects.toMatchObject({ status: 404 })
  for (const body of [{}, { cause: 'aliens' }, { cause: null }]) expect((await put(body)).status).toBe(400)
  await expect(viewer.client.call(listCheckOutcomes, {})).rejects.toMatchObject({ status: 403 })
  expect(await outcomes()).toEqual([])
})

test('checks of a channel are counted once by verdict, and once as reported', async () => {
  const [answered, sent] = [await check(), await check()]
  for (const id of [answered, sent, answered]) await record(id, 'off_air')
  // The first verdict, which the customer saw, counts.
  await record(answered, 'works')
  await report(sent)
  await report(sent)
  expect(await outcomes()).toEqual([{ cause: 'off_air', checks: 2, withoutReport: 1 }])

  // A second check whose results are added to the first report counts as reported too. The server determines a verdict that was not recorded.
  const again = await check()
  await report(again)
  await record(again, 'slow')
  await record(await check(), 'slow')
  expect(await outcomes()).toEqual([
    { cause: 'off_air', checks: 3, withoutReport: 1 },
    { cause: 'slow', checks: 1, withoutReport: 1 },
  ])
})

test('a check without a channel is not counted, since no report can be sent with it', async () => {
  await record((await viewer.client.call(runCheck, { body: {} })).id, 'works')
  expect(await outcomes()).toEqual([])
})

test('the counts cover 30 days and contain no customer; older counts are deleted', async () => {
  const day = (ago: number) => sql`(now() at time zone 'UTC')::date - ${ago}::int` as never
  const { keptDays } = limits.selfCheck
  await world.app.db.insert(selfCheckVerdicts).values([
    { day: day(keptDays - 1), cause: 'slow', checks: 4, reported: 1 },
    { day: day(keptDays), cause: 'slow', checks: 100 },
    { day: day(0), cause: 'slow', checks: 1 },
  ])
  expect(await outcomes()).toEqual([{ cause: 'slow', checks: 5, withoutReport: 4 }])
  for (const job of jobs(world.app.db)) await job.run()
  expect(await world.app.db.select().from(selfCheckVerdicts)).toHaveLength(2)
  await record(await check(), 'off_air')
  await world.app.database.pool.query('delete from users where id = $1', [viewer.user.id])
  expect(await world.app.db.select().from(selfChecks).where(eq(selfChecks.userId, viewer.user.id))).toEqual([])
  expect(await outcomes()).toHaveLength(2)
})
