import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { RateClass } from '#kit/endpoint.ts'
import { cheapHashing, testConfig } from '../../../test/harness/app.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { renderMail } from '../../../test/harness/render-mail.ts'
import { createApp } from '../app.ts'
import { connect } from '../db/connect.ts'
import { Refusal } from '../errors.ts'
import { Passwords } from '../session/password.ts'
import { callLimits } from './call-limits.ts'
import { networkOf, RateLimits } from './rate-limit.ts'
import { RateLimitStore } from './rate-limit-store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

let lastUser = 1_000
const someone = (): { ip: string; userId: number } => ({
  ip: `198.51.${++lastUser >> 8}.${lastUser & 255}`,
  userId: lastUser,
})
const limitsOf = (rateLimitFactor = 1) => new RateLimits(database.pool, { rateLimitFactor })

/** Makes `calls` calls. Returns how many passed, and the last refusal. */
async function letThrough(
  calls: number,
  take: (call: number) => Promise<unknown>,
): Promise<{ passed: number; refusal: Refusal | undefined }> {
  let passed = 0
  let refusal: Refusal | undefined
  for (let call = 0; call < calls; call++) {
    try {
      await take(call)
      passed++
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusal = error
    }
  }
  return { passed, refusal }
}

describe('a rate limit', () => {
  test.each([
    ['register', 20, 3_600],
    ['account', 20, 3_600],
    ['inquiry', 5, 3_600],
    ['createInvoice', 10, 3_600],
    ['submitPayment', 10, 3_600],
    ['iptv', 10, 3_600],
    ['trial', 10, 3_600],
    ['report', 20, 86_400],
    ['selfCheck', 6, 600],
    ['play', 90, 60],
    ['seek', 6, 10],
    ['watchProgress', 120, 60],
    ['search', 60, 60],
    ['deviceCode', 5, 3_600],
    ['devicePoll', 120, 60],
    ['link', 300, 60],
    ['linkGuide', 30, 3_600],
    ['changeSubscription', 5, 86_400],
    ['adminWrite', 120, 60],
    ['write', 60, 60],
  ] as [RateClass, number, number][])(
    'refuses further calls with 429 and the seconds to wait: %s, %i in %i seconds',
    async (rateClass, calls, seconds) => {
      const limits = limitsOf()
      const who = someone()
      const { passed, refusal } = await letThrough(calls + 3, () => limits.take(rateClass, who))
      expect(passed).toBe(calls)
      expect([refusal?.status, refusal?.code]).toEqual([429, 'too_many'])
      const wait = Number(refusal?.headers['retry-after'])
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(seconds)
      await expect(limits.take(rateClass, someone())).resolves.toBeUndefined()
    },
  )

  test.each([
    ['iptv', 30],
    ['play', 600],
  ] as [RateClass, number][])('also applies to all users of a network together: %s, %i', async (rateClass, calls) => {
    const limits = limitsOf()
    const { ip } = someone()
    const { passed } = await letThrough(calls + 3, (call) => limits.take(rateClass, { ip, userId: 500_000 + call }))
    expect(passed).toBe(calls)
  })

  test('counts the calls of all processes of the installation', async () => {
    const processes = [limitsOf(), limitsOf()]
    const who = someone()
    const { passed } = await letThrough(14, (call) => processes[call % 2]!.take('createInvoice', who))
    expect(passed).toBe(10)
  })

  test('uses the clock of the database, even if the clock of a process is wrong', async () => {
    const who = someone()
    const withRightClock = limitsOf()
    expect((await letThrough(6, () => withRightClock.take('createInvoice', who))).passed).toBe(6)
    for (const wrongBy of [86_400_000, -86_400_000]) {
      const now = vi
        .spyOn(Date, 'now')
        .mockImplementation(() => Math.round(performance.timeOrigin + performance.now()) + wrongBy)
      const withWrongClock = limitsOf()
      const { passed, refusal } = await letThrough(3, () => withWrongClock.take('createInvoice', who))
      now.mockRestore()
      expect(passed).toBe(wrongBy > 0 ? 3 : 1)
      if (refusal) expect(Number(refusal.headers['retry-after'])).toBeLessThanOrEqual(3_600)
    }
    await expect(withRightClock.take('createInvoice', who)).rejects.toThrow(Refusal)
  })

  test('is stored in rows that are deleted an hour after they expire', async () => {
    const remainingRows = async () =>
      (await database.pool.query(`SELECT key FROM rate_limits WHERE key LIKE 'swept:%' ORDER BY key`)).rows.map(
        ({ key }) => key,
      )
    await database.pool.query(
      `INSERT INTO rate_limits SELECT 'swept:' || name, 1, (extract(epoch FROM now()) * 1000)::bigint + ms FROM (VALUES ('over', -3700000), ('ended', -3500000), ('open', 1000)) AS row (name, ms)`,
    )
    await new RateLimitStore(database.pool).clearExpired()
    expect(await remainingRows()).toEqual(['swept:ended', 'swept:open'])
  })

  test('refuses calls beyond it without another query', async () => {
    const limits = limitsOf()
    const who = someone()
    await letThrough(6, () => limits.take('inquiry', who))
    const queries = vi.spyOn(database.pool, 'query')
    expect((await letThrough(100, () => limits.take('inquiry', who))).passed).toBe(0)
    expect(queries).not.toHaveBeenCalled()
    queries.mockRestore()
  })

  test('is multiplied by RATE_LIMIT_FACTOR', async () => {
    const who = someone()
    const limits = limitsOf(2.5)
    expect((await letThrough(15, () => limits.take('inquiry', who))).passed).toBe(12)
  })
})

