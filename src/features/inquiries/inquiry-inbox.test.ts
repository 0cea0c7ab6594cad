import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, inquiries } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { listInquiries } from './admin-contract.ts'
import { createInquiry } from './contract.ts'
import { replyUrl } from './rules.ts'

let app: TestApp
let admin: SignedIn
let other: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  other = await app.signInAdmin({ username: 'second_desk' })
})
afterAll(() => app.close())

let count = 0
const submit = async (overrides: object = {}) => {
  const email = `ask-${count++}@example.org`
  await app.client().call(createInquiry, {
    body: { name: 'Ada Quill', email, message: 'Do you offer a plan for a small hotel?', ...overrides },
  })
  return (await app.db.select().from(inquiries).where(eq(inquiries.email, email)))[0]!
}
const decide = (id: number, body: object, { client } = admin) =>
  client.request(`/api/admin/inquiries/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const rowOf = async (id: number) => (await app.db.select().from(inquiries).where(eq(inquiries.id, id)))[0]!
const found = async (query: object) => (await admin.client.call(listInquiries, { query })).rows

describe('an update is refused and changes nothing', () => {
  test('for customers, anonymous callers, an unknown inquiry, an unknown status and a note of 2001 characters', async () => {
    const { id } = await submit()
    const customer = await app.signIn()
    expect((await customer.client.request('/api/admin/inquiries')).status).toBe(403)
    expect((await app.client().request('/api/admin/inquiries')).status).toBe(401)
    expect((await decide(id, { status: 'answered' }, customer)).status).toBe(403)
    expect((await decide(2147483647, { status: 'answered' })).status).toBe(404)
    for (const body of [{ status: 'closed' }, {}, { status: 'open', adminNotes: 'x'.repeat(2001) }])
      expect((await decide(id, body)).status).toBe(400)
    expect(await rowOf(id)).toMatchObject({ status: 'open', adminNotes: null, version: 1 })
  })

  test('for a stale version, with the name of the other administrator', async () => {
    const { id } = await submit()
    await decide(id, { status: 'answered', version: 1 }, other)
    const late = await decide(id, { status: 'open', adminNotes: 'Later', version: 1 })
    expect([late.status, await late.json()]).toEqual([
      409,
      { message: 'second_desk changed it first: this inquiry is now Answered. Nothing was changed.', code: 'stale' },
    ])
    expect(await rowOf(id)).toMatchObject({ status: 'answered', adminNotes: null })
  })
})

test('answering and reopening are audited with before and after; repeating changes nothing', async () => {
  const { id } = await submit()
  for (const body of [
    { status: 'answered', adminNotes: 'Sent the hotel offer' },
    { status: 'answered' },
    { status: 'open' },
    { status: 'open', adminNotes: '' },
  ])
    expect((await decide(id, body)).status).toBe(200)
  const entries = await app.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.targetId, String(id)))
    .orderBy(asc(auditLog.id))
  expect(entries.filter(({ targetType }) => targetType === 'inquiry')).toMatchObject([
    {
      action: 'inquiry.answer',
      actorId: admin.user.id,
      before: { status: 'open', adminNotes: null },
      after: { status: 'answered' },
    },
    { action: 'inquiry.reopen', after: { status: 'open', adminNotes: 'Sent the hotel offer' } },
    { action: 'inquiry.edit', after: { adminNotes: null } },
  ])
  expect(await rowOf(id)).toMatchObject({ status: 'open', answeredAt: null, version: 4 })
})

test('the inbox shows the plan, can be filtered, and is searched literally by name, email address and message', async () => {
  const plan = await createPlan(app.db)
  const { id, email } = await submit({
    name: 'Bo Lind',
    message: 'Is 100% of the lineup in HD?',
    planId: plan.id,
    newsletterOpt: true,
  })
  expect(await found({ search: 'BO LIND' })).toMatchObject([
    { id, planName: plan.name, newsletterOpt: true, status: 'open' },
  ])
  for (const search of ['100% of', email, `#${id}`]) expect(await found({ search })).toMatchObject([{ id }])
  expect(await found({ search: '1%d' })).toEqual([])
  expect(await found({ search: 'bo lind', status: 'answered' })).toEqual([])
})

test('a reply goes only to the sender, whatever the message contains', () => {
  const address = replyUrl(
    { name: 'A & B', email: "o'neil+tv@example.org", message: 'Hi?\n&bcc=all@example.org #1' },
    'Sauce & Co',
  )
  const url = new URL(address)
  expect([url.protocol, decodeURIComponent(url.pathname)]).toEqual(['mailto:', "o'neil+tv@example.org"])
  expect([...url.searchParams.keys()]).toEqual(['subject', 'body'])
  expect(url.searchParams.get('body')).toContain('> &bcc=all@example.org #1')
  expect(replyUrl({ name: 'A', email: 'a@example.org', message: '😀'.repeat(2000) }, 'S')).not.toContain('undefined')
})
