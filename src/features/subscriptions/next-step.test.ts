import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { getOwnSubscription, putOffNextStep } from './contract.ts'
import { nextStepAt } from './next-step-rules.ts'

let app: TestApp
let planId: number
beforeAll(async () => {
  app = await buildApp()
  planId = (await createPlan(app.db, { connections: 2 })).id
})
afterAll(() => app.close())

const next = async ({ client }: SignedIn) => (await client.call(getOwnSubscription, {})).nextStep
const runsFor = (userId: number, days: number) =>
  app.db.execute(sql`update users set subscription_status = 'active', plan_id = ${planId},
    subscription_start_date = now() - interval '1 day', subscription_end_date = now() + make_interval(days => ${days}) where id = ${userId}`)
const watching = (on: boolean) => app.db.execute(sql`update watching set enabled_at = ${on ? sql`now()` : null}`)

test('an unknown step cannot be put off', async () => {
  const { client } = await app.signIn()
  const response = await client.post('/api/account/next-step/put-off', { step: 'verify' })
  expect(response.status).toBe(400)
})

test('steps are suggested only to subscribers, the renewal first, and a step that was put off returns after 7 days', async () => {
  await watching(true)
  const customer = await app.signIn()
  expect(await next(customer), 'without a subscription').toBeNull()
  await runsFor(customer.user.id, 10)
  expect(await next(customer)).toBe('renew')

  const { until } = await customer.client.call(putOffNextStep, { body: { step: 'renew' } })
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
  expect(await next(customer), 'after the renewal was put off, with two unused screens').toBe('device')
  await customer.client.call(putOffNextStep, { body: { step: 'device' } })
  expect(await next(customer)).toBeNull()

  await app.db.execute(sql`update users set put_off_steps = jsonb_build_object('renew', now() - interval '1 second')`)
  expect(await next(customer)).toBe('renew')
  await runsFor(customer.user.id, 60)
  expect(await next(customer)).toBe('device')

  for (const _ of [1, 2])
    await app.db.execute(sql`insert into devices (user_id, kind, name, token_hash, seen_at)
      values (${customer.user.id}, 'tv', 'Bedroom', ${randomBytes(32)}, now())`)
  expect(await next(customer), 'after every screen was used').toBeNull()
})

test('screens are not counted while channels cannot be watched on this site', async () => {
  await watching(false)
  const customer = await app.signIn()
  await runsFor(customer.user.id, 60)
  expect(await customer.client.call(getOwnSubscription, {})).toMatchObject({ nextStep: null, unusedScreens: 0 })
})

test('an ended subscription has no next step', () => {
  const now = new Date('2026-11-15T12:00:00Z')
  const nextOf = (days: number, usedScreens: number) =>
    nextStepAt(now, {
      ...{ subscriptionStatus: 'active', connections: 2, usedScreens, putOffSteps: {} },
      subscriptionEndDate: new Date(now.getTime() + days * 86_400_000).toISOString(),
    }).nextStep
  expect(nextOf(-1, 0)).toBeNull()
  expect(nextOf(14, 2)).toBeNull()
  expect(nextOf(13.9, 2)).toBe('renew')
})
