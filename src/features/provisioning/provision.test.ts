import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog, lineJobs, lines, users } from '#server/db/tables.ts'
import { open, seal } from '#server/secrets/keys.ts'
import { type ProvisioningWorld, plusDays, provisioningWorld } from '../../../test/harness/provisioning-world.ts'
import { expireLines } from './server/expire-lines.ts'

let world: ProvisioningWorld
beforeAll(async () => {
  world = await provisioningWorld()
})
afterAll(() => world.app.close())
beforeEach(() => world.reset())

describe('with manual provisioning', () => {
  test('a confirmed payment adds a task, marking a task as done closes older tasks, and no panel is called', async () => {
    const { id } = await world.buyer()
    await world.pay(id)
    await world.pay(id)
    await world.run(null)
    expect(await world.statesOf(id)).toEqual(['queued manual', 'queued manual'])
    expect(await world.userOf(id)).toMatchObject({ iptvUsername: null, iptvSynced: false })
    const [, last] = await world.jobsOf(id)
    const settled = await world.press(last!.id, 'settle')
    expect(await settled.json()).toEqual({ state: 'done' })
    expect(await world.statesOf(id)).toEqual(['done', 'done'])
  })

  test('a manual line gets the entered credentials, and shows its desired state once it is marked as done', async () => {
    await world.choosePanel('manual')
    const { client, user } = await world.app.signIn()
    const { id } = user
    const line = async () => (await client.request('/api/line')).json()
    const made = (jobId: number, body: object) =>
      world.admin.client.post(`/api/admin/lines/${jobId}/made`, { server: 'http://tv.example', ...body })
    const invoice = await world.pay(id)
    await world.run(null)
    const [job] = await world.jobsOf(id)
    expect(await (await world.press(job!.id, 'retry')).json()).toMatchObject({ code: 'by_hand' })
    for (const [body, path] of [
      [{ username: 'half-typed', password: '' }, 'password'],
      [{ username: 'spaced', password: 'two words ' }, 'password'],
    ] as const)
      expect(await (await made(job!.id, body)).json()).toMatchObject({ issues: [{ path }] })
    expect(await line()).toMatchObject({
      state: 'manual',
      username: null,
      progress: { since: job!.createdAt, ahead: 0, typicalMinutes: null },
      used: false,
    })

    expect((await made(job!.id, { username: 'made-by-hand', password: 'Canary+By/Hand7' })).status).toBe(200)
    expect(await world.statesOf(id)).toEqual(['done'])
    const { subscriptionEndDate } = await world.userOf(id)
    expect(await line()).toMatchObject({
      state: 'ready',
      server: 'http://tv.example',
      username: 'made-by-hand',
      connections: 1,
      until: subscriptionEndDate,
    })
    expect(await (await client.post('/api/line/reveal', undefined)).json()).toEqual({ password: 'Canary+By/Hand7' })
    expect(await world.userOf(id)).toMatchObject({
      iptvUsername: 'made-by-hand',
      iptvSynced: true,
      iptvMaxConnections: 1,
    })
    const [auditEntry] = await world.app.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, 'iptv.sync'), eq(auditLog.targetId, String(id))))
    expect(auditEntry!.actorId, 'who typed it in').toBe(world.admin.user.id)
    const written = JSON.stringify([
      await world.app.db.select().from(lines),
      await world.app.db.select().from(auditLog),
      world.app.logs,
    ])
    expect(written).not.toContain('Canary')

    await world.decide(invoice, 'cancelled')
    await world.run(null)
    expect(await line()).toMatchObject({ state: 'paused' })
    const [, off] = await world.jobsOf(id)
    expect((await made(off!.id, { username: '', password: '' })).status).toBe(200)
    await world.pay(id)
    await world.run(null)
    expect(await line()).toMatchObject({ state: 'preparing', username: 'made-by-hand' })
    expect((await made((await world.jobsOf(id)).at(-1)!.id, { username: '', password: '' })).status).toBe(200)
    expect(await line()).toMatchObject({ state: 'ready' })

    const other = await world.buyer()
    await world.pay(other.id)
    await world.run(null)
    const theirs = (await world.jobsOf(other.id))[0]!.id
    expect(await (await made(theirs, { username: 'made-by-hand', password: 'Another' })).json()).toMatchObject({
      issues: [{ path: 'username' }],
    })
    expect(await world.statesOf(other.id)).toEqual(['queued manual'])
  })

  test('a customer without a line and without an entitlement gets no job', async () => {
    const { id } = await world.buyer()
    const invoice = await world.pay(id)
    await world.app.db.delete(lineJobs)
    await world.app.db.delete(lines)
    await world.decide(invoice, 'cancelled')
    expect(await world.jobsOf(id)).toEqual([])
  })
})

