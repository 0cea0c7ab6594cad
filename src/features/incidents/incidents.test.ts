import { and, asc, eq, like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLog, channels, incidents, mails, reportCases, reports } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { mergeReportCases } from '../reports/admin-case-contract.ts'
import { createReport } from '../reports/contract.ts'
import * as admin from './admin-contract.ts'
import { getStatus } from './contract.ts'
import { advanceIncidents } from './server/service/advance-incidents.ts'

let app: TestApp
let staff: SignedIn
beforeAll(async () => {
  app = await buildApp()
  staff = await app.signInAdmin()
  await app.db.insert(channels).values({ name: 'Harbor Sports 2', category: 'sports', logo: '/favicon.svg' })
})
afterAll(() => app.close())

const day = 86_400_000
const at = (ms: number) => new Date(Date.now() + ms).toISOString()
const status = () => app.client().call(getStatus, {})
const fields = {
  kind: 'problem' as const,
  title: 'Slow pictures',
  text: 'We look into it.',
  categories: [],
  channels: [],
}
const open = (more: object = {}) => staff.client.call(admin.openIncident, { body: { ...fields, ...more } })
const refusal = async (path: string, body: unknown) => {
  const response = await staff.client.post(path, body)
  const { code, issues } = (await response.json()) as { code: string; issues?: { path: string }[] }
  return [response.status, code, issues?.[0]?.path]
}
const report = async ({ client }: SignedIn, contentName: string) => {
  const { id } = await client.call(createReport, { body: { contentType: 'channel', contentName, issue: 'buffering' } })
  return (await app.db.select().from(reports).where(eq(reports.id, id)))[0]!
}
const mailsTo = ({ user }: SignedIn) =>
  app.db
    .select()
    .from(mails)
    .where(and(eq(mails.userId, user.id), eq(mails.template, 'report_resolved')))

test('invalid dates and values are refused with the name of the field, and nothing is published', async () => {
  const before = await app.db.$count(incidents)
  const refused = (more: object) => refusal('/api/admin/incidents', { ...fields, ...more })
  expect(await refused({ startsAt: at(day) })).toEqual([400, 'invalid', 'startsAt'])
  expect(await refused({ startsAt: at(-91 * day) })).toEqual([400, 'invalid', 'startsAt'])
  expect(await refused({ startsAt: 'yesterday' })).toMatchObject([400, expect.any(String), 'startsAt'])
  expect(await refused({ plannedUntil: at(day) })).toEqual([400, 'invalid', 'plannedUntil'])
  expect(await refused({ kind: 'maintenance' })).toEqual([400, 'invalid', 'plannedUntil'])
  const planned = { kind: 'maintenance', startsAt: at(2 * day), plannedUntil: at(day) }
  expect(await refused(planned)).toEqual([400, 'invalid', 'plannedUntil'])
  expect(await refused({ title: ' ' })).toMatchObject([400, expect.any(String), 'title'])
  expect(await refused({ categories: ['weather'] })).toMatchObject([400, expect.any(String), 'categories.0'])
  expect(await app.db.$count(incidents)).toBe(before)
  const { client } = await app.signIn()
  expect((await client.post('/api/admin/incidents', fields)).status).toBe(403)
})

test('an incident is shown with its updates until it ends, and stays in the history', async () => {
  expect(await status()).toMatchObject({ state: null, open: [], ended: [] })
  const made = await open({ categories: ['sports', 'sports'], channels: ['Harbor Sports 2'], startsAt: at(-2 * day) })
  expect(await status()).toMatchObject({
    state: 'problem',
    open: [
      {
        title: 'Slow pictures',
        affected: [
          { isGroup: true, name: 'Sports' },
          { isGroup: false, name: 'Harbor Sports 2' },
        ],
        updates: [{ text: 'We look into it.' }],
      },
    ],
  })
  const params = { incidentId: made.id }
  const update = (version: number, more: object = {}) =>
    staff.client.call(admin.updateIncident, { params, body: { text: 'All pictures are gone.', version, ...more } })
  await expect(update(99)).rejects.toMatchObject({ code: 'stale' })
  await expect(update(1, { kind: 'maintenance' })).rejects.toMatchObject({ status: 400 })
  await update(1, { kind: 'outage' })
  expect((await status()).open[0]!.updates.map(({ text }) => text)).toEqual([
    'All pictures are gone.',
    'We look into it.',
  ])
  const end = (version: number, endedAt?: string) =>
    staff.client.call(admin.endIncident, { params, body: { text: 'Solved.', notifies: true, version, endedAt } })
  await expect(end(2, at(day))).rejects.toMatchObject({ status: 400 })
  await expect(end(2, at(-3 * day))).rejects.toMatchObject({ status: 400 })
  await end(2)
  await expect(end(3)).rejects.toMatchObject({ code: 'ended' })
  const after = await status()
  expect(after).toMatchObject({ state: null, open: [], ended: [{ id: made.id, kind: 'outage' }] })
  expect(after.days).toHaveLength(90)
  expect(after.days.slice(-3).map(({ state }) => state)).toEqual(['outage', 'outage', 'outage'])
  const entries = await app.db
    .select({ action: auditLog.action })
    .from(auditLog)
    .where(like(auditLog.action, 'incident.%'))
    .orderBy(asc(auditLog.id))
  expect(entries.map(({ action }) => action)).toEqual(['incident.open', 'incident.update', 'incident.end'])
})

