import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listUsers } from '#features/accounts/admin-contract.ts'
import { updateInvoice } from '#features/billing/admin-contract.ts'
import { createInvoice, submitPayment } from '#features/billing/contract.ts'
import { migrate } from '#server/db/migrate.ts'
import { invoices, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { loadRelease, migrations } from '../../../test/harness/old-release.ts'
import { readInsight } from './admin-contract.ts'

let app: TestApp
let admin: SignedIn
let customer: SignedIn
let invoiceId: number
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  customer = await app.signIn()
  const planId = (await createPlan(app.db, { price: 3_000, months: 3, tier: 2 })).id
  const { invoiceNumber } = await customer.client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  await customer.client.call(submitPayment, { body: { planId, paymentMethod: 'creditcard', invoiceNumber } })
  invoiceId = (await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber)))[0]!.id
})
afterAll(() => app.close())

const read = (period?: '30d' | '90d' | '12m') => admin.client.call(readInsight, { query: { period } })
const decide = (status: 'paid' | 'pending') =>
  admin.client.call(updateInvoice, { params: { invoiceId }, body: { status } })
const isCounted = {
  statement: 'a mark',
  waiting: sql<{ rows: number }>`SELECT count(*)::int AS rows FROM insight_marks`,
}

test.each(['7d', '30D', '', '1 OR 1=1'])('the period %j is refused', async (period) => {
  for (const path of ['/api/admin/insight', '/admin/insight-days.csv'])
    expect((await admin.client.request(`${path}?period=${period}`)).status).toBe(400)
})

test('without payments the figures are zero and their sentences say so', async () => {
  const { revenue, bridge, cohorts, renewals } = await read()
  expect(revenue).toMatchObject({ netCents: 0, previousNetCents: null, sentence: 'No payments in the last 30 days.' })
  expect(bridge.endCents).toBe(0)
  expect(renewals.days).toHaveLength(30)
  expect(cohorts.rows.every(({ customers }) => customers === 0)).toBe(true)
})

describe('a confirmed payment', () => {
  beforeAll(() => decide('paid'))

  test('is counted in the next request', async () => {
    const { revenue, bridge, subscribers } = await read('90d')
    expect(revenue).toMatchObject({ receivedCents: 3_000, refundedCents: 0, netCents: 3_000 })
    expect(revenue.steps.at(-1)).toMatchObject({ receivedCents: 3_000, payments: 1, subscribers: 1, mrrCents: 1_000 })
    expect(bridge).toMatchObject({ startCents: 0, newCents: 1_000, endCents: 1_000 })
    expect(subscribers).toEqual({ start: 0, end: 1, gained: 1, lost: 0 })
    expect((await app.db.execute(isCounted.waiting)).rows).toEqual([{ rows: 0 }])
    await expectInvariants(app.db)
  })

  test('is in the CSV files', async () => {
    const file = async (name: string) => {
      const response = await admin.client.request(`/admin/insight-${name}.csv?period=12m`)
      expect(response.headers.get('content-disposition')).toMatch(new RegExp(`^attachment; filename="insight-${name}-`))
      return (await response.text()).trimEnd().split('\r\n')
    }
    const days = await file('days')
    expect(days[0]).toContain('"Net revenue (cents)"')
    expect(days.at(-1)).toMatch(/^"\d{4}-\d\d-\d\d","3000","0","3000","1","1","1",/)
    expect(await file('renewals')).toHaveLength(31)
    expect(await file('churn')).toHaveLength(1)
    expect((await file('trials')).length).toBe(days.length)
    expect((await file('cohorts'))[1]).toMatch(/"1","0",""$/)
  })

  test('adds its customer to the user list of the day on which the paid time ends', async () => {
    const [{ end }] = (await app.db
      .select({ end: users.subscriptionEndDate })
      .from(users)
      .where(eq(users.id, customer.user.id))) as [{ end: string }]
    const endsOn = end.slice(0, 10)
    const list = (query: object) => admin.client.call(listUsers, { query })
    expect(await list({ endsOn })).toMatchObject({ total: 1, rows: [{ id: customer.user.id }] })
    expect(await list({ endsOn: '2026-02-28' })).toMatchObject({ total: 0 })
    expect((await admin.client.request('/api/admin/users?endsOn=2026-02-30')).status).toBe(400)
  })

  test('is no longer in the figures after it was moved back', async () => {
    await decide('pending')
    const { revenue, bridge, subscribers, churn } = await read('12m')
    expect([revenue.receivedCents, bridge.newCents, bridge.endCents, subscribers.end, churn.customers]).toEqual([
      0, 0, 0, 0, 0,
    ])
    await expectInvariants(app.db)
  })
})

test('the migration fills the figures of an existing database', async () => {
  const database = await createTestDatabase({ empty: true })
  try {
    const client = await database.pool.connect()
    await loadRelease('0033', client)
    client.release()
    await migrate(database.pool, migrations)
    const { rows } = await database.db.execute<{
      events: number
      paid: number
      counted: number
      marks: number
    }>(sql`SELECT
      (SELECT count(*)::int FROM insight_events) AS events, (SELECT count(*)::int FROM insight_marks) AS marks,
      (SELECT sum(amount)::int FROM invoices WHERE paid_at IS NOT NULL) AS paid,
      (SELECT sum(cents)::int FROM insight_days WHERE figure = 'payment') AS counted`)
    expect(rows[0]!.events).toBeGreaterThan(50)
    expect(rows[0]).toMatchObject({ marks: 0, counted: rows[0]!.paid })
    await expectInvariants(database.db)
  } finally {
    await database.close()
  }
})
