import { and, eq, isNull } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addMonths } from '#kit/dates.ts'
import { lineJobs, plans, segments } from '#server/db/tables.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { openPaidWorld, type PaidWorld } from '../../../test/harness/paid-world.ts'
import { beginSegments } from './server/service/begin-segments.ts'

let world: PaidWorld
let yearOne: number
let yearTwo: number
let monthFive: number
let monthOne: number
beforeAll(async () => {
  world = await openPaidWorld()
  yearOne = (await world.plan(11_999, 12, 1)).id
  yearTwo = (await world.plan(20_000, 12, 2)).id
  monthFive = (await world.plan(4_099, 1, 5)).id
  monthOne = (await world.plan(1_499, 1, 1)).id
})
afterEach(() => expectInvariants(world.app.db))
afterAll(() => world.app.close())

const outdated = { status: 409, code: 'change_outdated', message: expect.stringContaining('again') }
const paidFor = async ({ user }: SignedIn) =>
  (
    await world.app.db
      .select()
      .from(segments)
      .where(and(eq(segments.userId, user.id), isNull(segments.replacedBy)))
      .orderBy(segments.startsAt)
  ).map(({ planId, listCents, paidCents, withdrawn }) => [
    planId,
    listCents,
    paidCents,
    ...(withdrawn ? ['withdrawn'] : []),
  ])

describe('a purchase of another plan during a subscription', () => {
  test('starts at the end of the paid time, and does not change the price or the connections of that time', async () => {
    const customer = await world.app.signIn()
    await world.buy(customer, yearOne)
    await world.buy(customer, monthFive)
    expect(await world.timeOf(customer)).toEqual([
      [yearOne, '2027-03-01', '2028-03-01'],
      [monthFive, '2028-03-01', '2028-04-01'],
    ])
    expect(await world.userOf(customer)).toMatchObject({
      planId: yearOne,
      iptvMaxConnections: 1,
      subscriptionEndDate: '2028-04-01T10:00:00.000Z',
    })
    expect(await paidFor(customer)).toEqual([
      [yearOne, 11_999, 11_999],
      [monthFive, 4_099, 4_099],
    ])
  })

  test('conserves cents even with repeated plan changes: paid time plus credit equals the payments', async () => {
    const customer = await world.app.signIn()
    await world.buy(customer, yearOne)
    await world.buy(customer, monthFive)
    for (let round = 0; round < 3; round++)
      for (const planId of [yearTwo, yearOne]) await world.change(customer, planId)
    const { accountCredit } = await world.userOf(customer)
    const left = (await paidFor(customer)).reduce((cents, [, , paid]) => cents + Number(paid), 0)
    const received = 11_999 + 4_099 + (await chargesOf(customer))
    expect(left + accountCredit).toBe(received)
  })
})

const chargesOf = async ({ client }: SignedIn): Promise<number> =>
  ((await (await client.request('/api/invoices')).json()) as { kind: string; status: string; amount: number }[])
    .filter(({ kind, status }) => kind === 'plan_change' && status === 'paid')
    .reduce((cents, { amount }) => cents + amount, 0)

describe('the plan of a customer', () => {
  test('is written to the user and the line once its segment has begun, even if no process ran at that time', async () => {
    const customer = await world.app.signIn()
    await world.buy(customer, monthOne)
    await world.buy(customer, monthFive)
    const { subscriptionEndDate } = await world.userOf(customer)
    await world.pass((Date.parse(addMonths(world.now(), 1)) - Date.parse(world.now())) / 3_600_000 - 1)
    expect(await beginSegments(world.app.db)).toBe(0)
    expect(await world.userOf(customer)).toMatchObject({ planId: monthOne, iptvMaxConnections: 1 })
    await world.pass(50)
    expect(await beginSegments(world.app.db)).toBe(1)
    expect(await world.userOf(customer)).toMatchObject({
      planId: monthFive,
      iptvMaxConnections: 5,
      subscriptionStatus: 'active',
      subscriptionEndDate,
    })
    expect(await beginSegments(world.app.db)).toBe(0)
    const jobs = await world.app.db
      .select({ cause: lineJobs.cause })
      .from(lineJobs)
      .where(eq(lineJobs.userId, customer.user.id))
      .orderBy(lineJobs.id)
    expect(jobs.map(({ cause }) => cause)).toEqual(['purchase', 'purchase', 'segment'])
  })

  test('is the last plan if all segments ended while no process ran', async () => {
    const customer = await world.app.signIn()
    await world.buy(customer, monthOne)
    await world.buy(customer, monthFive)
    await world.pass(24 * 90)
    await world.runJobs()
    expect(await world.userOf(customer)).toMatchObject({ planId: monthFive, subscriptionStatus: 'expired' })
    expect(await world.timeOf(customer)).toEqual([])
  })

  test('is the plan of the last segment in a renewal invoice', async () => {
    const customer = await world.app.signIn()
    await world.buy(customer, monthOne)
    await world.buy(customer, monthFive)
    await world.pass(24 * 55)
    await world.runJobs()
    const [newest] = (await (await customer.client.request('/api/invoices')).json()) as {
      planId: number
      amount: number
    }[]
    expect(newest).toMatchObject({ planId: monthFive, amount: 4_099 })
  })
})

