import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getOwnLine } from '#features/provisioning/contract.ts'
import { expireLines } from '#features/provisioning/server/expire-lines.ts'
import { lines, trialRequests, users } from '#server/db/tables.ts'
import { type ProvisioningWorld, plusDays, provisioningWorld } from '../../../test/harness/provisioning-world.ts'
import { getTrialLine, updateTrialRequest } from './admin-contract.ts'

let desk: ProvisioningWorld
beforeAll(async () => {
  desk = await provisioningWorld()
})
afterAll(() => desk.app.close())
beforeEach(async () => {
  await desk.reset()
  await desk.choosePanel('xui-admin')
})

async function requested(email?: string) {
  const person = await desk.app.signIn(email ? { email } : {})
  const [request] = await desk.app.db
    .insert(trialRequests)
    .values({ userId: person.user.id, message: 'Please let me try it', device: 'TV' })
    .returning()
  return { ...person, params: { trialRequestId: request!.id } }
}
const create = (params: { trialRequestId: number }, body: Record<string, unknown> = {}) =>
  desk.admin.client.post(`/api/admin/trial-requests/${params.trialRequestId}/line`, body)
const approve = (params: { trialRequestId: number }, line: Awaited<ReturnType<typeof made>>, over = {}) =>
  desk.admin.client.call(updateTrialRequest, {
    params,
    body: {
      status: 'approved',
      trialUsername: line.username,
      trialPassword: line.password,
      trialServer: line.server,
      expiryDate: line.expiryDate,
      ...over,
    },
  })
async function made(params: { trialRequestId: number }) {
  expect((await create(params)).status).toBe(200)
  await desk.run()
  return desk.admin.client.call(getTrialLine, { params })
}

describe('a line for a trial', () => {
  test('is refused with manual provisioning, for a missing request, and for a subscriber', async () => {
    const { params, user } = await requested()
    expect((await create({ trialRequestId: 2147483647 })).status).toBe(404)
    expect((await create(params, { hours: 0 })).status).toBe(400)
    await desk.choosePanel('manual')
    expect(await (await create(params)).json()).toMatchObject({ code: 'no_panel' })
    await desk.choosePanel('xui-admin')
    await desk.pay(user.id)
    expect(await (await create(params)).json()).toMatchObject({ code: 'already_subscribed' })
  })

  test('is made by the panel and filled in; the customer sees nothing of it before an administrator approves', async () => {
    const { params, user, client } = await requested()
    expect(await (await create(params)).json()).toMatchObject({ state: 'waiting', username: null, password: null })
    await create(params)
    await desk.run()
    const line = await desk.admin.client.call(getTrialLine, { params })
    const [at] = desk.panel.lines
    expect(line).toMatchObject({
      state: 'ready',
      username: at!.username,
      password: at!.password,
      server: 'http://tv.example:8080',
      expiryDate: at!.expiresAt,
    })
    expect([at!.trial, desk.panel.lines.length]).toEqual([true, 1])
    expect(await client.call(getOwnLine, {})).toBeNull()
    expect((await desk.userOf(user.id)).iptvUsername).toBeNull()
    expect((await client.post('/api/line/reveal', undefined)).status).toBe(409)
    await approve(params, line)
    expect(await client.call(getOwnLine, {})).toMatchObject({ trial: true, state: 'ready', username: at!.username })
  })

  test('needs an acknowledgement if the same mailbox had a trial within 30 days', async () => {
    const first = await requested('farmer@example.com')
    await approve(first.params, await made(first.params))
    const second = await requested('far.mer+2@example.com')
    expect(await (await create(second.params)).json()).toMatchObject({ code: 'recent_trial' })
    expect(await desk.jobsOf(second.user.id)).toEqual([])
    expect((await create(second.params, { acknowledge: true })).status).toBe(200)
    const [row] = await desk.app.db
      .select({ until: trialRequests.responseDate })
      .from(trialRequests)
      .where(eq(trialRequests.id, first.params.trialRequestId))
    await desk.app.db
      .update(trialRequests)
      .set({ responseDate: plusDays(row!.until!, -31) })
      .where(eq(trialRequests.id, first.params.trialRequestId))
    const third = await requested('farmer+3@example.com')
    expect((await create(third.params)).status).toBe(200)
  })

  test('is switched off when the request is denied, and at its end', async () => {
    const denied = await requested()
    await made(denied.params)
    await desk.admin.client.call(updateTrialRequest, {
      params: denied.params,
      body: { status: 'denied', adminNotes: 'Sorry' },
    })
    await desk.run()
    expect(desk.panel.lines).toMatchObject([{ enabled: false }])

    const ended = await requested()
    await approve(ended.params, await made(ended.params))
    await desk.app.db
      .update(lines)
      .set({ trialUntil: sql`now()`, wantedUntil: sql`now()` })
      .where(eq(lines.userId, ended.user.id))
    await expireLines(desk.app.db)
    await desk.run()
    expect(desk.panel.lines.map(({ enabled }) => enabled)).toEqual([false, false])
  })

  test('runs longer when its end is moved', async () => {
    const { params } = await requested()
    const line = await made(params)
    const expiryDate = plusDays(line.expiryDate!, 1)
    await approve(params, line, { expiryDate })
    await desk.run()
    expect(desk.panel.lines).toMatchObject([{ expiresAt: expiryDate }])
  })

  test('that is bought stays the line, with its credentials', async () => {
    const { params, user, client } = await requested()
    const line = await made(params)
    await approve(params, line)
    await desk.run()
    await desk.pay(user.id, desk.double)
    await desk.run()
    const { subscriptionEndDate } = await desk.userOf(user.id)
    expect(desk.panel.lines).toMatchObject([
      {
        username: line.username,
        password: line.password,
        expiresAt: plusDays(subscriptionEndDate!, 3),
        connections: 2,
        enabled: true,
        trial: false,
      },
    ])
    expect(await client.call(getOwnLine, {})).toMatchObject({
      trial: false,
      username: line.username,
      until: subscriptionEndDate,
      connections: 2,
    })
    expect(await desk.app.db.select({ name: users.iptvUsername }).from(users).where(eq(users.id, user.id))).toEqual([
      { name: line.username },
    ])
  })
})
