import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createReport } from '#features/reports/contract.ts'
import { updateSubscription } from '#features/subscriptions/admin-contract.ts'
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

describe('the state of a customer', () => {
  test('is visible to administrators only, not even to the customer', async () => {
    const { client, user } = await app.signIn()
    expect((await app.client().request(`/api/admin/users/${user.id}`)).status).toBe(401)
    expect((await client.request(`/api/admin/users/${user.id}`)).status).toBe(403)
  })

  test('is 404 for an unknown user', async () => {
    for (const userId of ['2147483647', '0', 'x', '1.5'])
      expect((await admin.client.request(`/api/admin/users/${userId}`)).status).toBe(404)
  })

  test('is empty for a new customer', async () => {
    const user = await createUser(app.db)
    expect(await read(user.id)).toMatchObject({
      user: { id: user.id, planName: null },
      emailVerifiedAt: null,
      twoFactor: false,
      passkeys: 0,
      sessions: 0,
      lastSeenAt: null,
      referredBy: null,
      referred: 0,
      sameMailbox: [],
      plan: null,
      paid: { total: 0, payments: 0, refunds: 0, method: null, lastPaidAt: null },
      pendingBonuses: [],
      time: [],
      reports: { total: 0, open: 0 },
    })
  })

  test('sums up paid invoices but not refunded or unpaid ones, and contains no secrets', async () => {
    const friend = await createUser(app.db, { username: 'friend' })
    const who = await app.signIn({
      username: 'carla',
      email: 'car.la+tv@example.org',
      referredBy: friend.id,
      iptvPassword: 'v1:canary',
    })
    const sameMailbox = await createUser(app.db, { username: 'carla2', email: 'carla@example.org' })
    const plan = await createPlan(app.db, { price: 1_500 })
    const invoice = { userId: who.user.id, planId: plan.id }
    const paidAt = '2026-01-05T10:00:00.000Z'
    await createInvoice(app.db, { ...invoice, status: 'paid', paidAt, paymentMethod: 'venmo' })
    await createInvoice(app.db, { ...invoice, status: 'paid', paidAt: '2026-01-04T10:00:00.000Z', amount: 999 })
    await createInvoice(app.db, { ...invoice, status: 'refunded', paidAt: '2026-01-03T10:00:00.000Z' })
    await createInvoice(app.db, { ...invoice, status: 'cancelled' })
    await who.client.call(createReport, {
      body: { contentType: 'movie', contentName: 'Grand Tour', issue: 'buffering' },
    })
    await admin.client.call(updateSubscription, {
      params: { userId: who.user.id },
      body: { planId: plan.id, status: 'active', endDate: '2099-01-01' },
    })

    const response = await admin.client.request(`/api/admin/users/${who.user.id}`)
    expect(await response.text()).not.toMatch(/canary|argon2|tokenHash/)
    expect(await read(who.user.id)).toMatchObject({
      user: { username: 'carla', planName: plan.name },
      sessions: 1,
      lastSeenAt: expect.any(String),
      referredBy: { id: friend.id, username: 'friend' },
      sameMailbox: [{ id: sameMailbox.id, username: 'carla2', email: 'carla@example.org' }],
      plan: { price: 1_500, connections: plan.connections },
      paid: { total: 2_499, payments: 2, refunds: 1, method: 'venmo', lastPaidAt: paidAt },
      time: [{ planName: plan.name }],
      reports: { total: 1, open: 1 },
    })
    expect((await read(friend.id)).referred).toBe(1)
  })
})
