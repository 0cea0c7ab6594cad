import { eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { trialRequests, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createTrialRequest, listTrialRequests } from './contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp({ connections: 20 })
})
afterAll(() => app.close())

const validRequest = {
  device: 'Fire TV Stick 4K',
  message: 'I would like to see whether the sports run smoothly here.',
}
const requestTrial = ({ client }: SignedIn, body: object = validRequest) => client.post('/api/trial-requests', body)
const rowsOf = (userId: number) =>
  app.db.select().from(trialRequests).where(eq(trialRequests.userId, userId)).orderBy(trialRequests.id)
const change = (userId: number, values: PgUpdateSetSource<typeof trialRequests>) =>
  app.db.update(trialRequests).set(values).where(eq(trialRequests.userId, userId))
const daysAgo = (days: number) => sql`now() - make_interval(days => ${days})`

const device = "Please specify what device you'll use for the trial"
const message = 'Please provide some details about why you want a trial'

describe('a trial request', () => {
  test.each<[string, object, string, string]>([
    ['no device', { message: validRequest.message }, 'device', device],
    ['a device of two characters', { ...validRequest, device: 'TV' }, 'device', device],
    ['a blank device', { ...validRequest, device: '      ' }, 'device', device],
    ['a device in an array', { ...validRequest, device: ['Fire TV'] }, 'device', device],
    [
      'a device of 121 characters',
      { ...validRequest, device: 'x'.repeat(121) },
      'device',
      'Please use at most 120 characters',
    ],
    [
      'a device with a line break',
      { ...validRequest, device: 'Fire TV\nApproved' },
      'device',
      'Please remove the control characters',
    ],
    ['no message', { device: validRequest.device }, 'message', message],
    ['a message of nine characters', { ...validRequest, message: 'Too short' }, 'message', message],
    ['a blank message', { ...validRequest, message: ' '.repeat(20) }, 'message', message],
    [
      'a message of 2001 characters',
      { ...validRequest, message: 'x'.repeat(2001) },
      'message',
      'Please use at most 2000 characters',
    ],
    [
      'a message with hidden direction marks',
      { ...validRequest, message: 'Please \u202eapprove me now' },
      'message',
      'Please remove the control characters',
    ],
  ])(
    'with %s is refused with the same message as in the form, and nothing is stored',
    async (_what, body, path, words) => {
      const customer = await app.signIn()
      const response = await requestTrial(customer, body)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        message: words,
        code: 'invalid',
        issues: expect.arrayContaining([{ path, message: words }]),
      })
      expect(await rowsOf(customer.user.id)).toEqual([])
    },
  )

  test('accepts 3 to 120 characters for the device and 10 to 2000 for the message', async () => {
    for (const body of [
      { device: 'iPa', message: 'x'.repeat(10) },
      { device: 'x'.repeat(120), message: 'x'.repeat(2000) },
    ])
      expect((await requestTrial(await app.signIn(), body)).status).toBe(200)
  })

  test('ignores fields of the body that only an administrator may set', async () => {
    const [customer, other] = [await app.signIn(), await app.signIn()]
    const secrets = {
      trialUsername: 'free',
      trialPassword: 'free',
      trialServer: 'http://free.example',
      expiryDate: '2099-01-01T00:00:00Z',
    }
    const response = await requestTrial(customer, {
      ...validRequest,
      ...secrets,
      status: 'approved',
      userId: other.user.id,
      adminId: 1,
      adminNotes: 'Granted',
      id: 7,
    })
    expect(response.status).toBe(200)
    const empty = {
      trialUsername: null,
      trialPassword: null,
      trialServer: null,
      expiryDate: null,
      adminNotes: null,
      responseDate: null,
    }
    expect(await response.json()).toMatchObject({ ...validRequest, ...empty, status: 'pending' })
    expect(await rowsOf(customer.user.id)).toMatchObject([
      { ...validRequest, ...empty, status: 'pending', adminId: null },
    ])
    expect(await rowsOf(other.user.id)).toEqual([])
  })
})

