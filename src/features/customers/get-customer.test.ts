import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateRole } from '#features/accounts/admin-contract.ts'
import { createReport } from '#features/reports/contract.ts'
import { updateSubscription } from '#features/subscriptions/admin-contract.ts'
import { createTrialRequest } from '#features/trials/contract.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createInvoice, createPlan, createUser } from '../../../test/harness/factories.ts'
import { getCustomer } from './admin-contract.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin({ username: 'chief' })
})
afterAll(() => app.close())

const read = (userId: number) => admin.client.call(getCustomer, { params: { userId } })

describe('a customer’s overview', () => {
  test('is for administrators only, not even for the customer', async () => {
    const { client, user } = await app.signIn()
    expect((await app.client().request(`/api/admin/users/${user.id}`)).status).toBe(401)
    expect((await client.request(`/api/admin/users/${user.id}`)).status).toBe(403)
  })

  test('is 404 for an unknown user', async () => {
    for (const userId of ['2147483647', '0', 'x', '1.5'])
      expect((await admin.client.request(`/api/admin/users/${userId}`)).status).toBe(404)
  })

  test('has empty lists for a new customer', async () => {
    const user = await createUser(app.db)
    expect(await read(user.id)).toMatchObject({
      user: { id: user.id, planName: null },
      emailVerifiedAt: null,
      sessions: 0,
      lastSeenAt: null,
      referredBy: null,
      referred: 0,
      sameMailbox: [],
      invoices: { total: 0, rows: [] },
      credit: { balance: 0, transactions: [] },
      activations: [],
      reports: { total: 0, rows: [] },
      trials: [],
      audit: [],
    })
  })

  test('has the newest rows of each list with their authors, and no secrets', async () => {
    const friend = await createUser(app.db, { username: 'friend' })
    const who = await app.signIn({
      username: 'carla',
      email: 'car.la+tv@example.org',
      referredBy: friend.id,
      iptvPassword: 'v1:canary',
      credit: 700,
    })
    const sameMailbox = await createUser(app.db, { username: 'carla2', email: 'carla@example.org' })
    const plan = await createPlan(app.db)
    for (let i = 0; i < 12; i++)
      await createInvoice(app.db, { userId: who.user.id, planId: plan.id, status: 'cancelled' })
    await who.client.call(createReport, {
      body: { contentType: 'movie', contentName: 'Grand Tour', issue: 'buffering' },
    })
    await who.client.call(createTrialRequest, { body: { device: 'Fire TV', message: 'I would like to try it first.' } })
    const params = { userId: who.user.id }
    await admin.client.call(updateSubscription, {
      params,
      body: { planId: plan.id, status: 'active', endDate: '2099-01-01' },
    })
    await admin.client.call(updateRole, { params, body: { role: 'admin' } })

    const response = await admin.client.request(`/api/admin/users/${who.user.id}`)
    const text = await response.text()
    expect(text).not.toMatch(/canary|argon2|tokenHash/)
    const customer = await read(who.user.id)
    expect(customer).toMatchObject({
      user: { username: 'carla', planName: plan.name },
      sessions: 1,
      lastSeenAt: expect.any(String),
      referredBy: { id: friend.id, username: 'friend' },
      sameMailbox: [{ id: sameMailbox.id, username: 'carla2', email: 'carla@example.org' }],
      invoices: { total: 12 },
      credit: { balance: 700, transactions: [{ amount: 700, createdBy: 'carla' }] },
      activations: [
        {
          kind: 'grant',
          planName: plan.name,
          status: 'active',
          createdBy: 'chief',
          invoiceNumber: null,
          reversedAt: null,
        },
      ],
      reports: { total: 1, rows: [{ contentName: 'Grand Tour', status: 'pending' }] },
      trials: [{ device: 'Fire TV', status: 'pending' }],
      audit: [
        { actor: 'chief', action: 'user.update_role', before: { role: 'user' }, after: { role: 'admin' } },
        { actor: 'chief', action: 'user.update_subscription' },
      ],
    })
    expect(customer.invoices.rows).toHaveLength(10)
    expect((await read(friend.id)).referred).toBe(1)
  })
})
