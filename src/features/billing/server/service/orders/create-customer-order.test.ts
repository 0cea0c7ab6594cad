import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLog, invoices, mails } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../../../../test/harness/app.ts'
import { createPlan } from '../../../../../../test/harness/factories.ts'
import { expectInvariants } from '../../../../../../test/harness/invariants.ts'
import { updateInvoice } from '../../../admin-contract.ts'
import { createCustomerOrder, previewCustomerOrder, quoteCustomerOrder } from '../../../admin-order-contract.ts'
import { createInvoice } from '../../../contract.ts'

let app: TestApp
let admin: SignedIn
let planId: number
beforeAll(async () => {
  app = await buildApp({ config: { selfApproval: 'deny' } })
  admin = await app.signInAdmin()
  planId = (await createPlan(app.db, { price: 2_000, months: 1 })).id
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

type Body = { planId: number; expectedAmount: number; payment?: object }
const refused = async (userId: number, body: Body, by = admin) => {
  const response = await by.client.post(`/api/admin/users/${userId}/orders`, body)
  return [response.status, ((await response.json()) as { code: string }).code]
}
const order = (userId: number, body: Body) =>
  admin.client.call(createCustomerOrder, { params: { userId }, body: body as never })
const quote = (userId: number) => admin.client.call(quoteCustomerOrder, { params: { userId }, query: { planId } })
const ordersOf = (userId: number) => app.db.select().from(invoices).where(eq(invoices.userId, userId))
const mailsTo = (userId: number) =>
  app.db.select({ template: mails.template }).from(mails).where(eq(mails.userId, userId))

test('an order is refused for an unknown customer or plan, for a changed amount, and for the administrator', async () => {
  const { user } = await app.signIn()
  expect(await refused(999_999, { planId, expectedAmount: 2_000 })).toEqual([404, 'not_found'])
  expect(await refused(user.id, { planId: 999_999, expectedAmount: 2_000 })).toEqual([404, 'not_found'])
  expect(await refused(user.id, { planId, expectedAmount: 1_999 })).toEqual([409, 'amount_changed'])
  expect(
    await refused(user.id, { planId, expectedAmount: 2_000, payment: { paymentMethod: 'gold', confirmationCode: '' } }),
  ).toEqual([400, 'invalid'])
  expect(
    await refused(admin.user.id, { planId, expectedAmount: 2_000, payment: { paymentMethod: 'cashapp' } }),
  ).toEqual([409, 'own_invoice'])
  expect([await ordersOf(user.id), await ordersOf(admin.user.id)]).toEqual([[], []])
  expect(await mailsTo(user.id)).toEqual([])
})

test('an order without a payment is a draft, and the customer gets a link to pay', async () => {
  const { user } = await app.signIn({ credit: 500 })
  const { amount, lines } = await quote(user.id)
  expect([amount, lines.map((line) => line.amount)]).toEqual([1_500, [2_000, -500]])
  const made = await order(user.id, { planId, expectedAmount: amount })
  expect(made).toMatchObject({ status: 'draft', amount: 1_500, username: user.username })
  expect(await mailsTo(user.id)).toEqual([{ template: 'order_created' }])
  const [entry] = await app.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.action, 'invoice.create'), eq(auditLog.targetId, String(made.id))))
  expect(entry).toMatchObject({ actorId: admin.user.id, after: { amount: 1_500 } })
})

test('an order with a received payment is paid immediately, and the confirmation can be undone', async () => {
  const customer = await app.signIn()
  const { invoiceNumber } = await customer.client.call(createInvoice, { body: { planId, email: 'a@example.org' } })
  const payment = { paymentMethod: 'venmo', confirmationCode: 'VEN-4711' }
  const made = await order(customer.user.id, { planId, expectedAmount: 2_000, payment })
  expect(made).toMatchObject({ invoiceNumber, status: 'paid', paymentMethod: 'venmo', confirmationCode: 'VEN-4711' })
  expect((await mailsTo(customer.user.id)).map(({ template }) => template)).toEqual(['payment_confirmed'])
  const state = async () =>
    ((await (await customer.client.request('/api/user')).json()) as { subscriptionStatus: string }).subscriptionStatus
  expect(await state()).toBe('active')
  await admin.client.call(updateInvoice, { params: { invoiceId: made.id }, body: { status: 'pending' } })
  expect(await state()).toBe('none')
})

test('a confirmation code that another order has is refused until the administrator acknowledges it', async () => {
  const [first, second] = [await app.signIn(), await app.signIn()]
  const payment = { paymentMethod: 'venmo', confirmationCode: 'HAND-9035' }
  const body = { planId, expectedAmount: 2_000, payment }
  await order(first.user.id, body)
  expect(await refused(second.user.id, body)).toEqual([409, 'duplicate_code'])
  expect(await ordersOf(second.user.id)).toEqual([])
  const made = await order(second.user.id, { ...body, payment: { ...payment, acknowledgeDuplicate: true } })
  expect(made).toMatchObject({ status: 'paid', confirmationCode: 'HAND-9035', duplicateCode: true })
})

test('the preview shows the paid time after the order, and creates nothing', async () => {
  const customer = await app.signIn()
  const before = [await app.db.$count(invoices), await app.db.$count(auditLog), await app.db.$count(mails)]
  const params = { userId: customer.user.id }
  const shown = await admin.client.call(previewCustomerOrder, { params, query: { planId } })
  expect(shown).toMatchObject({ refusal: null, after: { planId, status: 'active' }, time: [{ planId }] })
  expect([await app.db.$count(invoices), await app.db.$count(auditLog), await app.db.$count(mails)]).toEqual(before)
  const missing = await admin.client.request('/api/admin/users/2147483647/orders/preview?planId=1')
  expect(missing.status).toBe(404)
  await expectInvariants(app.db)
})
