import { and, desc, eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  auditLog,
  lineDrift,
  lineJobs,
  lineMoveRuns,
  lineMoves,
  lines,
  mails,
  panels,
  users,
} from '#server/db/tables.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { type MemoryPanel, memoryPanel } from '../../../test/harness/memory-panel.ts'
import { type ProvisioningWorld, plusDays, provisioningWorld } from '../../../test/harness/provisioning-world.ts'
import { changeMove, listMoveRuns, previewMove, startMove } from './admin-moves-contract.ts'
import type { ProvisioningConfig } from './server/config.ts'
import { requestComparison } from './server/drift/compare.ts'
import { forgetMoves } from './server/moves/run-moves.ts'
import { runJobs, runPanel } from './server/worker/run.ts'

const server = 'http://tv.example:8080'
let world: ProvisioningWorld
let second: MemoryPanel
let to: number
let over: Partial<ProvisioningConfig> = {}
beforeAll(async () => {
  world = await provisioningWorld()
  await world.choosePanel('xui-admin')
})
afterAll(() => world.app.close())
afterEach(() => expectInvariants(world.app.db))
beforeEach(async () => {
  await world.app.db.delete(lineMoveRuns)
  await world.reset()
  await world.app.db.delete(panels).where(eq(panels.isDefault, false))
  second = memoryPanel()
  over = {}
  const row = { name: 'Second', kind: 'xui-admin', address: 'https://second.example', server: '' } as const
  const packages = { [world.plan.id]: '1' }
  const [stored] = await world.app.db
    .insert(panels)
    .values({ ...row, packages })
    .returning()
  to = stored!.id
  await world.app.database.pool.query('insert into line_panel (id) values ($1)', [to])
})

const refusal = (fields: object) => expect.objectContaining(fields)
const context = () => {
  const main = world.config({ panelId: 'xui-admin ' })
  const other = world.config({ id: to, panel: second, panelId: 'xui-admin https://second.example', ...over })
  return { ...world.context(), loadConfig: async (id: number) => (id === to ? other : main) }
}
const run = () => runJobs(context(), undefined, 0)
/** A customer with a line on the main panel. */
const subscriber = async () => {
  const { id } = await world.buyer()
  await world.pay(id)
  await run()
  return id
}
const preview = (from = 1, target = to) => world.admin.client.call(previewMove, { query: { from, to: target } })
const start = async (expected?: number) =>
  (await world.admin.client.call(startMove, { body: { from: 1, to, expected: expected ?? (await preview()).lines } }))
    .id
const change = (runId: number, what: 'stop' | 'continue' | 'back') =>
  world.admin.client.call(changeMove, { params: { runId, change: what } })
const progress = async () => (await world.admin.client.call(listMoveRuns, {})).runs[0]!
const mailsOf = (userId: number) =>
  world.app.db.$count(mails, and(eq(mails.userId, userId), eq(mails.template, 'line_moved')))

test('a move to the same, an unknown, a closed or a manual panel is refused, and so is one with an outdated number of lines', async () => {
  const user = await subscriber()
  await expect(preview(1, 1)).rejects.toEqual(refusal({ status: 400, issues: [refusal({ path: 'to' })] }))
  await expect(preview(1, 999_999)).rejects.toEqual(refusal({ status: 404 }))
  await expect(start(7)).rejects.toEqual(refusal({ status: 409, code: 'stale' }))
  await world.app.db.update(panels).set({ acceptsLines: false }).where(eq(panels.id, to))
  await expect(preview()).rejects.toEqual(refusal({ code: 'panel_closed' }))
  await world.app.db.update(panels).set({ acceptsLines: true }).where(eq(panels.id, to))
  await world.choosePanel('manual')
  await expect(preview()).rejects.toEqual(refusal({ code: 'by_hand' }))
  await world.choosePanel('xui-admin')
  expect(await world.lineOf(user)).toMatchObject({ panelId: 1 })
  await world.app.db.delete(lines)
  await expect(start(0)).rejects.toEqual(refusal({ code: 'nothing_to_move' }))
})

test('only one run moves lines at a time, and a change that the state of a run does not allow is refused', async () => {
  await subscriber()
  const id = await start()
  await expect(start()).rejects.toEqual(refusal({ code: 'move_running' }))
  await expect(change(id, 'continue')).rejects.toEqual(refusal({ code: 'not_possible' }))
  await expect(change(id, 'back')).rejects.toEqual(refusal({ code: 'not_possible' }))
  expect(await change(id, 'stop')).toEqual({ state: 'stopped' })
  await expect(change(id, 'stop')).rejects.toEqual(refusal({ code: 'not_possible' }))
  await expect(change(id, 'back')).rejects.toEqual(refusal({ code: 'nothing_to_move' }))
})

