import { and, asc, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { auditLog, lineJobs, mails, segments, timeGiftCustomers, timeGifts, users } from '#server/db/tables.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { openPaidWorld, type PaidWorld } from '../../../test/harness/paid-world.ts'
import { createReport } from '../reports/contract.ts'
import { undoSubscriptionEdit } from '../subscriptions/admin-contract.ts'
import { continueTimeGift, undoTimeGift } from '../subscriptions/admin-gift-contract.ts'
import { getOwnSubscription } from '../subscriptions/contract.ts'
import { continueGifts } from '../subscriptions/server/service/gifts/group-gift.ts'
import { endIncident, listIncidents, openCaseIncident, openIncident } from './admin-contract.ts'
import { giveDaysBack, listGivenDays, previewGivenDays } from './admin-days-contract.ts'

let world: PaidWorld
let month: number
let year: number
beforeAll(async () => {
  world = await openPaidWorld('2027-04-01T00:00:00.000Z')
  month = (await world.plan(3_000, 1, 1)).id
  year = (await world.plan(24_000, 12, 1)).id
})
afterEach(() => expectInvariants(world.app.db))
afterAll(() => world.app.close())

const fields = { kind: 'outage' as const, title: 'Dark', text: 'We look into it.', categories: [], channels: [] }
/** Creates an outage that began `hours` hours ago and has just ended, and returns its id. */
async function outage(hours: number): Promise<number> {
  const startsAt = new Date(Date.parse(world.now()) - hours * 3_600_000).toISOString()
  const { id, version } = await world.admin.client.call(openIncident, { body: { ...fields, startsAt } })
  const body = { text: 'Solved.', notifies: false, version }
  await world.admin.client.call(endIncident, { params: { incidentId: id }, body })
  return id
}
const group = { to: 'all' as 'all' | 'plans' | 'reporters', planIds: [] as number[] }
const preview = (incidentId: number, more: object = {}) =>
  world.admin.client.call(previewGivenDays, { params: { incidentId }, body: { ...group, days: 2, ...more } })
const give = (incidentId: number, expectedCustomers: number, more: object = {}) =>
  world.admin.client.call(giveDaysBack, {
    params: { incidentId },
    body: { ...group, days: 2, reason: 'The April outage', emails: true, expectedCustomers, ...more },
  })
const endOf = async ({ user }: SignedIn) =>
  (await world.app.db.select({ end: users.subscriptionEndDate }).from(users).where(eq(users.id, user.id)))[0]!.end
const mailsTo = ({ user }: SignedIn) =>
  world.app.db
    .select()
    .from(mails)
    .where(and(eq(mails.userId, user.id), eq(mails.template, 'days_added')))
const subscriber = async (planId: number) => {
  const customer = await world.app.signIn()
  await world.buy(customer, planId)
  return customer
}

test('days cannot be given back while an incident is ongoing, or with an invalid group, number of days or customer count', async () => {
  const { id } = await world.admin.client.call(openIncident, { body: fields })
  await expect(preview(id)).rejects.toMatchObject({ status: 409, code: 'not_ended' })
  await expect(preview(2147483647)).rejects.toMatchObject({ status: 404 })
  const ended = await outage(1)
  await expect(preview(ended, { to: 'plans' })).rejects.toMatchObject({ status: 400 })
  await expect(preview(ended, { to: 'reporters' })).rejects.toMatchObject({ status: 400 })
  await expect(preview(ended, { days: 0 })).rejects.toMatchObject({ status: 400 })
  await expect(give(ended, 5)).rejects.toMatchObject({ code: 'no_customers' })
  const { client } = await world.app.signIn()
  expect((await client.post(`/api/admin/incidents/${ended}/days`, {})).status).toBe(403)
  expect(await world.app.db.$count(timeGifts)).toBe(0)
})

test('all customers with paid time during the outage get the days once, with an email, a line job and an audit entry, and the gift can be undone', async () => {
  const [early, late, other] = [await subscriber(month), await subscriber(year), await world.app.signIn()]
  await world.pass(24)
  const before = [await endOf(early), await endOf(late)]
  const incidentId = await outage(5)
  // This customer paid only after the outage.
  const later = await subscriber(month)
  expect(await preview(incidentId)).toMatchObject({ customers: 2, ended: 0, alreadyGiven: 0 })
  await expect(give(incidentId, 3)).rejects.toMatchObject({ code: 'customers_changed' })
  const gift = await give(incidentId, 2)
  expect(gift).toMatchObject({ state: 'given', counts: { added: 2, waiting: 0, skipped: 0 } })
  const plus = (end: string | null) => new Date(Date.parse(end!) + 2 * 86_400_000).toISOString()
  expect([await endOf(early), await endOf(late)]).toEqual(before.map(plus))
  expect(await mailsTo(early)).toMatchObject([{ data: { days: 2, reason: 'The April outage' } }])
  expect([...(await mailsTo(later)), ...(await mailsTo(other))]).toEqual([])
  expect(await early.client.call(getOwnSubscription, {})).toMatchObject({
    gifts: [{ days: 2, reason: 'The April outage' }],
  })
  const jobs = await world.app.db
    .select()
    .from(lineJobs)
    .where(and(eq(lineJobs.userId, early.user.id), eq(lineJobs.cause, 'grant')))
  expect(jobs).toHaveLength(1)
  const audited = await world.app.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.action, 'user.give_days'), eq(auditLog.targetId, String(early.user.id))))
  expect(audited).toMatchObject([{ after: { days: 2, reason: 'The April outage' } }])

  // Repeated for another group: each customer gets days for an incident only once.
  expect(await preview(incidentId, { to: 'plans', planIds: [month] })).toMatchObject({ customers: 0, alreadyGiven: 1 })
  await expect(give(incidentId, 2)).rejects.toMatchObject({ code: 'no_customers' })

  const undo = () => world.admin.client.call(undoTimeGift, { params: { giftId: gift.id } })
  expect(await undo()).toMatchObject({ state: 'undoing' })
  await expect(undo()).rejects.toMatchObject({ code: 'already_undone' })
  const undone = await world.admin.client.call(continueTimeGift, { params: { giftId: gift.id } })
  expect(undone).toMatchObject({ state: 'undone', counts: { undone: 2, added: 0 } })
  expect([await endOf(early), await endOf(late)]).toEqual(before)
  expect(await early.client.call(getOwnSubscription, {})).toMatchObject({ gifts: [] })
  // After the undo, the days can be given again.
  expect(await preview(incidentId)).toMatchObject({ customers: 2 })
})

