import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMonths } from '#kit/dates.ts'
import { creditTransactions, invoiceLines, invoices, mails, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan, setPeriod } from '../../../test/harness/factories.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { updateInvoice } from './admin-contract.ts'
import { changeSubscription, createInvoice, quotePlanChange, submitPayment } from './contract.ts'

let app: TestApp
let admin: SignedIn
let small: number
let large: number
let yearly: number
beforeAll(async () => {
  app = await buildApp({ connections: 20 })
  admin = await app.signInAdmin()
  small = (await createPlan(app.db, { price: 1_500, connections: 1 })).id
  large = (await createPlan(app.db, { price: 4_500, connections: 5 })).id
  yearly = (await createPlan(app.db, { price: 12_000, months: 12, tier: 4 })).id
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

const confirm = (invoiceId: number) =>
  admin.client.call(updateInvoice, { params: { invoiceId }, body: { status: 'paid' } })
const userOf = async (id: number) => (await app.db.select().from(users).where(eq(users.id, id)))[0]!
const changesOf = (userId: number) =>
  app.db
    .select()
    .from(invoices)
    .where(and(eq(invoices.userId, userId), eq(invoices.kind, 'plan_change')))

const earlier = (instant: string, days: number) => new Date(Date.parse(instant) - days * 86_400_000).toISOString()
/** Signs in a customer whose paid plan began `daysAgo` days ago. */
async function subscriber(planId = small, daysAgo = 0) {
  const customer = await app.signIn()
  const { invoiceNumber } = await customer.client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  await customer.client.call(submitPayment, { body: { planId, paymentMethod: 'creditcard', invoiceNumber } })
  const [row] = await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber))
  await confirm(row!.id)
  const { subscriptionStartDate, subscriptionEndDate } = await userOf(customer.user.id)
  await setPeriod(
    app.db,
    customer.user.id,
    earlier(subscriptionStartDate!, daysAgo),
    earlier(subscriptionEndDate!, daysAgo),
  )
  return customer
}
const requestChange = (customer: SignedIn, planId: number) =>
  customer.client.call(changeSubscription, { body: { planId, prorated: true } })

describe('a change of plan is refused, and nothing is written,', () => {
  test('without a session (401), without a plan (400 with the specified message) and for an unknown plan (404)', async () => {
    const customer = await subscriber()
    expect((await app.client().post('/api/change-subscription', { planId: large, prorated: true })).status).toBe(401)
    const missing = await customer.client.post('/api/change-subscription', { prorated: true })
    expect([missing.status, await missing.json()]).toMatchObject([400, { message: 'Please select a plan' }])
    await expect(requestChange(customer, 2147483647)).rejects.toMatchObject({ status: 404 })
    expect(await changesOf(customer.user.id)).toEqual([])
  })

  test('without an active subscription, for the current plan and for a hidden plan', async () => {
    await expect(requestChange(await app.signIn(), large)).rejects.toMatchObject({
      status: 409,
      code: 'no_subscription',
    })
    await expect(requestChange(await subscriber(small, 60), large)).rejects.toMatchObject({
      status: 409,
      code: 'no_subscription',
    })
    const customer = await subscriber()
    await expect(requestChange(customer, small)).rejects.toMatchObject({ status: 409, code: 'same_plan' })
    await expect(requestChange(customer, (await createPlan(app.db, { hidden: true })).id)).rejects.toMatchObject({
      status: 404,
    })
  })

  test('while another change is open, even with fifty concurrent requests for two plans', async () => {
    const customer = await subscriber()
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => requestChange(customer, i % 2 ? large : yearly)),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409, code: 'change_open' })
    expect(await changesOf(customer.user.id)).toHaveLength(1)
  })
})

