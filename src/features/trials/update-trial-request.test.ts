import { randomBytes } from 'node:crypto'
import { desc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog, mails, trialRequests } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { listAllTrialRequests, updateTrialRequest } from './admin-contract.ts'
import { createTrialRequest, listTrialRequests } from './contract.ts'

let app: TestApp
let admin: SignedIn
let customer: SignedIn
let id: number
beforeAll(async () => {
  app = await buildApp({ config: { secretKey: randomBytes(32).toString('base64') } })
  admin = await app.signInAdmin()
})
afterAll(() => app.close())
beforeEach(async () => {
  customer = await app.signIn()
  id = (
    await customer.client.call(createTrialRequest, { body: { device: 'Fire TV', message: 'To see whether it runs.' } })
  ).id
})

const tomorrow = () => new Date(Date.now() + 24 * 3_600_000).toISOString()
const granted = () => ({
  trialUsername: 'trial-7',
  trialPassword: 'pass-CANARY-7',
  trialServer: 'http://line.example:8080',
  expiryDate: tomorrow(),
})
const decide = (body: object, by = admin, requestId = id) =>
  by.client.request(`/api/admin/trial-requests/${requestId}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const row = async () => (await app.db.select().from(trialRequests).where(eq(trialRequests.id, id)))[0]!
const own = async (of = customer) => (await of.client.call(listTrialRequests, {}))[0]

describe('a decision is refused, and nothing changes,', () => {
  test.each(['trialUsername', 'trialPassword', 'trialServer', 'expiryDate'])(
    'for an approval without %s',
    async (field) => {
      for (const value of [undefined, null, '']) {
        const response = await decide({ ...granted(), status: 'approved', [field]: value })
        expect(response.status).toBe(400)
        const message = 'Trial credentials and expiry date are required when approving a request'
        expect(await response.json()).toMatchObject({ message, issues: [{ path: field, message }] })
      }
      expect(await row()).toMatchObject({ status: 'pending', trialUsername: null, adminId: null })
    },
  )

  test.each([
    ['an unknown status', { status: 'granted' }],
    ['no status', {}],
    ['a denial without a reason', { status: 'denied' }],
    ['a denial with a blank reason', { status: 'denied', adminNotes: '   ' }],
    [
      'an approval with an expiry date in the past',
      { ...granted(), status: 'approved', expiryDate: '2026-01-01T00:00:00Z' },
    ],
    ['a date without a time', { status: 'denied', adminNotes: 'No', expiryDate: '2026-09-02' }],
    ['a date in the year 0', { status: 'denied', adminNotes: 'No', expiryDate: '0000-01-01T00:00:00Z' }],
    [
      'a date in the year 0 in another time zone',
      { status: 'denied', adminNotes: 'No', expiryDate: '0001-01-01T00:00:00+14:00' },
    ],
    ['a day that does not exist', { status: 'denied', adminNotes: 'No', expiryDate: '2027-02-29T00:00:00Z' }],
    ['a date beyond this century', { status: 'denied', adminNotes: 'No', expiryDate: '2101-01-01T00:00:00Z' }],
    ['a server of 301 characters', { status: 'denied', adminNotes: 'No', trialServer: 'x'.repeat(301) }],
  ])('for %s', async (_what, body) => {
    expect((await decide(body)).status).toBe(400)
    expect(await row()).toMatchObject({ status: 'pending', adminId: null })
  })

  test('for a customer (403), an anonymous caller (401) and an unknown request (404)', async () => {
    expect((await decide({ status: 'denied', adminNotes: 'No' }, customer)).status).toBe(403)
    expect((await customer.client.request('/api/admin/trial-requests')).status).toBe(403)
    expect((await app.client().request('/api/admin/trial-requests')).status).toBe(401)
    expect((await decide({ status: 'denied', adminNotes: 'No' }, admin, 2147483647)).status).toBe(404)
    expect(await row()).toMatchObject({ status: 'pending' })
  })

  test('for reopening while the customer has another open request', async () => {
    await decide({ status: 'denied', adminNotes: 'One trial a household.' })
    await app.db
      .update(trialRequests)
      .set({ requestDate: sql`now() - interval '31 days'` })
      .where(eq(trialRequests.id, id))
    await customer.client.call(createTrialRequest, { body: { device: 'Tablet', message: 'Once more, please.' } })
    const response = await decide({ status: 'pending' })
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ code: 'trial_open' })
    expect(await row()).toMatchObject({ status: 'denied' })
  })
})

describe('an approved trial', () => {
  test('shows its owner the credentials, stores the password encrypted and sends an email without them', async () => {
    const decision = granted()
    const response = await admin.client.call(updateTrialRequest, {
      params: { trialRequestId: id },
      body: { ...decision, status: 'approved', adminNotes: 'Looks fine' },
    })
    expect(response).toMatchObject({
      ...decision,
      status: 'approved',
      adminId: admin.user.id,
      adminNotes: 'Looks fine',
    })
    expect(await own()).toMatchObject({
      ...decision,
      status: 'approved',
      responseDate: expect.any(String),
      adminNotes: null,
    })

    expect((await row()).trialPassword).toMatch(/^v2:/)
    expect(JSON.stringify(await row())).not.toContain('CANARY')
    const [mail] = await app.db.select().from(mails).where(eq(mails.userId, customer.user.id)).orderBy(desc(mails.id))
    expect(mail).toMatchObject({
      template: 'trial_approved',
      recipient: customer.user.email,
      data: { expiryDate: decision.expiryDate },
    })
    expect(JSON.stringify(mail)).not.toMatch(/CANARY|trial-7|line\.example/)
    const [entry] = await app.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.targetId, String(id)))
      .orderBy(desc(auditLog.id))
    expect(entry).toMatchObject({
      actorId: admin.user.id,
      action: 'trial.approved',
      after: { status: 'approved', trialPassword: '(hidden)' },
    })
    expect(app.logs.join()).not.toContain('CANARY')
  })

  test('shows the credentials only to its owner and only while the trial is active', async () => {
    await decide({ ...granted(), status: 'approved' })
    const other = await app.signIn()
    expect(await other.client.call(listTrialRequests, {})).toEqual([])
    expect(await own(admin)).toBeUndefined()

    await app.db
      .update(trialRequests)
      .set({ expiryDate: sql`now() - interval '1 second'` })
      .where(eq(trialRequests.id, id))
    expect(await own()).toMatchObject({
      status: 'approved',
      trialUsername: null,
      trialPassword: null,
      trialServer: null,
      expiryDate: expect.any(String),
    })
  })

  test('hides the credentials when the request is denied or reopened, and accepts a corrected expiry date', async () => {
    await decide({ ...granted(), status: 'approved' })
    const { responseDate } = (await own())!
    for (const status of ['denied', 'pending']) {
      await decide({ status, adminNotes: 'One trial a household.' })
      expect(await own()).toMatchObject({
        status,
        trialUsername: null,
        trialPassword: null,
        trialServer: null,
        expiryDate: null,
      })
    }
    expect(await row()).toMatchObject({ responseDate: null, trialUsername: 'trial-7' })
    await decide({ ...granted(), status: 'approved' })
    const later = new Date(Date.now() + 48 * 3_600_000).toISOString()
    const approved = await own()
    await decide({ ...granted(), status: 'approved', expiryDate: later })
    expect(await own()).toMatchObject({ expiryDate: later, responseDate: approved!.responseDate })
    expect(approved!.responseDate).not.toBe(responseDate)
  })

  test('does not show a password that was moved to another row, because it cannot be decrypted', async () => {
    await decide({ ...granted(), status: 'approved' })
    const ciphertext = (await row()).trialPassword
    const attacker = await app.signIn()
    await app.db.insert(trialRequests).values({
      userId: attacker.user.id,
      device: 'x',
      message: 'y',
      status: 'approved',
      trialUsername: 'z',
      trialServer: 's',
      trialPassword: ciphertext,
      expiryDate: tomorrow(),
    })
    const response = await attacker.client.request('/api/trial-requests')
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ code: 'internal', message: 'Internal error' })
    expect(app.logs.join()).toContain('cannot be opened with this key')
    await app.db.delete(trialRequests).where(eq(trialRequests.userId, attacker.user.id))
  })
})

test('a denied request shows its feedback, a pending one does not', async () => {
  await decide({ status: 'denied', adminNotes: 'One trial a household.' })
  expect(await own()).toMatchObject({
    status: 'denied',
    adminNotes: 'One trial a household.',
    responseDate: expect.any(String),
  })
  const [mail] = await app.db.select().from(mails).where(eq(mails.userId, customer.user.id)).orderBy(desc(mails.id))
  expect(mail).toMatchObject({ template: 'trial_denied', data: { adminNotes: 'One trial a household.' } })
  await decide({ status: 'pending' })
  expect(await own()).toMatchObject({ status: 'pending', adminNotes: null, responseDate: null })
  expect(await row()).toMatchObject({ adminNotes: 'One trial a household.' })
})

test('fifty concurrent approvals leave one approved trial, one email and readable credentials', async () => {
  const decision = { ...granted(), status: 'approved' }
  const responses = await Promise.all(Array.from({ length: 50 }, () => decide(decision)))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await own()).toMatchObject(decision)
  expect(
    await app.db
      .select()
      .from(mails)
      .where(sql`${mails.dedupeKey} like ${`trial_approved:${id}:%`}`),
  ).toHaveLength(1)
})

describe('the list for administrators', () => {
  test('contains customer data, and can be filtered, searched literally and counted', async () => {
    const someone = await app.signIn({ username: 'trial_seeker' })
    await someone.client.call(createTrialRequest, { body: { device: 'Roku', message: 'To see whether it runs.' } })
    const { rows, total } = await admin.client.call(listAllTrialRequests, {
      query: { search: 'TRIAL_SEEK', status: 'pending' },
    })
    expect(total).toBe(1)
    expect(rows).toMatchObject([
      { device: 'Roku', user: { username: 'trial_seeker', email: someone.user.email }, sameMailbox: [] },
    ])
    expect(
      (await admin.client.call(listAllTrialRequests, { query: { search: 'trial_seek', status: 'denied' } })).rows,
    ).toEqual([])
    expect((await admin.client.call(listAllTrialRequests, { query: { search: '%' } })).rows).toEqual([])
    const newest = await admin.client.call(listAllTrialRequests, { query: { pageSize: 2 } })
    expect(newest.rows.map((each) => each.user.username)).toEqual(['trial_seeker', customer.user.username])
  })

  test('marks requests from accounts whose email addresses belong to the same mailbox', async () => {
    const people = [
      'Ann.Lee@farm.example',
      'annlee+second@farm.example',
      'a.n.n.lee+third@FARM.example',
      'annlee@other.example',
    ]
    const [first, second, third, otherMailbox] = await Promise.all(people.map((email) => app.signIn({ email })))
    for (const person of [first!, second!, otherMailbox!])
      await person.client.call(createTrialRequest, { body: { device: 'Roku', message: 'To see whether it runs.' } })
    const flagsOf = async ({ user }: SignedIn) =>
      (await admin.client.call(listAllTrialRequests, { query: { search: user.username } })).rows[0]?.sameMailbox
    expect(await flagsOf(first!)).toEqual([second!.user.username])
    expect(await flagsOf(second!)).toEqual([first!.user.username])
    expect(await flagsOf(otherMailbox!)).toEqual([])
    expect(await flagsOf(third!)).toBeUndefined()
  })
})
