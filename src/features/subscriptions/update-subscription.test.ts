import { and, asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AdminUser, listUsers } from '#features/accounts/admin-contract.ts'
import { currentUser } from '#features/accounts/contract.ts'
import { updateInvoice } from '#features/billing/admin-contract.ts'
import { createInvoice, submitPayment } from '#features/billing/contract.ts'
import { addMonths } from '#kit/dates.ts'
import { activations, auditLog, invoices, mails, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { undoSubscriptionEdit, updateSubscription } from './admin-contract.ts'
import { grantProblem } from './rules.ts'

let app: TestApp
let admin: SignedIn
let small: { id: number; name: string }
let large: { id: number; name: string }
beforeAll(async () => {
  app = await buildApp({ connections: 20 })
  admin = await app.signInAdmin()
  small = await createPlan(app.db, { connections: 1 })
  large = await createPlan(app.db, { connections: 4, months: 3, tier: 2 })
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

const day = (fromToday: number) => new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10)
const put = (who: Pick<SignedIn, 'client'>, userId: number | string, body: unknown) =>
  who.client.request(`/api/admin/users/${userId}/subscription`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const rowOf = async ({ user }: SignedIn) => (await app.db.select().from(users).where(eq(users.id, user.id)))[0]!
const stateOf = async (who: SignedIn) => {
  const { planId, subscriptionStatus, subscriptionStartDate, subscriptionEndDate, iptvMaxConnections } =
    await rowOf(who)
  return {
    planId,
    status: subscriptionStatus,
    startDate: subscriptionStartDate,
    endDate: subscriptionEndDate,
    maxConnections: iptvMaxConnections,
  }
}
const effects = async ({ user }: SignedIn) => [
  (await app.db.select().from(activations).where(eq(activations.userId, user.id))).length,
  (
    await app.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.targetType, 'user'), eq(auditLog.targetId, String(user.id))))
  ).length,
  (await app.db.select().from(mails).where(eq(mails.userId, user.id))).length,
]
const active = () => ({ planId: small.id, status: 'active', startDate: day(0), endDate: day(30) })
const nothing = { planId: null, status: 'none', startDate: null, endDate: null, maxConnections: null }

