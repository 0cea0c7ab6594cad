import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invoiceLines, invoices, plans } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan, createPlans, createInvoice as givenInvoice } from '../../../test/harness/factories.ts'
import { createInvoice, getInvoice, invoiceNumberPattern, listInvoices } from './contract.ts'

let app: TestApp
let planIds: number[]
beforeAll(async () => {
  app = await buildApp()
  planIds = (await createPlans(app.db)).map((plan) => plan.id)
})
afterAll(() => app.close())

const email = 'buyer@example.org'
const open = ({ client }: SignedIn, planId = planIds[0]!, address = email) =>
  client.call(createInvoice, { body: { planId, email: address } })
const rowsOf = (userId: number) =>
  app.db.select().from(invoices).where(eq(invoices.userId, userId)).orderBy(invoices.id)

describe('create-invoice rejects, without writing anything,', () => {
  const refused: [string, unknown, number, string, string][] = [
    ['a missing plan', { email }, 400, 'planId', 'Please select a plan'],
    ['a plan id as text', { planId: '1', email }, 400, 'planId', 'Please select a plan'],
    ['plan id 0', { planId: 0, email }, 400, 'planId', 'Please select a plan'],
    ['a fractional plan id', { planId: 1.5, email }, 400, 'planId', 'Please select a plan'],
    ['a plan id in a list', { planId: [1], email }, 400, 'planId', 'Please select a plan'],
    ['a missing email address', { planId: 1 }, 400, 'email', 'Please enter a valid email address'],
    [
      'an email address without a domain',
      { planId: 1, email: 'buyer' },
      400,
      'email',
      'Please enter a valid email address',
    ],
    [
      'an email address with a line break',
      { planId: 1, email: 'a@example.org\nEmail: b@example.org' },
      400,
      'email',
      'Please enter a valid email address',
    ],
  ]
  test.each(refused)('%s', async (_what, body, status, path, message) => {
    const customer = await app.signIn()
    const response = await customer.client.post('/api/create-invoice', body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({
      message,
      code: 'invalid',
      issues: expect.arrayContaining([{ path, message }]),
    })
    expect(await rowsOf(customer.user.id)).toEqual([])
  })

  test('an unknown plan and a hidden plan with 404', async () => {
    const hidden = await createPlan(app.db, { hidden: true })
    const customer = await app.signIn()
    for (const planId of [hidden.id, 2147483647]) {
      const response = await customer.client.post('/api/create-invoice', { planId, email })
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'not_found' })
    }
    expect(await rowsOf(customer.user.id)).toEqual([])
  })

  test('no session (401), malformed JSON (400), another media type (415), a huge body (413), a foreign origin (403)', async () => {
    const customer = await app.signIn()
    const json = { 'content-type': 'application/json' }
    const send = (init: { headers?: Record<string, string>; body: string }) =>
      customer.client.request('/api/create-invoice', { method: 'POST', ...init })
    expect((await app.client().post('/api/create-invoice', { planId: planIds[0], email })).status).toBe(401)
    expect((await send({ headers: json, body: '{"planId":' })).status).toBe(400)
    expect((await send({ headers: { 'content-type': 'text/plain' }, body: '{}' })).status).toBe(415)
    expect(
      (await send({ headers: json, body: JSON.stringify({ planId: planIds[0], email, x: 'x'.repeat(70_000) }) }))
        .status,
    ).toBe(413)
    expect(
      (
        await send({
          headers: { ...json, origin: 'https://evil.example' },
          body: JSON.stringify({ planId: planIds[0], email }),
        })
      ).status,
    ).toBe(403)
    expect(await rowsOf(customer.user.id)).toEqual([])
  })
})

