import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakePanel, lineConnections, linePassword, startFakePanel } from '../../../test/harness/fake-panel.ts'
import type { LoginPanel } from './server/login-panel.ts'
import { xtreamLoginPanel } from './server/xtream/login-check.ts'

let fake: FakePanel
beforeAll(async () => {
  fake = await startFakePanel()
})
afterAll(() => fake.close())

const panelAt = (url = fake.url, options: object = {}) =>
  xtreamLoginPanel({ url, allowPrivate: true, userAgent: 'test', neverExpires: [], ...options })
const ask = (panel: LoginPanel, username: string) => panel.checkLogin(username, linePassword, new Date().toISOString())
const outcomeOf = async (panel: LoginPanel, username: string) => (await ask(panel, username)).outcome
const patienceMs = 6_000
const inTime = <T>(work: Promise<T>) =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('too late')), patienceMs).unref()),
  ])

describe('a panel', () => {
  test.concurrent.each(['silent', 'slow'])('that is %s is abandoned after six seconds', async (username) => {
    expect(await inTime(ask(panelAt(), username))).toEqual({ outcome: 'unreachable', why: 'timeout' })
  })

  test('at a private address is called only if that is allowed', async () => {
    const before = fake.calls.length
    expect(await ask(panelAt(fake.url, { allowPrivate: false }), 'line')).toEqual({
      outcome: 'unreachable',
      why: 'private_address',
    })
    expect(fake.calls).toHaveLength(before)
  })

  test('that is down is unreachable until it is back', async () => {
    const panel = panelAt()
    expect(await ask(panel, 'line')).toMatchObject({ outcome: 'ok', maxConnections: lineConnections })
    await fake.stop()
    expect(await ask(panel, 'line')).toEqual({ outcome: 'unreachable', why: 'ECONNREFUSED' })
    await fake.start()
    expect(await outcomeOf(panel, 'line')).toBe('ok')
  })
})

describe('the circuit breaker of a panel', () => {
  function clocked() {
    let ms = 0
    return { panel: panelAt(fake.url, { totalMs: 300, clock: () => ms }), wait: (by: number) => (ms += by) }
  }

  test.each(['failing', 'silent', 'reset', 'waiting'])(
    'opens after five calls with the response "%s"; then no calls are made',
    async (username) => {
      const { panel, wait } = clocked()
      for (let i = 0; i < 5; i++) await ask(panel, username)
      const before = fake.calls.length
      wait(1_000)
      expect(await ask(panel, 'line')).toEqual({ outcome: 'unreachable', why: 'breaker_open', retryAfterSeconds: 29 })
      expect(fake.calls).toHaveLength(before)
    },
  )

  test('allows one call after 30 seconds: it stays open if that call fails, and closes if the call succeeds', async () => {
    const { panel, wait } = clocked()
    for (let i = 0; i < 5; i++) await ask(panel, 'failing')
    const before = fake.calls.length
    wait(30_000)
    expect(await outcomeOf(panel, 'failing')).toBe('provider_error')
    expect(await outcomeOf(panel, 'line')).toBe('unreachable')
    wait(30_000)
    expect(await outcomeOf(panel, 'line')).toBe('ok')
    expect(await outcomeOf(panel, 'line')).toBe('ok')
    expect(fake.calls).toHaveLength(before + 3)
  })

  test.each(['nobody', 'expired', 'disabled', 'missing', 'forbidden', 'badjson', 'endless'])(
    'stays closed after eight calls with the response "%s" for one customer, so that other customers are not affected',
    async (username) => {
      const { panel } = clocked()
      for (let i = 0; i < 8; i++) await ask(panel, username)
      expect(await outcomeOf(panel, 'line')).toBe('ok')
    },
  )
})
