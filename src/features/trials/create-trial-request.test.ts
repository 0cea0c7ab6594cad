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

const wish = { device: 'Fire TV Stick 4K', message: 'I would like to see whether the sports run smoothly here.' }
const ask = ({ client }: SignedIn, body: object = wish) => client.post('/api/trial-requests', body)
const rowsOf = (userId: number) =>
  app.db.select().from(trialRequests).where(eq(trialRequests.userId, userId)).orderBy(trialRequests.id)
const change = (userId: number, values: PgUpdateSetSource<typeof trialRequests>) =>
  app.db.update(trialRequests).set(values).where(eq(trialRequests.userId, userId))
const daysAgo = (days: number) => sql`now() - make_interval(days => ${days})`

const device = "Please specify what device you'll use for the trial"
const message = 'Please provide some details about why you want a trial'

describe('what a trial request has to say', () => {
  test.each<[string, object, string, string]>([
    ['no device', { message: wish.message }, 'device', device],
    ['a device of two letters', { ...wish, device: 'TV' }, 'device', device],
    ['a device of blanks', { ...wish, device: '      ' }, 'device', device],
    ['a device in a list', { ...wish, device: ['Fire TV'] }, 'device', device],
    ['a device of 121 letters', { ...wish, device: 'x'.repeat(121) }, 'device', 'Please use at most 120 characters'],
    [
      'a device of two lines',
      { ...wish, device: 'Fire TV\nApproved' },
      'device',
      'Please remove the control characters',
    ],
    ['no message', { device: wish.device }, 'message', message],
    ['a message of nine letters', { ...wish, message: 'Too short' }, 'message', message],
    ['a message of blanks', { ...wish, message: ' '.repeat(20) }, 'message', message],
    [
      'a message of 2001 letters',
      { ...wish, message: 'x'.repeat(2001) },
      'message',
      'Please use at most 2000 characters',
    ],
    [
      'a message with hidden direction marks',
      { ...wish, message: 'Please \u202eapprove me now' },
      'message',
      'Please remove the control characters',
    ],
  ])('%s is refused in the words of the form, and nothing is stored', async (_what, body, path, words) => {
    const customer = await app.signIn()
    const response = await ask(customer, body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      message: words,
      code: 'invalid',
      issues: expect.arrayContaining([{ path, message: words }]),
    })
    expect(await rowsOf(customer.user.id)).toEqual([])
  })

  test('three letters and ten letters are enough, 120 and 2000 are not too many', async () => {
    for (const body of [
      { device: 'iPa', message: 'x'.repeat(10) },
      { device: 'x'.repeat(120), message: 'x'.repeat(2000) },
    ])
      expect((await ask(await app.signIn(), body)).status).toBe(200)
  })

  test('what only an administrator decides never comes from the body', async () => {
    const [customer, other] = [await app.signIn(), await app.signIn()]
    const secrets = {
      trialUsername: 'free',
      trialPassword: 'free',
      trialServer: 'http://free.example',
      expiryDate: '2099-01-01T00:00:00Z',
    }
    const response = await ask(customer, {
      ...wish,
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
    expect(await response.json()).toMatchObject({ ...wish, ...empty, status: 'pending' })
    expect(await rowsOf(customer.user.id)).toMatchObject([{ ...wish, ...empty, status: 'pending', adminId: null }])
    expect(await rowsOf(other.user.id)).toEqual([])
  })
})

describe('requesting a trial', () => {
  test('without a session: 401', async () => {
    expect((await app.client().post('/api/trial-requests', wish)).status).toBe(401)
    expect((await app.client().request('/api/trial-requests')).status).toBe(401)
  })

  test('not while a request is open, however old it is', async () => {
    const customer = await app.signIn()
    await ask(customer)
    for (const days of [0, 90]) {
      await change(customer.user.id, { requestDate: daysAgo(days) })
      const response = await ask(customer)
      expect(response.status).toBe(409)
      expect(await response.json()).toEqual({
        message: 'You already have a trial request that is waiting for review',
        code: 'trial_open',
      })
    }
    expect(await rowsOf(customer.user.id)).toHaveLength(1)
  })

  test.each(['approved', 'denied'] as const)('not within 30 days of a request that was %s', async (status) => {
    const customer = await app.signIn()
    await ask(customer)
    const credentials = { trialUsername: 'a', trialPassword: 'v1:x', trialServer: 'c', expiryDate: daysAgo(1) }
    await change(customer.user.id, {
      status,
      responseDate: sql`now()`,
      requestDate: sql`now() - interval '30 days' + interval '1 minute'`,
      ...credentials,
    })
    const response = await ask(customer)
    expect(response.status).toBe(409)
    expect(await response.json()).toEqual({
      message: 'You can request one trial every 30 days. Please contact support if you need another one.',
      code: 'trial_too_soon',
    })
    await change(customer.user.id, { requestDate: sql`now() - interval '30 days' - interval '1 second'` })
    expect((await ask(customer)).status).toBe(200)
    expect(await rowsOf(customer.user.id)).toMatchObject([{ status }, { status: 'pending' }])
  })

  test('not while a subscription runs, again when it has run out or was cancelled', async () => {
    const customer = await app.signIn({
      subscriptionStatus: 'active',
      subscriptionEndDate: new Date(Date.now() + 60_000).toISOString(),
    })
    const response = await ask(customer)
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
    expect((await ask(customer)).status).toBe(200)
    expect((await ask(await app.signIn({ subscriptionStatus: 'cancelled' }))).status).toBe(200)
  })

  test('fifty concurrent requests create one', async () => {
    const customer = await app.signIn()
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(customer)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status !== 200)
    for (const response of refused) expect(await response.json()).toMatchObject({ code: 'trial_open' })
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([409]))
    expect(await rowsOf(customer.user.id)).toHaveLength(1)
  })
})

test('a refusal by the index alone reads like the others', async () => {
  const customer = await app.signIn()
  // Another hand opens a request after this one has looked: only the unique index is left to notice.
  await app.db.execute(sql`
    create function open_first() returns trigger language plpgsql as $$ begin
      if new.device = 'Two at once' then insert into trial_requests (user_id, device, message) values (new.user_id, 'The other one', 'was a moment faster'); end if;
      return new;
    end $$`)
  await app.db.execute(
    sql`create trigger open_first before insert on trial_requests for each row execute function open_first()`,
  )
  const response = await ask(customer, { ...wish, device: 'Two at once' })
  expect(response.status).toBe(409)
  expect(await response.json()).toMatchObject({ code: 'trial_open' })
  expect(await rowsOf(customer.user.id)).toEqual([])
})

test('a customer sees only their own requests, newest first', async () => {
  const [customer, other] = [await app.signIn(), await app.signIn()]
  await ask(other)
  await ask(customer)
  await change(customer.user.id, { status: 'denied', requestDate: daysAgo(60) })
  await customer.client.call(createTrialRequest, { body: { ...wish, device: 'Tablet' } })
  const listed = await customer.client.call(listTrialRequests, {})
  expect(listed).toMatchObject([
    { device: 'Tablet', status: 'pending', userId: customer.user.id },
    { device: wish.device, status: 'denied', userId: customer.user.id },
  ])
})
