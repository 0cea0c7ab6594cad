import { and, eq, isNull } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { activations, segments } from '#server/db/tables.ts'
import { buildApp, type SignedIn } from '../../../test/harness/app.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { openPaidWorld, type PaidWorld } from '../../../test/harness/paid-world.ts'
import {
  previewSubscription,
  previewSubscriptionUndo,
  undoSubscriptionEdit,
  updateSubscription,
} from './admin-contract.ts'

let world: PaidWorld
let month: number
let bigMonth: number
let year: number
beforeAll(async () => {
  world = await openPaidWorld('2027-04-01T00:00:00.000Z')
  month = (await world.plan(3_000, 1, 1)).id
  bigMonth = (await world.plan(6_000, 1, 4)).id
  year = (await world.plan(24_000, 12, 1)).id
})
afterEach(() => expectInvariants(world.app.db))
afterAll(() => world.app.close())

type Grant = { planId: number | null; status: 'active' | 'cancelled'; startDate?: string; endDate?: string }
const edit = ({ user }: SignedIn, body: Grant) =>
  world.admin.client.call(updateSubscription, { params: { userId: user.id }, body })
const preview = ({ user }: SignedIn, body: Grant) =>
  world.admin.client.call(previewSubscription, { params: { userId: user.id }, body })
const lastEdit = async ({ user }: SignedIn) =>
  (
    await world.app.db
      .select({ id: activations.id })
      .from(activations)
      .where(and(eq(activations.userId, user.id), eq(activations.kind, 'grant'), isNull(activations.reversedAt)))
  ).at(-1)!.id
const undo = ({ user }: SignedIn, activationId: number) =>
  world.admin.client.call(undoSubscriptionEdit, { params: { userId: user.id }, body: { activationId } })
const previewUndo = ({ user }: SignedIn, activationId: number) =>
  world.admin.client.call(previewSubscriptionUndo, { params: { userId: user.id }, query: { activationId } })
const rowsOf = async ({ user }: SignedIn) => {
  const rows = await world.app.db
    .select()
    .from(segments)
    .where(and(eq(segments.userId, user.id), isNull(segments.replacedBy)))
    .orderBy(segments.startsAt, segments.id)
  return rows.map((row) => [
    row.planId,
    row.startsAt.slice(0, 10),
    row.endsAt.slice(0, 10),
    row.listCents,
    row.paidCents,
    ...(row.withdrawn ? ['withdrawn'] : []),
  ])
}

describe('an edit of a subscription', () => {
  test('that adds days creates a segment with 0 paid cents', async () => {
    const customer = await world.app.signIn()
    await world.buy(customer, month)
    await edit(customer, { planId: month, status: 'active', endDate: '2027-05-15' })
    expect(await rowsOf(customer)).toEqual([
      [month, '2027-04-01', '2027-05-01', 3_000, 3_000],
      [month, '2027-05-01', '2027-05-15', 1_452, 0],
    ])
  })

  test('that removes days keeps the cents paid for the remaining days, and withdraws the removed days with the cents paid for them', async () => {
    const customer = await world.app.signIn()
    await world.buy(customer, month)
    await edit(customer, { planId: month, status: 'active', endDate: '2027-04-10' })
    expect(await rowsOf(customer)).toEqual([
      [month, '2027-04-01', '2027-04-10', 1_000, 1_000],
      [month, '2027-04-10', '2027-05-01', 2_000, 2_000, 'withdrawn'],
    ])
    expect((await world.change(customer, bigMonth)).amount).toBe(1_000)
  })

  test('to another plan keeps the paid cents, so that changing back gives no extra credit', async () => {
    const customer = await world.app.signIn()
    await world.buy(customer, month)
    await edit(customer, { planId: year, status: 'active', endDate: '2028-04-01' })
    await world.change(customer, month)
    expect((await world.userOf(customer)).accountCredit).toBe(0)
  })

  test('that cancels the subscription withdraws all remaining time, and a later purchase starts at its payment', async () => {
    const customer = await world.app.signIn()
    await world.buy(customer, month)
    await edit(customer, { planId: month, status: 'cancelled' })
    expect(await rowsOf(customer)).toEqual([[month, '2027-04-01', '2027-05-01', 3_000, 3_000, 'withdrawn']])
    await world.buy(customer, year)
    expect(await world.timeOf(customer)).toEqual([[year, '2027-04-01', '2028-04-01']])
  })
})

