import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lineJobs, linePanel } from '#server/db/tables.ts'
import { memoryPanel } from '../../../test/harness/memory-panel.ts'
import { type ProvisioningWorld, plusDays, provisioningWorld } from '../../../test/harness/provisioning-world.ts'
import { getPanelStatus } from './admin-contract.ts'
import { runJobs } from './server/worker/run.ts'

let world: ProvisioningWorld
beforeAll(async () => {
  world = await provisioningWorld()
})
afterAll(() => world.app.close())
beforeEach(() => world.reset())

/** Makes all jobs and back-offs due and runs the worker once. */
const nextRound = async () => {
  await world.makeJobsDue()
  await world.run()
}

describe('a call with an unknown outcome', () => {
  test('that created the line is confirmed by reading the line, and is sent only once', async () => {
    world.panel.faults.createLine = ['silent']
    const { id } = await world.buyer()
    await world.pay(id)
    await world.run()
    expect(await world.statesOf(id)).toEqual(['unknown'])
    await nextRound()
    expect([await world.statesOf(id), world.panel.lines.length, world.writes().length]).toEqual([['done'], 1, 1])
    expect(await world.userOf(id)).toMatchObject({ iptvUsername: world.panel.lines[0]!.username, iptvSynced: true })
  })

  test('that created nothing is never repeated automatically: it is checked three times, then an administrator decides', async () => {
    world.panel.faults.createLine = ['lost']
    const { id } = await world.buyer()
    await world.pay(id)
    await world.run()
    for (let round = 0; round < 6; round++) await nextRound()
    expect([await world.statesOf(id), world.writes().length]).toEqual([['unknown unknown'], 1])
    const [job] = await world.jobsOf(id)
    expect((await world.press(job!.id, 'retry')).status).toBe(200)
    await world.run()
    expect([await world.statesOf(id), world.panel.lines.length]).toEqual([['done'], 1])
  })

  test('is repeated when the panel was not reached', async () => {
    world.panel.faults.createLine = ['down']
    const { id } = await world.buyer()
    await world.pay(id)
    await world.run()
    expect(await world.statesOf(id)).toEqual(['queued'])
    await nextRound()
    expect([await world.statesOf(id), world.panel.lines.length]).toEqual([['done'], 1])
  })

  test('is repeated with its idempotency key if the panel supports one', async () => {
    await world.reset(memoryPanel({ kind: 'onestream', can: { idempotent: true }, periodDays: 31 }))
    world.panel.faults.createLine = ['lost']
    const { id } = await world.buyer()
    await world.pay(id)
    await world.run()
    await nextRound()
    expect([await world.statesOf(id), world.panel.lines.length]).toEqual([['done'], 1])
  })

  test.each(['lost', 'silent'] as const)(
    'that was an extension with a %s response is not paid for twice',
    async (fault) => {
      await world.reset(memoryPanel({ kind: 'xui-reseller', can: { setConnections: false }, periodDays: 31 }))
      const { id } = await world.buyer()
      await world.pay(id)
      await world.run()
      const { expiresAt } = world.panel.lines[0]!
      world.panel.faults.extendLine = [fault]
      await world.pay(id)
      await world.run()
      for (let round = 0; round < 5; round++) await nextRound()
      expect(await world.statesOf(id)).toEqual(['done', fault === 'lost' ? 'unknown unknown' : 'done'])
      expect(world.panel.lines).toMatchObject([{ expiresAt: fault === 'lost' ? expiresAt : plusDays(expiresAt!, 31) }])
    },
  )

  test('that disabled a line is repeated, because disabling twice does no harm', async () => {
    const { id } = await world.buyer()
    const invoice = await world.pay(id)
    await world.run()
    world.panel.faults.setEnabled = ['lost']
    await world.decide(invoice, 'cancelled')
    await world.run()
    await nextRound()
    expect([await world.statesOf(id), world.panel.lines]).toMatchObject([['done', 'done'], [{ enabled: false }]])
  })

  test('blocks only later jobs of the same customer', async () => {
    world.panel.faults.createLine = ['lost']
    const [one, two] = [await world.buyer(), await world.buyer()]
    await world.pay(one.id)
    await world.pay(one.id)
    await world.pay(two.id)
    await world.run()
    expect([await world.statesOf(one.id), await world.statesOf(two.id)]).toEqual([['unknown', 'queued'], ['done']])
  })

  test('of a process that died is resolved by the next one; an administrator cannot decide until then', async () => {
    const { id } = await world.buyer()
    await world.pay(id)
    // The process ends between the panel's response and storing it.
    world.panel.faults.createLine = ['silent']
    await world.run()
    await world.app.db.update(lineJobs).set({ state: 'sent', dueAt: sql`now()` }).where(eq(lineJobs.userId, id))
    const [job] = await world.jobsOf(id)
    expect((await world.press(job!.id, 'settle')).status).toBe(409)
    await world.run()
    expect([await world.statesOf(id), world.panel.lines.length]).toEqual([['done'], 1])
  })
})

