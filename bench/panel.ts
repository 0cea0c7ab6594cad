// Measures the effect of a failing panel on unrelated requests. A customer sends requests while IPTV logins are validated on a working panel, and on one with
// each known kind of failure, in alternating rounds.
// Run: npm run bench panel
import { setTimeout as sleep } from 'node:timers/promises'
import { linePassword, startFakePanel } from '../test/harness/fake-panel.ts'
import { type HttpUser, loggedInUser } from '../test/harness/http-user.ts'
import { dataFolder, type RunningApp, runApp } from '../test/harness/running-app.ts'

const failures = ['redirect', 'failing', 'badjson', 'html', 'endless', 'bomb', 'reset', 'silent', 'slow']
const rounds = Number(process.env.BENCH_TIMES ?? 6)
const roundMs = 2_000
const checksPerSecond = 10
const goal = 1.1
const paths = ['/api/user', '/api/plans']

const panel = await startFakePanel()
const data = dataFolder()
let app: RunningApp | undefined
const took = new Map<string, number[]>()
try {
  app = await runApp({
    dataDir: data.path,
    env: {
      PANEL_URL: panel.url,
      PANEL_ALLOW_PRIVATE: 'true',
      RATE_LIMIT_FACTOR: '1000000',
      LOG_LEVEL: 'warn',
      SEED: 'sample',
    },
  })
  const person = await loggedInUser(app.url)
  await measure(person, 'line', [])
  for (let round = 0; round < rounds; round++)
    for (const failure of failures) {
      await measure(person, 'line', times('works'))
      await measure(person, failure, times(failure))
    }
} finally {
  await app?.stop()
  await panel.close()
  data.remove()
}

const usual = percentile(took.get('works')!, 0.95)
console.log(`a panel that works: p95 ${usual.toFixed(2)} ms over ${took.get('works')!.length} requests`)
const missed: string[] = []
for (const failure of failures) {
  const p95 = percentile(took.get(failure)!, 0.95)
  console.log(`${failure.padEnd(10)} p95 ${p95.toFixed(2)} ms, ${(p95 / usual).toFixed(2)} of that (goal ≤ ${goal})`)
  if (p95 / usual > goal) missed.push(failure)
}
console.log(missed.length === 0 ? 'All goals met.' : `Missed: ${missed.join(', ')}`)
process.exitCode = missed.length === 0 ? 0 : 1

function times(failure: string): number[] {
  const known = took.get(failure) ?? []
  took.set(failure, known)
  return known
}

/** Sends sequential requests for `roundMs` while logins with this name are validated in parallel. */
async function measure(person: HttpUser, username: string, into: number[]): Promise<void> {
  const { url } = app!
  const end = performance.now() + roundMs
  const checks = (async () => {
    while (performance.now() < end) {
      // A success after each failure keeps the circuit breaker closed, so that the panel is really called.
      for (const iptvUsername of [username, 'line'])
        void person
          .send(url, 'POST', '/api/iptv/validate', { iptvUsername, iptvPassword: linePassword })
          .catch(() => undefined)
      await sleep(1_000 / checksPerSecond)
    }
  })()
  while (performance.now() < end)
    for (const path of paths) {
      const started = performance.now()
      await person.send(url, 'GET', path)
      into.push(performance.now() - started)
    }
  await checks
}

function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!
}
