import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { quoteOrder } from '#features/subscriptions/contract.ts'
import { invoices } from '#server/db/tables.ts'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { createPlan, createPlans } from '../../../test/harness/factories.ts'
import { createInvoice, getInvoice } from './contract.ts'
import { orderIdFrom } from './rules.ts'

let app: TestApp
let planId: number
beforeAll(async () => {
  app = await buildApp()
  planId = (await createPlans(app.db))[0]!.id
})
afterAll(() => app.close())

const email = 'buyer@example.org'

test('a quote has the same discount and credit as the invoice that follows, and writes nothing', async () => {
  const customer = await app.signIn({ referredBy: (await app.signIn()).user.id, credit: 500 })
  const quote = await customer.client.call(quoteOrder, { query: { planId } })
  expect(quote).toMatchObject({ invoiceNumber: null, amount: 1_500 - 225 - 500 })
  expect(await app.db.select().from(invoices).where(eq(invoices.userId, customer.user.id))).toEqual([])

  const { invoiceNumber, amount } = await customer.client.call(createInvoice, { body: { planId, email } })
  const { lines } = await customer.client.call(getInvoice, { params: { invoiceNumber } })
  expect(quote.lines).toEqual(lines.map((line) => ({ description: line.description, amount: line.amount })))
  expect(await customer.client.call(quoteOrder, { query: { planId } })).toMatchObject({ invoiceNumber, amount })
})

test('a plan that is not on sale is not quoted', async () => {
  const hidden = await createPlan(app.db, { hidden: true })
  const { client } = await app.signIn()
  for (const each of [hidden.id, 2147483647])
    await expect(client.call(quoteOrder, { query: { planId: each } })).rejects.toMatchObject({ status: 404 })
})

test('an invoice gets the number that the checkout shows, unless it is malformed, mistyped or taken', async () => {
  const customer = await app.signIn()
  const create = async (orderId: string, by = customer) =>
    (await by.client.call(createInvoice, { body: { planId, email, orderId } })).invoiceNumber
  const refused = await customer.client.post('/api/create-invoice', { planId, email, orderId: 'ORD-1' })
  expect(refused.status).toBe(400)

  const drawn = orderIdFrom(crypto.getRandomValues(new Uint8Array(5)))
  expect(await create(drawn)).toBe(drawn)
  expect(await create(drawn, await app.signIn()), 'taken').not.toBe(drawn)
  const swapped = drawn.slice(0, -1) + (drawn.endsWith('2') ? '3' : '2')
  expect(await create(swapped, await app.signIn()), 'without its check character').not.toBe(swapped)
})
