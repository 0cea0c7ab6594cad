import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { User } from '#features/accounts/contract.ts'
import { updateInvoice, updatePaymentLink } from '#features/billing/admin-contract.ts'
import { decideRefund } from '#features/billing/admin-refund-contract.ts'
import { updateInquiry } from '#features/inquiries/admin-contract.ts'
import { insertPayment } from '#features/payments/server/service/record-payment.ts'
import { markLineJobDone } from '#features/provisioning/admin-contract.ts'
import { updateReports } from '#features/reports/admin-contract.ts'
import { groupReports } from '#features/reports/server/service/cases/group-reports.ts'
import { updateTrialRequest } from '#features/trials/admin-contract.ts'
import { inTransaction } from '#server/db/retry.ts'
import {
  inquiries,
  invoices,
  lineJobs,
  mailboxReader,
  paymentCases,
  refundRequests,
  reports,
  trialRequests,
} from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createInvoice, createUser } from '../../../test/harness/factories.ts'
import { getQueue, type QueueItem, queueLength } from './admin-queue-contract.ts'
import { groupOf } from './queue-rules.ts'

let app: TestApp
let admin: SignedIn
let customer: User
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  customer = await createUser(app.db, { username: 'danaw' })
})
afterAll(() => app.close())
beforeEach(async () => {
  for (const table of [lineJobs, inquiries, reports, trialRequests]) await app.db.delete(table)
  await app.db.execute(sql`update refund_requests set status = 'declined', decided_at = now(), decided_by = ${admin.user.id},
    decision_reason = 'Not now' where status = 'pending'`)
  await app.db.execute(sql`update invoices set status = 'cancelled' where status = 'pending'`)
})

const queue = (show?: 'payments' | 'service') => admin.client.call(getQueue, { query: show ? { show } : {} })
const keys = (items: QueueItem[]) => items.map(({ key }) => key)
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const payment = (minutes: number, values: Partial<typeof invoices.$inferInsert> = {}) =>
  createInvoice(app.db, {
    userId: customer.id,
    status: 'pending',
    paymentMethod: 'cashapp',
    confirmationCode: `C${Math.random()}`,
    submittedAt: ago(minutes),
    ...values,
  })
const insertOne = async <T extends { id: number }>(rows: PromiseLike<T[]>) => (await rows)[0]!
const report = (minutes: number, contentName = 'Harbor Sports 2') =>
  insertOne(
    app.db
      .insert(reports)
      .values({ userId: customer.id, contentType: 'channel', contentName, issue: 'buffering', createdAt: ago(minutes) })
      .returning(),
  )
const trial = (minutes: number) =>
  insertOne(
    app.db
      .insert(trialRequests)
      .values({ userId: customer.id, device: 'Fire TV', message: 'Please', requestDate: ago(minutes) })
      .returning(),
  )
const lineTask = (minutes: number) =>
  insertOne(
    app.db
      .insert(lineJobs)
      .values({ userId: customer.id, cause: 'grant', causeKey: `k${minutes}`, task: 'manual', createdAt: ago(minutes) })
      .returning(),
  )
const inquiry = (minutes: number) =>
  insertOne(
    app.db
      .insert(inquiries)
      .values({ name: 'Ada Quill', email: 'ada@example.org', message: 'Two homes?', createdAt: ago(minutes) })
      .returning(),
  )

test('customers and visitors cannot read the queue, and an unknown filter is refused', async () => {
  const { client } = await app.signIn()
  expect((await client.request('/api/admin/desk/queue')).status).toBe(403)
  expect((await app.client().request('/api/admin/desk/queue')).status).toBe(401)
  expect((await admin.client.request('/api/admin/desk/queue?show=everything')).status).toBe(400)
})

test('a new installation has an empty queue', async () => {
  const { items, totals } = await queue()
  expect(items).toEqual([])
  expect(Object.values(totals).every(({ count }) => count === 0)).toBe(true)
})

