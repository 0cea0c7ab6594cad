import { and, asc, eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLog, channels, mails, reportCases, reports } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import {
  decideReportCase,
  getReportCase,
  listReportCases,
  mergeReportCases,
  splitReport,
} from './admin-case-contract.ts'
import { updateReport } from './admin-contract.ts'
import { createReport } from './contract.ts'
import { groupReports } from './server/service/cases/group-reports.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  await app.db.insert(channels).values({ name: 'Harbor Sports 2', category: 'sports', logo: '/favicon.svg' })
})
afterAll(() => app.close())

const send = async ({ client }: SignedIn, contentName: string, contentType: 'channel' | 'movie' = 'channel') => {
  const { id } = await client.call(createReport, { body: { contentType, contentName, issue: 'buffering' } })
  return (await app.db.select().from(reports).where(eq(reports.id, id)))[0]!
}
const caseOf = async (id: number) => (await app.db.select().from(reportCases).where(eq(reportCases.id, id)))[0]!
const mailsTo = ({ user }: SignedIn) =>
  app.db
    .select()
    .from(mails)
    .where(and(eq(mails.userId, user.id), eq(mails.template, 'report_resolved')))

test('reports with five spellings of a channel form one case, and each reporter gets one email when the case is resolved', async () => {
  const [ann, ben] = [await app.signIn(), await app.signIn()]
  const all = [
    await send(ann, 'harbor sports 2'),
    await send(ben, ' HARBOR-SPORTS 2 HD'),
    await send(ann, 'Harbor Sports two'),
    await send(ben, 'UK: Hárbor Spörts 2 ᴴᴰ'),
    await send(ann, 'Harbour Sports 2'),
  ]
  const ids = new Set(all.map(({ caseId }) => caseId))
  expect(ids.size).toBe(1)
  const caseId = all[0]!.caseId!
  expect((await send(ann, 'Harbor Sports 1')).caseId).not.toBe(caseId)
  expect((await send(ann, 'Harbor Sports 2', 'movie')).caseId).not.toBe(caseId)
  const listed = await admin.client.call(listReportCases, {})
  expect(listed.find(({ id }) => id === caseId)).toMatchObject({ title: 'Harbor Sports 2', open: 5, reporters: 2 })

  const stale = await admin.client.request(`/api/admin/report-cases/${caseId}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'resolved', version: 99 }),
  })
  expect([stale.status, (await ann.client.request(`/api/admin/report-cases/${caseId}`)).status]).toEqual([409, 403])
  expect(await mailsTo(ann)).toEqual([])

  const body = { status: 'resolved', adminNotes: 'The feed was replaced.', version: 1 } as const
  const done = await admin.client.call(decideReportCase, { params: { caseId }, body })
  expect(done).toMatchObject({ open: 0, solvedAt: expect.any(String) })
  expect(new Set(done.reports.map(({ status }) => status))).toEqual(new Set(['resolved']))
  for (const reporter of [ann, ben])
    expect(await mailsTo(reporter)).toMatchObject([
      { data: { status: 'resolved', adminNotes: 'The feed was replaced.' } },
    ])
  const again = await send(ben, 'Harbor Sports 2')
  expect(again.caseId).not.toBe(caseId)
})

test('a case is solved when its last report is decided, and opened again when one of its reports is reopened', async () => {
  const customer = await app.signIn()
  const [first, second] = [await send(customer, 'City News'), await send(customer, 'city news')]
  const decide = (id: number, status: 'resolved' | 'dismissed' | 'pending') =>
    admin.client.call(updateReport, { params: { reportId: id }, body: { status } })
  await decide(first.id, 'resolved')
  expect((await caseOf(first.caseId!)).solvedAt).toBeNull()
  await decide(second.id, 'dismissed')
  expect((await caseOf(first.caseId!)).solvedAt).toEqual(expect.any(String))
  await decide(second.id, 'pending')
  expect((await caseOf(first.caseId!)).solvedAt).toBeNull()
  // The state after two simultaneous decisions, each of which saw the report of the other one as still waiting.
  const [left] = await app.db.insert(reportCases).values({ caseKey: 'left', title: 'Left' }).returning()
  await groupReports(app.db)
  expect((await caseOf(left!.id)).solvedAt).toEqual(expect.any(String))
  expect((await caseOf(first.caseId!)).solvedAt).toBeNull()
})

test('administrators can merge and split cases, and further reports with the same spellings are added to the new case', async () => {
  const customer = await app.signIn()
  const [known, nickname] = [await send(customer, 'Evening Movies'), await send(customer, 'EvMo')]
  const merge = (from: number, into: number) => admin.client.post(`/api/admin/report-cases/${from}/merge`, { into })
  expect((await merge(known.caseId!, known.caseId!)).status).toBe(400)
  expect((await merge(2147483647, known.caseId!)).status).toBe(404)
  const merged = await admin.client.call(mergeReportCases, {
    params: { caseId: nickname.caseId! },
    body: { into: known.caseId! },
  })
  expect(merged).toMatchObject({ id: known.caseId, open: 2 })
  expect((await caseOf(nickname.caseId!)).solvedAt).toEqual(expect.any(String))
  const later = await send(customer, 'EVMO hd')
  expect(later.caseId).toBe(known.caseId)

  const split = await admin.client.call(splitReport, { params: { reportId: nickname.id } })
  expect(split.reports.map(({ id }) => id).sort()).toEqual([nickname.id, later.id])
  expect((await send(customer, 'EvMo')).caseId).toBe(split.id)
  expect(await admin.client.call(getReportCase, { params: { caseId: known.caseId! } })).toMatchObject({ open: 1 })
  expect((await admin.client.post(`/api/admin/reports/${known.id}/split`, {})).status).toBe(409)
  const entries = await app.db
    .select({ action: auditLog.action })
    .from(auditLog)
    .where(inArray(auditLog.action, ['report_case.merge', 'report_case.split']))
    .orderBy(asc(auditLog.id))
  expect(entries.map(({ action }) => action)).toEqual(['report_case.merge', 'report_case.split'])
})
