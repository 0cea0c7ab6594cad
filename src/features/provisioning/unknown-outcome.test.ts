import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lineJobs, linePanel } from '#server/db/tables.ts'
import { type ProvisioningWorld, plusDays, provisioningWorld } from '../../../test/harness/line-desk.ts'
import { memoryPanel } from '../../../test/harness/memory-panel.ts'
import { getPanelStatus } from './admin-contract.ts'
import { runJobs } from './server/worker/run.ts'

let desk: ProvisioningWorld
beforeAll(async () => {
  desk = await provisioningWorld()
})
afterAll(() => desk.app.close())
beforeEach(() => desk.reset())

/** A round of the worker after everything that waits has become due. */
const nextRound = async () => {
  await desk.later()
  await desk.run()
}

describe('a call of which nobody knows what became', () => {
  test('that made the line is found by asking: one line, sent once', async () => {
    desk.panel.faults.createLine = ['silent']
    const { id } = await desk.buyer()
    await desk.pay(id)
    await desk.run()
    expect(await desk.statesOf(id)).toEqual(['unknown'])
    await nextRound()
    expect([await desk.statesOf(id), desk.panel.lines.length, desk.writes().length]).toEqual([['done'], 1, 1])
    expect(await desk.userOf(id)).toMatchObject({ iptvUsername: desk.panel.lines[0]!.username, iptvSynced: true })
  })

  test('that made nothing is never sent again by itself: asked three times, then an administrator decides', async () => {
    desk.panel.faults.createLine = ['lost']
    const { id } = await desk.buyer()
    await desk.pay(id)
    await desk.run()
    for (let round = 0; round < 6; round++) await nextRound()
    expect([await desk.statesOf(id), desk.writes().length]).toEqual([['unknown unknown'], 1])
    const [job] = await desk.jobsOf(id)
    expect((await desk.press(job!.id, 'retry')).status).toBe(200)
    await desk.run()
    expect([await desk.statesOf(id), desk.panel.lines.length]).toEqual([['done'], 1])
  })

  test('is one that can be sent again where the panel was not reached at all', async () => {
    desk.panel.faults.createLine = ['down']
    const { id } = await desk.buyer()
    await desk.pay(id)
    await desk.run()
    expect(await desk.statesOf(id)).toEqual(['queued'])
    await nextRound()
    expect([await desk.statesOf(id), desk.panel.lines.length]).toEqual([['done'], 1])
  })

  test('is sent again under its own key where the panel takes one key once', async () => {
    await desk.reset(memoryPanel({ kind: 'onestream', can: { idempotent: true }, periodDays: 31 }))
    desk.panel.faults.createLine = ['lost']
    const { id } = await desk.buyer()
    await desk.pay(id)
    await desk.run()
    await nextRound()
    expect([await desk.statesOf(id), desk.panel.lines.length]).toEqual([['done'], 1])
  })

  test.each(['lost', 'silent'] as const)('an extension (%s) is not paid for twice', async (fault) => {
    await desk.reset(memoryPanel({ kind: 'xui-reseller', can: { setConnections: false }, periodDays: 31 }))
    const { id } = await desk.buyer()
    await desk.pay(id)
    await desk.run()
    const { expiresAt } = desk.panel.lines[0]!
    desk.panel.faults.extendLine = [fault]
    await desk.pay(id)
    await desk.run()
    for (let round = 0; round < 5; round++) await nextRound()
    expect(await desk.statesOf(id)).toEqual(['done', fault === 'lost' ? 'unknown unknown' : 'done'])
    expect(desk.panel.lines).toMatchObject([{ expiresAt: fault === 'lost' ? expiresAt : plusDays(expiresAt!, 31) }])
  })

  test('switching a line off is the same once and twice, so it is said again', async () => {
    const { id } = await desk.buyer()
    const invoice = await desk.pay(id)
    await desk.run()
    desk.panel.faults.setEnabled = ['lost']
    await desk.decide(invoice, 'cancelled')
    await desk.run()
    await nextRound()
    expect([await desk.statesOf(id), desk.panel.lines]).toMatchObject([['done', 'done'], [{ enabled: false }]])
  })

  test('keeps later causes of the same customer waiting, and nobody else', async () => {
    desk.panel.faults.createLine = ['lost']
    const [one, two] = [await desk.buyer(), await desk.buyer()]
    await desk.pay(one.id)
    await desk.pay(one.id)
    await desk.pay(two.id)
    await desk.run()
    expect([await desk.statesOf(one.id), await desk.statesOf(two.id)]).toEqual([['unknown', 'queued'], ['done']])
  })

  test('of a process that died is settled by the next one; a decision meanwhile is refused', async () => {
    const { id } = await desk.buyer()
    await desk.pay(id)
    // The process ends between the panel's answer and the note of it.
    desk.panel.faults.createLine = ['silent']
    await desk.run()
    await desk.app.db.update(lineJobs).set({ state: 'sent', dueAt: sql`now()` }).where(eq(lineJobs.userId, id))
    const [job] = await desk.jobsOf(id)
    expect((await desk.press(job!.id, 'settle')).status).toBe(409)
    await desk.run()
    expect([await desk.statesOf(id), desk.panel.lines.length]).toEqual([['done'], 1])
  })
})

