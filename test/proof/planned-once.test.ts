import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp, type SignedIn, type TestApp } from '../harness/app.ts'
import { createPlan, password } from '../harness/factories.ts'

// PostgreSQL replans a named statement on each execution while a custom plan looks cheaper than the generic plan.
let app: TestApp
let admin: SignedIn
let planId: number
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  planId = (await createPlan(app.db, { price: 2_000, connections: 2 })).id
})
afterAll(() => app.close())

const read = async (pending: Promise<Response>) => {
  const response = await pending
  expect(response.status).toBe(200)
  return (await response.json()) as Record<string, unknown>
}

test('statements of logins, orders, payments and confirmations get a generic plan after a few executions', async () => {
  const { client, user } = await app.signIn()
  for (let turn = 0; turn < 9; turn++) {
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
  }
  const { rows } = await app.database.pool.query<{ name: string; custom_plans: string }>(
    'select name, custom_plans from pg_prepared_statements order by name',
  )
  expect(rows.length).toBeGreaterThan(20)
  expect(rows.filter(({ custom_plans }) => Number(custom_plans) > 5)).toEqual([])
}, 60_000)
