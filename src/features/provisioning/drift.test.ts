import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog, users } from '#server/db/tables.ts'
import { seal } from '#server/secrets/keys.ts'
import { type ProvisioningWorld, plusDays, provisioningWorld } from '../../../test/harness/line-desk.ts'
import { memoryPanel } from '../../../test/harness/memory-panel.ts'
import {
  countRepairableDrift,
  type LineDrift,
  listLineDrift,
  type RepairableKind,
  repairLineDrift,
} from './admin-contract.ts'

let desk: ProvisioningWorld
beforeAll(async () => {
  desk = await provisioningWorld()
})
afterAll(() => desk.app.close())
beforeEach(async () => {
  await desk.app.db.update(users).set({
    subscriptionStatus: 'none',
    planId: null,
    subscriptionStartDate: null,
    subscriptionEndDate: null,
    iptvSynced: false,
  })
  await desk.reset()
})

const check = async () => {
  expect((await desk.admin.client.post('/api/admin/line-drift/check', undefined)).status).toBe(200)
  await desk.run()
  return desk.admin.client.call(listLineDrift, {})
}
const mend = (drift: LineDrift, way: 'ours' | 'theirs' | 'keep') =>
  desk.admin.client.post(`/api/admin/line-drift/${drift.id}/mend`, { way })
const withLine = async () => {
  const person = await desk.buyer()
  await desk.pay(person.id)
  await desk.run()
  return { ...person, line: desk.panel.lines.at(-1)! }
}