describe('the preview of an edit', () => {
  test('shows exactly the effects of the edit, and writes nothing', async () => {
    const customer = await world.app.signIn()
    await world.buy(customer, month)
    const before = [await rowsOf(customer), await world.userOf(customer)]
    const shorter: Grant = { planId: month, status: 'active', endDate: '2027-04-10' }
    const shown = await preview(customer, shorter)
    expect(shown).toMatchObject({
      refusal: null,
      addedDays: 0,
      removedDays: 20,
      keptCents: 1_000,
      withdrawnCents: 2_000,
    })
    expect([await rowsOf(customer), await world.userOf(customer)]).toEqual(before)
    await edit(customer, shorter)
    const { subscriptionEndDate, planId } = await world.userOf(customer)
    expect(shown.after).toMatchObject({ endDate: subscriptionEndDate, planId })
    expect(shown.time).toMatchObject([{ planId: month, endsAt: subscriptionEndDate }])
  })

  test('shows why the edit would be refused', async () => {
    const customer = await world.app.signIn()
    expect(await preview(customer, { planId: null, status: 'active' })).toMatchObject({
      refusal: { message: 'An active subscription needs a plan' },
      after: null,
    })
    await expect(
      world.admin.client.call(previewSubscription, {
        params: { userId: 2147483647 },
        body: { planId: null, status: 'none' },
      }),
    ).rejects.toMatchObject({
      status: 404,
    })
  })
})

describe('undoing an edit', () => {
  test('is refused if the edit belongs to another customer, is a payment, or was already undone', async () => {
    const [one, other] = [await world.app.signIn(), await world.app.signIn()]
    await edit(one, { planId: month, status: 'active', endDate: '2027-04-20' })
    await world.buy(other, month)
    const id = await lastEdit(one)
    await expect(undo(other, id)).rejects.toMatchObject({ status: 404 })
    const [payment] = await world.app.db.select().from(activations).where(eq(activations.userId, other.user.id))
    await expect(undo(other, payment!.id)).rejects.toMatchObject({ status: 404 })
    await undo(one, id)
    await expect(undo(one, id)).rejects.toMatchObject({ status: 409, code: 'already_reversed' })
  })

  test('restores the previous segments and moves a later purchase to an earlier start', async () => {
    const customer = await world.app.signIn()
    await world.buy(customer, month)
    const before = [await rowsOf(customer), await world.timeOf(customer)]
    await edit(customer, { planId: bigMonth, status: 'active', endDate: '2027-07-01' })
    expect(await previewUndo(customer, await lastEdit(customer))).toMatchObject({
      refusal: null,
      removedDays: 62,
      keptCents: 3_000,
    })
    const queued = await world.buy(customer, year)
    await undo(customer, await lastEdit(customer))
    expect(await world.timeOf(customer)).toEqual([
      [month, '2027-04-01', '2027-05-01'],
      [year, '2027-05-01', '2028-05-01'],
    ])
    await world.decide(queued.id, 'cancelled')
    expect([await rowsOf(customer), await world.timeOf(customer)]).toEqual(before)
  })

  test('is refused until a later plan change is reversed, and the message names that plan change', async () => {
    const customer = await world.app.signIn()
    await world.buy(customer, month)
    await edit(customer, { planId: month, status: 'active', endDate: '2027-05-15' })
    const id = await lastEdit(customer)
    const change = await world.change(customer, bigMonth)
    await expect(undo(customer, id)).rejects.toMatchObject({
      status: 409,
      code: 'later_change',
      message: expect.stringContaining(change.invoiceNumber),
    })
    expect(await previewUndo(customer, id)).toMatchObject({ refusal: { code: 'later_change' } })
    await world.decide(change.id, 'cancelled')
    expect(await undo(customer, id)).toMatchObject({ subscriptionEndDate: '2027-05-01T00:00:00.000Z' })
  })
})

test('administrators cannot edit their own subscription when self-approval is denied, but other administrators can', async () => {
  const strict = await buildApp({ config: { selfApproval: 'deny' } })
  try {
    const [self, colleague] = [await strict.signInAdmin(), await strict.signInAdmin()]
    const body = { planId: null, status: 'cancelled' as const }
    const params = { userId: self.user.id }
    await expect(self.client.call(updateSubscription, { params, body })).rejects.toMatchObject({
      status: 409,
      code: 'own_account',
    })
    await expect(self.client.call(undoSubscriptionEdit, { params, body: { activationId: 1 } })).rejects.toMatchObject({
      status: 409,
      code: 'own_account',
    })
    expect(await colleague.client.call(updateSubscription, { params, body })).toMatchObject({
      subscriptionStatus: 'cancelled',
    })
  } finally {
    await strict.close()
  }
})
