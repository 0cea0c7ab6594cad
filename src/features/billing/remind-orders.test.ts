import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getSetting, updateSetting } from '#features/settings/admin-contract.ts'
import { invoices, mails } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan, createInvoice as givenInvoice } from '../../../test/harness/factories.ts'
import { createInvoice, submitPayment } from './contract.ts'
import { remindOrders } from './server/service/orders/remind-orders.ts'

let app: TestApp
let planId: number
beforeAll(async () => {
  app = await buildApp()
  planId = (await createPlan(app.db)).id
})
afterAll(() => app.close())
beforeEach(() => app.db.delete(mails))

/** Creates a draft that is valid for seven days and expires in `hours` hours. */
async function started(hours: number, customer?: SignedIn) {
  const who = customer ?? (await app.signIn())
  const { invoiceNumber } = await who.client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  const left = sql`make_interval(mins => ${Math.round(hours * 60)})`
  await app.db
    .update(invoices)
    .set({ createdAt: sql`now() + ${left} - interval '7 days'`, expiresAt: sql`now() + ${left}` })
    .where(eq(invoices.invoiceNumber, invoiceNumber))
  return { who, invoiceNumber }
}
const mailsTo = async ({ user }: SignedIn) => app.db.select().from(mails).where(eq(mails.userId, user.id))

describe('no reminder is sent', () => {
  test('more than 24 hours before an order expires, after it has expired, or before half of its validity has passed', async () => {
    await started(25)
    await started(-1)
    const { invoiceNumber } = await started(20)
    await app.db
      .update(invoices)
      .set({ createdAt: sql`now() - interval '1 hour'` })
      .where(eq(invoices.invoiceNumber, invoiceNumber))
    expect(await remindOrders(app.db)).toBe(0)
  })

  test('for a submitted order, for a renewal, or while another payment of the customer awaits review', async () => {
    const submitted = await started(30)
    await submitted.who.client.call(submitPayment, {
      body: { planId, paymentMethod: 'creditcard', invoiceNumber: submitted.invoiceNumber },
    })
    await app.db
      .update(invoices)
      .set({ expiresAt: sql`now() + interval '20 hours'` })
      .where(eq(invoices.invoiceNumber, submitted.invoiceNumber))
    await started(20, submitted.who)
    const renewing = await app.signIn()
    await givenInvoice(app.db, {
      userId: renewing.user.id,
      status: 'draft',
      renewsEnd: new Date(Date.now() + 86_400_000).toISOString(),
      createdAt: new Date(Date.now() - 6 * 86_400_000).toISOString(),
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    })
    expect([await remindOrders(app.db), await mailsTo(renewing)]).toEqual([0, []])
  })

  test('when reminders are turned off in the settings', async () => {
    const admin = await app.signInAdmin()
    const set = async (reminderHours: number) => {
      const { version, value } = await admin.client.call(getSetting, { params: { section: 'invoices' } })
      await admin.client.call(updateSetting, {
        params: { section: 'invoices' },
        body: { version, value: { ...value, reminderHours } },
      })
    }
    await expect(set(721)).rejects.toMatchObject({ status: 400 })
    await set(0)
    await started(20)
    expect(await remindOrders(app.db)).toBe(0)
    await set(24)
    expect(await remindOrders(app.db)).toBe(1)
  })
})

test('an unsubmitted order causes one reminder with a checkout link, even if the job runs concurrently and repeatedly', async () => {
  const { who, invoiceNumber } = await started(23)
  const counts = await Promise.all(Array.from({ length: 4 }, () => remindOrders(app.db)))
  await remindOrders(app.db)
  expect(Math.max(...counts)).toBeGreaterThan(0)
  const [mail, ...more] = await mailsTo(who)
  expect([mail, more]).toMatchObject([
    { template: 'order_waiting', recipient: who.user.email, data: { invoiceNumber, planId } },
    [],
  ])
})
