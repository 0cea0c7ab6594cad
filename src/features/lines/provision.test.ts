import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog, lineJobs, lines, users } from '#server/db/tables.ts'
import { open, seal } from '#server/secret.ts'
import { type LineDesk, lineDesk, plusDays } from '../../../test/line-desk.ts'
import { endLines } from './server/service/end-lines.ts'

let desk: LineDesk
beforeAll(async () => {
  desk = await lineDesk()
})
afterAll(() => desk.app.close())
beforeEach(() => desk.reset())

describe('where lines are made by hand', () => {
  test('a confirmed payment becomes a task, one marked as done takes older ones along, and no panel is asked', async () => {
    const { id } = await desk.buyer()
    await desk.pay(id)
    await desk.pay(id)
    await desk.run(null)
    expect(await desk.statesOf(id)).toEqual(['queued manual', 'queued manual'])
    expect(await desk.userOf(id)).toMatchObject({ iptvUsername: null, iptvSynced: false })
    const [, last] = await desk.jobsOf(id)
    const settled = await desk.press(last!.id, 'settle')
    expect(await settled.json()).toEqual({ state: 'done' })
    expect(await desk.statesOf(id)).toEqual(['done', 'done'])
  })

  test('nothing is noted about a customer who never had a line and gets none', async () => {
    const { id } = await desk.buyer()
    const invoice = await desk.pay(id)
    await desk.app.db.delete(lineJobs)
    await desk.app.db.delete(lines)
    await desk.decide(invoice, 'cancelled')
    expect(await desk.jobsOf(id)).toEqual([])
  })
})