describe('failed logins', () => {
  const fail = async (limits: RateLimits, name: string, ip: string) => (await limits.login(name, ip)).count()

  test('for one name from one network are limited to five in 15 minutes', async () => {
    const limits = limitsOf()
    const { ip } = someone()
    const { passed, refusal } = await letThrough(8, () => fail(limits, 'olive', ip))
    expect([passed, refusal?.status]).toEqual([5, 429])
    expect(Number(refusal?.headers['retry-after'])).toBeGreaterThan(890)
    await expect(fail(limits, 'OLIVE', ip)).rejects.toThrow(Refusal)
    await expect(fail(limits, 'another', ip)).resolves.toBeUndefined()
    await expect(fail(limits, 'olive', someone().ip)).resolves.toBeUndefined()
  })

  test('from one network are limited to twenty in 15 minutes over all names', async () => {
    const limits = limitsOf()
    const { ip } = someone()
    expect((await letThrough(30, (call) => fail(limits, `name-${call}`, ip))).passed).toBe(20)
  })

  test('for one name from all networks delay logins with this name after the hundredth, but never cause a refusal', async () => {
    const limits = limitsOf()
    for (let call = 0; call < 100; call++) await fail(limits, 'famous', `203.0.${call >> 4}.${call & 15}`)
    const delayOf = async (name: string) => (await limits.login(name, someone().ip)).delayMs
    expect([await delayOf('famous'), await delayOf('famous'), await delayOf('unknown-so-far')]).toEqual([
      3_000, 3_000, 0,
    ])
  })

  test('are not counted if the password was right', async () => {
    const limits = limitsOf()
    const { ip } = someone()
    for (let i = 0; i < 30; i++) {
      const attempt = await limits.login('olive', ip)
      await attempt.count()
      await attempt.forgive()
    }
    expect((await letThrough(8, () => fail(limits, 'olive', ip))).passed).toBe(5)
  })

  test('in parallel cannot exceed the limit', async () => {
    const limits = limitsOf()
    const { ip } = someone()
    const settled = await Promise.allSettled(Array.from({ length: 40 }, () => fail(limits, 'olive', ip)))
    expect(settled.filter((result) => result.status === 'fulfilled').length).toBe(5)
  })

  test('need one read and one write, and one more write if the password was right', async () => {
    const limits = limitsOf()
    const queries = vi.spyOn(database.pool, 'query')
    const attempt = await limits.login('olive', someone().ip)
    expect(queries).toHaveBeenCalledTimes(1)
    await attempt.count()
    expect(queries).toHaveBeenCalledTimes(2)
    await attempt.forgive()
    expect(queries).toHaveBeenCalledTimes(3)
    queries.mockRestore()
  })

  test('are counted individually if they are in one batch, for one name and for several', async () => {
    const limits = limitsOf()
    const { ip } = someone()
    const names = ['rosa', 'rosa', 'ruth', 'rosa', 'rosa', 'rosa', 'ruth', 'rosa']
    const settled = await Promise.allSettled(names.map((name) => fail(limits, name, ip)))
    expect(settled.map(({ status }) => status)).toEqual([...Array(7).fill('fulfilled'), 'rejected'])
    expect((await letThrough(5, () => fail(limits, 'ruth', ip))).passed).toBe(3)
  })

  test('older than 15 minutes no longer count', async () => {
    const limits = limitsOf()
    const { ip } = someone()
    await letThrough(4, () => fail(limits, 'sonia', ip))
    await database.pool.query('update rate_limits set expire = $1', [Date.now() - 1])
    expect((await letThrough(8, () => fail(limits, 'sonia', ip))).passed).toBe(5)
  })

  test('that are forgiven in one batch leave the right counts', async () => {
    const limits = limitsOf()
    const { ip } = someone()
    const attempts = await Promise.all(Array.from({ length: 4 }, () => limits.login('tara', ip)))
    await Promise.all(attempts.map((attempt) => attempt.count()))
    await Promise.all(attempts.slice(1).map((attempt) => attempt.forgive()))
    expect((await letThrough(8, () => fail(limits, 'tara', ip))).passed).toBe(4)
  })

  test('beyond the limit cause no further queries', async () => {
    const limits = limitsOf()
    const { ip } = someone()
    await letThrough(6, () => fail(limits, 'olive', ip))
    const queries = vi.spyOn(database.pool, 'query')
    expect((await letThrough(50, () => fail(limits, 'olive', ip))).passed).toBe(0)
    expect(queries).not.toHaveBeenCalled()
    queries.mockRestore()
  })
})

