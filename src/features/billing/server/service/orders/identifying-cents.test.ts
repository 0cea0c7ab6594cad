import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { decidePayment, getPayment } from '#features/payments/admin-contract.ts'
import { recordPayment } from '#features/payments/admin-record-contract.ts'
import { setIdentifyingCents } from '#features/payments/contract.ts'
import * as settings from '#features/settings/server/service.ts'
import { identifyingAmounts, settings as settingsTable } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../../../../test/harness/app.ts'
import { createPlan } from '../../../../../../test/harness/factories.ts'
import { expectInvariants } from '../../../../../../test/harness/invariants.ts'
import { updateInvoice } from '../../../admin-contract.ts'
import { createInvoice, getInvoice, setInvoiceCredit, submitPayment } from '../../../contract.ts'

let app: TestApp
let admin: SignedIn
let planId: number
let price: number
beforeAll(async () => {
  app = await buildApp({ connections: 20 })
  admin = await app.signInAdmin()
})
// Each test has a plan with its own price, because an amount is reserved for 14 days.
let nextPrice = 10_000
beforeEach(async () => {
  price = nextPrice
  nextPrice += 1_000
  planId = (await createPlan(app.db, { price })).id
  await useCents(true)
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

async function useCents(identifyingCents: boolean) {
  const value = { identifyingCents, cashtag: '$SauceTVDemo', venmoHandle: '@sauce-demo' }
  await app.db
    .insert(settingsTable)
    .values({ key: 'payments', value })
    .onConflictDoUpdate({ target: settingsTable.key, set: { value } })
  settings.clearCache()
}
const order = ({ client }: SignedIn, plan = planId) =>
  client.call(createInvoice, { body: { planId: plan, email: 'buyer@example.org' } })
const choose = ({ client }: SignedIn, invoiceNumber: string, paymentMethod: 'cashapp' | 'venmo' | 'creditcard') =>
  client.call(setIdentifyingCents, { params: { invoiceNumber }, body: { paymentMethod } })
const submit = ({ client }: SignedIn, invoiceNumber: string) =>
  client.call(submitPayment, { body: { planId, paymentMethod: 'cashapp', invoiceNumber } })
const detail = ({ client }: SignedIn, invoiceNumber: string) => client.call(getInvoice, { params: { invoiceNumber } })
const record = (amount: number, note: string) =>
  admin.client.call(recordPayment, {
    body: {
      ...{ requestKey: randomUUID(), rail: 'cashapp', amount, note, payerName: 'Dana Whitfield', payerHandle: '' },
      ...{ paidAt: new Date().toISOString(), providerReference: '' },
    },
  })
const decide = (invoiceId: number, status: 'paid' | 'pending' | 'cancelled') =>
  admin.client.call(updateInvoice, { params: { invoiceId }, body: { status } })
const isShort = (amount: number) => amount >= price - 29 && amount < price
/** Sets the time at which all amounts were reserved to `days` days ago. */
const age = (days: number) =>
  app.db.update(identifyingAmounts).set({ givenAt: sql`now() - make_interval(days => ${days})` })

describe('identifying cents are refused', () => {
  test('while the setting is off, for small orders, and where Cash App cannot be used', async () => {
    const customer = await app.signIn()
    const small = (await createPlan(app.db, { price: 499 })).id
    expect((await order(customer, small)).amount).toBe(499)
    await useCents(false)
    const { amount, invoiceNumber } = await order(customer)
    expect(amount).toBe(price)
    expect(await choose(customer, invoiceNumber, 'cashapp')).toEqual({ amount: price })
    await app.db.update(settingsTable).set({ value: { identifyingCents: true } })
    settings.clearCache()
    expect(await choose(customer, invoiceNumber, 'cashapp')).toEqual({ amount: price })
  })

  test('for an invoice of another customer, an unknown one, and an unknown method', async () => {
    const customer = await app.signIn()
    const { invoiceNumber } = await order(customer)
    const missing = { status: 404 }
    await expect(choose(await app.signIn(), invoiceNumber, 'venmo')).rejects.toMatchObject(missing)
    await expect(choose(customer, 'ORD-222222', 'venmo')).rejects.toMatchObject(missing)
    await expect(choose(customer, invoiceNumber, 'cash' as never)).rejects.toMatchObject({ status: 400 })
  })

  test('once a payment is submitted: the amount stays as it was shown', async () => {
    const customer = await app.signIn()
    const { amount, invoiceNumber } = await order(customer)
    await submit(customer, invoiceNumber)
    await expect(choose(customer, invoiceNumber, 'venmo')).rejects.toMatchObject({ status: 409, code: 'not_possible' })
    expect((await detail(customer, invoiceNumber)).invoice.amount).toBe(amount)
  })

  test('once a part of the payment is held', async () => {
    const customer = await app.signIn()
    const { amount, invoiceNumber } = await order(customer)
    const { invoice } = await detail(customer, invoiceNumber)
    const part = await record(1_000, invoiceNumber)
    await admin.client.call(decidePayment, {
      params: { paymentId: part.id },
      body: { version: part.version, action: 'hold', invoiceIds: [invoice.id] },
    })
    expect(await choose(customer, invoiceNumber, 'venmo')).toEqual({ amount })
  })
})

describe('identifying cents', () => {
  test('are an item of a new order, removed for another method and added again for Cash App', async () => {
    const customer = await app.signIn()
    const { amount, invoiceNumber } = await order(customer)
    expect(isShort(amount)).toBe(true)
    expect((await detail(customer, invoiceNumber)).lines).toMatchObject([
      { kind: 'plan', amount: price },
      { kind: 'payment_cents', description: 'Payment code', amount: amount - price },
    ])
    expect(await order(customer)).toMatchObject({ amount, invoiceNumber })
    expect(await choose(customer, invoiceNumber, 'cashapp')).toEqual({ amount })
    for (const method of ['venmo', 'creditcard'] as const)
      expect(await choose(customer, invoiceNumber, method)).toEqual({ amount: price })
    expect((await detail(customer, invoiceNumber)).lines).toHaveLength(1)
    expect(isShort((await choose(customer, invoiceNumber, 'cashapp')).amount)).toBe(true)
  })

  test('make every amount different, even for simultaneous orders, and never equal to the price of a plan', async () => {
    await createPlan(app.db, { price: price - 10 })
    const customers = await Promise.all(Array.from({ length: 32 }, () => app.signIn()))
    const amounts = (await Promise.all(customers.map((customer) => order(customer)))).map((made) => made.amount)
    const short = amounts.filter(isShort)
    expect(new Set(short).size).toBe(short.length)
    expect(short).not.toContain(price - 10)
    // An order gets no identifying cents if another order took its random amount three times, even if other amounts are free.
    expect(short.length).toBeGreaterThanOrEqual(25)
    expect(short.length).toBeLessThanOrEqual(28)
    expect(amounts.filter((amount) => amount === price)).toHaveLength(32 - short.length)
  })

  test('are chosen again when account credit is used or removed, and dropped when nothing is due', async () => {
    const customer = await app.signIn({ credit: 600 })
    const { amount, invoiceNumber } = await order(customer)
    expect(amount).toBeGreaterThanOrEqual(price - 629)
    expect(amount).toBeLessThan(price - 600)
    const setCredit = (useCredit: boolean) =>
      customer.client.call(setInvoiceCredit, { params: { invoiceNumber }, body: { useCredit } })
    expect(await setCredit(true)).toEqual({ amount })
    expect(isShort((await setCredit(false)).amount)).toBe(true)
    const covered = await app.signIn({ credit: price })
    const free = await order(covered)
    expect(free.amount).toBe(0)
    expect((await detail(covered, free.invoiceNumber)).lines.map(({ kind }) => kind)).toEqual(['plan', 'credit'])
  })

  test('are reserved for 14 days unless the order is cancelled, and a cancelled order can still be reopened', async () => {
    const all = await Promise.all(Array.from({ length: 29 }, () => app.signIn()))
    const made = []
    for (const customer of all) made.push(await order(customer))
    expect(made.every(({ amount }) => isShort(amount))).toBe(true)
    const first = made[0]!
    const { invoice } = await detail(all[0]!, first.invoiceNumber)
    await submit(all[0]!, first.invoiceNumber)
    await decide(invoice.id, 'paid')
    await age(13)
    expect((await order(await app.signIn())).amount).toBe(price)
    await decide(invoice.id, 'cancelled')
    expect((await order(await app.signIn())).amount).toBe(first.amount)
    await decide(invoice.id, 'pending')
    expect((await detail(all[0]!, first.invoiceNumber)).invoice).toMatchObject({
      status: 'pending',
      amount: first.amount,
    })
    await age(14)
    expect(isShort((await order(await app.signIn())).amount)).toBe(true)
  })

  test('identify the order of a payment without a note, but never confirm it', async () => {
    const customer = await app.signIn()
    const { amount, invoiceNumber } = await order(customer)
    await submit(customer, invoiceNumber)
    const row = await record(amount, '')
    expect(row).toMatchObject({ status: 'open', ready: false, invoiceNumber })
    const shown = await admin.client.call(getPayment, { params: { paymentId: row.id }, query: {} })
    expect(shown.candidates[0]?.reasons).toContain('No other open order ends in these cents at this price.')
    expect((await detail(customer, invoiceNumber)).status).toBe('pending')
    const another = await order(await app.signIn())
    await app.db.delete(identifyingAmounts).where(eq(identifyingAmounts.amount, another.amount))
    const unknown = await record(another.amount, '')
    expect(unknown.invoiceNumber).toBeNull()
  })
})
