import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentUser } from '#features/accounts/contract.ts'
import { updateSubscription } from '#features/subscriptions/admin-contract.ts'
import { invoices, mails, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { getInvoiceEvidence, updateInvoice } from './admin-contract.ts'
import { changeSubscription, createInvoice, type Invoice, submitPayment } from './contract.ts'
import { closeOutdatedChanges } from './server/service/orders/outdated-change.ts'

let app: TestApp
let admin: SignedIn
let small: number
let middle: number
let large: number
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  small = (await createPlan(app.db, { price: 1_500, connections: 1 })).id
  middle = (await createPlan(app.db, { price: 3_000, connections: 3 })).id
  large = (await createPlan(app.db, { price: 4_500, connections: 5 })).id
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

const decide = (invoiceId: number, status: 'pending' | 'paid' | 'cancelled') =>
  admin.client.call(updateInvoice, { params: { invoiceId }, body: { status } })
async function buy(customer: SignedIn, planId = small) {
  const { invoiceNumber } = await customer.client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  await customer.client.call(submitPayment, { body: { planId, paymentMethod: 'creditcard', invoiceNumber } })
  const [row] = await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber))
  await decide(row!.id, 'paid')
  return row!
}
async function withOpenChange() {
  const customer = await app.signIn()
  const bought = await buy(customer)
  return { customer, bought, change: (await requestChange(customer, large)).invoice }
}
const requestChange = (customer: SignedIn, planId: number) =>
  customer.client.call(changeSubscription, { body: { planId, prorated: true } })
const pay = (customer: SignedIn, { planId, invoiceNumber }: Invoice) =>
  customer.client.call(submitPayment, { body: { planId, paymentMethod: 'creditcard', invoiceNumber } })
const day = (fromToday: number) => new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10)
const set = ({ user }: SignedIn, planId: number, endDate: string) =>
  admin.client.call(updateSubscription, { params: { userId: user.id }, body: { planId, status: 'active', endDate } })
const outdated = { status: 409, code: 'change_outdated' }

describe('a plan change with an outdated price', () => {
  test('can be neither paid nor confirmed after an administrator edited the plan or end date, and the preview shows this', async () => {
    const { customer, change } = await withOpenChange()
    await set(customer, middle, day(300))
    await expect(pay(customer, change)).rejects.toMatchObject(outdated)
    const { outcomes } = await admin.client.call(getInvoiceEvidence, { params: { invoiceId: change.id }, query: {} })
    expect(outcomes.find(({ status }) => status === 'paid')).toMatchObject({ refusal: { code: 'change_outdated' } })
    await expect(decide(change.id, 'paid')).rejects.toMatchObject(outdated)
    expect(await customer.client.call(currentUser, {})).toMatchObject({ planId: middle })
  })

  test('cannot be confirmed after a renewal, because it would upgrade the renewed period for free', async () => {
    const { customer, change } = await withOpenChange()
    await pay(customer, change)
    await buy(customer)
    await expect(decide(change.id, 'paid')).rejects.toMatchObject(outdated)
  })

  test('is replaced by a new request at the current price; a submitted plan change must be decided first', async () => {
    const { customer, change } = await withOpenChange()
    await set(customer, small, day(300))
    const again = (await requestChange(customer, large)).invoice
    expect(again.amount).toBeGreaterThan(change.amount)
    expect((await app.db.select().from(invoices).where(eq(invoices.id, change.id)))[0]).toMatchObject({
      status: 'cancelled',
    })
    await pay(customer, again)
    await set(customer, middle, day(200))
    await expect(requestChange(customer, large)).rejects.toMatchObject({ code: 'change_open' })
    await decide(again.id, 'cancelled')
    expect((await requestChange(customer, large)).invoice.amount).not.toBe(again.amount)
  })
})

test('an unpaid outdated change is cancelled and its customer notified; a submitted plan change is left to an administrator', async () => {
  await closeOutdatedChanges(app.db)
  const unpaid = await withOpenChange()
  const paid = await withOpenChange()
  const untouched = await withOpenChange()
  await pay(paid.customer, paid.change)
  for (const { customer } of [unpaid, paid]) await set(customer, middle, day(300))
  expect(
    (await Promise.all([closeOutdatedChanges(app.db), closeOutdatedChanges(app.db)])).reduce(
      (sum, count) => sum + count,
    ),
  ).toBe(1)
  const stateOf = async ({ change }: typeof unpaid) =>
    (await app.db.select().from(invoices).where(eq(invoices.id, change.id)))[0]!.status
  expect(await Promise.all([unpaid, paid, untouched].map(stateOf))).toEqual(['cancelled', 'pending', 'pending'])
  const mailsSent = await app.db.select().from(mails).where(eq(mails.userId, unpaid.customer.user.id))
  expect(mailsSent.filter(({ template }) => template === 'invoice_cancelled')).toHaveLength(1)
})

describe('a plan change keeps its price', () => {
  test('while the subscription is unchanged since the request', async () => {
    const { customer, change } = await withOpenChange()
    await expect(requestChange(customer, middle)).rejects.toMatchObject({ code: 'change_open' })
    await pay(customer, change)
    expect(await decide(change.id, 'paid')).toMatchObject({ status: 'paid', amount: change.amount })
    await decide(change.id, 'pending')
    expect(await decide(change.id, 'paid')).toMatchObject({ status: 'paid' })
  })

  test('when the old period ends before the approval, because the amount does not depend on the current time', async () => {
    const { customer, change } = await withOpenChange()
    await pay(customer, change)
    await app.db.update(users).set({ subscriptionStatus: 'expired' }).where(eq(users.id, customer.user.id))
    expect(await decide(change.id, 'paid')).toMatchObject({ status: 'paid' })
  })

  test('when an administrator saves the subscription unchanged', async () => {
    const { customer, change } = await withOpenChange()
    const [{ subscriptionEndDate } = { subscriptionEndDate: '' }] = await app.db
      .select()
      .from(users)
      .where(eq(users.id, customer.user.id))
    await set(customer, small, subscriptionEndDate!.slice(0, 10))
    expect(await decide(change.id, 'paid')).toMatchObject({ status: 'paid' })
  })
})
