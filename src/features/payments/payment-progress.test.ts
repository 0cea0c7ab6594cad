import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInvoice, submitPayment } from '#features/billing/contract.ts'
import { invoices } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { decidePayment } from './admin-contract.ts'
import { recordPayment } from './admin-record-contract.ts'
import { getPaymentProgress } from './contract.ts'

let app: TestApp
let admin: SignedIn
let planId: number
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  planId = (await createPlan(app.db, { price: 3_000 })).id
})
afterAll(() => app.close())

async function ordered(customer: SignedIn, { submitted = true } = {}) {
  const { invoiceNumber } = await customer.client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  if (submitted)
    await customer.client.call(submitPayment, {
      body: { planId, paymentMethod: 'cashapp', confirmationCode: '', paymentNote: invoiceNumber, invoiceNumber },
    })
  return (await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber)))[0]!
}
const progress = (who: SignedIn, invoiceNumber: string) =>
  who.client.call(getPaymentProgress, { params: { invoiceNumber } })
const record = (amount: number, note: string, payerName = 'Ada Payer') =>
  admin.client.call(recordPayment, {
    body: {
      ...{ requestKey: randomUUID(), rail: 'cashapp', amount, payerName, payerHandle: '', note },
      ...{ paidAt: new Date().toISOString(), providerReference: '' },
    },
  })

test('a customer sees an exact match until it is decided, but no suggestion and no payment with a different amount or order', async () => {
  const customer = await app.signIn({ fullName: 'Ada Payer' })
  const invoice = await ordered(customer, { submitted: false })
  const number = invoice.invoiceNumber
  const nothing = { found: null, waiting: null }
  await record(3_000, 'for TV')
  await record(2_999, number)
  await record(3_000, (await ordered(await app.signIn())).invoiceNumber, 'Eve Other')
  expect(await progress(customer, number)).toEqual(nothing)
  await expect(progress(await app.signIn(), number)).rejects.toMatchObject({ status: 404 })
  const row = await record(3_000, number)
  expect(row.ready).toBe(true)
  expect((await progress(customer, number)).found).toMatchObject({ amount: 3_000, rail: 'cashapp', paidAt: row.paidAt })
  const body = { action: 'set_aside' as const, version: row.version }
  await admin.client.call(decidePayment, { params: { paymentId: row.id }, body })
  expect(await progress(customer, number)).toEqual(nothing)
})

test('a reported payment shows its promised time and the number of payments ahead of it, and is late after that time', async () => {
  const customer = await app.signIn()
  const other = await app.signIn()
  await app.db.execute(sql`update invoices set submitted_at = now() - interval '2 days' where status = 'pending'`)
  const { before } = (await progress(customer, (await ordered(customer)).invoiceNumber)).waiting!
  const invoice = await ordered(other)
  const { waiting } = await progress(other, invoice.invoiceNumber)
  expect(waiting).toMatchObject({ isLate: false, minutes: 0, before: before + 1, typicalMinutes: null })
  expect(Date.parse(waiting!.until) - Date.parse(waiting!.since)).toBe(24 * 3_600_000)
  await app.db.execute(sql`update invoices set submitted_at = now() - interval '25 hours' where id = ${invoice.id}`)
  expect((await progress(other, invoice.invoiceNumber)).waiting).toMatchObject({ isLate: true, minutes: 1_500 })
  await app.db.execute(sql`update invoices set payment_method = 'creditcard' where id = ${invoice.id}`)
  expect((await progress(other, invoice.invoiceNumber)).waiting).toBeNull()
})