test('the table of rate limits contains no IP address and no typed name', async () => {
  const limits = limitsOf()
  await (await limits.login('canary-name', '192.0.2.99')).count()
  const { rows } = await database.pool.query('select key from rate_limits')
  expect(JSON.stringify(rows)).not.toMatch(/canary|192\.0\.2\.99/)
})

describe('while the database is unavailable', () => {
  const unreachable = connect('postgres://nobody@127.0.0.1:1/none', { log: { warn: () => {} } })
  afterAll(() => unreachable.close())

  test('each process counts separately', async () => {
    const limits = new RateLimits(unreachable.pool, { rateLimitFactor: 1 })
    expect((await letThrough(8, () => limits.take('inquiry', someone()))).passed).toBe(8)
    const who = someone()
    expect((await letThrough(8, () => limits.take('inquiry', who))).passed).toBe(5)
    expect((await letThrough(8, async () => (await limits.login('olive', who.ip)).count())).passed).toBe(5)
  })

  test('logins, registrations and session reads get 503 with Retry-After', async () => {
    const { hono } = createApp({
      config: testConfig,
      db: unreachable.db,
      log: pino({ level: 'silent' }),
      limits: new RateLimits(unreachable.pool, testConfig),
      passwords: new Passwords(cheapHashing),
      renderMail,
    })
    const body = JSON.stringify({
      username: 'olive',
      email: 'olive@example.org',
      password: 'secret1',
      referralCode: 'ABCDEFGH',
    })
    const post = { method: 'POST', headers: { 'content-type': 'application/json', origin: testConfig.publicUrl }, body }
    const responses = await Promise.all([
      hono.request('/api/login', post),
      hono.request('/api/register', post),
      hono.request('/api/user', { headers: { cookie: `sid=${'x'.repeat(43)}` } }),
    ])
    for (const response of responses) expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  })
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
])('%s belongs to the network %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

test('every rate class has a limit', () => {
  for (const list of Object.values(callLimits)) expect(list.length).toBeGreaterThan(0)
})
