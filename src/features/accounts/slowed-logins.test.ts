import { EventEmitter } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { endpoints } from '#server/app.ts'
import { limits } from '#server/limits.ts'
import { Admission } from '#server/overload/admission.ts'
import type { LimiterName } from '#server/overload/concurrency-limiter.ts'
import { loginFailures } from '#server/overload/rate-limit.ts'
import { buildApp, type TestApp, testConfig } from '../../../test/harness/app.ts'
import { createUser, password } from '../../../test/harness/factories.ts'
import { listenRaw, type RawApp } from '../../../test/harness/raw-http.ts'

let app: TestApp
let raw: RawApp
let admission: Admission
/** Callbacks that end the delay of each waiting login. */
const waiting: (() => void)[] = []
const pause = (_ms: number) => new Promise<void>((resolve) => void waiting.push(resolve))

beforeAll(async () => {
  admission = new Admission({ ...testConfig, trustProxy: 1 }, endpoints, { warn: () => {} }, pause)
  app = await buildApp({
    config: { rateLimitFactor: 1, trustProxy: 1 },
    slotOf: (request) => admission.slotOf(request),
  })
  raw = await listenRaw(app, admission)
  await createUser(app.db, { username: 'olive' })
  await createUser(app.db, { username: 'boss', role: 'admin' })
})
beforeEach(() => app.database.pool.query('DELETE FROM rate_limits'))
afterEach(() => {
  for (const end of waiting.splice(0)) end()
})
afterAll(async () => {
  await raw.close()
  await app.close()
})

const limiters = () => admission.limiters
/** Occupies all slots of a limiter and of its queue until the test ends. */
function fill(name: LimiterName): void {
  const { atOnce, queue } = limits.admission[name]
  const responses = Array.from({ length: atOnce + queue }, () =>
    Object.assign(new EventEmitter(), { destroyed: false }),
  )
  for (const response of responses)
    limiters()[name].enter(
      { request: { headers: {} }, response } as never,
      () => {},
      () => {},
    )
  onTestFinished(() => {
    for (const response of responses) response.emit('close')
  })
}

let lastIp = 0
/** Each request uses its own connection and network. */
const send = async (path: string, body: unknown) => {
  const ip = `198.18.${++lastIp >> 8}.${lastIp & 255}`
  const headers = { 'content-type': 'application/json', origin: app.context.config.publicUrl, 'x-forwarded-for': ip }
  return (await fetch(`http://127.0.0.1:${raw.port}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }))
    .status
}
const login = (username: string, typed = password) => send('/api/login', { username, password: typed })

/** Records enough failed logins for a name to delay further logins. */
async function attack(name: string): Promise<void> {
  const attempts = Array.from({ length: loginFailures.name.calls }, (_, i) =>
    app.context.limits.login(name, `203.0.${i}.1`),
  )
  for (const attempt of await Promise.all(attempts)) await attempt.count()
}
/** Sends `calls` requests, four in parallel, and returns their statuses. */
async function results(calls: number, ask: () => Promise<number>): Promise<number[]> {
  const all: number[] = []
  while (all.length < calls) all.push(...(await Promise.all([ask(), ask(), ask(), ask()])))
  return all
}

test('delayed logins hold no slot: none of 200 other logins is refused', async () => {
  await attack('unknown-name')
  // 25 delayed logins: five per second for five seconds. None of them has waited long enough yet.
  const attackers = Array.from({ length: 25 }, () => login('unknown-name', 'a wrong guess'))
  await expect.poll(() => waiting.length).toBe(25)
  expect(await results(200, () => login('olive'))).toEqual(Array(200).fill(200))
  for (const end of waiting.splice(0)) end()
  // The delayed logins resume at the same time, so the limiter for logins may refuse some of them.
  expect((await Promise.all(attackers)).filter((status) => status !== 401 && status !== 503)).toEqual([])
})

test('a password confirmation for a delayed name waits without a slot', async () => {
  const { client } = await app.signIn('olive')
  await attack('olive')
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { 'content-type': 'application/json', origin: app.context.config.publicUrl, cookie }
  const body = JSON.stringify({ currentPassword: password, newPassword: password })
  const changes = Array.from({ length: 5 }, () =>
    fetch(`http://127.0.0.1:${raw.port}/api/account/two-factor/setup`, { method: 'POST', headers, body }).then(
      ({ status }) => status,
    ),
  )
  await expect.poll(() => waiting.length).toBe(5)
  await createUser(app.db, { username: 'rita' })
  expect(await results(8, () => login('rita'))).toEqual(Array(8).fill(200))
  for (const end of waiting.splice(0)) end()
  expect(await Promise.all(changes)).toEqual(Array(5).fill(200))
})

test('administrators can still log in when all other logins are refused', async () => {
  fill('hashing')
  expect(await login('olive')).toBe(503)
  expect(await login('boss')).toBe(200)
})

test('at most the maximum number of requests wait without a slot; the next request is refused with 429', async () => {
  await attack('unknown-name')
  const most = limits.admission.waiting
  limits.admission.waiting = 2
  try {
    const two = [login('unknown-name', 'a wrong guess'), login('unknown-name', 'a wrong guess')]
    await expect.poll(() => waiting.length).toBe(2)
    expect(await login('unknown-name', 'a wrong guess')).toBe(429)
    for (const end of waiting.splice(0)) end()
    expect(await Promise.all(two)).toEqual([401, 401])
  } finally {
    limits.admission.waiting = most
  }
})
