import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog, users } from '#server/db/tables.ts'
import { seal } from '#server/secrets/keys.ts'
import { memoryPanel } from '../../../test/harness/memory-panel.ts'
import { type ProvisioningWorld, plusDays, provisioningWorld } from '../../../test/harness/provisioning-world.ts'
import {
  countRepairableDrift,
  type LineDrift,
  listLineDrift,
  type RepairableKind,
  repairLineDrift,
} from './admin-drift-contract.ts'

let world: ProvisioningWorld
beforeAll(async () => {
  world = await provisioningWorld()
})
afterAll(() => world.app.close())
beforeEach(async () => {
  await world.app.db.update(users).set({
    subscriptionStatus: 'none',
    planId: null,
    subscriptionStartDate: null,
    subscriptionEndDate: null,
    iptvSynced: false,
  })
  await world.reset()
})

const check = async () => {
  expect((await world.admin.client.post('/api/admin/line-drift/check', undefined)).status).toBe(200)
  await world.run()
  return world.admin.client.call(listLineDrift, {})
}
const repair = (drift: LineDrift, way: 'ours' | 'theirs' | 'keep') =>
  world.admin.client.post(`/api/admin/line-drift/${drift.id}/mend`, { way })
const withLine = async () => {
  const person = await world.buyer()
  await world.pay(person.id)
  await world.run()
  return { ...person, line: world.panel.lines.at(-1)! }
}

describe('comparing with the panel', () => {
  test('lists nothing without drift, reports what was compared and changes nothing', async () => {
    await withLine()
    const before = structuredClone(world.panel.lines)
    expect(await check()).toMatchObject({ open: 0, rows: [], askedAt: null, checkedAt: expect.any(String) })
    expect(world.panel.lines).toEqual(before)
  })

  test('lists each kind of drift once: expiry date, connections, enabled state, missing lines and orphan lines', async () => {
    const [end, connections, state, missing] = [await withLine(), await withLine(), await withLine(), await withLine()]
    end.line.expiresAt = plusDays(end.line.expiresAt!, -10)
    connections.line.connections = 5
    state.line.enabled = false
    world.panel.lines.splice(world.panel.lines.indexOf(missing.line), 1)
    world.panel.lines.push({
      lineRef: '9',
      username: 'stranger',
      password: null,
      expiresAt: null,
      enabled: true,
      connections: 1,
      trial: false,
    })
    const without = await world.buyer()
    await world.pay(without.id)
    const { lineJobs, lines } = await import('#server/db/tables.ts')
    await world.app.db.delete(lineJobs).where(eq(lineJobs.userId, without.id))
    await world.app.db.delete(lines).where(eq(lines.userId, without.id))
    const { rows } = await check()
    expect(rows.map(({ kind, userId }) => [kind, userId])).toEqual([
      ['connections', connections.id],
      ['end', end.id],
      ['missing', missing.id],
      ['no_line', without.id],
      ['state', state.id],
      ['stray', null],
    ])

    for (const row of rows) expect((await repair(row, 'ours')).status, row.kind).toBe(200)
    await world.run()
    expect(await check()).toMatchObject({ open: 0 })
    expect(world.panel.lines.find(({ username }) => username === 'stranger')).toMatchObject({ enabled: false })
    const made = await world.lineOf(missing.id)
    expect(world.panel.lines.find(({ lineRef }) => lineRef === made!.lineRef)).toMatchObject({
      username: missing.line.username,
      password: missing.line.password,
    })
  })

  test('resets a later expiry date on the panel or applies it to the subscription, and grants no grace days twice', async () => {
    const [back, taken] = [await withLine(), await withLine()]
    const end = back.line.expiresAt!
    back.line.expiresAt = plusDays(end, 20)
    taken.line.expiresAt = plusDays(taken.line.expiresAt!, 20)
    const { rows } = await check()
    const of = (id: number) => rows.find(({ userId }) => userId === id)!
    expect((await repair(of(back.id), 'ours')).status).toBe(200)
    expect((await repair(of(taken.id), 'theirs')).status).toBe(200)
    await world.run()
    expect(back.line.expiresAt).toBe(end)
    expect((await world.userOf(taken.id)).subscriptionEndDate).toBe(plusDays(taken.line.expiresAt!, -3))
    expect(await check()).toMatchObject({ open: 0 })
    expect((await repair(of(back.id), 'ours')).status).toBe(404)
  })

  test('lists an ignored difference again only after it changes', async () => {
    const { line } = await withLine()
    line.connections = 4
    const { rows } = await check()
    expect((await repair(rows[0]!, 'theirs')).status).toBe(409)
    expect((await repair(rows[0]!, 'keep')).status).toBe(200)
    expect(await check()).toMatchObject({ open: 0, kept: 1 })
    line.connections = 5
    expect(await check()).toMatchObject({ open: 1, kept: 0 })
  })

  test('an orphan line can be assigned to the only customer who synced its account, but not if two customers synced it', async () => {
    const [one, two] = [await world.buyer(), await world.buyer()]
    const enter = (id: number, name: string) =>
      world.app.db
        .update(users)
        .set({
          iptvUsername: name,
          iptvSynced: true,
          iptvPassword: seal(world.key(), 'pass-word', `users:${id}:iptv_password`),
        })
        .where(eq(users.id, id))
    const stranger = (lineRef: string, username: string) => ({
      lineRef,
      username,
      password: 'pass-word',
      expiresAt: null,
      enabled: true,
      connections: 1,
      trial: false,
    })
    world.panel.lines.push(stranger('1', 'shared'), stranger('2', 'own'))
    await enter(one.id, 'shared')
    await enter(two.id, 'shared')
    expect(
      (await check()).rows.map(({ username, userId, canTakeTheirs }) => [username, userId, canTakeTheirs]).toSorted(),
    ).toEqual([
      ['own', null, false],
      ['shared', null, false],
    ])
    await enter(two.id, 'own')
    await world.app.db
      .update(users)
      .set({
        planId: world.plan.id,
        subscriptionStatus: 'active',
        subscriptionStartDate: new Date().toISOString(),
        subscriptionEndDate: plusDays(new Date().toISOString(), 30),
      })
      .where(eq(users.id, two.id))
    const own = (await check()).rows.find(({ username, userId }) => username === 'own' && userId === two.id)!
    expect((await repair(own, 'theirs')).status).toBe(200)
    await world.run()
    expect(await world.lineOf(two.id)).toMatchObject({ lineRef: '2', username: 'own' })
    expect(world.panel.lines).toHaveLength(2)
  })

  test('changes nothing if the panel does not respond, and shows the failure', async () => {
    await withLine()
    world.panel.isDown = true
    expect(await check()).toMatchObject({
      checkedAt: null,
      askedAt: null,
      note: 'The last comparison failed: The panel cannot be reached',
      open: 0,
    })
  })

  test('still finds customers without a line if the panel cannot list its lines', async () => {
    await withLine()
    world.panel.faults.listLines = [{ refusal: 'unsupported' }, { refusal: 'unsupported' }]
    const first = await check()
    expect(first).toMatchObject({
      open: 0,
      checkedAt: expect.any(String),
      note: expect.stringContaining('cannot list its lines'),
    })
    const { lines } = await import('#server/db/tables.ts')
    await world.app.db.update(lines).set({ panel: 'the previous panel' })
    expect(await check()).toMatchObject({ open: 1, rows: [{ kind: 'no_line' }] })
  })

  test('ignores expiry dates that differ by days on a panel that sells periods', async () => {
    await world.reset(memoryPanel({ kind: 'xui-reseller', can: { setConnections: false }, periodDays: 28 }))
    await withLine()
    expect(await check()).toMatchObject({ open: 0 })
  })
})