describe('a change of subscription is refused, and nothing is written,', () => {
  test('for anonymous callers and customers', async () => {
    const who = await app.signIn()
    expect((await put({ client: app.client() }, who.user.id, active())).status).toBe(401)
    expect((await put(who, who.user.id, active())).status).toBe(403)
    expect([await stateOf(who), await effects(who)]).toEqual([nothing, [0, 0, 0]])
  })

  test('for an unknown user', async () => {
    for (const userId of [2147483647, 'x', 0]) expect((await put(admin, userId, active())).status).toBe(404)
  })

  test.each([
    [{ planId: undefined }, 'planId', 'Please select a plan'],
    [{ planId: 'two' }, 'planId', 'Please select a plan'],
    [{ planId: '' }, 'planId', 'Please select a plan'],
    [{ planId: '1e3' }, 'planId', 'Please select a plan'],
    [{ planId: [1] }, 'planId', 'Please select a plan'],
    [{ planId: 1.5 }, 'planId', 'Please select a plan'],
    [{ planId: '99999999999' }, 'planId', 'Please select a plan'],
    [{ planId: 2147483647 }, 'planId', 'This plan does not exist'],
    [{ planId: null }, 'planId', 'An active subscription needs a plan'],
    [{ endDate: undefined }, 'endDate', 'An active subscription needs an end date'],
    [{ endDate: '' }, 'endDate', 'An active subscription needs an end date'],
    [{ startDate: day(-9), endDate: day(-1) }, 'endDate', 'An active subscription must end in the future'],
    [{ startDate: day(5), endDate: day(4) }, 'endDate', 'The end date must not be before the start date'],
    [
      { startDate: day(5), endDate: day(4), status: 'pending' },
      'endDate',
      'The end date must not be before the start date',
    ],
    [{ startDate: '2026-02-30' }, 'startDate', 'Please enter a valid date'],
    [{ endDate: '1999-12-31' }, 'endDate', 'Please enter a valid date'],
    [{ startDate: '0000-01-01' }, 'startDate', 'Please enter a valid date'],
    [{ startDate: '0001-01-01' }, 'startDate', 'Please enter a valid date'],
    [{ endDate: '0000-02-29' }, 'endDate', 'Please enter a valid date'],
    [{ endDate: '9999-12-31' }, 'endDate', 'Please enter a valid date'],
    [{ endDate: '-002026-01-01' }, 'endDate', 'Please enter a valid date'],
    [{ endDate: 'tomorrow' }, 'endDate', 'Please enter a valid date'],
  ])('with an error on the invalid field: %j', async (overrides, path, message) => {
    const who = await app.signIn()
    const response = await put(admin, who.user.id, { ...active(), ...overrides })
    expect([response.status, await response.json()]).toMatchObject([400, { message, issues: [{ path, message }] }])
    expect([await stateOf(who), await effects(who)]).toEqual([nothing, [0, 0, 0]])
  })

  test('for an unknown status', async () => {
    const who = await app.signIn()
    expect((await put(admin, who.user.id, { ...active(), status: 'paused' })).status).toBe(400)
  })

  test('with 409 and the current state if the displayed state is outdated', async () => {
    const who = await app.signIn()
    const shown = { planId: null, status: 'none', startDate: null, endDate: null }
    expect((await put(admin, who.user.id, { ...active(), expected: shown })).status).toBe(200)
    const effectsBefore = await effects(who)
    const late = await put(admin, who.user.id, { planId: large.id, status: 'cancelled', expected: shown })
    expect([late.status, await late.json()]).toEqual([
      409,
      {
        code: 'stale',
        message: `Someone else changed this subscription first. It is now active, ${small.name}, from ${day(0)} until ${day(30)}. Nothing was changed.`,
      },
    ])
    expect(await effects(who)).toEqual(effectsBefore)
  })

  test('for all but one of several concurrent changes that are based on the same state', async () => {
    const who = await app.signIn()
    const shown = { planId: null, status: 'none', startDate: null, endDate: null }
    const responses = await Promise.all(
      [20, 30, 40, 50].map((days) => put(admin, who.user.id, { ...active(), endDate: day(days), expected: shown })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(await effects(who)).toEqual([1, 1, 1])
  })
})

describe('a change of subscription', () => {
  test('sets plan, status and dates, notifies the customer and is audited with the old and new values', async () => {
    const who = await app.signIn()
    const response = (await (
      await put(admin, who.user.id, { ...active(), planId: String(small.id) })
    ).json()) as AdminUser
    expect(response).toMatchObject({ id: who.user.id, planName: small.name, subscriptionStatus: 'active' })
    const after = {
      planId: small.id,
      status: 'active',
      startDate: `${day(0)}T00:00:00.000Z`,
      endDate: `${day(30)}T23:59:59.000Z`,
      maxConnections: 1,
    }
    expect(await stateOf(who)).toEqual(after)
    expect(await who.client.call(currentUser, {})).toMatchObject({ planId: small.id, subscriptionStatus: 'active' })
    const [auditEntry] = await app.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.targetId, String(who.user.id)))
    expect(auditEntry).toMatchObject({
      actorId: admin.user.id,
      action: 'user.update_subscription',
      before: nothing,
      after,
    })
    const [sent] = await app.db.select().from(mails).where(eq(mails.userId, who.user.id))
    expect(sent).toMatchObject({
      template: 'subscription_changed',
      recipient: who.user.email,
      data: { planName: small.name, status: 'active' },
    })
    const [activation] = await app.db.select().from(activations).where(eq(activations.userId, who.user.id))
    expect(activation).toMatchObject({ kind: 'grant', invoiceId: null, createdBy: admin.user.id, after })
  })

  test('to No Plan removes the plan; an omitted date is kept, and a null date is removed', async () => {
    const who = await app.signIn()
    await put(admin, who.user.id, active())
    await put(admin, who.user.id, { planId: null, status: 'cancelled', endDate: null })
    expect(await stateOf(who)).toEqual({ ...nothing, status: 'cancelled', startDate: `${day(0)}T00:00:00.000Z` })
  })

  test('keeps the time of day of an unchanged date', async () => {
    const [startDate, endDate] = ['2026-01-31T10:20:30.123Z', `${day(9)}T08:09:10.456Z`]
    const who = await app.signIn({
      planId: small.id,
      subscriptionStatus: 'active',
      subscriptionStartDate: startDate,
      subscriptionEndDate: endDate,
    })
    await put(admin, who.user.id, { planId: large.id, status: 'active', startDate: '2026-01-31', endDate: day(9) })
    expect(await stateOf(who)).toEqual({ planId: large.id, status: 'active', startDate, endDate, maxConnections: 4 })
  })

  test('to the current state writes nothing', async () => {
    const who = await app.signIn()
    await put(admin, who.user.id, active())
    expect((await put(admin, who.user.id, active())).status).toBe(200)
    expect(await effects(who)).toEqual([1, 1, 1])
  })

  test('to active starts today if it has no start date, and may end today', async () => {
    const who = await app.signIn()
    await put(admin, who.user.id, { planId: small.id, status: 'active', endDate: day(0) })
    expect(await stateOf(who)).toMatchObject({
      status: 'active',
      startDate: expect.stringContaining(day(0)),
      endDate: `${day(0)}T23:59:59.000Z`,
    })
  })
})