describe('a plan change is refused as outdated', () => {
  test('if the period for which it was priced ends before the change is confirmed', async () => {
    const customer = await world.app.signIn()
    await world.buy(customer, yearOne)
    await world.pass(24 * 365)
    const change = await world.requestChange(customer, yearTwo)
    await world.pass(48)
    await expect(world.decide(change.id, 'paid')).rejects.toMatchObject(outdated)
    expect(await world.timeOf(customer)).toEqual([])
  })

  test('if a purchase or an administrator’s edit has changed the segments', async () => {
    const customer = await world.app.signIn()
    await world.buy(customer, yearOne)
    const change = await world.requestChange(customer, yearTwo)
    await world.buy(customer, yearOne)
    await expect(world.decide(change.id, 'paid')).rejects.toMatchObject(outdated)
    await world.decide(change.id, 'cancelled')
    const again = await world.requestChange(customer, yearTwo)
    expect(again.amount).toBe(2 * (20_000 - 11_999))
    await edit(customer, { planId: yearOne, status: 'active', endDate: '2031-01-01' })
    await expect(world.decide(again.id, 'paid')).rejects.toMatchObject(outdated)
  })

  test('if its invoice expired unpaid, even after the invoice is reopened', async () => {
    const customer = await world.app.signIn()
    await world.buy(customer, yearOne)
    const change = await world.requestChange(customer, monthOne)
    await world.pass(24 * 8)
    await world.runJobs()
    await expect(world.decide(change.id, 'pending')).resolves.toMatchObject({ status: 'pending' })
    await expect(world.decide(change.id, 'paid')).rejects.toMatchObject(outdated)
    expect((await world.userOf(customer)).accountCredit).toBe(0)
  })
})

describe('the credit of a plan change', () => {
  test('is the amount paid for the remaining time, without granted or discounted cents, and ignores later price changes', async () => {
    const granted = await world.app.signIn()
    await edit(granted, { planId: yearTwo, status: 'active', endDate: addMonths(world.now(), 12).slice(0, 10) })
    expect((await world.change(granted, monthOne)).amount).toBe(0)
    expect((await world.userOf(granted)).accountCredit).toBe(0)

    const referrer = await world.app.signIn()
    const discounted = await world.app.signIn({ referredBy: referrer.user.id })
    const order = await world.buy(discounted, yearTwo)
    expect(order.amount).toBe(17_000)
    await world.change(discounted, monthOne)
    expect((await world.userOf(discounted)).accountCredit).toBe(17_000 - 1_499)

    const loyal = await world.app.signIn()
    await world.buy(loyal, yearTwo)
    const [plan] = await world.app.db.select().from(plans).where(eq(plans.id, yearTwo))
    await world.app.db.update(plans).set({ price: 90_000 }).where(eq(plans.id, yearTwo))
    await world.change(loyal, monthOne)
    expect((await world.userOf(loyal)).accountCredit).toBe(20_000 - 1_499)
    await world.app.db.update(plans).set({ price: plan!.price }).where(eq(plans.id, yearTwo))
  })
})

test('a trial is not paid time: a later subscription starts at its payment and records the amount paid', async () => {
  const customer = await world.app.signIn()
  await customer.client.post('/api/trial-requests', { device: 'Fire TV', message: 'I would like to see it first' })
  const [trial] = (await (await customer.client.request('/api/trial-requests')).json()) as { id: number }[]
  const access = {
    trialUsername: 'guest',
    trialPassword: 'let me in',
    trialServer: 'https://tv.example.org',
    expiryDate: addMonths(world.now(), 1),
  }
  const body = JSON.stringify({ status: 'approved', ...access })
  await world.admin.client.request(`/api/admin/trial-requests/${trial!.id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body,
  })
  expect(await world.timeOf(customer)).toEqual([])
  await world.buy(customer, monthOne)
  expect(await paidFor(customer)).toEqual([[monthOne, 1_499, 1_499]])
  expect(await world.userOf(customer)).toMatchObject({
    subscriptionStartDate: world.now(),
    subscriptionEndDate: addMonths(world.now(), 1),
  })
})

const edit = ({ user }: SignedIn, body: object) =>
  world.admin.client.request(`/api/admin/users/${user.id}/subscription`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