test('planned maintenance begins and ends at the planned times, and a withdrawn incident is not shown', async () => {
  const planned = await open({ kind: 'maintenance', startsAt: at(day), plannedUntil: at(day + 3_600_000) })
  expect(await status()).toMatchObject({ state: null, open: [], planned: [{ id: planned.id }] })
  const params = { incidentId: planned.id }
  await expect(
    staff.client.call(admin.endIncident, { params, body: { text: 'Done.', notifies: false, version: 1 } }),
  ).rejects.toMatchObject({ code: 'not_begun' })
  const move = (by: string) =>
    app.db.execute(sql`update incidents set starts_at = starts_at - ${by}::interval, planned_until = planned_until - ${by}::interval
      where id = ${planned.id}`)
  await move('24 hours')
  expect(await advanceIncidents(app.db)).toBe(1)
  expect(await advanceIncidents(app.db)).toBe(0)
  expect(await status()).toMatchObject({ state: 'maintenance', planned: [] })
  await move('2 hours')
  expect(await advanceIncidents(app.db)).toBe(1)
  const after = await status()
  expect(after).toMatchObject({ state: null, open: [] })
  const ended = after.ended.find(({ id }) => id === planned.id)!
  expect(ended.endedAt).toBe(ended.plannedUntil)

  const mistake = await open({ title: 'A mistake' })
  await staff.client.call(admin.withdrawIncident, { params: { incidentId: mistake.id }, body: { version: 1 } })
  expect(JSON.stringify(await status())).not.toContain('A mistake')
})

test('a case is published without any text from customers, and each reporter is emailed once when the incident ends', async () => {
  const [ann, ben] = [await app.signIn(), await app.signIn()]
  const [first] = [
    await report(ann, 'harbor sports 2'),
    await report(ann, 'HARBOR-SPORTS 2 HD'),
    await report(ben, 'Harbor Sports two'),
  ]
  const press = (caseId: number) => staff.client.call(admin.openCaseIncident, { params: { caseId } })
  const made = await press(first!.caseId!)
  expect(made).toMatchObject({ kind: 'problem', title: 'Problem with Harbor Sports 2', waiting: 3 })
  await expect(press(first!.caseId!)).rejects.toMatchObject({ code: 'already_open' })
  await expect(press(2147483647)).rejects.toMatchObject({ status: 404 })
  const shown = JSON.stringify(await status())
  for (const { user } of [ann, ben, staff])
    for (const text of [user.username, user.email]) expect(shown).not.toContain(text)

  const own = await report(ann, `The channel of ${ann.user.username}`)
  expect(await press(own.caseId!)).toMatchObject({ title: 'Customers report a problem' })
  expect(JSON.stringify(await status())).not.toContain(ann.user.username)

  const body = { text: 'The feed was replaced.', notifies: true, version: made.version }
  await staff.client.call(admin.endIncident, { params: { incidentId: made.id }, body })
  for (const reporter of [ann, ben])
    expect(await mailsTo(reporter)).toMatchObject([{ data: { adminNotes: 'The feed was replaced.' } }])
  const [solved] = await app.db.select().from(reportCases).where(eq(reportCases.id, first!.caseId!))
  expect(solved!.solvedAt).toEqual(expect.any(String))
  await expect(press(first!.caseId!)).rejects.toMatchObject({ code: 'solved' })
})

test('an open incident moves to the other case when its case is merged, unless that case already has one', async () => {
  const [ann, bob, cleo] = [await app.signIn(), await app.signIn(), await app.signIn()]
  const [lake, river, creek] = [
    await report(ann, 'Lake News'),
    await report(bob, 'River News'),
    await report(cleo, 'Creek News'),
  ]
  const open = (caseId: number) => staff.client.call(admin.openCaseIncident, { params: { caseId } })
  const merge = (caseId: number, into: number) =>
    staff.client.call(mergeReportCases, { params: { caseId }, body: { into } })
  const made = await open(lake.caseId!)
  await merge(lake.caseId!, river.caseId!)
  const caseOf = async (id: number) => (await app.db.select().from(incidents).where(eq(incidents.id, id)))[0]!.caseId
  expect(await caseOf(made.id)).toBe(river.caseId)
  const other = await open(creek.caseId!)
  await merge(creek.caseId!, river.caseId!)
  expect([await caseOf(made.id), await caseOf(other.id)]).toEqual([river.caseId, creek.caseId])
  const { version } = made
  await staff.client.call(admin.endIncident, {
    params: { incidentId: made.id },
    body: { text: 'Solved.', notifies: true, version: version + 1 },
  })
  for (const who of [ann, bob, cleo]) expect(await mailsTo(who)).toHaveLength(1)
})

test('a job resolves the reports that remain after an administrator has ended an incident', async () => {
  const ann = await app.signIn()
  const { caseId } = await report(ann, 'Mountain News')
  const made = await staff.client.call(admin.openCaseIncident, { params: { caseId: caseId! } })
  const body = { text: 'Solved.', notifies: false, version: made.version }
  await staff.client.call(admin.endIncident, { params: { incidentId: made.id }, body })
  expect(await mailsTo(ann)).toEqual([])
  await app.db.update(incidents).set({ notifies: true }).where(eq(incidents.id, made.id))
  await advanceIncidents(app.db)
  expect(await mailsTo(ann)).toMatchObject([{ data: { status: 'resolved', adminNotes: 'Solved.' } }])
  const [row] = await app.db.select().from(incidents).where(eq(incidents.id, made.id))
  expect(row!.notifies).toBe(false)
})
