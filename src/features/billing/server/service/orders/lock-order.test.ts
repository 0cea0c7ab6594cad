import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invoices, users } from '#server/db/tables.ts'
import { buildApp, type TestApp } from '../../../../../../test/harness/app.ts'
import { createPlan } from '../../../../../../test/harness/factories.ts'
import { createInvoice } from '../../../contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp({ connections: 10 })
})
afterAll(() => app.close())

test('an order waits for its draft before it locks the customer, so that confirming the draft causes no deadlock', async () => {
  const { client, user } = await app.signIn()
  const [first, second] = [await createPlan(app.db, {}), await createPlan(app.db, {})]
  const order = (planId: number) => client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  const { invoiceNumber } = await order(first.id)
  const { ordered } = await app.db.transaction(async (tx) => {
    await tx.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber)).for('update')
    const ordered = order(second.id)
    await expect
      .poll(async () => {
        const { rows } = await app.db.execute(
          sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows.length
      })
      .toBeGreaterThan(0)
    // Fails immediately if the order holds the customer's row lock.
    const customer = await tx.select().from(users).where(eq(users.id, user.id)).for('no key update', { noWait: true })
    expect(customer).toHaveLength(1)
    return { ordered }
  })
  expect((await ordered).invoiceNumber).not.toBe(invoiceNumber)
  const [draft] = await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber))
  expect(draft?.status).toBe('cancelled')
})