describe('a confirmed payment', () => {
  test('creates one line with the paid expiry date and connections, which becomes the customer’s account', async () => {
    const { id } = await world.buyer()
    await world.pay(id, world.double)
    await world.run()
    const user = await world.userOf(id)
    const [made] = world.panel.lines
    expect(world.panel.lines).toHaveLength(1)
    expect(made).toMatchObject({ enabled: true, connections: 2, expiresAt: plusDays(user.subscriptionEndDate!, 3) })
    expect(made!.username).toMatch(/^[a-z][a-z0-9]{7,15}$/)
    expect(made!.password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{12,}$/)
    expect(await world.statesOf(id)).toEqual(['done'])
    expect(user).toMatchObject({ iptvUsername: made!.username, iptvSynced: true, iptvMaxConnections: 2 })
    expect(open(world.key(), user.iptvPassword!, `users:${id}:iptv_password`)).toBe(made!.password)
    expect(await world.lineOf(id)).toMatchObject({
      lineRef: made!.lineRef,
      panel: 'memory',
      server: 'http://tv.example:8080',
      panelEnabled: true,
    })
    const auditEntries = await world.app.db
      .select({ action: auditLog.action })
      .from(auditLog)
      .where(eq(auditLog.targetId, String(id)))
    expect(auditEntries.map(({ action }) => action)).toEqual(expect.arrayContaining(['line.create', 'iptv.sync']))
  })

  test('creates one line, one call at a time, even when it is confirmed twice and ten workers run', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, world.buyer))
    for (const { id } of people) await world.decide(await world.pay(id), 'paid')
    await Promise.all(Array.from({ length: 10 }, () => world.run()))
    await world.run()
    expect(world.panel.lines).toHaveLength(6)
    expect(world.panel.mostAtOnce).toBe(1)
    expect(new Set(world.panel.lines.map(({ username }) => username)).size).toBe(6)
    expect(world.writes().every((call) => call.startsWith('create'))).toBe(true)
  })

  test('extends the same line if it is the second payment; two payments before the first call create one line with both periods', async () => {
    const [one, two] = [await world.buyer(), await world.buyer()]
    await world.pay(one.id)
    await world.run()
    await world.pay(one.id)
    await world.pay(two.id)
    await world.pay(two.id)
    await world.run()
    expect(world.panel.lines).toHaveLength(2)
    for (const { id } of [one, two]) {
      const { subscriptionEndDate } = await world.userOf(id)
      const line = await world.lineOf(id)
      expect(world.panel.lines.find(({ lineRef }) => lineRef === line!.lineRef)).toMatchObject({
        expiresAt: plusDays(subscriptionEndDate!, 3),
      })
    }
    expect(world.writes().filter((call) => call.startsWith('extend'))).toHaveLength(1)
  })

  test('disables the line when it is undone and enables it when it is confirmed again; the credentials stay', async () => {
    const { id } = await world.buyer()
    const invoice = await world.pay(id)
    await world.run()
    const before = { ...world.panel.lines[0]! }
    await world.decide(invoice, 'cancelled')
    await world.run()
    expect(world.panel.lines).toEqual([{ ...before, enabled: false }])
    await world.decide(invoice, 'paid')
    await world.run()
    expect(world.panel.lines[0]).toMatchObject({
      lineRef: before.lineRef,
      username: before.username,
      password: before.password,
      enabled: true,
    })
    expect(world.panel.lines).toHaveLength(1)
  })

  test('for another plan changes the connections', async () => {
    const { id } = await world.buyer()
    await world.pay(id)
    await world.run()
    const { subscriptionEndDate } = await world.userOf(id)
    await world.admin.client.request(`/api/admin/users/${id}/subscription`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ planId: world.double.id, status: 'active', endDate: subscriptionEndDate!.slice(0, 10) }),
    })
    await world.run()
    expect(world.panel.lines).toMatchObject([{ connections: 2 }])
    expect(await world.statesOf(id)).toEqual(['done', 'done'])
  })

  test('for a plan without a package waits for an administrator, and continues after a retry with a package', async () => {
    const { id } = await world.buyer()
    await world.pay(id)
    await world.run(world.config({ packages: {} }))
    expect([await world.statesOf(id), world.panel.lines]).toEqual([['rejected package'], []])
    const [job] = await world.jobsOf(id)
    expect((await world.press(job!.id, 'retry')).status).toBe(200)
    await world.run()
    expect([await world.statesOf(id), world.panel.lines.length]).toEqual([['done'], 1])
  })

  test('renews the line that the customer synced instead of creating another line, unless two customers use it', async () => {
    const key = world.key()
    const byHand = {
      lineRef: '7',
      username: 'byhand',
      password: 'pass-word',
      expiresAt: '2026-12-01T00:00:00.000Z',
      enabled: true,
      connections: 1,
      trial: false,
    }
    world.panel.lines.push({ ...byHand })
    const own = await world.buyer()
    const enter = (id: number) =>
      world.app.db
        .update(users)
        .set({
          iptvUsername: 'byhand',
          iptvSynced: true,
          iptvPassword: seal(key, 'pass-word', `users:${id}:iptv_password`),
        })
        .where(eq(users.id, id))
    await enter(own.id)
    await world.pay(own.id)
    await world.run()
    expect(world.panel.lines).toMatchObject([
      { lineRef: '7', username: 'byhand', expiresAt: plusDays((await world.userOf(own.id)).subscriptionEndDate!, 3) },
    ])
    const other = await world.buyer()
    await enter(other.id)
    await world.pay(other.id)
    await world.run()
    expect(world.panel.lines).toHaveLength(2)
  })
})

describe('the end of a subscription', () => {
  test('disables a line once, when the grace days are over; a late payment enables it again', async () => {
    const { id } = await world.buyer()
    await world.pay(id)
    await world.run()
    const ended = async (days: number) => {
      const end = plusDays(new Date().toISOString(), -days)
      await world.app.db
        .update(users)
        .set({ subscriptionStatus: 'expired', subscriptionStartDate: plusDays(end, -30), subscriptionEndDate: end })
        .where(eq(users.id, id))
      await world.app.db.update(lines).set({ wantedUntil: end }).where(eq(lines.userId, id))
      await Promise.all([expireLines(world.app.db), expireLines(world.app.db)])
      await world.run()
    }
    await ended(2.9)
    expect(world.panel.lines).toMatchObject([{ enabled: true }])
    await ended(3.1)
    await expireLines(world.app.db)
    expect(world.panel.lines).toMatchObject([{ enabled: false }])
    expect(await world.statesOf(id)).toEqual(['done', 'done'])
    await world.pay(id)
    await world.run()
    expect(world.panel.lines).toMatchObject([{ enabled: true }])
  })
})
