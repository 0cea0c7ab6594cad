import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLog, mailedTokens, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { createCustomerOrder, quoteCustomerOrder } from '../billing/admin-order-contract.ts'
import { createCustomer, previewUndoCreation, undoCreateCustomer } from './admin-contract.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp({ config: { secretKey: randomBytes(32).toString('base64') } })
  admin = await app.signInAdmin()
})
afterAll(() => app.close())

const create = (username: string) =>
  admin.client.call(createCustomer, { body: { username, email: `${username}@example.org` } })
const undo = (userId: number) => admin.client.call(undoCreateCustomer, { params: { userId } })
const preview = (userId: number) => admin.client.call(previewUndoCreation, { params: { userId } })

test('an unknown account, an account that a customer registered, and an account with an order are not removed', async () => {
  const registered = await app.signIn()
  expect((await preview(registered.user.id)).refusal).toMatch(/not created by an administrator/)
  await expect(undo(registered.user.id)).rejects.toMatchObject({ status: 409, code: 'built_on' })
  await expect(undo(2147483647)).rejects.toMatchObject({ status: 404 })
  const { id } = await create('with-an-order')
  const plan = await createPlan(app.db, {})
  const { amount } = await admin.client.call(quoteCustomerOrder, { params: { userId: id }, query: { planId: plan.id } })
  await admin.client.call(createCustomerOrder, {
    params: { userId: id },
    body: { planId: plan.id, expectedAmount: amount },
  })
  expect(await preview(id)).toEqual({ refusal: 'The account has an invoice. Nothing was removed.' })
  await expect(undo(id)).rejects.toMatchObject({ code: 'built_on' })
  expect((await registered.client.post(`/api/admin/users/${id}/undo-creation`, {})).status).toBe(403)
})

test('an unused account is removed, its link no longer works, and the customer can be created again', async () => {
  const { id } = await create('moved-here')
  expect(await preview(id)).toEqual({ refusal: null })
  expect((await app.db.select().from(users).where(eq(users.id, id)))[0]).toMatchObject({ username: 'moved-here' })
  await undo(id)
  const left = await app.db.select().from(users).where(eq(users.id, id))
  expect(JSON.stringify(left)).not.toContain('moved-here')
  expect(await app.db.select().from(mailedTokens).where(eq(mailedTokens.userId, id))).toEqual([])
  const entries = await app.db.select().from(auditLog).where(eq(auditLog.action, 'user.undo_create'))
  expect(entries).toMatchObject([{ targetId: String(id), actorId: admin.user.id }])
  expect((await create('moved-here')).id).not.toBe(id)
  await expectInvariants(app.db)
})