describe('a panel', () => {
  test('that is down lets confirmations through; lines follow in order when it is back, and are nobody’s task meanwhile', async () => {
    desk.panel.isDown = true
    const people = []
    for (let i = 0; i < 5; i++) {
      const person = await desk.buyer()
      await desk.pay(person.id)
      people.push(person)
    }
    // An hour, with a look each minute or five.
    for (let look = 0; look < 15; look++) await nextRound()
    expect(desk.writes()).toEqual([])
    expect(await desk.admin.client.call(getPanelStatus, {})).toMatchObject({
      tasks: 0,
      waiting: 5,
      downSince: expect.any(String),
    })
    const before = desk.panel.calls.length
    await Promise.all([desk.run(), desk.run()])
    expect(desk.panel.calls.length).toBe(before)

    desk.panel.isDown = false
    await nextRound()
    expect(await Promise.all(people.map(({ id }) => desk.statesOf(id)))).toEqual(people.map(() => ['done']))
    const names = await Promise.all(people.map(async ({ id }) => (await desk.lineOf(id))!.username))
    expect(desk.writes()).toEqual(names.map((name) => `create ${name}`))
    expect(desk.panel.mostAtOnce).toBe(1)
    expect(await desk.admin.client.call(getPanelStatus, {})).toMatchObject({ tasks: 0, waiting: 0, downSince: null })
  })

  test('whose key cannot be opened is said, and its lines wait', async () => {
    const { id } = await desk.buyer()
    await desk.pay(id)
    const locked = { ...desk.works(), loadConfig: () => Promise.reject(new Error('The secret cannot be opened')) }
    await expect(runJobs(locked, undefined, 0)).rejects.toThrow('cannot be opened')
    expect(await desk.admin.client.call(getPanelStatus, {})).toMatchObject({
      waiting: 1,
      downSince: expect.any(String),
      lastFailure: expect.stringContaining('Enter it again'),
    })
    await desk.run()
    expect(await desk.admin.client.call(getPanelStatus, {})).toMatchObject({ waiting: 0, downSince: null })
  })

  test('that is asked now by an administrator is asked now', async () => {
    desk.panel.isDown = true
    const { id } = await desk.buyer()
    await desk.pay(id)
    await desk.run()
    desk.panel.isDown = false
    await desk.run()
    expect(await desk.statesOf(id)).toEqual(['queued'])
    expect((await desk.admin.client.post('/api/admin/line-panel/try', undefined)).status).toBe(200)
    await desk.run()
    expect(await desk.statesOf(id)).toEqual(['done'])
  })

  test('whose answer about one line cannot be read keeps the others waiting for a while only', async () => {
    const [one, two] = [await desk.buyer(), await desk.buyer()]
    await desk.pay(one.id)
    await desk.pay(two.id)
    desk.panel.faults.getLine = Array.from({ length: 5 }, () => ({ refusal: 'invalid' as const }))
    for (let round = 0; round < 6; round++) await nextRound()
    expect([await desk.statesOf(one.id), await desk.statesOf(two.id)]).toEqual([['queued tries'], ['done']])
  })

  test.each(['credits', 'auth', 'no_trials', 'invalid', 'package'] as const)(
    'that refuses (%s) makes a task at once, with its reason',
    async (refusal) => {
      desk.panel.faults.createLine = [{ refusal }]
      const { id } = await desk.buyer()
      await desk.pay(id)
      await desk.run()
      expect(await desk.jobsOf(id)).toMatchObject([
        { state: 'rejected', task: 'rejected', lastAnswer: `The panel refused: ${refusal}` },
      ])
    },
  )

  test('that no longer knows a line is not told to make another one', async () => {
    const { id } = await desk.buyer()
    await desk.pay(id)
    await desk.run()
    desk.panel.lines.length = 0
    await desk.pay(id)
    await desk.run()
    expect([await desk.statesOf(id), desk.panel.lines]).toEqual([['done', 'rejected gone'], []])
  })

  test('that sells months of 30 days is not asked for another month because of the missing day', async () => {
    await desk.reset(memoryPanel({ kind: 'xui-reseller', can: { setConnections: false }, periodDays: 28 }))
    const { id } = await desk.buyer()
    await desk.pay(id)
    await desk.run()
    await desk.app.db.update(lineJobs).set({ state: 'queued', steps: [] })
    await desk.run()
    expect(desk.writes()).toHaveLength(1)
  })

  test('is one turn’s alone: a process that holds it and says nothing gives it back in time', async () => {
    const { id } = await desk.buyer()
    await desk.pay(id)
    await desk.app.db
      .update(linePanel)
      .set({ holder: '00000000-0000-4000-8000-000000000000', heldUntil: sql`now() + interval '30 seconds'` })
    await desk.run()
    expect(await desk.statesOf(id)).toEqual(['queued'])
    await desk.app.db.update(linePanel).set({ heldUntil: sql`now()` })
    await desk.run()
    expect(await desk.statesOf(id)).toEqual(['done'])
  })
})
