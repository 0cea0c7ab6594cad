import { desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, reports } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { listAllReports, updateReport } from './admin-contract.ts'
import { createReport, listReports } from './contract.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
})
afterAll(() => app.close())

const problem = {
  contentType: 'channel',
  contentName: 'Harbor News',
  issue: 'buffering',
  description: 'Every evening after eight.',
} as const
const postReport = ({ client }: SignedIn, body: object = problem) => client.post('/api/reports', body)
const rowsOf = (userId: number) => app.db.select().from(reports).where(eq(reports.userId, userId)).orderBy(reports.id)
const decide = ({ client }: SignedIn, id: number, body: object) =>
  client.request(`/api/admin/reports/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('a new report', () => {
  const kind = 'Please select the content type'
  const issue = 'Please select the issue type'
  test.each<[string, object, string, string]>([
    ['no content type', { contentType: undefined }, 'contentType', kind],
    ['an unknown content type', { contentType: 'radio' }, 'contentType', kind],
    ['a list instead of a content type', { contentType: ['channel'] }, 'contentType', kind],
    ['no name', { contentName: undefined }, 'contentName', 'Content name is required'],
    ['a blank name', { contentName: '   ' }, 'contentName', 'Content name is required'],
    ['a name of 121 characters', { contentName: 'x'.repeat(121) }, 'contentName', 'Please use at most 120 characters'],
    ['no issue', { issue: undefined }, 'issue', issue],
    ['an unknown issue', { issue: 'too_loud' }, 'issue', issue],
    [
      'a description of 2001 characters',
      { description: 'x'.repeat(2001) },
      'description',
      'Please use at most 2000 characters',
    ],
    [
      'a description with hidden direction marks',
      { description: 'nothing\u202e wrong' },
      'description',
      'Please remove the control characters',
    ],
  ])(
    'with %s is refused with the message of the form field, and nothing is stored',
    async (_what, change, path, message) => {
      const customer = await app.signIn()
      const response = await postReport(customer, { ...problem, ...change })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        message,
        code: 'invalid',
        issues: expect.arrayContaining([{ path, message }]),
      })
      expect(await rowsOf(customer.user.id)).toEqual([])
    },
  )

  test('is refused in the name of another customer and for anonymous callers', async () => {
    const [customer, other] = [await app.signIn(), await app.signIn()]
    const response = await postReport(customer, { ...problem, userId: other.user.id })
    expect(response.status).toBe(403)
    expect(await response.json()).toEqual({
      message: 'You can only report problems for your own account',
      code: 'not_allowed',
    })
    expect((await postReport(customer, { ...problem, userId: String(customer.user.id) })).status).toBe(400)
    expect((await app.client().post('/api/reports', { ...problem, userId: customer.user.id })).status).toBe(401)
    expect([...(await rowsOf(customer.user.id)), ...(await rowsOf(other.user.id))]).toEqual([])
  })

  test('belongs to the user of the session, whether the request contains that user’s id, null or no id', async () => {
    const customer = await app.signIn()
    for (const userId of [customer.user.id, null, undefined])
      expect((await postReport(customer, { ...problem, userId })).status).toBe(200)
    expect(await rowsOf(customer.user.id)).toHaveLength(3)
  })

  test('ignores status, dates and notes in the body; an empty description is stored as null', async () => {
    const customer = await app.signIn()
    const forged = {
      status: 'resolved',
      resolvedAt: '2026-01-01T00:00:00Z',
      createdAt: '2020-01-01T00:00:00Z',
      adminNotes: 'Done',
      id: 1,
    }
    const response = await postReport(customer, { ...problem, ...forged, description: '  ' })
    expect(response.status).toBe(200)
    expect(await rowsOf(customer.user.id)).toMatchObject([
      {
        contentName: 'Harbor News',
        description: null,
        status: 'pending',
        resolvedAt: null,
        adminNotes: null,
        createdAt: expect.stringMatching(/^(?!2020)/),
      },
    ])
  })
})

describe('the user’s own reports', () => {
  test('are listed newest first, without reports of other customers', async () => {
    const [customer, other] = [await app.signIn(), await app.signIn()]
    await postReport(other)
    await postReport(customer)
    await postReport(customer, {
      ...problem,
      contentType: 'movie',
      contentName: 'The Long Road',
      description: undefined,
    })
    expect(await customer.client.call(listReports, {})).toMatchObject([
      { contentName: 'The Long Road', description: null, userId: customer.user.id },
      { contentName: 'Harbor News', userId: customer.user.id },
    ])
    expect((await app.client().request('/api/reports')).status).toBe(401)
  })

  test('show the notes in every status except pending', async () => {
    const customer = await app.signIn()
    const { id } = await customer.client.call(createReport, { body: problem })
    for (const status of ['reviewing', 'resolved', 'dismissed', 'pending'] as const) {
      await admin.client.call(updateReport, {
        params: { reportId: id },
        body: { status, adminNotes: 'The feed was replaced.' },
      })
      const [mine] = await customer.client.call(listReports, {})
      expect(mine).toMatchObject({ status, adminNotes: status === 'pending' ? null : 'The feed was replaced.' })
      expect(mine?.resolvedAt).toEqual(status === 'resolved' ? expect.any(String) : null)
    }
  })
})

test('twenty reports per day are accepted, the next one is refused', async () => {
  const strict = await buildApp({ config: { rateLimitFactor: 1 } })
  const customer = await strict.signIn()
  for (let i = 0; i < 20; i++) expect((await postReport(customer)).status).toBe(200)
  const refused = await postReport(customer)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
  expect((await postReport(await strict.signIn())).status).toBe(200)
  expect(await customer.client.call(listReports, {})).toHaveLength(20)
  await strict.close()
})

describe('the administrators’ endpoints', () => {
  test('are closed to customers and anonymous callers', async () => {
    const customer = await app.signIn()
    const { id } = await customer.client.call(createReport, { body: problem })
    expect((await decide(customer, id, { status: 'resolved' })).status).toBe(403)
    expect((await customer.client.request('/api/admin/reports')).status).toBe(403)
    expect((await app.client().request('/api/admin/reports')).status).toBe(401)
    expect((await decide(admin, id, { status: 'done' })).status).toBe(400)
    expect((await decide(admin, 2147483647, { status: 'resolved' })).status).toBe(404)
    expect(await rowsOf(customer.user.id)).toMatchObject([{ status: 'pending' }])
  })

  test('return the authors and the total, filter by status and search literally', async () => {
    const customer = await app.signIn({ username: 'night_owl' })
    await postReport(customer, { ...problem, contentName: '100% Cooking' })
    const by = async (query: object) =>
      (await admin.client.call(listAllReports, { query })).rows.map(({ contentName }) => contentName)
    expect(await admin.client.call(listAllReports, { query: { search: 'NIGHT_OWL' } })).toMatchObject({
      total: 1,
      rows: [{ username: 'night_owl', email: customer.user.email, contentName: '100% Cooking' }],
    })
    expect(await by({ search: '100% c' })).toEqual(['100% Cooking'])
    expect(await by({ search: '1%g' })).toEqual([])
    expect(await by({ search: 'night_owl', status: 'dismissed' })).toEqual([])
    expect(await by({ pageSize: 1 })).toEqual(['100% Cooking'])
  })

  test('do not change the notes if they are missing, clear them if they are empty, and audit the change', async () => {
    const customer = await app.signIn()
    const { id } = await customer.client.call(createReport, { body: problem })
    await decide(admin, id, { status: 'reviewing', adminNotes: 'Asked the provider' })
    await decide(admin, id, { status: 'resolved' })
    expect(await rowsOf(customer.user.id)).toMatchObject([{ status: 'resolved', adminNotes: 'Asked the provider' }])
    const [entry] = await app.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.targetId, String(id)))
      .orderBy(desc(auditLog.id))
    expect(entry).toMatchObject({
      actorId: admin.user.id,
      action: 'report.update',
      before: { status: 'reviewing' },
      after: { status: 'resolved' },
    })
    await decide(admin, id, { status: 'resolved', adminNotes: '' })
    expect(await rowsOf(customer.user.id)).toMatchObject([
      { status: 'resolved', adminNotes: null, resolvedAt: expect.any(String) },
    ])
  })
})
