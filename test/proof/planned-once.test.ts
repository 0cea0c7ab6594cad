import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp, type SignedIn, type TestApp } from '../harness/app.ts'
import { createPlan, createUser, password } from '../harness/factories.ts'
import { addPaidHistory } from '../harness/paid-history.ts'

// PostgreSQL replans a named statement on each execution while a custom plan looks cheaper than the generic plan.
let app: TestApp
let admin: SignedIn
let planId: number
beforeAll(async () => {
  // One connection, so that it has the plans of all requests.
  app = await buildApp({ connections: 1 })
  admin = await app.signInAdmin()
  planId = (await createPlan(app.db, { price: 2_000, months: 1, connections: 2 })).id
})
afterAll(() => app.close())

const read = async (pending: Promise<Response>) => {
  const response = await pending
  expect(response.status).toBe(200)
  return (await response.json()) as Record<string, unknown>
}

/** Orders, pays, has the payment confirmed, logs in and opens My Account. */
async function buy({ client, user }: SignedIn) {
  await read(client.request('/api/user'))
  const { invoiceNumber } = await read(client.post('/api/create-invoice', { planId, email: 'buyer@example.org' }))
  await read(client.post('/api/submit-payment', { planId, paymentMethod: 'creditcard', invoiceNumber }))
  const { invoice } = await read(client.request(`/api/invoices/${invoiceNumber}`))
  const decision = {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'paid' }),
  }
  await read(admin.client.request(`/api/admin/invoices/${(invoice as { id: number }).id}`, decision))
  await read(app.client().post('/api/login', { username: user.username, password }))
  await openAccount({ client, user })
}

async function openAccount({ client }: SignedIn) {
  for (const path of ['/api/account/subscription', '/api/paid-time', '/api/line'])
    expect((await client.request(path)).status).toBe(200)
}

async function customPlans() {
  const { rows } = await app.database.pool.query<{ name: string; plans: number }>(
    'select name, custom_plans::int as plans from pg_prepared_statements order by name',
  )
  expect(rows.length).toBeGreaterThan(20)
  return rows
}

test('statements of logins, orders, payments, confirmations and My Account get a generic plan after a few executions', async () => {
  const buyer = await app.signIn()
  for (let turn = 0; turn < 9; turn++) await buy(buyer)
  expect((await customPlans()).filter(({ plans }) => plans > 5)).toEqual([])
}, 60_000)

test('they get a generic plan again after statistics of many customers were gathered, for customers with few invoices and with many', async () => {
  const others = await Promise.all(Array.from({ length: 200 }, () => createUser(app.db)))
  await addPaidHistory(
    app.database.pool,
    others.map(({ id }) => id),
    9,
  )
  const [newcomer, regular] = [await app.signIn(), await app.signIn()]
  await addPaidHistory(app.database.pool, [regular.user.id], 230)
  await app.database.pool.query('analyze')
  for (const [who, visit] of [
    ['a customer without invoices', () => openAccount(newcomer)],
    ['a customer with 230 invoices', () => buy(regular)],
    ['new customers', async () => buy(await app.signIn())],
  ] as const) {
    for (let turn = 0; turn < 20; turn++) await visit()
    const before = new Map((await customPlans()).map(({ name, plans }) => [name, plans]))
    for (let turn = 0; turn < 3; turn++) await visit()
    const planned = (await customPlans()).filter(({ name, plans }) => plans > (before.get(name) ?? 0))
    expect.soft(planned, who).toEqual([])
  }
}, 120_000)