describe('requesting a trial', () => {
  test('is refused with 401 without a session', async () => {
    expect((await app.client().post('/api/trial-requests', validRequest)).status).toBe(401)
    expect((await app.client().request('/api/trial-requests')).status).toBe(401)
  })

  test('is refused while an earlier request is open, whatever its age', async () => {
    const customer = await app.signIn()
    await requestTrial(customer)
    for (const days of [0, 90]) {
      await change(customer.user.id, { requestDate: daysAgo(days) })
      const response = await requestTrial(customer)
      expect(response.status).toBe(409)
      expect(await response.json()).toEqual({
        message: 'You already have a trial request that is waiting for review',
        code: 'trial_open',
      })
    }
    expect(await rowsOf(customer.user.id)).toHaveLength(1)
  })

  test.each(['approved', 'denied'] as const)(
    'is refused within 30 days of an earlier request that was %s',
    async (status) => {
      const customer = await app.signIn()
      await requestTrial(customer)
      const credentials = { trialUsername: 'a', trialPassword: 'v1:x', trialServer: 'c', expiryDate: daysAgo(1) }
      await change(customer.user.id, {
        status,
        responseDate: sql`now()`,
        requestDate: sql`now() - interval '30 days' + interval '1 minute'`,
        ...credentials,
      })
      const response = await requestTrial(customer)
      expect(response.status).toBe(409)
      expect(await response.json()).toEqual({
        message: 'You can request one trial every 30 days. Please contact support if you need another one.',
        code: 'trial_too_soon',
      })
      await change(customer.user.id, { requestDate: sql`now() - interval '30 days' - interval '1 second'` })
      expect((await requestTrial(customer)).status).toBe(200)
      expect(await rowsOf(customer.user.id)).toMatchObject([{ status }, { status: 'pending' }])
    },
  )

  test('is refused during an active subscription, and accepted after it has ended or was cancelled', async () => {
    const customer = await app.signIn({
      subscriptionStatus: 'active',
      subscriptionEndDate: new Date(Date.now() + 60_000).toISOString(),
    })
    const response = await requestTrial(customer)
    expect(response.status).toBe(409)
    expect(await response.json()).toEqual({
      message: 'You already have an active subscription',
      code: 'already_subscribed',
    })
    expect(await rowsOf(customer.user.id)).toEqual([])

    await app.db
      .update(users)
      .set({ subscriptionEndDate: sql`now() - interval '1 second'` })
      .where(eq(users.id, customer.user.id))
    expect((await requestTrial(customer)).status).toBe(200)
    expect((await requestTrial(await app.signIn({ subscriptionStatus: 'cancelled' }))).status).toBe(200)
  })

  test('fifty times concurrently creates one request', async () => {
    const customer = await app.signIn()
    const responses = await Promise.all(Array.from({ length: 50 }, () => requestTrial(customer)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = responses.filter(({ status }) => status !== 200)
    for (const response of refused) expect(await response.json()).toMatchObject({ code: 'trial_open' })
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([409]))
    expect(await rowsOf(customer.user.id)).toHaveLength(1)
  })
})

test('a request that violates the unique index is refused with the same error as one made while another request is open', async () => {
  const customer = await app.signIn()
  // Simulates a request inserted between the check and the insert: only the unique index detects it.
  await app.db.execute(sql`
    create function open_first() returns trigger language plpgsql as $$ begin
      if new.device = 'Two at once' then insert into trial_requests (user_id, device, message) values (new.user_id, 'The other one', 'was a moment faster'); end if;
      return new;
    end $$`)
  await app.db.execute(
    sql`create trigger open_first before insert on trial_requests for each row execute function open_first()`,
  )
  const response = await requestTrial(customer, { ...validRequest, device: 'Two at once' })
  expect(response.status).toBe(409)
  expect(await response.json()).toMatchObject({ code: 'trial_open' })
  expect(await rowsOf(customer.user.id)).toEqual([])
})

test('a customer sees only their own requests, newest first', async () => {
  const [customer, other] = [await app.signIn(), await app.signIn()]
  await requestTrial(other)
  await requestTrial(customer)
  await change(customer.user.id, { status: 'denied', requestDate: daysAgo(60) })
  await customer.client.call(createTrialRequest, { body: { ...validRequest, device: 'Tablet' } })
  const listed = await customer.client.call(listTrialRequests, {})
  expect(listed).toMatchObject([
    { device: 'Tablet', status: 'pending', userId: customer.user.id },
    { device: validRequest.device, status: 'denied', userId: customer.user.id },
  ])
})
