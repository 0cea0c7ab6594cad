import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inquiries } from '#server/db/tables.ts'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { createInquiry } from './contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp()
})
afterAll(() => app.close())

const body = { name: 'Ada Quill', email: 'ada@example.org', message: 'Do you offer a plan for a small hotel?' }
const stored = () => app.db.select().from(inquiries)

test.each([
  ['a name of one character', { name: 'A' }, 'name', 'Name must be at least 2 characters.'],
  ['a blank name', { name: '     ' }, 'name', 'Name must be at least 2 characters.'],
  ['no name', { name: undefined }, 'name', 'Name must be at least 2 characters.'],
  ['an email without a host', { email: 'ada' }, 'email', 'Please enter a valid email address.'],
  ['an email in a list', { email: ['ada@example.org'] }, 'email', 'Please enter a valid email address.'],
  ['a short message', { message: 'Too short' }, 'message', 'Message must be at least 10 characters.'],
  [
    'a message with hidden direction marks',
    { message: 'Pay \u202eevil to me please' },
    'message',
    'Please remove the control characters',
  ],
  ['a plan id as text', { planId: '1' }, 'planId', expect.any(String)],
  ['a plan that does not exist', { planId: 2147483647 }, 'planId', 'This plan is not available'],
  ['a newsletter choice as text', { newsletterOpt: 'yes' }, 'newsletterOpt', expect.any(String)],
])('%s is refused with the same message as the form, and nothing is stored', async (_what, change, path, message) => {
  const before = await stored()
  const response = await app.client().post('/api/inquiries', { ...body, ...change })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 'invalid', issues: expect.arrayContaining([{ path, message }]) })
  expect(await stored()).toEqual(before)
})

test('an inquiry about a hidden plan is refused', async () => {
  const hidden = await createPlan(app.db, { hidden: true })
  expect((await app.client().post('/api/inquiries', { ...body, planId: hidden.id })).status).toBe(400)
})

test('a visitor’s message is trimmed and stored with the plan and the newsletter choice', async () => {
  const plan = await createPlan(app.db)
  await app
    .client()
    .call(createInquiry, { body: { ...body, name: '  Ada Quill ', planId: plan.id, newsletterOpt: true } })
  expect(await app.db.select().from(inquiries).where(eq(inquiries.planId, plan.id))).toMatchObject([
    { ...body, planId: plan.id, newsletterOpt: true },
  ])
})

test('plan and newsletter are optional and default to null and false', async () => {
  const email = 'optional@example.org'
  await app.client().call(createInquiry, { body: { ...body, email, planId: null } })
  expect(await app.db.select().from(inquiries).where(eq(inquiries.email, email))).toMatchObject([
    { planId: null, newsletterOpt: false },
  ])
})
