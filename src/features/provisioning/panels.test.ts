import { setTimeout as sleep } from 'node:timers/promises'
import { eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditLog, lineDrift, linePanel, lines, panelPlans, panels } from '#server/db/tables.ts'
import { open, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { type MemoryPanel, memoryPanel } from '../../../test/harness/memory-panel.ts'
import { type ProvisioningWorld, provisioningWorld } from '../../../test/harness/provisioning-world.ts'
import { getPanelStatus, getProvisioning, updateProvisioning } from './admin-contract.ts'
import { countRepairableDrift, listLineDrift, repairLineDrift } from './admin-drift-contract.ts'
import { createPanel, deletePanel, listPanels, type PanelForm, updatePanel } from './admin-panels-contract.ts'
import { requestComparison } from './server/drift/compare.ts'
import { panelForNewLine } from './server/panel-rows/read-panels.ts'
import { runJobs } from './server/worker/run.ts'

let world: ProvisioningWorld
let second: MemoryPanel
beforeAll(async () => {
  world = await provisioningWorld()
})
afterAll(() => world.app.close())
beforeEach(async () => {
  await world.reset()
  await world.app.db.delete(panels).where(eq(panels.isDefault, false))
  second = memoryPanel()
})

const form = (over: Partial<PanelForm> = {}): PanelForm => ({
  name: 'Second',
  kind: 'xui-admin',
  address: 'https://second.example/code',
  username: '',
  key: 'the key',
  ca: '',
  server: 'http://second.example:8080',
  packages: { [world.plan.id]: '1', [world.double.id]: '2' },
  trialPackage: '9',
  acceptsLines: true,
  isDefault: false,
  lineLimit: null,
  planIds: [],
  ...over,
})
const refusal = (fields: object) => expect.objectContaining(fields)
const add = (over: Partial<PanelForm> = {}) => world.admin.client.call(createPanel, { body: form(over) })
const edit = (panelId: number, version: number, over: Partial<PanelForm> = {}) =>
  world.admin.client.call(updatePanel, { params: { panelId }, body: { ...form({ key: '', ...over }), version } })
/** Runs the worker once on both panels. */
const run = (secondId: number) => {
  const main = world.config()
  const other = world.config({ id: secondId, panel: second, panelId: 'second', server: 'http://second.example:8080' })
  const context = { ...world.context(), loadConfig: async (id: number) => (id === secondId ? other : main) }
  return runJobs(context, undefined, 0)
}

test('a panel needs a key, a server, its own name and address, and a panel type', async () => {
  await expect(add({ key: '' })).rejects.toEqual(refusal({ status: 400, issues: [refusal({ path: 'key' })] }))
  await expect(add({ server: '' })).rejects.toEqual(refusal({ status: 400, issues: [refusal({ path: 'server' })] }))
  await expect(add({ kind: 'manual', address: '' })).rejects.toEqual(refusal({ issues: [refusal({ path: 'kind' })] }))
  await expect(add({ acceptsLines: false, isDefault: true })).rejects.toEqual(
    refusal({ issues: [refusal({ path: 'acceptsLines' })] }),
  )
  await add()
  await expect(add({ address: 'https://third.example' })).rejects.toEqual(
    refusal({ issues: [refusal({ path: 'name' })] }),
  )
  await expect(add({ name: 'Third' })).rejects.toEqual(refusal({ issues: [refusal({ path: 'address' })] }))
})

test('an outdated edit is refused, and the main panel, the default panel and a panel with lines are not deleted', async () => {
  const { id, version } = await add()
  const remove = (panelId: number, at: number) =>
    world.admin.client.call(deletePanel, { params: { panelId }, query: { version: at } })
  await expect(remove(id, version + 1)).rejects.toEqual(refusal({ status: 409, code: 'stale' }))
  const [main] = await world.app.db.select().from(panels).where(eq(panels.id, 1))
  await expect(remove(1, main!.version)).rejects.toEqual(refusal({ code: 'main_panel' }))
  const { id: buyer } = await world.buyer()
  await world.app.db.insert(lines).values({ userId: buyer, panelId: id })
  await expect(remove(id, version)).rejects.toEqual(refusal({ code: 'panel_in_use' }))
  await world.app.db.delete(lines)
  expect(await remove(id, version)).toEqual({ deleted: true })
})

test('the stored key is sealed, never returned, and not used for another address', async () => {
  const created = await add()
  expect(created).toMatchObject({ key: '', keySet: true, isMain: false, lines: 0 })
  const [row] = await world.app.db.select().from(panels).where(eq(panels.id, created.id))
  expect(row!.key).not.toContain('the key')
  expect(open(secretKey(world.app.context.config), row!.key!, sealedColumns.panelKey.context(created.id))).toBe(
    'the key',
  )
  await expect(edit(created.id, 1, { address: 'https://attacker.example' })).rejects.toEqual(
    refusal({ status: 400, issues: [refusal({ path: 'key' })] }),
  )
  expect(await edit(created.id, 1, { name: 'Renamed' })).toMatchObject({ name: 'Renamed', keySet: true, version: 2 })
  await expect(edit(created.id, 1, { name: 'Lost update' })).rejects.toEqual(refusal({ status: 409, code: 'stale' }))
  const entries = await world.app.db.select().from(auditLog).where(eq(auditLog.action, 'panel.update'))
  expect(entries.at(-1)).toMatchObject({ before: { name: 'Second' }, after: { name: 'Renamed' } })
  expect(JSON.stringify(await world.app.db.select().from(auditLog))).not.toContain('the key')
})

test('the main panel cannot get the address of another panel', async () => {
  const { address } = await add()
  const { version, value } = await world.admin.client.call(getProvisioning, {})
  const body = { version, value: { ...value, kind: 'xui-admin' as const, address, key: 'the key' } }
  await expect(world.admin.client.call(updateProvisioning, { body })).rejects.toEqual(
    refusal({ status: 400, issues: [refusal({ path: 'value.address' })] }),
  )
})

test('exactly one panel is the default, and it stays open for new lines', async () => {
  const { id } = await add({ isDefault: true })
  const shown = await world.admin.client.call(listPanels, {})
  expect(shown.map((panel) => [panel.id, panel.isDefault])).toEqual([
    [1, false],
    [id, true],
  ])
  await expect(edit(id, 1, { isDefault: false })).rejects.toEqual(refusal({ code: 'default_panel' }))
  const main = shown[0]!
  const { isMain: _m, keySet: _k, lines: _l, id: _i, ...value } = main
  await world.admin.client.call(updatePanel, { params: { panelId: 1 }, body: { ...value, isDefault: true } })
})

test('a line is created on the panel of its plan, else on a panel with a limit, else on the default panel, and stays there', async () => {
  const { id } = await add({ planIds: [world.double.id] })
  const { id: third } = await add({ name: 'Third', address: 'https://third.example', lineLimit: 1 })
  const buyers = [await world.buyer(), await world.buyer(), await world.buyer()]
  await world.pay(buyers[0]!.id, world.double)
  await world.pay(buyers[1]!.id)
  await world.pay(buyers[2]!.id)
  const panelOf = async (at: number) => (await world.lineOf(buyers[at]!.id))!.panelId
  expect([await panelOf(0), await panelOf(1), await panelOf(2)]).toEqual([id, third, 1])
  expect(await world.app.db.select().from(panelPlans)).toEqual([{ planId: world.double.id, panelId: id }])
  await edit(id, 1, { acceptsLines: false })
  await world.pay(buyers[0]!.id, world.double)
  expect(await panelOf(0)).toBe(id)
})

test('two lines that are created at the same time cannot exceed the limit of a panel', async () => {
  const { id } = await add({ lineLimit: 1 })
  const buyers = [await world.buyer(), await world.buyer()]
  const insertLine = (userId: number, beforeCommit: () => Promise<unknown>) =>
    world.app.db.transaction(async (tx) => {
      const panelId = await panelForNewLine(tx, world.plan.id)
      await tx.insert(lines).values({ userId, panelId })
      await beforeCommit()
      return panelId
    })
  let other: Promise<number> | undefined
  const first = await insertLine(buyers[0]!.id, async () => {
    other = insertLine(buyers[1]!.id, async () => undefined)
    await Promise.race([other, sleep(200)])
  })
  expect([first, await other]).toEqual([id, 1])
})

test('a panel that does not answer delays only its own lines', async () => {
  const { id } = await add({ planIds: [world.double.id] })
  const [onMain, onSecond] = [await world.buyer(), await world.buyer()]
  await world.pay(onSecond.id, world.double)
  await world.pay(onMain.id)
  second.isDown = true
  await run(id)
  expect(await world.statesOf(onMain.id)).toEqual(['done'])
  expect(await world.statesOf(onSecond.id)).toEqual(['queued'])
  expect(second.lines).toEqual([])
  const status = await world.admin.client.call(getPanelStatus, {})
  expect(status.panels).toMatchObject([
    { id: 1, downSince: null },
    { id, lastFailure: 'The panel cannot be reached' },
  ])
  expect(status).toMatchObject({
    downSince: expect.any(String),
    lastFailure: 'The panel cannot be reached',
    waiting: 1,
  })

  second.isDown = false
  await world.makeJobsDue()
  await run(id)
  expect(await world.statesOf(onSecond.id)).toEqual(['done'])
  expect(await world.lineOf(onSecond.id)).toMatchObject({ panel: 'second', server: 'http://second.example:8080' })
  expect([world.panel.lines.length, second.lines.length]).toEqual([1, 1])
})

test('a key that cannot be decrypted stops only the lines of its panel', async () => {
  const { id } = await add({ planIds: [world.double.id] })
  const [onMain, onSecond] = [await world.buyer(), await world.buyer()]
  await world.pay(onSecond.id, world.double)
  await world.pay(onMain.id)
  const loadConfig = async (panelId: number) => {
    if (panelId === id) throw new Error('The secret cannot be opened')
    return world.config()
  }
  await expect(runJobs({ ...world.context(), loadConfig }, undefined, 0)).rejects.toThrow('The secret cannot be opened')
  expect(await world.statesOf(onMain.id)).toEqual(['done'])
  const [state] = await world.app.db.select().from(linePanel).where(eq(linePanel.id, id))
  expect(state!.lastFailure).toContain('cannot be decrypted')
})

test('each panel is compared with its own lines only', async () => {
  const { id } = await add({ planIds: [world.double.id] })
  const [onMain, onSecond] = [await world.buyer(), await world.buyer()]
  await world.pay(onSecond.id, world.double)
  await world.pay(onMain.id)
  await run(id)
  await requestComparison(world.app.db)
  await run(id)
  // Only the customers of this test: those of other tests have lost their lines and are listed too.
  const ofBoth = () =>
    world.app.db
      .select({ kind: lineDrift.kind, userId: lineDrift.userId, panelId: lineDrift.panelId })
      .from(lineDrift)
      .where(inArray(lineDrift.userId, [onMain.id, onSecond.id]))
  expect(await ofBoth()).toEqual([])

  second.lines[0]!.enabled = false
  await requestComparison(world.app.db)
  await run(id)
  expect(await ofBoth()).toEqual([{ kind: 'state', userId: onSecond.id, panelId: id }])
  const { rows } = await world.admin.client.call(listLineDrift, {})
  expect(rows.find(({ userId }) => userId === onSecond.id)).toMatchObject({ panelName: 'Second' })
  // A panel that does not answer keeps its differences; the other panel's comparison does not delete them.
  second.faults.listLines = [{ refusal: 'auth' }]
  await requestComparison(world.app.db)
  await run(id)
  expect(await ofBoth()).toHaveLength(1)
})

test('differences are repaired together on one panel, with one job for each line', async () => {
  const { id } = await add({ planIds: [world.double.id] })
  const [onMain, onSecond] = [await world.buyer(), await world.buyer()]
  await world.pay(onSecond.id, world.double)
  await world.pay(onMain.id)
  await run(id)
  for (const line of [world.panel.lines[0]!, second.lines[0]!]) Object.assign(line, { enabled: false, connections: 9 })
  // A line that should be enabled differs in two ways.
  await requestComparison(world.app.db)
  await run(id)
  const count = (panelId?: number) => world.admin.client.call(countRepairableDrift, { query: { panelId } })
  const shown = await count(id)
  expect(shown.counts).toEqual([
    { kind: 'connections', count: 1 },
    { kind: 'state', count: 1 },
  ])
  expect(shown.panels).toContainEqual({ id, name: 'Second' })
  const repair = (expected: number) =>
    world.admin.client.call(repairLineDrift, { body: { kinds: ['connections', 'state'], expected, panelId: id } })
  await expect(repair(1)).rejects.toEqual(refusal({ status: 409, code: 'stale' }))
  expect(await repair(2)).toEqual({ queued: 1, left: 0 })
  await run(id)
  expect(second.lines[0]).toMatchObject({ enabled: true, connections: 2 })
  expect(world.panel.lines[0]).toMatchObject({ enabled: false, connections: 9 })
  expect((await world.jobsOf(onSecond.id)).filter(({ cause }) => cause === 'repair')).toHaveLength(1)
})
