import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog, lineJobs, lines, users } from '#server/db/tables.ts'
import { open, seal } from '#server/secrets/keys.ts'
import { type ProvisioningWorld, plusDays, provisioningWorld } from '../../../test/harness/line-desk.ts'
import { expireLines } from './server/expire-lines.ts'

let desk: ProvisioningWorld
beforeAll(async () => {
  desk = await provisioningWorld()
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

  test('a line made by hand becomes its customer’s by the credentials typed, and follows what is paid for once that is marked as done', async () => {
    await desk.choosePanel('manual')
    const { client, user } = await desk.app.signIn()
    const { id } = user
    const line = async () => (await client.request('/api/line')).json()
    const made = (jobId: number, body: object) =>
      desk.admin.client.post(`/api/admin/lines/${jobId}/made`, { server: 'http://tv.example', ...body })
    const invoice = await desk.pay(id)
    await desk.run(null)
    const [job] = await desk.jobsOf(id)
    expect(await (await desk.press(job!.id, 'retry')).json()).toMatchObject({ code: 'by_hand' })
    for (const [body, path] of [
      [{ username: 'half-typed', password: '' }, 'password'],
      [{ username: 'spaced', password: 'two words' }, 'password'],
    ] as const)
      expect(await (await made(job!.id, body)).json()).toMatchObject({ issues: [{ path }] })
    expect(await line()).toBeNull()

    expect((await made(job!.id, { username: 'made-by-hand', password: 'Canary+By/Hand7' })).status).toBe(200)
    expect(await desk.statesOf(id)).toEqual(['done'])
    const { subscriptionEndDate } = await desk.userOf(id)
    expect(await line()).toMatchObject({
      state: 'ready',
      server: 'http://tv.example',
      username: 'made-by-hand',
      connections: 1,
      until: subscriptionEndDate,
    })
    expect(await (await client.post('/api/line/reveal', undefined)).json()).toEqual({ password: 'Canary+By/Hand7' })
    expect(await desk.userOf(id)).toMatchObject({
      iptvUsername: 'made-by-hand',
      iptvSynced: true,
      iptvMaxConnections: 1,
    })
    const [noted] = await desk.app.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, 'iptv.sync'), eq(auditLog.targetId, String(id))))
    expect(noted!.actorId, 'who typed it in').toBe(desk.admin.user.id)
    const written = JSON.stringify([
      await desk.app.db.select().from(lines),
      await desk.app.db.select().from(auditLog),
      desk.app.logs,
    ])
    expect(written).not.toContain('Canary')

    await desk.decide(invoice, 'cancelled')
    await desk.run(null)
    expect(await line()).toMatchObject({ state: 'paused' })
    const [, off] = await desk.jobsOf(id)
    expect((await made(off!.id, { username: '', password: '' })).status).toBe(200)
    await desk.pay(id)
    await desk.run(null)
    expect(await line()).toMatchObject({ state: 'preparing', username: 'made-by-hand' })
    expect((await made((await desk.jobsOf(id)).at(-1)!.id, { username: '', password: '' })).status).toBe(200)
    expect(await line()).toMatchObject({ state: 'ready' })

    const other = await desk.buyer()
    await desk.pay(other.id)
    await desk.run(null)
    const theirs = (await desk.jobsOf(other.id))[0]!.id
    expect(await (await made(theirs, { username: 'made-by-hand', password: 'Another' })).json()).toMatchObject({
      issues: [{ path: 'username' }],
    })
    expect(await desk.statesOf(other.id)).toEqual(['queued manual'])
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
    expect(await desk.lineOf(id)).toMatchObject({
      lineRef: made!.lineRef,
      panel: 'memory',
      server: 'http://tv.example:8080',
      panelEnabled: true,
    })
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
      expect(desk.panel.lines.find(({ lineRef }) => lineRef === line!.lineRef)).toMatchObject({
        expiresAt: plusDays(subscriptionEndDate!, 3),
      })
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
    expect(desk.panel.lines[0]).toMatchObject({
      lineRef: before.lineRef,
      username: before.username,
      password: before.password,
      enabled: true,
    })
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
        .set({
          iptvUsername: 'byhand',
          iptvSynced: true,
          iptvPassword: seal(key, 'pass-word', `users:${id}:iptv_password`),
        })
        .where(eq(users.id, id))
    await enter(own.id)
    await desk.pay(own.id)
    await desk.run()
    expect(desk.panel.lines).toMatchObject([
      { lineRef: '7', username: 'byhand', expiresAt: plusDays((await desk.userOf(own.id)).subscriptionEndDate!, 3) },
    ])
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
      await Promise.all([expireLines(desk.app.db), expireLines(desk.app.db)])
      await desk.run()
    }
    await ended(2.9)
    expect(desk.panel.lines).toMatchObject([{ enabled: true }])
    await ended(3.1)
    await expireLines(desk.app.db)
    expect(desk.panel.lines).toMatchObject([{ enabled: false }])
    expect(await desk.statesOf(id)).toEqual(['done', 'done'])
    await desk.pay(id)
    await desk.run()
    expect(desk.panel.lines).toMatchObject([{ enabled: true }])
  })
})
