import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installation, mails, trialRequests } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createInvoice, createPlan, createUser } from '../../../test/harness/factories.ts'
import { getHealth, searchDesk } from './admin-contract.ts'

let app: TestApp
let admin: SignedIn
let planId: number
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  planId = (await createPlan(app.db)).id
})
afterAll(() => app.close())

const found = (search?: string) => admin.client.call(searchDesk, { query: search ? { search } : {} })
const submittedAt = new Date(Date.now() - 3_600_000).toISOString()
const pending = (userId: number, values: object = {}) =>
  createInvoice(app.db, { userId, planId, status: 'pending', paymentMethod: 'cashapp', submittedAt, ...values })

describe('a search is refused', () => {
  test('for customers and visitors', async () => {
    const customer = await app.signIn()
    expect((await customer.client.request('/api/admin/desk/search?search=dana')).status).toBe(403)
    expect((await app.client().request('/api/admin/desk/search')).status).toBe(401)
  })
  test.each(['da', 'x'.repeat(255), 'a%00b'])('for the text %s', async (search) => {
    expect((await admin.client.request(`/api/admin/desk/search?search=${search}`)).status).toBe(400)
  })
})

test('a name finds the customer, their invoices with pending ones first, and their pending trial request', async () => {
  const { id: userId } = await createUser(app.db, { username: 'danaw', fullName: 'Dana Whitfield' })
  await createUser(app.db, { username: 'jordandana' })
  const waiting = await pending(userId)
  const draft = await createInvoice(app.db, { userId, planId: (await createPlan(app.db)).id })
  const [trial] = await app.db.insert(trialRequests).values({ userId, message: 'Please', device: 'TV' }).returning()
  const { customers, invoices, trials } = await found('DANAW')
  expect(customers.map(({ username }) => username)).toEqual(['danaw'])
  expect(invoices.map(({ invoiceNumber }) => invoiceNumber)).toEqual([waiting.invoiceNumber, draft.invoiceNumber])
  expect(trials).toMatchObject([{ id: trial!.id, username: 'danaw' }])
  expect((await found('whitfield')).customers).toMatchObject([{ fullName: 'Dana Whitfield' }])
  // Names that begin with the search text come first.
  expect((await found('dana')).customers.map(({ username }) => username)).toEqual(['danaw', 'jordandana'])
})

test('an invoice is found by its number, its code and its note', async () => {
  const { id: userId } = await createUser(app.db)
  const invoice = await pending(userId, { confirmationCode: 'QX77YZ12', paymentNote: 'SAUCE: brisk maple river' })
  for (const search of [invoice.invoiceNumber.toLowerCase(), 'qx77yz', 'maple river'])
    expect((await found(search)).invoices.map(({ id }) => id)).toEqual([invoice.id])
  expect(await found('no such text')).toEqual({ customers: [], invoices: [], trials: [] })
})

test('without a search text, the payments, card links and trial requests that have been waiting longest are returned', async () => {
  const { id: userId } = await createUser(app.db)
  const old = await pending(userId, { submittedAt: '2020-01-01T00:00:00.000Z' })
  const link = await pending(userId, { submittedAt: '2020-01-02T00:00:00.000Z', paymentMethod: 'creditcard' })
  const { customers, invoices, trials } = await found()
  expect(customers).toEqual([])
  expect(invoices[0]!.id).toBe(old.id)
  expect(invoices.map(({ id }) => id)).toContain(link.id)
  expect(trials).toHaveLength(1)
})

test('the health facts contain the newest failed email, the oldest due email and the last backup', async () => {
  const mail = { recipient: 'a@example.org', template: 'welcome', data: {} }
  await app.db.insert(mails).values([
    { ...mail, dedupeKey: 'f1', status: 'failed', createdAt: '2026-01-01T00:00:00.000Z' },
    { ...mail, dedupeKey: 'f2', status: 'failed', createdAt: '2026-01-02T00:00:00.000Z' },
    { ...mail, dedupeKey: 'q1', dueAt: '2026-01-03T00:00:00.000Z' },
    { ...mail, dedupeKey: 'q2', dueAt: '2026-01-04T00:00:00.000Z' },
  ])
  await app.db.update(installation).set({ backedUpAt: '2026-01-05T00:00:00.000Z' })
  expect(await admin.client.call(getHealth, {})).toEqual({
    panel: null,
    mail: { isSetUp: false, failedAt: '2026-01-02T00:00:00.000Z', dueSince: '2026-01-03T00:00:00.000Z' },
    backup: { at: '2026-01-05T00:00:00.000Z' },
    mailbox: null,
  })
  await app.db.execute("update mailbox_reader set enabled_at = '2026-01-06', checked_at = '2026-01-07'")
  expect((await admin.client.call(getHealth, {})).mailbox).toEqual({
    unreadSince: '2026-01-07T00:00:00.000Z',
    isPaused: false,
  })
})
