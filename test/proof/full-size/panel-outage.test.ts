// The panel is down for an hour of the database's clock, with the real back-offs: the jobs of that hour then run in order, one call at a time.
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getPanelStatus } from '#features/provisioning/admin-contract.ts'
import type { ProvisioningConfig } from '#features/provisioning/server/config.ts'
import { openPanel } from '#features/provisioning/server/panels/open-panel.ts'
import { runJobs } from '#features/provisioning/server/worker/run.ts'
import { lineJobs } from '#server/db/tables.ts'
import { type Clock, withClock } from '../../harness/clock.ts'
import { panelKey } from '../../harness/fake-lines.ts'
import { type FakePanel, startFakePanel } from '../../harness/fake-panel.ts'
import { type ProvisioningWorld, provisioningWorld } from '../../harness/provisioning-world.ts'

const minuteMs = 60_000
let world: ProvisioningWorld
let fake: FakePanel
let clock: Clock
beforeAll(async () => {
  fake = await startFakePanel()
  world = await provisioningWorld()
  clock = await withClock(world.app.database, world.app.database.address, 'UTC', { onlyThisPool: true })
})
afterAll(async () => {
  await clock.close()
  await world.app.close()
  await fake.close()
})
beforeEach(async () => {
  await world.reset()
  fake.lines.heal()
  fake.lines.rows.clear()
  fake.lines.calls.length = 0
  fake.lines.mostAtOnce = 0
})

/** Always ahead of the real clock, which payments use, and of the time that earlier tests set. */
let latest = Date.now()

/** The worker with the moved clock, which the circuit breaker uses too. `calledAt` holds the minutes in which the panel was called. */
function workerFromNow() {
  const start = Math.max(latest, Date.now()) + minuteMs
  let minute = 0
  const address = fake.lines.addressOf('xui-admin')
  const options = { clock: () => minute * minuteMs }
  const panel = openPanel(
    { kind: 'xui-admin', address, username: '', key: panelKey, ca: '', allowPrivate: true },
    options,
  )!
  const calledAt = new Set<number>()
  const watched: typeof panel = {
    ...panel,
    getLine: (which) => {
      calledAt.add(minute)
      return panel.getLine(which)
    },
  }
  const config: ProvisioningConfig = world.config({ panel: watched, packages: { [world.plan.id]: '7' } })
  return {
    panel,
    calledAt,
    /** One round of two processes, at the start of a minute. */
    at: async (next: number) => {
      minute = next
      latest = start + minute * minuteMs
      await clock.set(new Date(latest).toISOString())
      const context = { ...world.context(config), db: clock.db }
      await Promise.all([runJobs(context), runJobs(context)])
    },
  }
}
const mostInASecond = (moments: number[]) =>
  Math.max(...moments.map((from) => moments.filter((at) => at >= from && at < from + 1_000).length))

const outages = [
  { name: 'is gone', begin: () => fake.stop(), end: () => fake.start(), isReached: false },
  { name: 'fails', begin: () => fake.lines.fail('failing'), end: () => fake.lines.heal(), isReached: true },
]

test.each(outages)(
  'a panel that $name for an hour: payments are still confirmed, and their lines are created in order afterwards',
  async ({ begin, end, isReached }) => {
    const worker = workerFromNow()
    await begin()
    const payers: number[] = []
    for (let minute = 0; minute < 60; minute++) {
      if (minute % 3 === 0) {
        const { id } = await world.buyer()
        await world.pay(id)
        expect(await world.userOf(id)).toMatchObject({ subscriptionStatus: 'active', iptvSynced: false })
        payers.push(id)
      }
      await worker.at(minute)
    }
    // Four back-offs of one minute, then five minutes each, regardless of new payments.
    const moments = [0, 1, 2, 3, ...Array.from({ length: 12 }, (_, i) => 4 + 5 * i)]
    expect([...worker.calledAt]).toEqual(moments)
    if (isReached) expect(fake.lines.calls).toHaveLength(moments.length)
    expect(await world.admin.client.call(getPanelStatus, {})).toMatchObject({
      waiting: 20,
      tasks: 0,
      downSince: expect.any(String),
    })
    for (const id of payers) expect(await world.statesOf(id)).toEqual(['queued'])
    // In the same minute the circuit breaker blocks all other calls too.
    const before = fake.lines.calls.length
    expect(await worker.panel.testConnection()).toMatchObject({
      ok: false,
      message: expect.stringContaining('No calls are made'),
    })
    expect(fake.lines.calls).toHaveLength(before)

    await end()
    fake.lines.calls.length = 0
    fake.lines.mostAtOnce = 0
    for (let minute = 60; minute <= 64; minute++) await worker.at(minute)
    const rows = [...fake.lines.rows.values()].map(({ username }) => username)
    const usernames = await Promise.all(payers.map(async (id) => (await world.lineOf(id))!.username))
    expect(rows).toEqual(usernames)
    for (const id of payers) expect(await world.statesOf(id)).toEqual(['done'])
    expect(await world.admin.client.call(getPanelStatus, {})).toMatchObject({ waiting: 0, tasks: 0, downSince: null })
    // One call at a time, and no more calls per second than the gaps between jobs allow.
    expect(fake.lines.mostAtOnce).toBe(1)
    const creates = fake.lines.calls.filter(({ action }) => action === 'create_line')
    expect(creates).toHaveLength(20)
    expect(mostInASecond(creates.map(({ at }) => at))).toBeLessThanOrEqual(20)
    expect(mostInASecond(fake.lines.calls.map(({ at }) => at))).toBeLessThanOrEqual(100)
  },
)

test('unreadable responses for one line are retried after 1, 5, 15 and 60 minutes, then become a task; other lines proceed', async () => {
  const worker = workerFromNow()
  const { id } = await world.buyer()
  await world.pay(id)
  const dueAfter = async () => {
    const [job] = await world.app.db.select({ dueAt: lineJobs.dueAt }).from(lineJobs).where(eq(lineJobs.userId, id))
    return job!.dueAt
  }
  fake.lines.fail('html')
  const tries: number[] = []
  for (let minute = 0; minute <= 90; minute++) {
    const before = fake.lines.calls.length
    await worker.at(minute)
    if (fake.lines.calls.length > before) tries.push(minute)
    if (minute === 7) {
      const due = await dueAfter()
      fake.lines.heal()
      const other = await world.buyer()
      await world.pay(other.id)
      await worker.at(minute + 0.5)
      expect(await world.statesOf(other.id)).toEqual(['done'])
      expect(await dueAfter()).toBe(due)
      fake.lines.fail('html')
    }
  }
  expect(tries).toEqual([0, 1, 6, 21, 81])
  expect(await world.statesOf(id)).toEqual(['queued tries'])
})
