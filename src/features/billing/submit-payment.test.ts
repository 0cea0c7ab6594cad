import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { defaults } from '#features/settings/rules.ts'
import * as settings from '#features/settings/server/service.ts'
import { invoices, mails } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { createInvoice, getInvoice, submitPayment } from './contract.ts'

let app: TestApp
let planId: number
beforeAll(async () => {
  app = await buildApp()
  planId = (await createPlan(app.db)).id
})
afterAll(() => app.close())

async function draft(customer?: SignedIn) {
  const buyer = customer ?? (await app.signIn())
  const { invoiceNumber } = await buyer.client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  const body = {
    planId,
    email: 'buyer@example.org',
    paymentMethod: 'cashapp' as const,
    confirmationCode: 'C0DE-1234',
    paymentNote: `SAUCE: ${invoiceNumber}`,
    invoiceNumber,
  }
  return { buyer, invoiceNumber, body }
}
const rowOf = async (invoiceNumber: string) =>
  (await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber)))[0]!
const refusal = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as { code: string; message: string; issues?: unknown }),
})

describe('submit-payment rejects, without changing anything,', () => {
  test('a method that the operator does not offer', async () => {
    const { buyer, body, invoiceNumber } = await draft()
    const offer = async (venmo: boolean) => {
      await app.db.transaction((tx) =>
        settings.writeSetting(
          tx,
          'payments',
          { ...defaults.payments, offers: { ...defaults.payments.offers, venmo } },
          buyer.user.id,
        ),
      )
      settings.clearCache()
    }
    await offer(false)
    expect(
      await refusal(await buyer.client.post('/api/submit-payment', { ...body, paymentMethod: 'venmo' })),
    ).toMatchObject({
      status: 400,
      issues: [{ path: 'paymentMethod', message: 'This payment method is not offered. Please choose another one.' }],
    })
    expect(await rowOf(invoiceNumber)).toMatchObject({ status: 'draft', paymentMethod: null })
    await offer(true)
    expect((await buyer.client.post('/api/submit-payment', { ...body, paymentMethod: 'venmo' })).status).toBe(200)
  })

  test.each([
    ['an unknown method', { paymentMethod: 'cash' }, 'paymentMethod', undefined],
    ['a short code', { confirmationCode: 'abc' }, 'confirmationCode', 'Please enter a payment confirmation code'],
    ['a short note', { paymentNote: 'abc' }, 'paymentNote', 'Please enter the note you included with your payment'],
    ['an invalid order number', { invoiceNumber: 'ORD-abc' }, 'invoiceNumber', 'This is not an order number'],
    ['a plan id as text', { planId: 'one' }, 'planId', undefined],
  ])('%s', async (_what, change, path, message) => {
    const { buyer, body, invoiceNumber } = await draft()
    const result = await refusal(await buyer.client.post('/api/submit-payment', { ...body, ...change }))
    expect(result).toMatchObject({ status: 400, code: 'invalid' })
    expect(result.issues).toContainEqual({ path, message: message ?? expect.any(String) })
    expect(await rowOf(invoiceNumber)).toMatchObject({ status: 'draft', version: 1 })
  })

  test('another customer’s invoice with the same 404 as a missing one', async () => {
    const { body, invoiceNumber } = await draft()
    const stranger = await app.signIn()
    const foreign = await stranger.client.post('/api/submit-payment', body)
    const unknown = await stranger.client.post('/api/submit-payment', { ...body, invoiceNumber: 'ORD-ZZZZZZ' })
    expect([foreign.status, unknown.status]).toEqual([404, 404])
    expect(await foreign.text()).toBe(await unknown.text())
    expect((await rowOf(invoiceNumber)).status).toBe('draft')
  })

  test('an administrator who submits for a customer (404)', async () => {
    const { body } = await draft()
    const admin = await app.signInAdmin()
    expect((await admin.client.post('/api/submit-payment', body)).status).toBe(404)
  })

  test('an anonymous caller (401)', async () => {
    const { body } = await draft()
    expect((await app.client().post('/api/submit-payment', body)).status).toBe(401)
  })

  test('a plan that differs from the invoice’s (409)', async () => {
    const { buyer, body } = await draft()
    const other = await createPlan(app.db)
    expect(await refusal(await buyer.client.post('/api/submit-payment', { ...body, planId: other.id }))).toMatchObject({
      status: 409,
      code: 'plan_mismatch',
    })
  })

  test.each([
    ['paid', { status: 'paid', paidAt: '2026-01-01T00:00:00.000Z' }, 'invoice_paid'],
    ['cancelled', { status: 'cancelled' }, 'invoice_cancelled'],
    ['expired', { status: 'expired' }, 'invoice_expired'],
  ] as const)('a %s invoice (409)', async (_status, change, code) => {
    const { buyer, body, invoiceNumber } = await draft()
    await app.db.update(invoices).set(change).where(eq(invoices.invoiceNumber, invoiceNumber))
    expect(await refusal(await buyer.client.post('/api/submit-payment', body))).toMatchObject({ status: 409, code })
    expect(await rowOf(invoiceNumber)).toMatchObject({ status: change.status, submittedAt: null })
  })

  test('a draft past its expiry date, even before the job has marked it (409)', async () => {
    const { buyer, body, invoiceNumber } = await draft()
    await app.db
      .update(invoices)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(invoices.invoiceNumber, invoiceNumber))
    expect(await refusal(await buyer.client.post('/api/submit-payment', body))).toMatchObject({
      status: 409,
      code: 'invoice_expired',
    })
  })

  test('an invoice that has expired by the clock of the database, whatever the clock of the process (409)', async () => {
    const { buyer, body, invoiceNumber } = await draft()
    await buyer.client.call(submitPayment, { body })
    await app.db
      .update(invoices)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(invoices.invoiceNumber, invoiceNumber))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 30 * 86_400_000 })
    onTestFinished(() => void vi.useRealTimers())
    expect(await refusal(await buyer.client.post('/api/submit-payment', body))).toMatchObject({
      status: 409,
      code: 'invoice_expired',
    })
  })
})