describe('a change of plan', () => {
  test('charges the quoted amount with a pending invoice that describes the change', async () => {
    const customer = await subscriber(small, 10)
    const quote = await customer.client.call(quotePlanChange, { query: { planId: large } })
    const { invoice } = await requestChange(customer, large)
    expect(quote).toMatchObject({
      difference: 3_000,
      charge: invoice.amount,
      credit: 0,
      explanation: expect.stringContaining('Your end date stays'),
    })
    expect(invoice).toMatchObject({
      status: 'pending',
      kind: 'plan_change',
      description: expect.stringMatching(/^Subscription change/),
      paymentMethod: null,
      submittedAt: null,
    })
    expect(invoice.amount).toBeGreaterThan(1_000)
    expect(invoice.amount).toBeLessThan(3_000)
    expect((await userOf(customer.user.id)).planId).toBe(small)
    expect(
      await app.db
        .select()
        .from(mails)
        .where(and(eq(mails.userId, customer.user.id), eq(mails.template, 'plan_change_requested'))),
    ).toHaveLength(1)
  })

  test('of the same length keeps the dates when it is confirmed, and reversing it restores the old plan', async () => {
    const customer = await subscriber()
    const before = await userOf(customer.user.id)
    const { invoice } = await requestChange(customer, large)
    expect(invoice.amount).toBe(3_000)
    await confirm(invoice.id)
    expect(await userOf(customer.user.id)).toMatchObject({
      planId: large,
      iptvMaxConnections: 5,
      subscriptionStartDate: before.subscriptionStartDate,
      subscriptionEndDate: before.subscriptionEndDate,
    })
    await admin.client.call(updateInvoice, { params: { invoiceId: invoice.id }, body: { status: 'cancelled' } })
    expect(await userOf(customer.user.id)).toEqual(before)
  })

  test('to another length starts a new period when it is paid', async () => {
    const customer = await subscriber()
    const { invoice } = await requestChange(customer, yearly)
    expect(invoice.amount).toBe(12_000 - 1_500)
    const { paidAt } = await confirm(invoice.id)
    expect(await userOf(customer.user.id)).toMatchObject({
      planId: yearly,
      subscriptionStartDate: paidAt,
      subscriptionEndDate: addMonths(paidAt!, 12),
    })
  })

  test('to a cheaper plan costs nothing; approving it books the difference as credit, and reversing it withdraws the credit', async () => {
    const customer = await subscriber(yearly)
    const { invoice } = await requestChange(customer, small)
    expect(invoice.amount).toBe(0)
    expect((await userOf(customer.user.id)).accountCredit).toBe(0)
    await confirm(invoice.id)
    expect(
      await app.db.select().from(creditTransactions).where(eq(creditTransactions.userId, customer.user.id)),
    ).toMatchObject([{ type: 'refund', amount: 10_500, relatedInvoiceId: invoice.id }])
    await admin.client.call(updateInvoice, { params: { invoiceId: invoice.id }, body: { status: 'pending' } })
    expect((await userOf(customer.user.id)).accountCredit).toBe(0)
  })

  test('has items that add up to its amount', async () => {
    for (const [from, to] of [
      [small, large],
      [large, small],
      [small, yearly],
      [yearly, small],
    ] as const) {
      const { invoice } = await requestChange(await subscriber(from, 7), to)
      const lines = await app.db.select().from(invoiceLines).where(eq(invoiceLines.invoiceId, invoice.id))
      expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(invoice.amount)
    }
  })

  test('can be requested again after the first request was cancelled or has expired', async () => {
    const customer = await subscriber()
    const { invoice } = await requestChange(customer, large)
    await admin.client.call(updateInvoice, { params: { invoiceId: invoice.id }, body: { status: 'cancelled' } })
    const again = await requestChange(customer, yearly)
    await app.db
      .update(invoices)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(invoices.id, again.invoice.id))
    expect((await requestChange(customer, large)).invoice.status).toBe('pending')
  })

  test('is refused after the period it was priced for has ended, and nothing is changed', async () => {
    const customer = await subscriber(small, 10)
    const { invoice } = await requestChange(customer, large)
    const [startDate, endDate] = [40, 10].map((days) => new Date(Date.now() - days * 86_400_000).toISOString()) as [
      string,
      string,
    ]
    await setPeriod(app.db, customer.user.id, startDate, endDate)
    const before = await userOf(customer.user.id)
    await expect(confirm(invoice.id)).rejects.toMatchObject({
      status: 409,
      code: 'change_outdated',
      message: expect.stringContaining('request the change again'),
    })
    expect(await userOf(customer.user.id)).toEqual(before)
  })
})