const editsOf = async ({ user }: SignedIn) =>
  (
    await app.db
      .select({ id: activations.id })
      .from(activations)
      .where(and(eq(activations.userId, user.id), eq(activations.kind, 'grant')))
      .orderBy(asc(activations.id))
  ).map(({ id }) => id)
const undo = (who: SignedIn, activationId: number) =>
  admin.client.call(undoSubscriptionEdit, { params: { userId: who.user.id }, body: { activationId } })

describe('payments before and after an edit', () => {
  async function paid(who: SignedIn, planId: number): Promise<number> {
    const { invoiceNumber } = await who.client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
    await who.client.call(submitPayment, {
      body: {
        planId,
        paymentMethod: 'venmo',
        confirmationCode: '',
        paymentNote: `SAUCE: ${invoiceNumber}`,
        invoiceNumber,
      },
    })
    const [row] = await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber))
    await decide(row!.id, 'paid')
    return row!.id
  }
  const decide = (invoiceId: number, status: 'paid' | 'cancelled') =>
    admin.client.call(updateInvoice, { params: { invoiceId }, body: { status } })
  const grant = (who: SignedIn, endDate: string) =>
    admin.client.call(updateSubscription, {
      params: { userId: who.user.id },
      body: { planId: large.id, status: 'active', endDate },
    })

  test('a later payment extends the edited end, and its reversal restores the edited state', async () => {
    const who = await app.signIn()
    await grant(who, day(10))
    const granted = await stateOf(who)
    const invoice = await paid(who, small.id)
    expect(await stateOf(who)).toMatchObject({ planId: large.id, endDate: addMonths(granted.endDate!, 1) })
    await decide(invoice, 'cancelled')
    expect(await stateOf(who)).toEqual(granted)
  })

  test('an earlier payment can be reversed only after the edit that depends on it is undone', async () => {
    const who = await app.signIn()
    const before = await stateOf(who)
    const first = await paid(who, small.id)
    const bought = await stateOf(who)
    await grant(who, day(10))
    await paid(who, small.id)
    await expect(decide(first, 'cancelled')).rejects.toMatchObject({
      ...{ status: 409, code: 'later_change' },
      message: expect.stringContaining(`${admin.user.username} edited the subscription later, on`),
    })
    await undo(who, (await editsOf(who))[0]!)
    expect(await stateOf(who)).toEqual({ ...bought, endDate: addMonths(bought.endDate!, 1) })
    await decide(first, 'cancelled')
    const [, , second] = await app.db
      .select()
      .from(activations)
      .where(eq(activations.userId, who.user.id))
      .orderBy(asc(activations.id))
    expect(await stateOf(who)).toMatchObject({
      startDate: second!.effectiveAt,
      endDate: addMonths(second!.effectiveAt, 1),
    })
    await decide(second!.invoiceId!, 'cancelled')
    expect(await stateOf(who)).toEqual(before)
  })
})

test('the list of users can be filtered by subscription status', async () => {
  await app.signIn({ username: 'pending_pete', subscriptionStatus: 'pending' })
  const { rows, total } = await admin.client.call(listUsers, { query: { status: 'pending' } })
  expect([rows.map((row) => row.username), total]).toEqual([['pending_pete'], 1])
  expect((await admin.client.request('/api/admin/users?status=paused')).status).toBe(400)
})

test('the rules refuse an active subscription whose end date is the current time', () => {
  const now = '2026-03-14T10:00:00.000Z'
  const state = { planId: 1, status: 'active' as const, startDate: null, endDate: now, maxConnections: 1 }
  expect(grantProblem(state, now)?.path).toBe('endDate')
  expect(grantProblem({ ...state, status: 'expired' }, now)).toBeUndefined()
})
