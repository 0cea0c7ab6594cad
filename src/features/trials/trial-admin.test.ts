import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog, mails, trialRequests } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { listAllTrialRequests, updateTrialRequest } from './admin-contract.ts'
import { createTrialRequest } from './contract.ts'

let app: TestApp
let admin: SignedIn
let other: SignedIn
let customer: SignedIn
let id: number
beforeAll(async () => {
  app = await buildApp({ config: { secretKey: randomBytes(32).toString('base64') } })
  admin = await app.signInAdmin()
  other = await app.signInAdmin({ username: 'second_desk' })
})
afterAll(() => app.close())
beforeEach(async () => {
  customer = await app.signIn()
  id = await createRequest(customer)
})

const createRequest = async ({ client }: SignedIn) =>
  (await client.call(createTrialRequest, { body: { device: 'Fire TV', message: 'To see whether it runs.' } })).id
const approval = {
  status: 'approved' as const,
  trialUsername: 'trial-7',
  trialPassword: 'pass-CANARY-7',
  trialServer: 'http://line.example:8080',
  expiryDate: new Date(Date.now() + 86_400_000).toISOString(),
}
const decide = (body: object, by = admin) =>
  by.client.request(`/api/admin/trial-requests/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const row = async () => (await app.db.select().from(trialRequests).where(eq(trialRequests.id, id)))[0]!
const entries = () =>
  app.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.targetId, String(id)))
    .orderBy(auditLog.id)
const listed = async (query: object) => (await admin.client.call(listAllTrialRequests, { query })).rows

describe('a decision with a stale version', () => {
  test('is refused with the name of the other administrator, and releases no credentials', async () => {
    await decide({ status: 'denied', adminNotes: 'One trial a household.', version: 1 }, other)
    const late = await decide({ ...approval, version: 1 })
    expect([late.status, await late.json()]).toEqual([
      409,
      { message: 'second_desk changed it first: this request is now Denied. Nothing was changed.', code: 'stale' },
    ])
    expect(await row()).toMatchObject({ status: 'denied', trialUsername: null, adminId: other.user.id })
  })

  test('is refused when another decision is made concurrently', async () => {
    const responses = await Promise.all([
      decide({ ...approval, version: 1 }),
      decide({ status: 'denied', adminNotes: 'No', version: 1 }, other),
    ])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await entries()).toHaveLength(1)
    expect(await app.db.select().from(mails).where(eq(mails.userId, customer.user.id))).toHaveLength(1)
  })
})

test('saving an unchanged request changes nothing, not even the ciphertext of its password', async () => {
  await decide(approval)
  const before = await row()
  expect((await decide({ ...approval, version: 2 }, other)).status).toBe(200)
  expect(await row()).toEqual(before)
  expect(await entries()).toHaveLength(1)
  await decide({ ...approval, trialPassword: 'another-CANARY', version: 2 }, other)
  expect(await row()).toMatchObject({ version: 3, adminId: other.user.id })
  expect((await entries())[1]).toMatchObject({
    action: 'trial.edit',
    before: { trialPassword: '(hidden)' },
    after: { trialPassword: '(hidden)' },
  })
  expect(JSON.stringify(await entries())).not.toContain('CANARY')
})

test('a password that cannot be decrypted can be replaced', async () => {
  await decide(approval)
  await app.database.pool.query('update trial_requests set trial_password = $1 where id = $2', ['v1:broken', id])
  expect(await listed({ search: `#${id}` })).toMatchObject([{ trialPassword: null, trialUsername: 'trial-7' }])
  expect((await decide({ ...approval, trialPassword: 'fresh-one' })).status).toBe(200)
  expect(await listed({ search: `#${id}` })).toMatchObject([
    { trialPassword: 'fresh-one', adminUsername: admin.user.username },
  ])
})

test('a request lists earlier requests of the same customer or mailbox, newest first', async () => {
  const [first, second, stranger] = await Promise.all(
    ['Kim.Roe@desk.example', 'kimroe+again@desk.example', 'kimroe@other.example'].map((email) => app.signIn({ email })),
  )
  const oldest = await createRequest(first!)
  await admin.client.call(updateTrialRequest, {
    params: { trialRequestId: oldest },
    body: { status: 'denied', adminNotes: 'No' },
  })
  await app.database.pool.query(
    "update trial_requests set request_date = request_date - interval '40 days' where id = $1",
    [oldest],
  )
  const again = await createRequest(first!)
  const alias = await createRequest(second!)
  await createRequest(stranger!)
  const [found] = await listed({ search: `#${again}` })
  expect(found).toMatchObject({
    sameMailbox: [second!.user.username],
    related: [
      { id: alias, username: second!.user.username, status: 'pending', requestDate: expect.stringMatching(/Z$/) },
      { id: oldest, username: first!.user.username, status: 'denied' },
    ],
  })
  expect(await listed({ search: `#${id}` })).toMatchObject([{ related: [], sameMailbox: [] }])
})