describe('a payment without a method', () => {
  test('is refused while an amount is due, and accepted when credit covers the whole amount', async () => {
    const { buyer, body, invoiceNumber } = await draft()
    expect(
      await refusal(await buyer.client.post('/api/submit-payment', { ...body, paymentMethod: null })),
    ).toMatchObject({
      status: 400,
      issues: [{ path: 'paymentMethod', message: 'Please choose a payment method' }],
    })
    expect((await rowOf(invoiceNumber)).status).toBe('draft')
    const covered = await draft(await app.signIn({ credit: 1_500 }))
    await covered.buyer.client.call(submitPayment, { body: { ...covered.body, paymentMethod: null } })
    expect(await rowOf(covered.invoiceNumber)).toMatchObject({ status: 'pending', amount: 0, paymentMethod: null })
  })
})

describe('a submitted payment', () => {
  test('changes the draft to pending, stores code, note and time, and queues one email', async () => {
    const { buyer, body, invoiceNumber } = await draft()
    expect(await buyer.client.call(submitPayment, { body })).toEqual({
      invoiceNumber,
      orderId: invoiceNumber,
      status: 'pending',
    })
    expect(await rowOf(invoiceNumber)).toMatchObject({
      status: 'pending',
      paymentMethod: 'cashapp',
      confirmationCode: 'C0DE-1234',
      paymentNote: `SAUCE: ${invoiceNumber}`,
      submittedAt: expect.any(String),
    })
    expect(await app.db.select().from(mails).where(eq(mails.userId, buyer.user.id))).toMatchObject([
      { template: 'order_received', recipient: buyer.user.email, data: { invoiceNumber } },
    ])
  })

  test('is stored without code and note for a card', async () => {
    const { buyer, body, invoiceNumber } = await draft()
    await buyer.client.call(submitPayment, { body: { ...body, paymentMethod: 'creditcard' } })
    expect(await rowOf(invoiceNumber)).toMatchObject({
      paymentMethod: 'creditcard',
      confirmationCode: null,
      paymentNote: null,
    })
  })

  test('may have an empty code and note', async () => {
    const { buyer, body, invoiceNumber } = await draft()
    await buyer.client.call(submitPayment, {
      body: { ...body, paymentMethod: 'venmo', confirmationCode: '', paymentNote: '' },
    })
    expect(await rowOf(invoiceNumber)).toMatchObject({ status: 'pending', confirmationCode: null, paymentNote: null })
  })

  test('has no effect when it is repeated, and is refused with another code', async () => {
    const { buyer, body, invoiceNumber } = await draft()
    const first = await buyer.client.call(submitPayment, { body })
    const { version } = await rowOf(invoiceNumber)
    expect(await buyer.client.call(submitPayment, { body })).toEqual(first)
    expect(
      await refusal(await buyer.client.post('/api/submit-payment', { ...body, confirmationCode: 'OTHER-9' })),
    ).toMatchObject({
      status: 409,
      code: 'already_submitted',
    })
    expect(await rowOf(invoiceNumber)).toMatchObject({ version, confirmationCode: 'C0DE-1234' })
  })

  test('is stored once for fifty concurrent requests', async () => {
    const { buyer, body, invoiceNumber } = await draft()
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => buyer.client.post('/api/submit-payment', body)),
    )
    expect(new Set(responses.map((result) => result.status))).toEqual(new Set([200]))
    expect(await rowOf(invoiceNumber)).toMatchObject({ status: 'pending', version: 2 })
    expect(await app.db.select().from(mails).where(eq(mails.userId, buyer.user.id))).toHaveLength(1)
  })

  test('is stored with one of two concurrently submitted codes, and requests with the other code are refused', async () => {
    const { buyer, body, invoiceNumber } = await draft()
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        buyer.client.post('/api/submit-payment', { ...body, confirmationCode: i % 2 ? 'CODE-ODD' : 'CODE-EVEN' }),
      ),
    )
    const storedCode = (await rowOf(invoiceNumber)).confirmationCode
    expect(
      responses.map((result, i) => ((i % 2 ? 'CODE-ODD' : 'CODE-EVEN') === storedCode ? 200 : 409) === result.status),
    ).not.toContain(false)
  })

  test('is accepted for a reopened invoice', async () => {
    const { buyer, body, invoiceNumber } = await draft()
    await app.db.update(invoices).set({ status: 'pending' }).where(eq(invoices.invoiceNumber, invoiceNumber))
    await buyer.client.call(submitPayment, { body })
    expect((await buyer.client.call(getInvoice, { params: { invoiceNumber } })).invoice.submittedAt).not.toBeNull()
  })
})

test('a submission that fails at commit changes nothing, queues no email, and can be repeated', async () => {
  const { buyer, body, invoiceNumber } = await draft()
  await app.db.execute(sql`
    create function fail_at_commit() returns trigger language plpgsql as $$ begin
      if new.confirmation_code = 'FAILS-LATE' then raise exception 'no'; end if;
      return new;
    end $$`)
  await app.db.execute(
    sql`create constraint trigger fail_at_commit after update on invoices deferrable initially deferred for each row execute function fail_at_commit()`,
  )
  expect((await buyer.client.post('/api/submit-payment', { ...body, confirmationCode: 'FAILS-LATE' })).status).toBe(500)
  expect(await rowOf(invoiceNumber)).toMatchObject({ status: 'draft', confirmationCode: null })
  expect(await app.db.select().from(mails).where(eq(mails.userId, buyer.user.id))).toEqual([])
  expect((await buyer.client.post('/api/submit-payment', body)).status).toBe(200)
  expect(await app.db.select().from(mails).where(eq(mails.userId, buyer.user.id))).toHaveLength(1)
})