describe('comparing with the panel', () => {
  test('finds nothing where nothing differs, says how it looked, and changes nothing', async () => {
    await withLine()
    const before = structuredClone(desk.panel.lines)
    expect(await check()).toMatchObject({ open: 0, rows: [], askedAt: null, checkedAt: expect.any(String) })
    expect(desk.panel.lines).toEqual(before)
  })

  test('lists another end, other connections, another state, a line that is gone, one that is missing and strangers, each once', async () => {
    const [end, connections, state, gone] = [await withLine(), await withLine(), await withLine(), await withLine()]
    end.line.expiresAt = plusDays(end.line.expiresAt!, -10)
    connections.line.connections = 5
    state.line.enabled = false
    desk.panel.lines.splice(desk.panel.lines.indexOf(gone.line), 1)
    desk.panel.lines.push({
      lineRef: '9',
      username: 'stranger',
      password: null,
      expiresAt: null,
      enabled: true,
      connections: 1,
      trial: false,
    })
    const without = await desk.buyer()
    await desk.pay(without.id)
    const { lineJobs, lines } = await import('#server/db/tables.ts')
    await desk.app.db.delete(lineJobs).where(eq(lineJobs.userId, without.id))
    await desk.app.db.delete(lines).where(eq(lines.userId, without.id))
    const { rows } = await check()
    expect(rows.map(({ kind, userId }) => [kind, userId])).toEqual([
      ['connections', connections.id],
      ['end', end.id],
      ['missing', gone.id],
      ['no_line', without.id],
      ['state', state.id],
      ['stray', null],
    ])

    for (const row of rows) expect((await mend(row, 'ours')).status, row.kind).toBe(200)
    await desk.run()
    expect(await check()).toMatchObject({ open: 0 })
    expect(desk.panel.lines.find(({ username }) => username === 'stranger')).toMatchObject({ enabled: false })
    const made = await desk.lineOf(gone.id)
    expect(desk.panel.lines.find(({ lineRef }) => lineRef === made!.lineRef)).toMatchObject({
      username: gone.line.username,
      password: gone.line.password,
    })
  })

  test('a later end at the panel is set back, or taken over; days of grace are not given twice', async () => {
    const [back, taken] = [await withLine(), await withLine()]
    const end = back.line.expiresAt!
    back.line.expiresAt = plusDays(end, 20)
    taken.line.expiresAt = plusDays(taken.line.expiresAt!, 20)
    const { rows } = await check()
    const of = (id: number) => rows.find(({ userId }) => userId === id)!
    expect((await mend(of(back.id), 'ours')).status).toBe(200)
    expect((await mend(of(taken.id), 'theirs')).status).toBe(200)
    await desk.run()
    expect(back.line.expiresAt).toBe(end)
    expect((await desk.userOf(taken.id)).subscriptionEndDate).toBe(plusDays(taken.line.expiresAt!, -3))
    expect(await check()).toMatchObject({ open: 0 })
    expect((await mend(of(back.id), 'ours')).status).toBe(404)
  })

  test('what was left as it is is told again only when it becomes another', async () => {
    const { line } = await withLine()
    line.connections = 4
    const { rows } = await check()
    expect((await mend(rows[0]!, 'theirs')).status).toBe(409)
    expect((await mend(rows[0]!, 'keep')).status).toBe(200)
    expect(await check()).toMatchObject({ open: 0, kept: 1 })
    line.connections = 5
    expect(await check()).toMatchObject({ open: 1, kept: 0 })
  })

  test('a stranger’s line is given to the one customer who proved to know it, and to nobody where two did', async () => {
    const [one, two] = [await desk.buyer(), await desk.buyer()]
    const enter = (id: number, name: string) =>
      desk.app.db
        .update(users)
        .set({
          iptvUsername: name,
          iptvSynced: true,
          iptvPassword: seal(desk.key(), 'pass-word', `users:${id}:iptv_password`),
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
    desk.panel.lines.push(stranger('1', 'shared'), stranger('2', 'own'))
    await enter(one.id, 'shared')
    await enter(two.id, 'shared')
    expect(
      (await check()).rows.map(({ username, userId, canTakeTheirs }) => [username, userId, canTakeTheirs]).toSorted(),
    ).toEqual([
      ['own', null, false],
      ['shared', null, false],
    ])
    await enter(two.id, 'own')
    await desk.app.db
      .update(users)
      .set({
        planId: desk.plan.id,
        subscriptionStatus: 'active',
        subscriptionStartDate: new Date().toISOString(),
        subscriptionEndDate: plusDays(new Date().toISOString(), 30),
      })
      .where(eq(users.id, two.id))
    const own = (await check()).rows.find(({ username, userId }) => username === 'own' && userId === two.id)!
    expect((await mend(own, 'theirs')).status).toBe(200)
    await desk.run()
    expect(await desk.lineOf(two.id)).toMatchObject({ lineRef: '2', username: 'own' })
    expect(desk.panel.lines).toHaveLength(2)
  })

  test('a panel that does not tell its lines changes nothing and is said', async () => {
    await withLine()
    desk.panel.isDown = true
    expect(await check()).toMatchObject({
      checkedAt: null,
      askedAt: null,
      note: 'The last comparison failed: The panel cannot be reached',
      open: 0,
    })
  })

  test('a panel that does not list its lines still tells who has none on it', async () => {
    await withLine()
    desk.panel.faults.listLines = [{ refusal: 'unsupported' }, { refusal: 'unsupported' }]
    const first = await check()
    expect(first).toMatchObject({
      open: 0,
      checkedAt: expect.any(String),
      note: expect.stringContaining('cannot list its lines'),
    })
    const { lines } = await import('#server/db/tables.ts')
    await desk.app.db.update(lines).set({ panel: 'the panel before' })
    expect(await check()).toMatchObject({ open: 1, rows: [{ kind: 'no_line' }] })
  })

  test('lines that sell periods differ by days and are left alone', async () => {
    await desk.reset(memoryPanel({ kind: 'xui-reseller', can: { setConnections: false }, periodDays: 28 }))
    await withLine()
    expect(await check()).toMatchObject({ open: 0 })
  })
})

describe('repairing together', () => {
  const counts = () => desk.admin.client.call(countRepairableDrift, {})
  const mendAll = (kinds: RepairableKind[], expected: number) =>
    desk.admin.client.call(repairLineDrift, { body: { kinds, expected } })

  test('after a change of panel every paid line is made on the new one with the same credentials, in one audited act', async () => {
    const people = [await withLine(), await withLine(), await withLine()]
    const before = await Promise.all(people.map(({ id }) => desk.lineOf(id)))
    const { lines } = await import('#server/db/tables.ts')
    await desk.app.db.update(lines).set({ panel: 'the panel before' })
    desk.panel.lines.splice(0)
    desk.panel.lines.push({
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

    await expect(mendAll(['no_line'], 2)).rejects.toMatchObject({ status: 409, code: 'stale' })
    expect(desk.panel.lines).toHaveLength(1)
    expect(await mendAll(['no_line', 'missing'], 3)).toEqual({ queued: 3, left: 0 })
    await desk.run()
    for (const line of before)
      expect(desk.panel.lines.find(({ username }) => username === line!.username)).toMatchObject({ enabled: true })
    // An unknown line is never part of it.
    expect(desk.panel.lines.find(({ username }) => username === 'stranger')).toMatchObject({ enabled: true })
    expect(await check()).toMatchObject({ open: 1, rows: [{ kind: 'stray' }] })
    const notes = await desk.app.db.select().from(auditLog).where(eq(auditLog.action, 'line.mend_all'))
    expect(notes).toMatchObject([{ actorId: desk.admin.user.id, after: { mended: { no_line: 3, missing: 0 } } }])
  })

  test('leaves what an administrator left as it is, and other kinds', async () => {
    const [end, kept] = [await withLine(), await withLine()]
    end.line.enabled = false
    kept.line.enabled = false
    const { rows } = await check()
    await mend(rows.find(({ userId }) => userId === kept.id)!, 'keep')
    await expect(mendAll(['state', 'end'], 2)).rejects.toMatchObject({ status: 409 })
    expect(await mendAll(['state', 'end'], 1)).toEqual({ queued: 1, left: 0 })
    await desk.run()
    expect([end.line.enabled, kept.line.enabled]).toEqual([true, false])
  })
})
