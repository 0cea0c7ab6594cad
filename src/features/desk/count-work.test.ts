import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertPayment } from '#features/payments/server/service/record-payment.ts'
import { inTransaction } from '#server/db/retry.ts'
import { inquiries, invoices, lineJobs, paymentCases, reports, trialRequests } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createInvoice, createPlan, createUser } from '../../../test/harness/factories.ts'
import { getWorkCounts } from './admin-contract.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
})
afterAll(() => app.close())

const counts = () => admin.client.call(getWorkCounts, {})
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

test('customers and visitors cannot read the counts', async () => {
  const customer = await app.signIn()
  expect((await customer.client.request('/api/admin/desk/counts')).status).toBe(403)
  expect((await app.client().request('/api/admin/desk/counts')).status).toBe(401)
})

test('nothing waits in an empty installation', async () => {
  const none = { count: 0, isMinimum: false, oldest: null }
  expect(await counts()).toMatchObject({ payment: none, card_link: none, line: none, trial: none, inquiry: none })
})

test('only invoices that an administrator can act on are counted, and they wait from their submission', async () => {
  const { id: userId } = await createUser(app.db)
  const { id: planId } = await createPlan(app.db)
  const at = (hours: number, values: Partial<typeof invoices.$inferInsert>) =>
    createInvoice(app.db, { userId, planId, createdAt: hoursAgo(99), submittedAt: hoursAgo(hours), ...values })
  await at(3, { status: 'pending', paymentMethod: 'cashapp' })
  await at(5, { status: 'pending', paymentMethod: 'venmo' })
  await at(2, { status: 'pending', paymentMethod: 'creditcard' })
  await at(4, { status: 'pending', paymentMethod: 'creditcard', paymentLink: 'https://pay.example/1' })
  // Waiting for the customer, not for an administrator.
  await at(0, { status: 'pending', submittedAt: null })
  await at(0, { status: 'draft', submittedAt: null })
  await at(90, { status: 'pending', paymentMethod: 'cashapp', expiresAt: hoursAgo(1) })
  await at(91, { status: 'paid', paymentMethod: 'cashapp', paidAt: hoursAgo(90) })
  const { payment, card_link: link } = await counts()
  expect(payment).toMatchObject({ count: 3, isMinimum: false, promiseMinutes: 1440 })
  expect(Date.now() - Date.parse(payment.oldest!)).toBeCloseTo(5 * 3_600_000, -5)
  expect(link).toMatchObject({ count: 1, promiseMinutes: 60 })
})

test('a change without a charge waits from its creation', async () => {
  await app.db.delete(invoices)
  const { id: userId } = await createUser(app.db)
  await createInvoice(app.db, { userId, kind: 'plan_change', status: 'pending', amount: 0, createdAt: hoursAgo(7) })
  const { payment } = await counts()
  expect([payment.count, payment.oldest]).toEqual([1, expect.any(String)])
  expect(Date.now() - Date.parse(payment.oldest!)).toBeCloseTo(7 * 3_600_000, -5)
})

test('open trial requests, reports, inquiries and line tasks are counted, and each count has the time of the oldest item', async () => {
  const { id: userId } = await createUser(app.db)
  await app.db.insert(trialRequests).values({ userId, message: 'Please', device: 'TV', requestDate: hoursAgo(8) })
  const report = { userId, contentType: 'movie', contentName: 'City Lights', issue: 'buffering' } as const
  await app.db.insert(reports).values([
    { ...report, createdAt: hoursAgo(9) },
    { ...report, createdAt: hoursAgo(30), status: 'resolved' },
  ])
  const inquiry = { name: 'Ada Quill', email: 'ada@example.org', message: 'How many channels are there?' }
  await app.db.insert(inquiries).values([
    { ...inquiry, createdAt: hoursAgo(10) },
    { ...inquiry, createdAt: hoursAgo(40), status: 'answered' },
  ])
  await app.db.insert(lineJobs).values([
    { userId, cause: 'grant', causeKey: 'a', task: 'manual', createdAt: hoursAgo(11) },
    { userId, cause: 'grant', causeKey: 'b', createdAt: hoursAgo(50) },
  ])
  const { trial, report: reported, inquiry: asked, line } = await counts()
  expect([trial, reported, asked, line].map(({ count, promiseMinutes }) => [count, promiseMinutes])).toEqual([
    [1, 720],
    [1, 1440],
    [1, 1440],
    [1, 15],
  ])
  expect(
    [trial, reported, asked, line].map(({ oldest }) => Math.round((Date.now() - Date.parse(oldest!)) / 3_600_000)),
  ).toEqual([8, 9, 10, 11])
})

test('open received payments are counted, including exact matches but not payments that were set aside', async () => {
  const cases = { open: hoursAgo(3), exact: hoursAgo(6), aside: hoursAgo(9) }
  for (const [name, createdAt] of Object.entries(cases)) {
    const { id: paymentId } = (await inTransaction(app.db, (tx) =>
      insertPayment(tx, { rail: 'zelle', source: 'statement', amount: 5_993, payerName: name, paidOn: '2026-11-20' }),
    ))!
    const status = name === 'aside' ? 'set_aside' : 'open'
    await app.db
      .update(paymentCases)
      .set({ createdAt, status, ready: name === 'exact' })
      .where(eq(paymentCases.paymentId, paymentId))
  }
  const { received } = await counts()
  expect(received).toMatchObject({ count: 2, isMinimum: false, promiseMinutes: 1440 })
  expect(Date.parse(received.oldest!)).toBe(Date.parse(cases.exact))
})