test('the preview counts lines, plans and packages', async () => {
  const user = await subscriber()
  const other = await world.buyer()
  await world.pay(other.id, world.double)
  await run()
  expect(await preview()).toMatchObject({ lines: 2, enabled: 2, serverChanges: false, costsCredits: false })
  expect((await preview()).plans).toEqual(
    expect.arrayContaining([
      { name: world.plan.name, count: 1, hasPackage: true },
      { name: world.double.name, count: 1, hasPackage: false },
    ]),
  )
  expect((await preview()).customers).toContain((await world.userOf(user)).username)
})

test('a line is created with the same login on the new panel, then switched, and the old line is disabled', async () => {
  const user = await subscriber()
  const before = (await world.lineOf(user))!
  await start()
  await run()
  const after = (await world.lineOf(user))!
  expect(after).toMatchObject({ panelId: to, username: before.username, server, panelEnabled: true })
  expect(second.lines).toMatchObject([{ username: before.username, password: world.panel.lines[0]!.password }])
  expect(await progress()).toMatchObject({ state: 'done', total: 1, moved: 1, underway: 0 })
  // The old line is disabled by a job on its own panel.
  await run()
  expect(world.panel.lines).toMatchObject([{ enabled: false }])
  expect(await progress()).toMatchObject({ by: expect.any(String) })
  expect(await mailsOf(user)).toBe(0)
  const [entry] = await world.app.db.select().from(auditLog).where(eq(auditLog.action, 'line.move'))
  expect(entry).toMatchObject({ targetId: String(user), before: { panel: 1 }, after: { panel: to } })
  await requestComparison(world.app.db)
  await run()
  expect(await world.app.db.$count(lineDrift, eq(lineDrift.userId, user))).toBe(0)
})

test('the customer gets one email if the server changes, and the account is updated to the login that the panel chose', async () => {
  const user = await subscriber()
  over = { server: 'http://other.example:8080' }
  second.createLine = async (line) => {
    const created = { ...line, username: `chosen${user}`, password: 'chosen-password' }
    const made = { lineRef: '900', expiresAt: line.expiresAt ?? null, enabled: true, trial: false }
    const stored = { ...made, username: created.username, password: created.password, connections: line.connections }
    second.lines.push(stored)
    return { outcome: 'done', line: { ...stored } }
  }
  await start()
  await run()
  await run()
  expect(await world.lineOf(user)).toMatchObject({ panelId: to, username: `chosen${user}`, lineRef: '900' })
  expect((await world.userOf(user)).iptvUsername).toBe(`chosen${user}`)
  expect(await mailsOf(user)).toBe(1)
})

test('a panel that does not answer delays only the moves to it, and a lost response creates no second line', async () => {
  const user = await subscriber()
  second.isDown = true
  await start()
  await run()
  expect(await world.lineOf(user)).toMatchObject({ panelId: 1 })
  const other = await subscriber()
  expect(await world.statesOf(other)).toEqual(['done'])
  second.isDown = false
  second.faults.createLine = ['silent']
  await world.makeJobsDue()
  await run()
  // The process was killed after the call: the job is still marked as sent.
  expect(await world.lineOf(user)).toMatchObject({ panelId: 1 })
  await world.app.db.update(lineJobs).set({ state: 'sent' }).where(eq(lineJobs.state, 'unknown'))
  await world.makeJobsDue()
  await run()
  expect(await world.lineOf(user)).toMatchObject({ panelId: to })
  expect(second.calls.filter((call) => call.startsWith('create'))).toHaveLength(1)
})

test('two processes that move lines at the same time create each line once', async () => {
  const moved = [await subscriber(), await subscriber(), await subscriber()]
  await start()
  await Promise.all([run(), run(), run()])
  await run()
  expect(second.calls.filter((call) => call.startsWith('create'))).toHaveLength(3)
  expect(second.mostAtOnce).toBe(1)
  for (const user of moved) expect(await world.lineOf(user)).toMatchObject({ panelId: to })
  expect(world.panel.lines.every(({ enabled }) => !enabled)).toBe(true)
})

