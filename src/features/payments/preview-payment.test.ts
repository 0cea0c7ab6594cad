import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInvoice } from '#features/billing/contract.ts'
import { invoices, lines } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { decidePayment, previewPayment } from './admin-contract.ts'
import { recordPayment } from './admin-record-contract.ts'

let app: TestApp
let admin: SignedIn
let planId: number
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  planId = (await createPlan(app.db, { price: 3_000 })).id
})
afterAll(() => app.close())

async function paidFor({ client }: SignedIn, payerHandle: string) {
  const { invoiceNumber } = await client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  const [invoice] = await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber))
  const row = await admin.client.call(recordPayment, {
    body: {
      ...{ requestKey: randomUUID(), rail: 'cashapp', amount: 3_000, note: invoiceNumber, payerName: 'Dana Whitfield' },
      ...{ payerHandle, paidAt: new Date().toISOString(), providerReference: '' },
    },
  })
  const params = { paymentId: row.id }
  const body = { version: row.version, action: 'confirm' as const, invoiceIds: [invoice!.id] }
  return {
    params,
    version: row.version,
    preview: () => admin.client.call(previewPayment, { params, body }),
    confirm: () => admin.client.call(decidePayment, { params, body }),
  }
}

test('the preview of a confirmation names the line, the new payer and the recipient of the email, and stores nothing', async () => {
  const customer = await app.signIn()
  const { username, email } = customer.user
  const payer = `$${randomUUID().slice(0, 8)}`
  const first = await paidFor(customer, payer)
  const expected = {
    refusal: null,
    lines: [{ username, line: null, change: 'create' }],
    remembersPayer: true,
    emails: ['payment_confirmed'],
    recipients: [email],
  }
  expect(await first.preview()).toMatchObject(expected)
  expect(await first.preview()).toMatchObject(expected)
  expect(await app.db.$count(lines, eq(lines.userId, customer.user.id))).toBe(0)
  await first.confirm()

  const renewal = await paidFor(customer, payer)
  const line = {
    lineRef: '71',
    username: 'dana_tv',
    panel: 'test',
    password: 'sealed',
    server: 'https://tv.example.org',
  }
  const set = (panelEnabled: boolean) =>
    app.db
      .update(lines)
      .set({ ...line, panelEnabled })
      .where(eq(lines.userId, customer.user.id))
  await set(true)
  const known = { ...expected, remembersPayer: false }
  expect(await renewal.preview()).toMatchObject({ ...known, lines: [{ username, line: 'dana_tv', change: 'extend' }] })
  await set(false)
  expect(await renewal.preview()).toMatchObject({ ...known, lines: [{ username, line: 'dana_tv', change: 'enable' }] })
})

test('the preview of a decision that confirms nothing names no line, payer or email', async () => {
  const { params, version } = await paidFor(await app.signIn(), '$stranger')
  expect(await admin.client.call(previewPayment, { params, body: { version, action: 'not_ours' } })).toEqual({
    ...{ refusal: null, invoices: [], bookings: [], lines: [], remembersPayer: false, emails: [], recipients: [] },
  })
})
