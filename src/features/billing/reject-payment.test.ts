import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, invoices, mails } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { rejectPayment, updateInvoice, updatePaymentLink } from './admin-contract.ts'
import { createInvoice, getInvoice, type PaymentMethod, setInvoiceCredit, submitPayment } from './contract.ts'

let app: TestApp
let admin: SignedIn
let planId: number
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin({ username: 'lena' })
  planId = (await createPlan(app.db, { price: 2_000 })).id
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

const rowOf = async (id: number) => (await app.db.select().from(invoices).where(eq(invoices.id, id)))[0]!
const mailsOf = (userId: number, template: string) =>
  app.db
    .select()
    .from(mails)
    .where(and(eq(mails.userId, userId), eq(mails.template, template)))
const auditOf = (id: number, action: string) =>
  app.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.targetId, String(id)), eq(auditLog.action, action)))
async function submit(
  customer: SignedIn,
  paymentMethod: PaymentMethod = 'cashapp',
  confirmationCode: string = randomUUID(),
) {
  const { invoiceNumber } = await customer.client.call(createInvoice, {
    body: { planId, email: 'elsewhere@example.org' },
  })
  const paymentNote = `SAUCE: ${invoiceNumber}`
  await customer.client.call(submitPayment, {
    body: { planId, paymentMethod, confirmationCode, paymentNote, invoiceNumber },
  })
  return (await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber)))[0]!
}
const reject = ({ id, version }: { id: number; version: number }, reason = 'We found no payment with this code.') =>
  admin.client.call(rejectPayment, { params: { invoiceId: id }, body: { reason, version } })
const link = ({ id, version }: { id: number; version: number }, paymentLink: string | null) =>
  admin.client.call(updatePaymentLink, { params: { invoiceId: id }, body: { paymentLink, version } })

describe('rejecting a payment', () => {
  test.each(['', '  ', 'no', 'x'.repeat(501), 'a\u0000bc', 'a\u202ebc'])(
    'requires a valid reason: %j is refused',
    async (reason) => {
      const invoice = await submit(await app.signIn())
      await expect(reject(invoice, reason)).rejects.toMatchObject({
        status: 400,
        issues: expect.arrayContaining([expect.objectContaining({ path: 'reason' })]),
      })
      expect(await rowOf(invoice.id)).toEqual(invoice)
    },
  )

  test('is refused for a paid, cancelled, unsubmitted, free or unknown invoice', async () => {
    const customer = await app.signIn()
    const invoice = await submit(customer)
    for (const status of ['paid', 'cancelled', 'pending'] as const) {
      const { version } = await admin.client.call(updateInvoice, {
        params: { invoiceId: invoice.id },
        body: { status },
      })
      if (status !== 'pending')
        await expect(reject({ ...invoice, version })).rejects.toMatchObject({ status: 409, code: 'not_possible' })
    }
    const { version } = await reject(await rowOf(invoice.id))
    await expect(reject({ ...invoice, version })).rejects.toMatchObject({ status: 409, code: 'not_possible' })
    await expect(reject({ id: 2147483647, version: 1 })).rejects.toMatchObject({ status: 404 })
    const paidByCredit = await submit(await app.signIn({ credit: 5_000 }))
    expect(paidByCredit.amount).toBe(0)
    await expect(reject(paidByCredit)).rejects.toMatchObject({ status: 409, code: 'not_possible' })
  })

  test('is refused after a concurrent decision, naming the administrator and the current status', async () => {
    const invoice = await submit(await app.signIn())
    await admin.client.call(updateInvoice, { params: { invoiceId: invoice.id }, body: { status: 'paid' } })
    await expect(reject(invoice)).rejects.toMatchObject({
      status: 409,
      code: 'stale',
      serverMessage: expect.stringMatching(
        /^lena changed it first \(.+ UTC\): this invoice is now paid\. Nothing was changed\.$/,
      ),
    })
    expect(await rowOf(invoice.id)).toMatchObject({ status: 'paid', rejectionReason: null })
  })

  test('reopens the invoice, emails the reason, and audits the rejected code', async () => {
    const customer = await app.signIn()
    const invoice = await submit(customer, 'cashapp', 'WRONG-1')
    expect(await reject(invoice)).toMatchObject({
      status: 'pending',
      submittedAt: null,
      confirmationCode: null,
      paymentNote: null,
    })
    const seen = await customer.client.call(getInvoice, { params: { invoiceNumber: invoice.invoiceNumber } })
    expect(seen.invoice).toMatchObject({
      rejectionReason: 'We found no payment with this code.',
      rejectedAt: expect.any(String),
      paymentMethod: 'cashapp',
    })
    expect(await mailsOf(customer.user.id, 'payment_rejected')).toMatchObject([
      {
        recipient: customer.user.email,
        data: { invoiceNumber: invoice.invoiceNumber, amount: 2_000, reason: 'We found no payment with this code.' },
      },
    ])
    expect(await auditOf(invoice.id, 'invoice.reject')).toMatchObject([
      {
        actorId: admin.user.id,
        before: { confirmationCode: 'WRONG-1', paymentMethod: 'cashapp' },
        after: { reason: 'We found no payment with this code.' },
      },
    ])
  })

  test('reopens an expired invoice with a new expiry date', async () => {
    const invoice = await submit(await app.signIn())
    await app.db
      .update(invoices)
      .set({ status: 'expired', expiresAt: new Date(Date.now() - 1_000).toISOString() })
      .where(eq(invoices.id, invoice.id))
    const { expiresAt, status } = await reject(invoice)
    expect(status).toBe('pending')
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now() + 6 * 86_400_000)
  })

  test('stores a reason that the next submission clears, and the new payment can be confirmed', async () => {
    const customer = await app.signIn()
    const invoice = await submit(customer)
    await reject(invoice)
    const { invoiceNumber } = invoice
    const body = {
      planId,
      paymentMethod: 'cashapp' as const,
      confirmationCode: 'RIGHT-1',
      paymentNote: `SAUCE: ${invoiceNumber}`,
      invoiceNumber,
    }
    expect(await customer.client.call(submitPayment, { body })).toMatchObject({ status: 'pending' })
    expect(await rowOf(invoice.id)).toMatchObject({
      confirmationCode: 'RIGHT-1',
      rejectionReason: null,
      rejectedAt: null,
    })
    expect(await mailsOf(customer.user.id, 'order_received')).toHaveLength(2)
    expect(
      await admin.client.call(updateInvoice, { params: { invoiceId: invoice.id }, body: { status: 'paid' } }),
    ).toMatchObject({ status: 'paid' })
  })

  test('concurrently with confirmations has exactly one outcome', async () => {
    const invoice = await submit(await app.signIn())
    const { version } = invoice
    const confirm = () =>
      admin.client.call(updateInvoice, { params: { invoiceId: invoice.id }, body: { status: 'paid', version } })
    const done = await Promise.allSettled(Array.from({ length: 100 }, (_, i) => (i % 2 ? reject(invoice) : confirm())))
    expect(done.filter((each) => each.status === 'fulfilled')).toHaveLength(1)
    expect((await rowOf(invoice.id)).version).toBe(version + 1)
  })
})