test('a process that is killed between the new line and the switch leaves a job that another process completes', async () => {
  const user = await subscriber()
  await start()
  // The new line exists and its creation is stored; then the process dies before it reads the line again.
  let isKilled = false
  second.onCall = async (call) => {
    if (call !== 'getLine' || second.lines.length === 0 || isKilled) return
    isKilled = true
    throw new Error('killed')
  }
  await run()
  second.onCall = undefined
  expect(isKilled).toBe(true)
  expect(await world.lineOf(user)).toMatchObject({ panelId: 1 })
  expect(world.panel.lines).toMatchObject([{ enabled: true }])
  await requestComparison(world.app.db)
  await run()
  expect(await world.app.db.$count(lineDrift, eq(lineDrift.kind, 'stray'))).toBe(0)
  await world.makeJobsDue()
  await run()
  expect(await world.lineOf(user)).toMatchObject({ panelId: to })
  expect(second.calls.filter((call) => call.startsWith('create'))).toHaveLength(1)
})

test('a line that is renewed while it is moved gets the new expiry date on the new panel', async () => {
  const user = await subscriber()
  await start()
  second.onCall = async (call) => {
    if (call !== 'createLine') return
    second.onCall = undefined
    await world.pay(user)
  }
  await run()
  await run()
  const line = (await world.lineOf(user))!
  const { subscriptionEndDate } = await world.userOf(user)
  expect(line).toMatchObject({ panelId: to, wantedUntil: subscriptionEndDate })
  expect(second.lines).toMatchObject([{ enabled: true, expiresAt: plusDays(subscriptionEndDate!, 3) }])
  expect(await world.statesOf(user)).toEqual(['done', 'done', 'done'])
})

test('a job that was read before the switch makes no call on the old panel afterwards', async () => {
  const user = await subscriber()
  await start()
  // The move waits for an administrator, while a renewal continues on the old panel.
  second.faults.createLine = [{ refusal: 'invalid' }]
  await run()
  const [job] = await world.app.db.select().from(lineJobs).where(eq(lineJobs.userId, user)).orderBy(desc(lineJobs.id))
  expect(job).toMatchObject({ cause: 'move', task: 'rejected' })
  await world.pay(user)
  let isSwitched = false
  world.panel.onCall = async (call) => {
    if (call !== 'getLine' || isSwitched) return
    isSwitched = true
    await world.press(job!.id, 'retry')
    // Another process makes the move now, and stops before the next job.
    const stopping = new AbortController()
    second.onCall = async (next) => {
      if (next === 'createLine') stopping.abort()
    }
    await runPanel(context(), to, stopping.signal, 0)
    expect(await world.lineOf(user)).toMatchObject({ panelId: to })
  }
  const writes = world.writes().length
  await run()
  world.panel.onCall = undefined
  expect(isSwitched).toBe(true)
  await run()
  expect(await world.statesOf(user)).toEqual(['done', 'done', 'done'])
  expect(
    world
      .writes()
      .slice(writes)
      .filter((call) => call.startsWith('extend')),
  ).toEqual([])
})

test('an imported line is moved, and its username is not used as a reference on the old panel', async () => {
  const user = await subscriber()
  const other = await subscriber()
  const { lineRef } = (await world.lineOf(other))!
  // The imported line is named like the reference of another customer's line.
  await world.app.db.update(lines).set({ panel: 'manual', lineRef, username: lineRef }).where(eq(lines.userId, user))
  await start()
  await run()
  await run()
  expect(await world.lineOf(user)).toMatchObject({ panelId: to, username: lineRef })
  const left = await world.app.db.select().from(lineJobs).where(eq(lineJobs.cause, 'left'))
  expect(left.map((job) => job.lineRef)).toEqual([lineRef])
  const [move] = await world.app.db.select().from(lineMoves).where(eq(lineMoves.userId, user))
  expect(move).toMatchObject({ state: 'moved', otherRef: null, otherUsername: lineRef })
})

test('a run that is stopped withdraws its queued jobs: no further line is created, and a line whose creation has begun is finished', async () => {
  const [begun, waiting] = [await subscriber(), await subscriber()]
  const id = await start()
  // The run is stopped during the call that creates the first line.
  second.onCall = async (call) => {
    if (call === 'createLine') expect(await change(id, 'stop')).toEqual({ state: 'stopped' })
  }
  await run()
  second.onCall = undefined
  await run()
  expect(second.lines).toHaveLength(1)
  expect(await world.lineOf(begun)).toMatchObject({ panelId: to })
  expect(await world.lineOf(waiting)).toMatchObject({ panelId: 1, panelEnabled: true })
  expect(await progress()).toMatchObject({ state: 'stopped', moved: 1, waiting: 1, underway: 0 })
  await change(id, 'continue')
  await run()
  expect(second.lines).toHaveLength(2)
})

