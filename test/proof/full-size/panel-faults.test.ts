import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakePanel, linePassword, startFakePanel } from '../../harness/fake-panel.ts'
import { type HttpUser, loggedInUser } from '../../harness/http-user.ts'
import { type Fault, faults } from '../../harness/panel-modes.ts'
import { dataFolder, type RunningApp, runApp } from '../../harness/running-app.ts'

const megabyte = 1024 * 1024
const quick = [
  'line',
  'nobody',
  'disabled',
  'expired',
  'redirect',
  'failing',
  'badjson',
  'proto',
  'html',
  'endless',
  'bomb',
  'reset',
]
const lastingModes = ['silent', 'slow']

const password = 'for-this-test-only'
const data = dataFolder()
let panel: FakePanel
let app: RunningApp
let user: HttpUser
beforeAll(async () => {
  panel = await startFakePanel()
  const env = {
    PANEL_URL: panel.url,
    PANEL_ALLOW_PRIVATE: 'true',
    RATE_LIMIT_FACTOR: '1000000',
    LOG_LEVEL: 'trace',
    SEED: 'empty',
    ADMIN_PASSWORD: password,
    // A small young generation collects garbage early; with the default size memory use varies as much as the leak that the test looks for.
    NODE_OPTIONS: '--max-semi-space-size=1',
  }
  app = await runApp({ dataDir: data.path, env })
  user = await loggedInUser(app.url)
}, 60_000)
afterAll(async () => {
  await app.stop()
  await panel.close()
  data.remove()
}, 60_000)

/** Returns the status of a login check. Throws if it takes longer than six seconds. */
async function statusOf(username: string): Promise<number> {
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error(`no response in time: ${username}`)), 6_000).unref(),
  )
  const request = user.send(app.url, 'POST', '/api/iptv/validate', {
    iptvUsername: username,
    iptvPassword: linePassword,
  })
  return (await Promise.race([request, late])).status
}
const residentBytes = () =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${app.pid}/status`, 'utf8'))![1]) * 1024
/** Causes every fast fault, each followed by a valid response, so that the circuit breaker stays closed. */
async function everyFault(times: number): Promise<void> {
  for (let i = 0; i < times; i++)
    for (const username of quick)
      await Promise.all([statusOf(username), statusOf(username)]).then(() => statusOf('line'))
}

test('no fault of a panel blocks requests, leaks memory or secrets, or causes a redirect', async () => {
  // A warm-up: code that is loaded and compiled must not count as a leak.
  await everyFault(2)
  const before = residentBytes()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, residentBytes())
  }, 10)
  try {
    const [, ...statuses] = await Promise.all([everyFault(10), ...lastingModes.map(statusOf)])
    expect(statuses).toEqual([503, 503])
  } finally {
    clearInterval(watch)
  }
  expect((most - before) / megabyte).toBeLessThan(15)
  expect(panel.canaryHits()).toBe(0)
  expect(app.output()).toContain('IPTV credentials')
  for (const secret of [linePassword, encodeURIComponent(linePassword), 'player_api'])
    expect(app.output()).not.toContain(secret)
  expect(await statusOf('line')).toBe(200)
}, 60_000)

test('no fault of a provisioning panel blocks requests or leaks memory or the key', async () => {
  const admin = await loggedInUser(app.url, { username: 'admin', password })
  let calls = 0
  /** A new key each time, so that each panel has its own circuit breaker. */
  const testFault = async (fault: Fault) => {
    panel.lines.heal()
    panel.lines.fail(fault)
    const started = performance.now()
    const body = { kind: 'xui-admin', address: panel.lines.address, username: '', key: `canary-key-${calls++}`, ca: '' }
    const answer = await admin.send(app.url, 'POST', '/api/admin/provisioning/test', body)
    expect([answer.status, answer.body.ok]).toEqual([200, false])
    expect(performance.now() - started).toBeLessThan(6_000)
  }
  const quickFaults = (Object.keys(faults) as Fault[]).filter((fault) => fault !== 'silent' && fault !== 'slow')
  const testEveryFault = async (times: number) => {
    for (let i = 0; i < times; i++) for (const fault of quickFaults) await testFault(fault)
  }
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, residentBytes())
  }, 10)
  await testEveryFault(8)
  // The first rounds allocate buffers for responses; the next ones must reuse them.
  const before = most
  await testEveryFault(8)
  for (const fault of ['silent', 'slow'] as const) await testFault(fault)
  clearInterval(watch)
  panel.lines.heal()
  expect((most - before) / megabyte).toBeLessThan(15)
  expect(panel.canaryHits()).toBe(0)
  expect(app.output()).toContain('panel tested')
  expect(app.output()).not.toContain('canary-key')
}, 60_000)

test('a panel that keeps failing is not called', async () => {
  for (let i = 0; i < 5; i++) expect(await statusOf('failing')).toBe(503)
  const before = panel.calls.length
  for (let i = 0; i < 20; i++) expect(await statusOf('line')).toBe(503)
  expect(panel.calls).toHaveLength(before)
})