test('every kind of entry appears, sorted by the time left until it is late, and each kind has a total', async () => {
  const paid = await payment(23 * 60)
  const card = await payment(70, { paymentMethod: 'creditcard', confirmationCode: null })
  const line = await lineTask(5)
  const wanted = await trial(11 * 60 + 30)
  const reported = await report(20 * 60)
  const asked = await inquiry(60)
  const { id: decided } = await report(9_000, 'Movie Night')
  await app.db.execute(sql`update reports set status = 'dismissed' where id = ${decided}`)
  const { rows: reopened } = await app.db.execute<{ id: number }>(
    sql`update tickets set status = 'open', waiting_since = ${ago(60)} where report_id = ${decided} returning id`,
  )
  const { id: paidInvoice } = await payment(9_000, { status: 'paid', paidAt: ago(9_000) })
  const refund = await insertOne(
    app.db
      .insert(refundRequests)
      .values({ invoiceId: paidInvoice, userId: customer.id, reason: 'It stops', createdAt: ago(30) })
      .returning(),
  )
  await app.db.update(mailboxReader).set({ enabledAt: ago(40), pausedSince: ago(30), lastFailure: 'Refused.' })
  onTestFinished(async () => void (await app.db.update(mailboxReader).set({ enabledAt: null, pausedSince: null })))
  const received = await inTransaction(app.db, async (tx) => {
    const facts = {
      rail: 'zelle',
      source: 'statement',
      amount: 5_993,
      payerName: 'Ivy C.',
      paidOn: '2026-11-20',
    } as const
    const { id: paymentId } = (await insertPayment(tx, facts))!
    await tx
      .update(paymentCases)
      .set({ createdAt: ago(50) })
      .where(eq(paymentCases.paymentId, paymentId))
    return paymentId
  })
  onTestFinished(
    async () =>
      void (await app.db.update(paymentCases).set({ status: 'set_aside' }).where(eq(paymentCases.paymentId, received))),
  )
  const { items, totals, now } = await queue()
  expect(keys(items)).toEqual([
    `card_link:${card.id}`,
    `line:${line.id}`,
    `trial:${wanted.id}`,
    'mailbox:1',
    `payment:${paid.id}`,
    `report:${reported.id}`,
    `ticket:${reopened[0]!.id}`,
    `inquiry:${asked.id}`,
    `received:${received}`,
    `refund:${refund.id}`,
  ])
  expect(items.map((item) => groupOf(item, new Date(now)))).toEqual([
    'late',
    'soon',
    'soon',
    'soon',
    'soon',
    'later',
    'later',
    'later',
    'later',
    'later',
  ])
  expect(Object.values(totals).map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
  expect(items.find(({ kind }) => kind === 'mailbox')).toMatchObject({ isPaused: true, message: 'Refused.' })
  expect(items.find(({ kind }) => kind === 'received')).toMatchObject({ payer: 'Ivy C.', caseKind: 'unknown' })
  expect(keys((await queue('service')).items)).toEqual([`line:${line.id}`, `report:${reported.id}`])
})

describe('an entry is removed from the queue:', () => {
  test('a payment when it is confirmed', async () => {
    const { id, version, amount } = await payment(10).then(async ({ id }) =>
      insertOne(app.db.select().from(invoices).where(sql`id = ${id}`)),
    )
    expect((await queue()).items).toMatchObject([
      { kind: 'payment', invoiceId: id, version, amount, username: 'danaw' },
    ])
    await admin.client.call(updateInvoice, {
      params: { invoiceId: id },
      body: { status: 'paid', expectedAmount: amount, version },
    })
    expect(keys((await queue('payments')).items)).toEqual([])
  })

  test('a card order when its link is sent, and it then returns as a payment', async () => {
    const { id } = await payment(10, { paymentMethod: 'creditcard', confirmationCode: null })
    await admin.client.call(updatePaymentLink, {
      params: { invoiceId: id },
      body: { paymentLink: 'https://pay.example/1', version: 1 },
    })
    expect(keys((await queue()).items)).toEqual([`payment:${id}`])
  })

  test('a refund request when it is declined', async () => {
    const { id } = await payment(10, { status: 'paid', paidAt: ago(5) })
    await app.db.insert(refundRequests).values({ invoiceId: id, userId: customer.id, reason: 'It stops' })
    expect((await queue()).items).toMatchObject([{ kind: 'refund', invoiceId: id, reason: 'It stops' }])
    await admin.client.call(decideRefund, {
      params: { invoiceId: id },
      body: { status: 'declined', reason: 'The guarantee has ended' },
    })
    expect((await queue()).items).toEqual([])
  })

  test('a line task, a trial request, an inquiry and a case of reports when they are done', async () => {
    const [job, request, asked] = [await lineTask(1), await trial(1), await inquiry(1)]
    const cluster = [await report(3), await report(2)]
    await groupReports(app.db)
    expect((await queue()).items).toHaveLength(4)
    await admin.client.call(markLineJobDone, { params: { jobId: job.id } })
    await admin.client.call(updateTrialRequest, {
      params: { trialRequestId: request.id },
      body: { status: 'denied', adminNotes: 'Not now' },
    })
    await admin.client.call(updateInquiry, { params: { inquiryId: asked.id }, body: { status: 'answered' } })
    await admin.client.call(updateReports, {
      body: { status: 'resolved', reports: cluster.map(({ id }) => ({ id, version: 1 })) },
    })
    expect((await queue()).items).toEqual([])
  })
})

test('reports on the same channel are one entry despite different spellings, and a burst shortens its promised time', async () => {
  const reported = []
  for (const [minutes, name] of [
    [400, undefined],
    [100, 'harbor sports 2 '],
    [90, 'Harbor Sports Two HD'],
    [80, 'UK: HARBOR-SPORTS 2'],
    [70, undefined],
  ] as const)
    reported.push(await report(minutes, name))
  const other = await report(95, 'City News')
  await groupReports(app.db)
  const ids = reported.map(({ id }) => id)
  expect((await queue()).items).toMatchObject([
    { reports: ids, promiseMinutes: 1440, reporters: 1, caseId: expect.any(Number) },
    { reports: [other.id] },
  ])
  const { id } = await report(10)
  await groupReports(app.db)
  const { items, totals } = await queue()
  expect(items[0]).toMatchObject({ reports: [...ids, id], promiseMinutes: 120, since: reported[1]!.createdAt })
  expect(totals.report.count).toBe(7)
})

test('a payment entry lists the review flags of its invoice', async () => {
  const clean = await payment(30)
  const flagged = await payment(20, { confirmationCode: null })
  const { items } = await queue()
  expect(items).toMatchObject([
    { key: `payment:${clean.id}`, flags: [] },
    { key: `payment:${flagged.id}`, flags: ['No code'] },
  ])
})

test('a received payment replaces the entry of the order that it is proposed for, and keeps the promised time of the order', async () => {
  const { id, invoiceNumber, amount } = await payment(600)
  expect(keys((await queue()).items)).toEqual([`payment:${id}`])
  const facts = { rail: 'cashapp', source: 'statement', paidOn: new Date().toISOString().slice(0, 10) } as const
  const { id: paymentId } = await inTransaction(app.db, async (tx) => {
    return (await insertPayment(tx, { ...facts, amount: amount - 500, payerName: 'Dana W.', note: invoiceNumber }))!
  })
  const { items, totals } = await queue()
  expect(items).toMatchObject([{ kind: 'received', caseKind: 'part', invoiceNumber, difference: -500 }])
  expect(Date.now() - Date.parse(items[0]!.since)).toBeCloseTo(600 * 60_000, -5)
  expect([totals.payment.count, totals.received.count]).toEqual([0, 1])
  await app.db.update(paymentCases).set({ ready: true }).where(eq(paymentCases.paymentId, paymentId))
  expect(await queue()).toMatchObject({ items: [], exact: { count: 1 }, totals: { received: { count: 0 } } })
  await app.db
    .update(paymentCases)
    .set({ status: 'set_aside', ready: false })
    .where(eq(paymentCases.paymentId, paymentId))
  expect(keys((await queue()).items)).toEqual([`payment:${id}`])
})

test('a trial request is marked as repeated if the customer had sent one before', async () => {
  const { id } = await trial(60)
  await app.db.update(trialRequests).set({ status: 'denied' }).where(sql`id = ${id}`)
  await trial(10)
  expect((await queue()).items).toMatchObject([{ kind: 'trial', isRepeated: true, canApprove: false }])
})

test('only the entries with the least time left are returned', async () => {
  const rows = Array.from({ length: queueLength + 5 }, (_, index) => ({
    name: 'Ada Quill',
    email: 'ada@example.org',
    message: 'Two homes?',
    createdAt: ago(index),
  }))
  await app.db.insert(inquiries).values(rows)
  const card = await payment(10, { paymentMethod: 'creditcard', confirmationCode: null })
  const { items, totals } = await queue()
  expect(items).toHaveLength(queueLength)
  expect(items[0]!.key).toBe(`card_link:${card.id}`)
  expect(totals.inquiry.count).toBe(queueLength + 5)
})