describe('a bulk repair', () => {
  const counts = () => world.admin.client.call(countRepairableDrift, { query: {} })
  const repairAll = (kinds: RepairableKind[], expected: number) =>
    world.admin.client.call(repairLineDrift, { body: { kinds, expected } })

  test('recreates every paid line with the same credentials after a change of panel, in one audited action', async () => {
    const people = [await withLine(), await withLine(), await withLine()]
    const before = await Promise.all(people.map(({ id }) => world.lineOf(id)))
    const { lines } = await import('#server/db/tables.ts')
    await world.app.db.update(lines).set({ panel: 'the previous panel' })
    world.panel.lines.splice(0)
    world.panel.lines.push({
      lineRef: '99',
      username: 'stranger',
      password: null,
      expiresAt: null,
      enabled: true,
      connections: 1,
      trial: false,
    })
    expect(await check()).toMatchObject({ open: 4 })
    expect(await counts()).toMatchObject({ counts: [{ kind: 'no_line', count: 3 }], most: 1_000, costsCredits: false })
    expect((await counts()).customers).toHaveLength(3)

    await expect(repairAll(['no_line'], 2)).rejects.toMatchObject({ status: 409, code: 'stale' })
    expect(world.panel.lines).toHaveLength(1)
    expect(await repairAll(['no_line', 'missing'], 3)).toEqual({ queued: 3, left: 0 })
    await world.run()
    for (const line of before)
      expect(world.panel.lines.find(({ username }) => username === line!.username)).toMatchObject({ enabled: true })
    // An unknown line is never part of a bulk repair.
    expect(world.panel.lines.find(({ username }) => username === 'stranger')).toMatchObject({ enabled: true })
    expect(await check()).toMatchObject({ open: 1, rows: [{ kind: 'stray' }] })
    const notes = await world.app.db.select().from(auditLog).where(eq(auditLog.action, 'line.mend_all'))
    expect(notes).toMatchObject([{ actorId: world.admin.user.id, after: { mended: { no_line: 3, missing: 0 } } }])
  })

  test('skips ignored differences and other kinds', async () => {
    const [end, ignored] = [await withLine(), await withLine()]
    end.line.enabled = false
    ignored.line.enabled = false
    const { rows } = await check()
    await repair(rows.find(({ userId }) => userId === ignored.id)!, 'keep')
    await expect(repairAll(['state', 'end'], 2)).rejects.toMatchObject({ status: 409 })
    expect(await repairAll(['state', 'end'], 1)).toEqual({ queued: 1, left: 0 })
    await world.run()
    expect([end.line.enabled, ignored.line.enabled]).toEqual([true, false])
  })
})