describe('a draft invoice', () => {
  test('has the amount of its plan, ignores other fields of the body, and expires in seven days', async () => {
    const customer = await app.signIn()
    const response = await customer.client.post('/api/create-invoice', {
      planId: planIds[1],
      email,
      amount: 1,
      status: 'paid',
      userId: 1,
      paidAt: '2026-01-01T00:00:00Z',
    })
    expect(response.status).toBe(200)
    const [row] = await rowsOf(customer.user.id)
    const [plan] = await app.db.select().from(plans).where(eq(plans.id, planIds[1]!))
    expect(row).toMatchObject({
      status: 'draft',
      amount: plan!.price,
      planName: plan!.name,
      customerDetails: `Email: ${email}`,
      userId: customer.user.id,
      paidAt: null,
    })
    expect(row!.invoiceNumber).toMatch(invoiceNumberPattern)
    expect(Math.round((Date.parse(row!.expiresAt) - Date.parse(row!.createdAt)) / 86_400_000)).toBe(7)
    expect(await app.db.select().from(invoiceLines).where(eq(invoiceLines.invoiceId, row!.id))).toMatchObject([
      { kind: 'plan', amount: plan!.price },
    ])
  })

  test('is reused for the same plan, with the newest email address', async () => {
    const customer = await app.signIn()
    const first = await open(customer)
    const again = await open(customer, planIds[0], 'other@example.org')
    expect(again.invoiceNumber).toBe(first.invoiceNumber)
    expect(await rowsOf(customer.user.id)).toMatchObject([{ customerDetails: 'Email: other@example.org' }])
  })

  test('is cancelled when another plan is chosen', async () => {
    const customer = await app.signIn()
    const first = await open(customer)
    const second = await open(customer, planIds[2])
    expect(await rowsOf(customer.user.id)).toMatchObject([
      { invoiceNumber: first.invoiceNumber, status: 'cancelled' },
      { invoiceNumber: second.invoiceNumber, status: 'draft', planId: planIds[2] },
    ])
  })

  test('past its expiry date expires, and the next request creates a new one', async () => {
    const customer = await app.signIn()
    const { invoiceNumber } = await open(customer)
    await app.db
      .update(invoices)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(invoices.invoiceNumber, invoiceNumber))
    expect(await customer.client.call(listInvoices, {})).toMatchObject([{ status: 'expired' }])
    expect((await open(customer)).invoiceNumber).not.toBe(invoiceNumber)
    expect(await rowsOf(customer.user.id)).toMatchObject([{ status: 'expired' }, { status: 'draft' }])
  })

  test('keeps its amount and plan name when the plan is edited afterwards', async () => {
    const plan = await createPlan(app.db, { price: 2_000 })
    const customer = await app.signIn()
    const { invoiceNumber } = await open(customer, plan.id)
    await app.db
      .update(plans)
      .set({ price: 9_900, name: `Renamed ${plan.id}` })
      .where(eq(plans.id, plan.id))
    const { invoice, plan: now } = await customer.client.call(getInvoice, { params: { invoiceNumber } })
    expect(invoice).toMatchObject({ amount: 2_000, planName: plan.name })
    expect(now).toMatchObject({ id: plan.id, price: 9_900, popular: false })
  })

  test('is replaced by one at the current price when the price of the plan has changed', async () => {
    const plan = await createPlan(app.db, { price: 2_000 })
    const customer = await app.signIn()
    const first = await open(customer, plan.id)
    await app.db.update(plans).set({ price: 1_900 }).where(eq(plans.id, plan.id))
    const renewed = await open(customer, plan.id)
    expect((await open(customer, plan.id)).invoiceNumber).toBe(renewed.invoiceNumber)
    expect(await rowsOf(customer.user.id)).toMatchObject([
      { invoiceNumber: first.invoiceNumber, status: 'cancelled', amount: 2_000 },
      { invoiceNumber: renewed.invoiceNumber, status: 'draft', amount: 1_900 },
    ])
  })

  test('fifty concurrent requests create one draft', async () => {
    const customer = await app.signIn()
    const drafts = await Promise.all(Array.from({ length: 50 }, () => open(customer)))
    expect(new Set(drafts.map((draft) => draft.invoiceNumber)).size).toBe(1)
    expect(await rowsOf(customer.user.id)).toHaveLength(1)
  })

  test('fifty concurrent requests for two plans leave one draft open', async () => {
    const customer = await app.signIn()
    await Promise.all(Array.from({ length: 50 }, (_, i) => open(customer, planIds[i % 2])))
    const rows = await rowsOf(customer.user.id)
    expect(rows.filter((row) => row.status === 'draft')).toHaveLength(1)
  })
})

describe('the referral discount', () => {
  const referred = async () => app.signIn({ referredBy: (await app.signIn()).user.id })

  test('is 15 % of the first invoice, as a separate item', async () => {
    const customer = await referred()
    const { invoiceNumber, amount } = await open(customer)
    const { lines } = await customer.client.call(getInvoice, { params: { invoiceNumber } })
    expect(amount).toBe(1_500 - 225)
    expect(lines).toMatchObject([
      { kind: 'plan', amount: 1_500 },
      { kind: 'referral_discount', amount: -225 },
    ])
  })

  test('is calculated again when another plan is chosen', async () => {
    const customer = await referred()
    await open(customer)
    expect((await open(customer, planIds[1])).amount).toBe(4_500 - 675)
  })

  test('is given once: neither on a second open invoice nor after the first one was paid', async () => {
    const customer = await referred()
    const { invoiceNumber } = await open(customer)
    await app.db
      .update(invoices)
      .set({ status: 'pending', submittedAt: sql`now()`, paymentMethod: 'creditcard' })
      .where(eq(invoices.invoiceNumber, invoiceNumber))
    expect((await open(customer)).amount).toBe(1_500)

    const other = await referred()
    await givenInvoice(app.db, {
      userId: other.user.id,
      planId: planIds[0]!,
      status: 'paid',
      paidAt: new Date().toISOString(),
    })
    expect((await open(other)).amount).toBe(1_500)
  })

  test('is not given to a customer without a referrer', async () => {
    expect((await open(await app.signIn())).amount).toBe(1_500)
    expect(
      await app.db
        .select()
        .from(invoices)
        .where(and(eq(invoices.referralDiscount, 0), sql`amount < 1500`)),
    ).toEqual([])
  })
})
