import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getOwnLine } from '#features/provisioning/contract.ts'
import { expireLines } from '#features/provisioning/server/expire-lines.ts'
import { lines, trialRequests, users } from '#server/db/tables.ts'
import { type ProvisioningWorld, plusDays, provisioningWorld } from '../../../test/harness/provisioning-world.ts'
import { getTrialLine, updateTrialRequest } from './admin-contract.ts'

let world: ProvisioningWorld
beforeAll(async () => {
  world = await provisioningWorld()
})
afterAll(() => world.app.close())
beforeEach(async () => {
  await world.reset()
  await world.choosePanel('xui-admin')
})

async function requested(email?: string) {
  const person = await world.app.signIn(email ? { email } : {})
  const [request] = await world.app.db
    .insert(trialRequests)
    .values({ userId: person.user.id, message: 'Please let me try it', device: 'TV' })
    .returning()
  return { ...person, params: { trialRequestId: request!.id } }
}
const create = (params: { trialRequestId: number }, body: Record<string, unknown> = {}) =>
  world.admin.client.post(`/api/admin/trial-requests/${params.trialRequestId}/line`, body)
const approve = (params: { trialRequestId: number }, line: Awaited<ReturnType<typeof createdLine>>, over = {}) =>
  world.admin.client.call(updateTrialRequest, {
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
async function createdLine(params: { trialRequestId: number }) {
  expect((await create(params)).status).toBe(200)
  await world.run()
  return world.admin.client.call(getTrialLine, { params })
}

describe('a line for a trial', () => {
  test('is refused with manual provisioning, for a missing request, and for a subscriber', async () => {
    const { params, user } = await requested()
    expect((await create({ trialRequestId: 2147483647 })).status).toBe(404)
    expect((await create(params, { hours: 0 })).status).toBe(400)
    await world.choosePanel('manual')
    expect(await (await create(params)).json()).toMatchObject({ code: 'no_panel' })
    await world.choosePanel('xui-admin')
    await world.pay(user.id)
    expect(await (await create(params)).json()).toMatchObject({ code: 'already_subscribed' })
  })

  test('is created on the panel, and is hidden from the customer until an administrator approves', async () => {
    const { params, user, client } = await requested()
    expect(await (await create(params)).json()).toMatchObject({ state: 'waiting', username: null, password: null })
    await create(params)
    await world.run()
    const line = await world.admin.client.call(getTrialLine, { params })
    const [at] = world.panel.lines
    expect(line).toMatchObject({
      state: 'ready',
      username: at!.username,
      password: at!.password,
      server: 'http://tv.example:8080',
      expiryDate: at!.expiresAt,
    })
    expect([at!.trial, world.panel.lines.length]).toEqual([true, 1])
    expect(await client.call(getOwnLine, {})).toBeNull()
    expect((await world.userOf(user.id)).iptvUsername).toBeNull()
    expect((await client.post('/api/line/reveal', undefined)).status).toBe(409)
    await approve(params, line)
    expect(await client.call(getOwnLine, {})).toMatchObject({ trial: true, state: 'ready', username: at!.username })
  })

  test('requires an acknowledgement if the same mailbox had a trial within 30 days', async () => {
    const first = await requested('farmer@example.com')
    await approve(first.params, await createdLine(first.params))
    const second = await requested('far.mer+2@example.com')
    expect(await (await create(second.params)).json()).toMatchObject({ code: 'recent_trial' })
    expect(await world.jobsOf(second.user.id)).toEqual([])
    expect((await create(second.params, { acknowledge: true })).status).toBe(200)
    const [row] = await world.app.db
      .select({ until: trialRequests.responseDate })
      .from(trialRequests)
      .where(eq(trialRequests.id, first.params.trialRequestId))
    await world.app.db
      .update(trialRequests)
      .set({ responseDate: plusDays(row!.until!, -31) })
      .where(eq(trialRequests.id, first.params.trialRequestId))
    const third = await requested('farmer+3@example.com')
    expect((await create(third.params)).status).toBe(200)
  })

  test('is disabled when the request is denied and when the trial ends', async () => {
    const denied = await requested()
    await createdLine(denied.params)
    await world.admin.client.call(updateTrialRequest, {
      params: denied.params,
      body: { status: 'denied', adminNotes: 'Sorry' },
    })
    await world.run()
    expect(world.panel.lines).toMatchObject([{ enabled: false }])

    const ended = await requested()
    await approve(ended.params, await createdLine(ended.params))
    await world.app.db
      .update(lines)
      .set({ trialUntil: sql`now()`, wantedUntil: sql`now()` })
      .where(eq(lines.userId, ended.user.id))
    await expireLines(world.app.db)
    await world.run()
    expect(world.panel.lines.map(({ enabled }) => enabled)).toEqual([false, false])
  })

  test('is extended when the expiry date is moved', async () => {
    const { params } = await requested()
    const line = await createdLine(params)
    const expiryDate = plusDays(line.expiryDate!, 1)
    await approve(params, line, { expiryDate })
    await world.run()
    expect(world.panel.lines).toMatchObject([{ expiresAt: expiryDate }])
  })

  test('becomes the line of a later subscription, with the same credentials', async () => {
    const { params, user, client } = await requested()
    const line = await createdLine(params)
    await approve(params, line)
    await world.run()
    await world.pay(user.id, world.double)
    await world.run()
    const { subscriptionEndDate } = await world.userOf(user.id)
    expect(world.panel.lines).toMatchObject([
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
    expect(await world.app.db.select({ name: users.iptvUsername }).from(users).where(eq(users.id, user.id))).toEqual([
      { name: line.username },
    ])
  })
})
