import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, mails, reports } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { listAllReports, updateReport, updateReports } from './admin-contract.ts'
import { createReport } from './contract.ts'

let app: TestApp
let admin: SignedIn
let other: SignedIn
let customer: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  other = await app.signInAdmin({ username: 'second_desk' })
  customer = await app.signIn()
})
afterAll(() => app.close())

const postReport = async (contentName = 'Harbor News') => {
  const { id } = await customer.client.call(createReport, {
    body: { contentType: 'channel', contentName, issue: 'buffering' },
  })
  return id
}
const put = ({ client }: SignedIn, path: string, body: object) =>
  client.request(path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const rowOf = async (id: number) => (await app.db.select().from(reports).where(eq(reports.id, id)))[0]!
const entriesOf = (id: number) =>
  app.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.targetId, String(id)))
    .orderBy(asc(auditLog.id))
const mailsOf = async (id: number) =>
  (await app.db.select().from(mails).where(eq(mails.userId, customer.user.id))).filter(({ dedupeKey }) =>
    dedupeKey.startsWith(`report_resolved:${id}:`),
  )

describe('a stale decision', () => {
  test('is refused with the name of the other administrator and the current status', async () => {
    const id = await postReport()
    await other.client.call(updateReport, { params: { reportId: id }, body: { status: 'reviewing', version: 1 } })
    const late = await put(admin, `/api/admin/reports/${id}`, {
      status: 'dismissed',
      adminNotes: 'No fault found',
      version: 1,
    })
    expect(late.status).toBe(409)
    expect(await late.json()).toEqual({
      message: 'second_desk changed it first: this report is now Under Review. Nothing was changed.',
      code: 'stale',
    })
    expect(await rowOf(id)).toMatchObject({ status: 'reviewing', adminNotes: null, version: 2 })
    expect(await entriesOf(id)).toHaveLength(1)

    const own = await put(other, `/api/admin/reports/${id}`, { status: 'resolved', version: 1 })
    expect(await own.json()).toMatchObject({ message: expect.stringMatching(/^You changed it in another window/) })
  })

  test('is refused if two administrators decide at the same time: there is one change, one audit entry and one email', async () => {
    const id = await postReport()
    const responses = await Promise.all(
      [admin, other].map((who, index) =>
        put(who, `/api/admin/reports/${id}`, { status: 'resolved', adminNotes: `Number ${index}`, version: 1 }),
      ),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await entriesOf(id)).toHaveLength(1)
    expect(await mailsOf(id)).toHaveLength(1)
  })
})

test('the author is emailed when a report is resolved or dismissed, and repeating the decision changes nothing', async () => {
  const id = await postReport('Summit Sports')
  const decide = (body: object) => put(admin, `/api/admin/reports/${id}`, body)
  await decide({ status: 'reviewing', adminNotes: 'Asked the provider' })
  expect(await mailsOf(id)).toEqual([])
  await decide({ status: 'resolved', adminNotes: 'The feed was replaced.' })
  await decide({ status: 'resolved', adminNotes: 'The feed was replaced.' })
  expect(await mailsOf(id)).toMatchObject([
    {
      template: 'report_resolved',
      recipient: customer.user.email,
      data: { contentName: 'Summit Sports', status: 'resolved', adminNotes: 'The feed was replaced.' },
    },
  ])
  expect(await rowOf(id)).toMatchObject({ version: 3 })
  expect(await entriesOf(id)).toHaveLength(2)
  await decide({ status: 'dismissed' })
  expect(await mailsOf(id)).toMatchObject([{}, { data: { status: 'dismissed' } }])
})

describe('a bulk update', () => {
  test('returns the changed reports and the reason for each unchanged one, and does not change notes', async () => {
    const [first, second, third] = [await postReport('One'), await postReport('Two'), await postReport('Three')]
    await other.client.call(updateReport, {
      params: { reportId: first },
      body: { status: 'pending', adminNotes: 'Seen' },
    })
    await other.client.call(updateReport, { params: { reportId: second }, body: { status: 'reviewing' } })
    await other.client.call(updateReport, { params: { reportId: third }, body: { status: 'resolved' } })
    const change = await admin.client.call(updateReports, {
      body: {
        status: 'resolved',
        reports: [
          { id: first, version: 2 },
          { id: second, version: 1 },
          { id: third, version: 2 },
          { id: 2147483647, version: 1 },
        ],
      },
    })
    expect(change).toEqual({
      changed: [first],
      unchanged: [
        { id: second, reason: 'Someone else changed the report; it is now Under Review' },
        { id: third, reason: 'It is already Resolved' },
        { id: 2147483647, reason: 'The report does not exist' },
      ],
    })
    expect(await rowOf(first)).toMatchObject({ status: 'resolved', adminNotes: 'Seen', resolvedAt: expect.any(String) })
    expect(await rowOf(second)).toMatchObject({ status: 'reviewing' })
    expect((await entriesOf(first)).at(-1)).toMatchObject({
      actorId: admin.user.id,
      before: { status: 'pending' },
      after: { status: 'resolved' },
    })
    expect(await mailsOf(first)).toHaveLength(1)
  })

  test('is refused without reports, with more than a hundred reports, and for customers', async () => {
    const id = await postReport()
    const one = { id, version: 1 }
    expect((await put(admin, '/api/admin/reports', { status: 'resolved', reports: [] })).status).toBe(400)
    expect(
      (await put(admin, '/api/admin/reports', { status: 'resolved', reports: Array.from({ length: 101 }, () => one) }))
        .status,
    ).toBe(400)
    expect((await put(admin, '/api/admin/reports', { status: 'gone', reports: [one] })).status).toBe(400)
    expect((await put(customer, '/api/admin/reports', { status: 'resolved', reports: [one] })).status).toBe(403)
    expect(await rowOf(id)).toMatchObject({ status: 'pending', version: 1 })
  })

  test('accepts a hundred reports, and does not deadlock with a concurrent update of the same reports', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, (_, index) => postReport(`Channel ${index}`)))
    const chosen = ids.map((id) => ({ id, version: 1 }))
    const responses = await Promise.all([
      admin.client.call(updateReports, { body: { status: 'reviewing', reports: chosen } }),
      other.client.call(updateReports, { body: { status: 'dismissed', reports: chosen.toReversed() } }),
    ])
    expect(responses.map(({ changed }) => changed.length).toSorted((a, b) => a - b)).toEqual([0, 100])
  })
})

test('a search for #12 finds only report 12', async () => {
  const id = await postReport('#1')
  expect(await admin.client.call(listAllReports, { query: { search: `#${id}` } })).toMatchObject({
    total: 1,
    rows: [{ id }],
  })
  expect((await admin.client.call(listAllReports, { query: { search: '#99999999999' } })).total).toBe(0)
})
