import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { auditLog, mails, segments, subscriptionMoves, users } from '#server/db/tables.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { openPaidWorld, type PaidWorld } from '../../../test/harness/paid-world.ts'
import { previewSubscriptionUndo, undoSubscriptionEdit } from './admin-contract.ts'
import { moveSubscription, previewMoveSubscription } from './admin-move-contract.ts'
import { listPaidTime } from './contract.ts'

let world: PaidWorld
let month: number
let year: number
beforeAll(async () => {
  world = await openPaidWorld('2027-04-01T00:00:00.000Z')
  month = (await world.plan(3_000, 1, 1)).id
  year = (await world.plan(24_000, 12, 2)).id
})
afterEach(() => expectInvariants(world.app.db))
afterAll(() => world.app.close())

const preview = ({ user }: SignedIn, to: string) =>
  world.admin.client.call(previewMoveSubscription, { params: { userId: user.id }, body: { to } })
const move = ({ user }: SignedIn, other: SignedIn, emails = true) =>
  world.admin.client.call(moveSubscription, {
    params: { userId: user.id },
    body: { to: other.user.email.toUpperCase(), toUserId: other.user.id, emails },
  })
const stateOf = async ({ user }: SignedIn) => (await world.app.db.select().from(users).where(eq(users.id, user.id)))[0]!
const timeOf = ({ client }: SignedIn) => client.call(listPaidTime, {})

test('a move to an unknown account, to the same account, or to an account with time left is refused, and nothing moves', async () => {
  const [from, to] = [await world.app.signIn(), await world.app.signIn()]
  await expect(move(from, to)).rejects.toMatchObject({ status: 409, code: 'no_time' })
  await world.buy(from, month)
  await world.buy(to, month)
  await expect(preview(from, 'unknown-account')).rejects.toMatchObject({ status: 400, code: 'unknown_account' })
  await expect(preview(from, from.user.username)).rejects.toMatchObject({ status: 400 })
  expect((await preview(from, to.user.username)).outcome.refusal).toMatchObject({ code: 'has_time' })
  await expect(move(from, to)).rejects.toMatchObject({ code: 'has_time' })
  const stale = { to: to.user.username, toUserId: from.user.id, emails: false }
  const response = await world.admin.client.post(`/api/admin/users/${from.user.id}/subscription/move`, stale)
  expect(response.status).toBe(409)
  expect((await from.client.post(`/api/admin/users/${from.user.id}/subscription/move`, stale)).status).toBe(403)
  expect(await world.app.db.$count(subscriptionMoves)).toBe(0)
})

test('running and queued time moves with its plans, the paid cents stay, both customers are emailed, and undoing restores both', async () => {
  const [from, to] = [await world.app.signIn(), await world.app.signIn()]
  await world.buy(from, month)
  await world.buy(from, year)
  await world.pass(24 * 10)
  const before = { time: await timeOf(from), state: await stateOf(from) }
  const shown = await preview(from, to.user.username)
  expect(shown).toMatchObject({ toUserId: to.user.id, outcome: { refusal: null } })
  expect(shown.outcome.time.map(({ planId }) => planId)).toEqual([month, year])
  expect(await timeOf(to)).toEqual([])

  await move(from, to)
  expect(await timeOf(from)).toEqual([])
  expect(await stateOf(from)).toMatchObject({ subscriptionStatus: 'cancelled' })
  const moved = await timeOf(to)
  expect(moved.map(({ planId, endsAt }) => [planId, endsAt])).toEqual(
    before.time.map(({ planId, endsAt }) => [planId, endsAt]),
  )
  expect(await stateOf(to)).toMatchObject({ subscriptionStatus: 'active', planId: month })
  const created = await world.app.db.select().from(segments).where(eq(segments.userId, to.user.id))
  expect(created.map(({ paidCents }) => paidCents)).toEqual([0, 0])
  for (const { user } of [from, to])
    expect(
      await world.app.db.$count(mails, and(eq(mails.userId, user.id), eq(mails.template, 'subscription_changed'))),
    ).toBe(1)
  expect(await world.app.db.$count(auditLog, eq(auditLog.action, 'user.move_subscription'))).toBe(2)
  await expect(move(from, to)).rejects.toMatchObject({ code: 'no_time' })

  const [row] = await world.app.db
    .select()
    .from(subscriptionMoves)
    .where(eq(subscriptionMoves.fromUserId, from.user.id))
  const params = { userId: to.user.id }
  const query = { activationId: row!.toActivation }
  expect(await world.admin.client.call(previewSubscriptionUndo, { params, query })).toMatchObject({ refusal: null })
  await world.admin.client.call(undoSubscriptionEdit, { params, body: query })
  expect(await timeOf(to)).toEqual([])
  expect(await timeOf(from)).toEqual(before.time)
  expect(await stateOf(from)).toMatchObject({
    subscriptionStatus: 'active',
    subscriptionEndDate: before.state.subscriptionEndDate,
  })
  const again = world.admin.client.call(undoSubscriptionEdit, {
    params: { userId: from.user.id },
    body: { activationId: row!.fromActivation },
  })
  await expect(again).rejects.toMatchObject({ status: 409 })
})

test('after the plan of the moved time was changed, the move cannot be undone, and neither account changes', async () => {
  const [from, to] = [await world.app.signIn(), await world.app.signIn()]
  await world.buy(from, month)
  await move(from, to, false)
  const change = await world.requestChange(to, year)
  await world.decide(change.id, 'paid')
  const [row] = await world.app.db
    .select()
    .from(subscriptionMoves)
    .where(eq(subscriptionMoves.fromUserId, from.user.id))
  const undo = world.admin.client.call(undoSubscriptionEdit, {
    params: { userId: from.user.id },
    body: { activationId: row!.fromActivation },
  })
  await expect(undo).rejects.toMatchObject({ code: 'later_change' })
  expect(await timeOf(from)).toEqual([])
})
