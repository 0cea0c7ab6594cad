import { eq } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { currentUser } from '#features/accounts/contract.ts'
import { getOwnSubscription } from '#features/subscriptions/contract.ts'
import { plans } from '#server/db/tables.ts'
import { setGuarantee } from '../../../test/harness/guarantee.ts'
import { openPaidWorld, type PaidWorld } from '../../../test/harness/paid-world.ts'
import { createInvoice } from './contract.ts'

let world: PaidWorld
let monthly: number
let larger: number
beforeAll(async () => {
  world = await openPaidWorld()
  await setGuarantee(world.admin, 7)
  monthly = (await world.plan(1_000, 1, 1)).id
  larger = (await world.plan(3_000, 1, 3)).id
})
afterAll(() => world.app.close())

test('an anonymous caller gets 401', async () => {
  await expect(world.app.client().call(getOwnSubscription, {})).rejects.toMatchObject({ status: 401 })
})

test('a customer without a subscription has no plan, invoice or guarantee', async () => {
  const customer = await world.app.signIn()
  expect(await customer.client.call(getOwnSubscription, {})).toEqual({
    plan: null,
    gifts: [],
    planName: null,
    renewablePlanId: null,
    time: [],
    change: null,
    purchase: null,
    payment: null,
    renewal: null,
    latestInvoiceNumber: null,
    guarantee: null,
    nextStep: null,
    unusedScreens: 0,
  })
})

test('another customer’s invoices are not shown', async () => {
  const [buyer, other] = [await world.app.signIn(), await world.app.signIn()]
  await world.order(buyer, monthly)
  expect(await other.client.call(getOwnSubscription, {})).toMatchObject({ purchase: null, latestInvoiceNumber: null })
})

test('an order is shown as a purchase once it is submitted, and as a plan with a guarantee once it is confirmed', async () => {
  const customer = await world.app.signIn()
  const read = () => customer.client.call(getOwnSubscription, {})
  const draft = await customer.client.call(createInvoice, { body: { planId: monthly, email: 'buyer@example.org' } })
  expect(await read()).toMatchObject({ purchase: null, renewal: null, latestInvoiceNumber: draft.invoiceNumber })
  const { id, invoiceNumber } = await world.order(customer, monthly)
  expect(await read()).toMatchObject({
    plan: null,
    purchase: { invoiceNumber, planId: monthly, amount: 1_000, awaitsPayment: false },
  })
  await world.decide(id, 'paid')
  expect(await read()).toMatchObject({
    plan: { id: monthly, price: 1_000 },
    renewablePlanId: monthly,
    time: [{ planId: monthly, connections: 1 }],
    purchase: null,
    latestInvoiceNumber: invoiceNumber,
    guarantee: { invoiceNumber, isRequested: false, until: expect.any(String) },
  })
  await world.requestRefund(customer, { invoiceNumber })
  expect(await read()).toMatchObject({ guarantee: { invoiceNumber, isRequested: true } })
})

test('a pending plan change is included, and the plan does not change until it is approved', async () => {
  const customer = await world.app.signIn()
  await world.buy(customer, monthly)
  const change = await world.requestChange(customer, larger)
  expect(await customer.client.call(getOwnSubscription, {})).toMatchObject({
    plan: { id: monthly },
    change: { invoiceNumber: change.invoiceNumber, planId: larger, amount: change.amount },
    purchase: null,
    latestInvoiceNumber: change.invoiceNumber,
  })
})

test('a renewal draft is shown and is for the plan of the last paid period', async () => {
  const customer = await world.app.signIn()
  await world.buy(customer, monthly)
  await world.pass(24 * 27)
  await world.runJobs()
  const subscription = await customer.client.call(getOwnSubscription, {})
  expect(subscription).toMatchObject({ renewal: { planId: monthly, amount: 1_000 }, renewablePlanId: monthly })
})

test('a plan that is no longer on sale is shown by name only', async () => {
  const customer = await world.app.signIn()
  const old = await world.plan(1_500, 1, 2)
  await world.buy(customer, old.id)
  await world.app.db.update(plans).set({ hidden: true }).where(eq(plans.id, old.id))
  expect(await customer.client.call(getOwnSubscription, {})).toMatchObject({
    plan: null,
    planName: old.name,
    renewablePlanId: null,
  })
})

test('the size of the response does not depend on the number of past invoices', async () => {
  const customer = await world.app.signIn()
  const size = async () => JSON.stringify(await customer.client.call(getOwnSubscription, {})).length
  await world.buy(customer, monthly)
  await world.pass(24 * 8)
  const before = await size()
  for (let bought = 0; bought < 5; bought++) await world.buy(customer, monthly)
  await world.pass(24 * 8)
  expect(Math.abs((await size()) - before)).toBeLessThan(50)
})

test('the tab is read in one statement, in addition to the one for the session and the current user', async () => {
  const { client } = await world.app.signIn()
  const read = () => client.call(getOwnSubscription, {})
  // The first call also reads the settings, which are cached.
  await read()
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await read()
  expect(query).toHaveBeenCalledTimes(2)
  await client.call(currentUser, {})
  expect(query).toHaveBeenCalledTimes(3)
  query.mockRestore()
})