describe('a secure payment link', () => {
  test.each([
    'http://pay.example/1',
    'javascript:alert(1)',
    'data:text/html,x',
    'pay.example/1',
    'https://',
    'https://localhost/1',
    'https://user:word@pay.example/1',
    ' ',
    `https://pay.example/${'x'.repeat(490)}`,
    'https://pay.example/\u202ex',
  ])('must be an https URL: %j is refused', async (text) => {
    const invoice = await submit(await app.signIn(), 'creditcard')
    await expect(link(invoice, text)).rejects.toMatchObject({
      status: 400,
      issues: expect.arrayContaining([expect.objectContaining({ path: 'paymentLink' })]),
    })
    expect(await rowOf(invoice.id)).toEqual(invoice)
  })

  test('is for open card invoices only', async () => {
    const transfer = await submit(await app.signIn())
    await expect(link(transfer, 'https://pay.example/1')).rejects.toMatchObject({ status: 409, code: 'not_card' })
    const card = await submit(await app.signIn(), 'creditcard')
    const { version } = await admin.client.call(updateInvoice, {
      params: { invoiceId: card.id },
      body: { status: 'cancelled' },
    })
    await expect(link({ ...card, version }, 'https://pay.example/1')).rejects.toMatchObject({
      status: 409,
      code: 'not_card',
    })
    await expect(link(card, 'https://pay.example/1')).rejects.toMatchObject({ status: 409, code: 'stale' })
  })

  test('is emailed to the account’s address once for each new link, and is shown on the invoice', async () => {
    const customer = await app.signIn()
    const card = await submit(customer, 'creditcard')
    const first = await link(card, 'https://pay.example/1')
    await link(card, 'https://pay.example/1')
    await link(first, 'https://pay.example/2')
    const sent = await mailsOf(customer.user.id, 'payment_link')
    expect(sent.map(({ recipient, data }) => [recipient, data.paymentLink])).toEqual([
      [customer.user.email, 'https://pay.example/1'],
      [customer.user.email, 'https://pay.example/2'],
    ])
    const { invoice } = await customer.client.call(getInvoice, { params: { invoiceNumber: card.invoiceNumber } })
    expect(invoice.paymentLink).toBe('https://pay.example/2')
    expect(await auditOf(card.id, 'invoice.payment_link')).toMatchObject([
      { before: { paymentLink: null }, after: { paymentLink: 'https://pay.example/1' } },
      { before: { paymentLink: 'https://pay.example/1' }, after: { paymentLink: 'https://pay.example/2' } },
    ])
  })

  test('can be removed without an email, and is removed when the amount of the invoice changes', async () => {
    const customer = await app.signIn({ credit: 500 })
    const card = await submit(customer, 'creditcard')
    const removed = await link(await link(card, 'https://pay.example/1'), null)
    expect(removed.paymentLink).toBeNull()
    const again = await link(removed, 'https://pay.example/3')
    expect(await mailsOf(customer.user.id, 'payment_link')).toHaveLength(2)
    await reject(again)
    await customer.client.call(setInvoiceCredit, {
      params: { invoiceNumber: card.invoiceNumber },
      body: { useCredit: false },
    })
    expect(await rowOf(card.id)).toMatchObject({ amount: 2_000, paymentLink: null })
  })
})