test('a line is not switched while another call for its customer has an unknown outcome', async () => {
  const user = await subscriber()
  world.panel.faults.extendLine = [{ refusal: 'invalid' }, 'silent']
  await world.pay(user)
  await run()
  const [renewal] = await world.app.db.select().from(lineJobs).where(eq(lineJobs.task, 'rejected'))
  await start()
  // The new line exists. Before the move reads it, the renewal is tried again, and its response is lost.
  second.onCall = async (call) => {
    if (call !== 'getLine' || second.lines.length === 0) return
    second.onCall = undefined
    await world.press(renewal!.id, 'retry')
    await runPanel(context(), 1, undefined, 0)
  }
  await run()
  expect(await world.statesOf(user)).toContain('unknown')
  expect(await world.lineOf(user)).toMatchObject({ panelId: 1 })
  expect(world.panel.lines).toMatchObject([{ enabled: true }])
  for (let round = 0; round < 3; round++) {
    await world.makeJobsDue()
    await run()
  }
  expect(await world.statesOf(user)).toEqual(['done', 'done', 'done'])
  expect(await world.lineOf(user)).toMatchObject({ panelId: to })
  expect(second.lines).toMatchObject([{ enabled: true, expiresAt: world.panel.lines[0]!.expiresAt }])
  expect(world.panel.lines).toMatchObject([{ enabled: false }])
})

test('a stopped run continues later, and moved customers return to their old lines', async () => {
  const users_ = [await subscriber(), await subscriber()]
  const refs = world.panel.lines.map(({ lineRef }) => lineRef)
  const id = await start()
  await change(id, 'stop')
  await run()
  expect(await progress()).toMatchObject({ state: 'stopped', waiting: 2, moved: 0 })
  await change(id, 'continue')
  await run()
  await run()
  await run()
  expect(await progress()).toMatchObject({ state: 'done', moved: 2 })
  await change(id, 'back')
  await run()
  await run()
  await run()
  expect(await progress()).toMatchObject({ state: 'done', direction: 'back', returned: 2 })
  expect(world.panel.lines).toHaveLength(2)
  for (const [at, user] of users_.entries())
    expect(await world.lineOf(user)).toMatchObject({ panelId: 1, lineRef: refs[at], panelEnabled: true })
  expect(world.panel.lines.every(({ enabled }) => enabled)).toBe(true)
  expect(second.lines.every(({ enabled }) => !enabled)).toBe(true)
})

test('an old line is not disabled once it is the customer’s line again, and a line whose old line is gone is not moved back', async () => {
  const [user, gone] = [await subscriber(), await subscriber()]
  const id = await start()
  // The job that disables the old line of the first customer is tried after the line has returned.
  await run()
  await world.app.db
    .update(lineJobs)
    .set({ dueAt: sql`now() + interval '1 hour'` })
    .where(and(eq(lineJobs.cause, 'left'), sql`${lineJobs.state} <> 'done'`))
  await run()
  world.panel.lines = world.panel.lines.filter(({ username }) => username === second.lines[0]!.username)
  await change(id, 'back').catch(() => change(id, 'stop').then(() => change(id, 'back')))
  await run()
  await world.makeJobsDue()
  await run()
  expect(await world.lineOf(user)).toMatchObject({ panelId: 1, panelEnabled: true })
  expect(world.panel.lines).toMatchObject([{ enabled: true }])
  expect(await world.lineOf(gone)).toMatchObject({ panelId: to })
  expect((await progress()).problems).toBe(1)
  expect(await world.app.db.$count(lineMoves, eq(lineMoves.state, 'returned'))).toBe(1)
  expect(await world.app.db.$count(users, eq(users.id, gone))).toBe(1)
})

test('a run is deleted with the credentials of its old lines 90 days after its end', async () => {
  await subscriber()
  await start()
  await run()
  const [move] = await world.app.db.select().from(lineMoves)
  expect(move!.otherPassword).toMatch(/^v/)
  expect(await forgetMoves(world.app.db)).toBe(0)
  await world.app.db.update(lineMoveRuns).set({ endedAt: plusDays(new Date().toISOString(), -91) })
  expect(await forgetMoves(world.app.db)).toBe(1)
  expect(await world.app.db.$count(lineMoves)).toBe(0)
})