describe('a panel', () => {
  test('that is down does not block confirmations; when it is back, the line jobs run in order, without tasks', async () => {
    world.panel.isDown = true
    const people = []
    for (let i = 0; i < 5; i++) {
      const person = await world.buyer()
      await world.pay(person.id)
      people.push(person)
    }
    // About an hour of back-offs.
    for (let round = 0; round < 15; round++) await nextRound()
    expect(world.writes()).toEqual([])
    expect(await world.admin.client.call(getPanelStatus, {})).toMatchObject({
      tasks: 0,
      waiting: 5,
      downSince: expect.any(String),
    })
    const before = world.panel.calls.length
    await Promise.all([world.run(), world.run()])
    expect(world.panel.calls.length).toBe(before)

    world.panel.isDown = false
    await nextRound()
    expect(await Promise.all(people.map(({ id }) => world.statesOf(id)))).toEqual(people.map(() => ['done']))
    const names = await Promise.all(people.map(async ({ id }) => (await world.lineOf(id))!.username))
    expect(world.writes()).toEqual(names.map((name) => `create ${name}`))
    expect(world.panel.mostAtOnce).toBe(1)
    expect(await world.admin.client.call(getPanelStatus, {})).toMatchObject({ tasks: 0, waiting: 0, downSince: null })
  })

  test('with a key that cannot be decrypted is reported, and its jobs wait', async () => {
    const { id } = await world.buyer()
    await world.pay(id)
    const locked = { ...world.context(), loadConfig: () => Promise.reject(new Error('The secret cannot be opened')) }
    await expect(runJobs(locked, undefined, 0)).rejects.toThrow('cannot be opened')
    expect(await world.admin.client.call(getPanelStatus, {})).toMatchObject({
      waiting: 1,
      downSince: expect.any(String),
      lastFailure: expect.stringContaining('Enter it again'),
    })
    await world.run()
    expect(await world.admin.client.call(getPanelStatus, {})).toMatchObject({ waiting: 0, downSince: null })
  })

  test('is called immediately when an administrator ends the back-off', async () => {
    world.panel.isDown = true
    const { id } = await world.buyer()
    await world.pay(id)
    await world.run()
    world.panel.isDown = false
    await world.run()
    expect(await world.statesOf(id)).toEqual(['queued'])
    expect((await world.admin.client.post('/api/admin/line-panel/try', undefined)).status).toBe(200)
    await world.run()
    expect(await world.statesOf(id)).toEqual(['done'])
  })

  test('with unreadable responses about one line blocks the other jobs only temporarily', async () => {
    const [one, two] = [await world.buyer(), await world.buyer()]
    await world.pay(one.id)
    await world.pay(two.id)
    world.panel.faults.getLine = Array.from({ length: 5 }, () => ({ refusal: 'invalid' as const }))
    for (let round = 0; round < 6; round++) await nextRound()
    expect([await world.statesOf(one.id), await world.statesOf(two.id)]).toEqual([['queued tries'], ['done']])
  })

  test.each(['credits', 'auth', 'no_trials', 'invalid', 'package'] as const)(
    'that refuses (%s) adds a task with its reason',
    async (refusal) => {
      world.panel.faults.createLine = [{ refusal }]
      const { id } = await world.buyer()
      await world.pay(id)
      await world.run()
      expect(await world.jobsOf(id)).toMatchObject([
        { state: 'rejected', task: 'rejected', lastAnswer: `The panel refused: ${refusal}` },
      ])
    },
  )

  test('that no longer has a line gets no request to create it again', async () => {
    const { id } = await world.buyer()
    await world.pay(id)
    await world.run()
    world.panel.lines.length = 0
    await world.pay(id)
    await world.run()
    expect([await world.statesOf(id), world.panel.lines]).toEqual([['done', 'rejected gone'], []])
  })

  test('that sells months of 30 days is not charged another month for a missing day', async () => {
    await world.reset(memoryPanel({ kind: 'xui-reseller', can: { setConnections: false }, periodDays: 28 }))
    const { id } = await world.buyer()
    await world.pay(id)
    await world.run()
    await world.app.db.update(lineJobs).set({ state: 'queued', steps: [] })
    await world.run()
    expect(world.writes()).toHaveLength(1)
  })

  test('is called by the lease holder only; the lease of a dead process expires', async () => {
    const { id } = await world.buyer()
    await world.pay(id)
    await world.app.db
      .update(linePanel)
      .set({ holder: '00000000-0000-4000-8000-000000000000', heldUntil: sql`now() + interval '30 seconds'` })
    await world.run()
    expect(await world.statesOf(id)).toEqual(['queued'])
    await world.app.db.update(linePanel).set({ heldUntil: sql`now()` })
    await world.run()
    expect(await world.statesOf(id)).toEqual(['done'])
  })
})