test('days can be given to the customers of one plan, and the days of a customer whose subscription has ended begin now', async () => {
  const monthly = await subscriber(month)
  const yearly = await subscriber(year)
  await world.pass(2)
  const incidentId = await outage(1)
  await world.pass(24 * 40)
  await world.runJobs()
  expect((await world.app.db.select().from(users).where(eq(users.id, monthly.user.id)))[0]!.subscriptionStatus).toBe(
    'expired',
  )
  const chosen = { to: 'plans', planIds: [month], emails: false }
  const found = await preview(incidentId, chosen)
  expect(found.ended).toBe(found.customers)
  const yearEnd = await endOf(yearly)
  await give(incidentId, found.customers, chosen)
  expect(Date.parse((await endOf(monthly))!)).toBeGreaterThan(Date.parse(world.now()) + 86_400_000)
  expect(await endOf(yearly)).toBe(yearEnd)
  expect(await mailsTo(monthly)).toEqual([])
})

test('days can be given only to the customers who reported the incident, and undone for a single customer', async () => {
  const [ann, ben] = [await subscriber(year), await subscriber(year)]
  const { id } = await ann.client.call(createReport, {
    body: { contentType: 'channel', contentName: 'Harbor News', issue: 'not_working' },
  })
  const { rows } = await world.app.database.pool.query<{ id: number }>(
    `select case_id as id from reports where id = ${id}`,
  )
  const made = await world.admin.client.call(openCaseIncident, { params: { caseId: rows[0]!.id } })
  await world.pass(3)
  const body = { text: 'Solved.', notifies: true, version: made.version }
  await world.admin.client.call(endIncident, { params: { incidentId: made.id }, body })
  const before = [await endOf(ann), await endOf(ben)]
  const gift = await give(made.id, 1, { to: 'reporters' })
  expect(await endOf(ben)).toBe(before[1])
  const [row] = await world.app.db.select().from(timeGiftCustomers).where(eq(timeGiftCustomers.giftId, gift.id))
  await world.admin.client.call(undoSubscriptionEdit, {
    params: { userId: ann.user.id },
    body: { activationId: row!.activationId! },
  })
  expect(await endOf(ann)).toBe(before[0])
  const { gifts, affectedDays } = await world.admin.client.call(listGivenDays, { params: { incidentId: made.id } })
  expect([affectedDays, gifts[0]!.counts.undone]).toEqual([1, 1])
})

test('an undo keeps the days of a customer whose plan has changed since then, and returns the reason', async () => {
  const ann = await subscriber(month)
  await world.pass(1)
  const incidentId = await outage(0.5)
  const { customers } = await preview(incidentId)
  const gift = await give(incidentId, customers)
  const change = await world.requestChange(ann, year)
  await world.decide(change.id, 'paid')
  await world.admin.client.call(undoTimeGift, { params: { giftId: gift.id } })
  const undone = await world.admin.client.call(continueTimeGift, { params: { giftId: gift.id } })
  expect(undone).toMatchObject({ state: 'undone', counts: { kept: 1, undone: customers - 1 } })
  expect(undone.exceptions).toMatchObject([
    { username: ann.user.username, reason: expect.stringMatching(/plan change/) },
  ])
})

test('time bought after the gift moves back when the days are undone, and a job completes an interrupted undo', async () => {
  const ann = await subscriber(month)
  await world.pass(1)
  const incidentId = await outage(0.5)
  const before = await endOf(ann)
  const { customers } = await preview(incidentId)
  const gift = await give(incidentId, customers)
  await world.buy(ann, month)
  await world.app.db
    .update(timeGifts)
    .set({ state: 'undoing', undoneBy: world.admin.user.id, undoneAt: world.now() })
    .where(eq(timeGifts.id, gift.id))
  await continueGifts(world.app.db)
  const [row] = await world.app.db.select().from(timeGifts).where(eq(timeGifts.id, gift.id))
  expect(row!.state).toBe('undone')
  const rest = await world.app.db
    .select()
    .from(segments)
    .where(eq(segments.userId, ann.user.id))
    .orderBy(asc(segments.startsAt))
  expect(rest.map(({ startsAt }) => startsAt).at(-1)).toBe(before)
  expect(await world.admin.client.call(listIncidents, {})).not.toEqual([])
})
