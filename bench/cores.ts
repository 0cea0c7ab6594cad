// Compares the pages per second of one process on one core with those of two processes on two cores, in alternating rounds.
// Run: npm run bench processes
// The load generator shares a core with the app in the second case, and the database in both cases. Therefore the ratio by CPU time per page is reported too.
import { availableParallelism } from 'node:os'
import { sessionCookieName } from '#server/http/request.ts'
import { processesOf } from '../test/harness/one-port.ts'
import { dataFolder, type RunningApp, runApp } from '../test/harness/running-app.ts'
import { canPin, load, processCpuMs, serverCore } from './processes.ts'

const rounds = 5
const seconds = 4
const goal = 1.8
// With a session cookie, even of an expired session, pages are rendered for each request and not cached.
const path = '/faq'
const request = { headers: { cookie: `${sessionCookieName({ secureCookies: false })}=ended` } }
const env = { SEED: 'sample', LOG_LEVEL: 'warn', ADMIN_PASSWORD: 'for-the-bench-only', RATE_LIMIT_FACTOR: '1000000' }

type Round = { perSecond: number; cpuMicros: number; busyCores: number; wrong: number }
const data = dataFolder()
const taken: Record<1 | 2, Round[]> = { 1: [], 2: [] }
try {
  const one = await runApp({ dataDir: data.path, env, ...(serverCore !== undefined && { core: serverCore }) })
  const two = await runApp({ dataDir: data.path, env: { ...env, PROCESSES: '2' } })
  await round(one)
  await round(two)
  for (let at = 0; at < rounds; at++) {
    taken[1].push(await round(one))
    taken[2].push(await round(two))
  }
  await two.stop()
  await one.stop()
} finally {
  data.remove()
}
const [one, two] = [medianRound(taken[1]), medianRound(taken[2])]
for (const [name, { perSecond, cpuMicros, busyCores, wrong }] of Object.entries({
  'one process': one,
  'two processes': two,
}))
  console.log(
    `${name}: ${perSecond.toFixed(0)} pages a second, ${cpuMicros.toFixed(0)} µs CPU per page, ${busyCores.toFixed(2)} cores used by the app, ${wrong} wrong responses`,
  )
const measured = two.perSecond / one.perSecond
// The ratio if the load generator ran on another machine, from the CPU time per page.
const byCpu = (2 * one.cpuMicros) / two.cpuMicros
console.log(
  `${measured.toFixed(2)} times as many pages (goal ≥ ${goal}); by CPU time per page ${byCpu.toFixed(2)} with the load on a third core`,
)
if (availableParallelism() < 3 || !canPin)
  console.log(
    'This machine has no third core: the load generator shares a core with the second process, so the first figure is too low.',
  )
// If other programs used the cores, the measurement is not valid.
const isQuiet = one.busyCores > 0.7 && two.busyCores > 1.2
const ratio = availableParallelism() < 3 ? byCpu : measured
const isMet = isQuiet && ratio >= goal && one.wrong + two.wrong === 0
console.log(
  isMet
    ? 'Goal met.'
    : isQuiet
      ? 'Goal missed.'
      : 'The machine was busy with other programs: the measurement is not valid.',
)
process.exitCode = isMet ? 0 : 1

async function round(app: RunningApp): Promise<Round> {
  const pids = [app.pid, ...processesOf(app.pid)]
  const spent = () => pids.reduce((sum, pid) => sum + processCpuMs(pid), 0)
  const before = spent()
  const { perSecond, answered, wrong } = await load(app.url + path, seconds, app.pid, request)
  const cpu = spent() - before
  return { perSecond, cpuMicros: (cpu * 1_000) / answered, busyCores: cpu / (seconds * 1_000), wrong }
}

function medianRound(all: Round[]): Round {
  const one = all.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(all.length / 2)]!
  return { ...one, wrong: all.reduce((sum, { wrong }) => sum + wrong, 0) }
}