describe('a confirmed payment', () => {
  test('makes one line with the bought end and connections, and it becomes the account of its customer', async () => {
    const { id } = await desk.buyer()
    await desk.pay(id, desk.double)
    await desk.run()
    const user = await desk.userOf(id)
    const [made] = desk.panel.lines
    expect(desk.panel.lines).toHaveLength(1)
    expect(made).toMatchObject({ enabled: true, connections: 2, expiresAt: plusDays(user.subscriptionEndDate!, 3) })
    expect(made!.username).toMatch(/^[a-z][a-z0-9]{7,15}$/)
    expect(made!.password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{12,}$/)
    expect(await desk.statesOf(id)).toEqual(['done'])
    expect(user).toMatchObject({ iptvUsername: made!.username, iptvSynced: true, iptvMaxConnections: 2 })
    expect(open(desk.key(), user.iptvPassword!, `users:${id}:iptv_password`)).toBe(made!.password)
    expect(await desk.lineOf(id)).toMatchObject({ lineRef: made!.lineRef, panel: 'memory', server: 'http://tv.example:8080', panelEnabled: true })
    const noted = await desk.app.db
      .select({ action: auditLog.action })
      .from(auditLog)
      .where(eq(auditLog.targetId, String(id)))
    expect(noted.map(({ action }) => action)).toEqual(expect.arrayContaining(['line.create', 'iptv.sync']))
  })

  test('confirmed again, looked at again and by ten workers at once still makes one line, one call at a time', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, desk.buyer))
    for (const { id } of people) await desk.decide(await desk.pay(id), 'paid')
    await Promise.all(Array.from({ length: 10 }, () => desk.run()))
    await desk.run()
    expect(desk.panel.lines).toHaveLength(6)
    expect(desk.panel.mostAtOnce).toBe(1)
    expect(new Set(desk.panel.lines.map(({ username }) => username)).size).toBe(6)
    expect(desk.writes().every((call) => call.startsWith('create'))).toBe(true)
  })

  test('a second one extends the same line to the new end; two before the first call are one line with both periods', async () => {
    const [one, two] = [await desk.buyer(), await desk.buyer()]
    await desk.pay(one.id)
    await desk.run()
    await desk.pay(one.id)
    await desk.pay(two.id)
    await desk.pay(two.id)
    await desk.run()
    expect(desk.panel.lines).toHaveLength(2)
    for (const { id } of [one, two]) {
      const { subscriptionEndDate } = await desk.userOf(id)
      const line = await desk.lineOf(id)
      expect(desk.panel.lines.find(({ lineRef }) => lineRef === line!.lineRef)).toMatchObject({ expiresAt: plusDays(subscriptionEndDate!, 3) })
    }
    expect(desk.writes().filter((call) => call.startsWith('extend'))).toHaveLength(1)
  })

  test('undone suspends the line, confirmed again switches it on; the credentials stay', async () => {
    const { id } = await desk.buyer()
    const invoice = await desk.pay(id)
    await desk.run()
    const before = { ...desk.panel.lines[0]! }
    await desk.decide(invoice, 'cancelled')
    await desk.run()
    expect(desk.panel.lines).toEqual([{ ...before, enabled: false }])
    await desk.decide(invoice, 'paid')
    await desk.run()
    expect(desk.panel.lines[0]).toMatchObject({ lineRef: before.lineRef, username: before.username, password: before.password, enabled: true })
    expect(desk.panel.lines).toHaveLength(1)
  })

  test('of another plan changes the connections', async () => {
    const { id } = await desk.buyer()
    await desk.pay(id)
    await desk.run()
    const { subscriptionEndDate } = await desk.userOf(id)
    await desk.admin.client.request(`/api/admin/users/${id}/subscription`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ planId: desk.double.id, status: 'active', endDate: subscriptionEndDate!.slice(0, 10) }),
    })
    await desk.run()
    expect(desk.panel.lines).toMatchObject([{ connections: 2 }])
    expect(await desk.statesOf(id)).toEqual(['done', 'done'])
  })

  test('of a plan without a package waits for an administrator, and goes on when one is chosen and they retry', async () => {
    const { id } = await desk.buyer()
    await desk.pay(id)
    await desk.run(desk.terms({ packages: {} }))
    expect([await desk.statesOf(id), desk.panel.lines]).toEqual([['rejected package'], []])
    const [job] = await desk.jobsOf(id)
    expect((await desk.press(job!.id, 'retry')).status).toBe(200)
    await desk.run()
    expect([await desk.statesOf(id), desk.panel.lines.length]).toEqual([['done'], 1])
  })

  test('renews the line that a customer had entered by hand instead of making another; one that two people use belongs to nobody', async () => {
    const key = desk.key()
    const byHand = {
      lineRef: '7',
      username: 'byhand',
      password: 'pass-word',
      expiresAt: '2026-12-01T00:00:00.000Z',
      enabled: true,
      connections: 1,
      trial: false,
    }
    desk.panel.lines.push({ ...byHand })
    const own = await desk.buyer()
    const enter = (id: number) =>
      desk.app.db
        .update(users)
        .set({ iptvUsername: 'byhand', iptvSynced: true, iptvPassword: seal(key, 'pass-word', `users:${id}:iptv_password`) })
        .where(eq(users.id, id))
    await enter(own.id)
    await desk.pay(own.id)
    await desk.run()
    expect(desk.panel.lines).toMatchObject([{ lineRef: '7', username: 'byhand', expiresAt: plusDays((await desk.userOf(own.id)).subscriptionEndDate!, 3) }])
    const other = await desk.buyer()
    await enter(other.id)
    await desk.pay(other.id)
    await desk.run()
    expect(desk.panel.lines).toHaveLength(2)
  })
})

describe('the end', () => {
  test('suspends a line when the days of grace are over, not before, once; a late payment brings it back', async () => {
    const { id } = await desk.buyer()
    await desk.pay(id)
    await desk.run()
    const ended = async (days: number) => {
      const end = plusDays(new Date().toISOString(), -days)
      await desk.app.db
        .update(users)
        .set({ subscriptionStatus: 'expired', subscriptionStartDate: plusDays(end, -30), subscriptionEndDate: end })
        .where(eq(users.id, id))
      await desk.app.db.update(lines).set({ wantedUntil: end }).where(eq(lines.userId, id))
      await Promise.all([endLines(desk.app.db), endLines(desk.app.db)])
      await desk.run()
    }
    await ended(2.9)
    expect(desk.panel.lines).toMatchObject([{ enabled: true }])
    await ended(3.1)
    await endLines(desk.app.db)
    expect(desk.panel.lines).toMatchObject([{ enabled: false }])
    expect(await desk.statesOf(id)).toEqual(['done', 'done'])
    await desk.pay(id)
    await desk.run()
    expect(desk.panel.lines).toMatchObject([{ enabled: true }])
  })
})
