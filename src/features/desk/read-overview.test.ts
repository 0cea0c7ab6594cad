import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSetting, updateSetting } from '#features/settings/admin-contract.ts'
import { auditLog, reports, trialRequests } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createInvoice, createUser } from '../../../test/harness/factories.ts'
import { sentenceOf } from './activity-rules.ts'
import { getActivity, getFigures, getPromises, getSetup } from './admin-overview-contract.ts'

let app: TestApp
let admin: SignedIn
let customerId: number
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin({ username: 'june', createdAt: '2020-01-01T00:00:00Z' })
  customerId = (await createUser(app.db, { username: 'andreap', createdAt: '2020-01-01T00:00:00Z' })).id
})
afterAll(() => app.close())

const hour = 3_600_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
/** Returns the offset from UTC, in minutes, of a clock that shows noon now, so that no test runs across midnight. */
const noonOffset = () => {
  const minutes = Math.floor((Date.now() % (24 * hour)) / 60_000)
  return 12 * 60 - minutes
}

test.each(['figures', 'activity', 'promises', 'setup'])('%s are refused to customers and visitors', async (part) => {
  const { client } = await app.signIn({ createdAt: '2020-01-01T00:00:00Z' })
  expect((await client.request(`/api/admin/desk/${part}`)).status).toBe(403)
  expect((await app.client().request(`/api/admin/desk/${part}`)).status).toBe(401)
})

test('offsets that no clock has are refused', async () => {
  for (const offset of ['841', '-841', '1.5', 'noon'])
    expect((await admin.client.request(`/api/admin/desk/figures?offset=${offset}`)).status, offset).toBe(400)
})

test('a new installation has completed no setup step, and a step is done once it has been saved', async () => {
  expect(await admin.client.call(getSetup, {})).toEqual({ done: [], isNew: true })
  const save = async (section: 'contact' | 'payments', change: object) => {
    const { version, value } = await admin.client.call(getSetting, { params: { section } })
    await admin.client.call(updateSetting, { params: { section }, body: { version, value: { ...value, ...change } } })
  }
  await save('contact', { contact: { email: 'hello@lighthouse.example', phone: '' } })
  await save('payments', { cashtag: '$Lighthouse', venmoHandle: '@lighthouse' })
  await createInvoice(app.db, { userId: customerId, status: 'cancelled' })
  expect(await admin.client.call(getSetup, {})).toEqual({ done: ['brand', 'payments'], isNew: false })
})

test('the figures compare today with the same hours a week ago', async () => {
  const day = 24 * hour
  const paid = (amount: number, paidAt: string, status: 'paid' | 'refunded' = 'paid') =>
    createInvoice(app.db, { userId: customerId, status, amount, paidAt, submittedAt: paidAt })
  await paid(1500, ago(hour))
  await paid(2000, ago(2 * hour))
  await paid(9999, ago(hour), 'refunded')
  await paid(1000, ago(7 * day + hour))
  // On that day a week ago, but at a later hour than now.
  await paid(4000, ago(7 * day - hour))
  await paid(7000, ago(15 * day))
  await createUser(app.db, { createdAt: ago(hour) })
  await app.db
    .insert(trialRequests)
    .values({ userId: customerId, device: 'TV', message: 'Please', requestDate: ago(hour) })
  await createUser(app.db, {
    subscriptionStatus: 'active',
    subscriptionEndDate: ago(-3 * day),
    createdAt: ago(99 * day),
  })
  await createUser(app.db, {
    subscriptionStatus: 'active',
    subscriptionEndDate: ago(-8 * day),
    createdAt: ago(99 * day),
  })
  await app.db.execute(sql`insert into insight_days (day, figure, plan_id, reason, events, cents) values
    ((now() at time zone 'UTC')::date, 'new', 0, '', 1, 0), ((now() at time zone 'UTC')::date - 2, 'churn', 1, 'expired', 3, 0)`)
  const { collected, accounts, trials, active, renewals } = await admin.client.call(getFigures, {
    query: { offset: noonOffset() },
  })
  expect(collected).toMatchObject({ today: 3500, before: 1000 })
  expect(collected.days).toEqual([0, 0, 0, 0, 0, 0, 5000, 0, 0, 0, 0, 0, 0, 3500])
  expect(accounts).toMatchObject({ today: 1, before: 0 })
  expect(trials).toMatchObject({ open: 1, today: 1 })
  expect(active).toMatchObject({ count: 2, endedToday: 0 })
  expect(active.days.slice(-4)).toEqual([4, 1, 1, 2])
  expect(renewals).toMatchObject({ week: 1, today: 0 })
  expect(renewals.days.slice(0, 9)).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 1])
})

test('the activity describes each event in a sentence, newest first', async () => {
  await app.db.delete(trialRequests)
  const { id } = await createInvoice(app.db, { userId: customerId, invoiceNumber: 'ORD-ACT1V1', amount: 3899 })
  await createInvoice(app.db, {
    userId: customerId,
    invoiceNumber: 'ORD-ACT1V2',
    amount: 1499,
    status: 'pending',
    paymentMethod: 'venmo',
    submittedAt: ago(-1000),
  })
  await app.db.insert(reports).values({
    userId: customerId,
    contentType: 'channel',
    contentName: 'Harbor Sports 2',
    issue: 'buffering',
    createdAt: ago(-2000),
  })
  const entry = { actorId: admin.user.id, targetType: 'invoice', targetId: String(id) }
  await app.db.insert(auditLog).values([
    { ...entry, action: 'invoice.read', at: ago(-6000) },
    { ...entry, action: 'invoice.confirm', at: ago(-5000) },
    {
      ...entry,
      actorId: null,
      action: 'subscription.expire',
      targetType: 'user',
      targetId: String(customerId),
      at: ago(-4000),
    },
    { ...entry, action: 'old.unknown_action', targetType: 'faq', targetId: 'x', at: ago(-3000) },
  ])
  const activity = await admin.client.call(getActivity, {})
  const sentences = activity.map((each) =>
    sentenceOf(each)
      .map(({ text }) => text)
      .join(''),
  )
  expect(sentences.slice(0, 5)).toEqual([
    'june confirmed $38.99 from andreap, ORD-ACT1V1',
    'The subscription of andreap ended',
    'Old unknown action by june',
    'andreap reported Harbor Sports 2',
    'andreap paid $14.99 for ORD-ACT1V2',
  ])
  expect(activity.length).toBeLessThanOrEqual(20)
})

test('a promise is kept if the decision follows the submission within the promised time', async () => {
  const submitted = async (hours: number) =>
    (
      await createInvoice(app.db, {
        userId: customerId,
        status: 'paid',
        paymentMethod: 'cashapp',
        submittedAt: ago(hours * hour),
        paidAt: ago(0),
      })
    ).id
  const payments = async () =>
    (await admin.client.call(getPromises, {})).find(({ kind }) => kind === 'payment') ?? { done: 0, inTime: 0 }
  const before = await payments()
  const confirmed = (id: number, hours = 1) => ({
    action: 'invoice.confirm',
    targetType: 'invoice',
    targetId: String(id),
    at: ago(hours * hour),
  })
  await app.db
    .insert(auditLog)
    .values([confirmed(await submitted(10)), confirmed(await submitted(30)), confirmed(await submitted(500), 300)])
  // The invoice that was confirmed 300 hours ago is outside the last seven days.
  expect(await payments()).toMatchObject({ done: before.done + 2, inTime: before.inTime + 1 })
})
