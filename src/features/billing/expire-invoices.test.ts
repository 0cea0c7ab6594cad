import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invoices } from '#server/db/tables.ts'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { createInvoice } from '../../../test/harness/factories.ts'
import { jobs } from './server/jobs.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp()
})
afterAll(() => app.close())

test('drafts and pending invoices past their expiry date expire; paid, cancelled and current ones do not change', async () => {
  const { user } = await app.signIn()
  const past = '2020-01-01T00:00:00.000Z'
  const created = {
    draft: await createInvoice(app.db, { userId: user.id, expiresAt: past }),
    pending: await createInvoice(app.db, { userId: user.id, status: 'pending', expiresAt: past }),
    paid: await createInvoice(app.db, { userId: user.id, status: 'paid', paidAt: past, expiresAt: past }),
    cancelled: await createInvoice(app.db, { userId: user.id, status: 'cancelled', expiresAt: past }),
    unexpired: await createInvoice(app.db, { userId: user.id, status: 'pending' }),
  }
  const [job] = jobs(app.db)
  expect(await job!.run()).toBe(2)
  expect(await job!.run()).toBe(0)
  const statusOf = async (id: number) => (await app.db.select().from(invoices).where(eq(invoices.id, id)))[0]!.status
  expect(await Promise.all(Object.values(created).map((invoice) => statusOf(invoice.id)))).toEqual([
    'expired',
    'expired',
    'paid',
    'cancelled',
    'pending',
  ])
  expect(
    await app.db.execute(sql`SELECT 1 FROM invoices WHERE status = 'expired' AND expires_at > now()`),
  ).toMatchObject({ rows: [] })
})
