// Long runs of the tests of `npm run proof`: more attacks, crashes and random orders of events, all from one seed.
// `npm run torture`, or with a part of a name; the report is test-results/torture.json.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { root } from './checks/tree.ts'
import type { PartResult as Part } from './report-result.ts'
import { runTool } from './run-tool.ts'

/** `file` is a test file, or a script that reports its result with `report-result.ts`; it is killed after `minutes`, by default 60. */
type Run = { name: string; file: string; env: Record<string, string>; minutes?: number }
type Result = Run & Part & { seconds: number }
type Report = {
  numPassedTests: number
  numFailedTests: number
  testResults: { message?: string; assertionResults: { title: string; failureMessages: string[] }[] }[]
}

const seed = String(Number(process.env.TORTURE_SEED) || Date.now() % 2 ** 31)
const runs: Run[] = [
  {
    name: 'malformed bodies, paths and queries',
    file: 'test/proof/fuzz.test.ts',
    env: { FUZZ_RUNS: '3200', FUZZ_SEED: seed },
  },
  {
    name: 'broken requests and frames',
    file: 'test/proof/wire.test.ts',
    env: { WIRE_REQUESTS: '5000', WIRE_FRAMES: '50000', WIRE_SEED: seed },
  },
  {
    name: 'random orders of purchases, changes, reversals and refunds',
    file: 'test/integration/sequences.test.ts',
    env: { SEQUENCES: '600', SEQUENCES_SEED: seed },
  },
  {
    name: 'customers who try to profit',
    file: 'test/proof/profit.test.ts',
    env: { PROFIT_SEARCHES: '1000', PROFIT_SEED: seed },
    minutes: 120,
  },
  { name: 'races about money', file: 'test/proof/races.test.ts', env: { RACE_ROUNDS: '200' } },
  { name: 'races about accounts', file: 'test/proof/races-people.test.ts', env: { RACE_ROUNDS: '200' } },
  { name: 'races between starts', file: 'test/proof/full-size/races-start.test.ts', env: { RACE_ROUNDS: '200' } },
  { name: 'a failure at every write', file: 'test/proof/injected-faults.test.ts', env: { INJECTED: '20' } },
  {
    name: 'random customer histories compared with a model',
    file: 'test/proof/model.test.ts',
    env: { MODEL_RUNS: '5000', MODEL_COMMANDS: '60', MODEL_SEED: seed },
    minutes: 180,
  },
  { name: 'kills of app and database under load', file: 'test/proof/faults.test.ts', env: { KILLS: '200' } },
  {
    name: 'outages of the database under load',
    file: 'test/proof/full-size/outage.test.ts',
    env: { OUTAGES: '25', OUTAGE_SECONDS: '10' },
  },
  { name: 'no free file descriptors', file: 'test/proof/no-files-left.test.ts', env: { NO_FILES: '5' } },
  { name: 'full disk', file: 'test/proof/full-disk.test.ts', env: { FULL_DISKS: '5' } },
  { name: 'database without memory', file: 'test/proof/no-memory.test.ts', env: { NO_MEMORY: '5' } },
  {
    name: 'wrong clocks',
    file: 'test/proof/full-size/wrong-clocks.test.ts',
    env: { WRONG_CLOCKS: '6' },
  },
  { name: 'shutdown under load', file: 'test/proof/drain.test.ts', env: { STOPS: '50' } },
  {
    name: 'overload',
    file: 'test/proof/overload.test.ts',
    env: { OVERLOAD_SECONDS: '300' },
  },
  {
    name: 'hostile WebSockets, and two thousand pages that reconnect',
    file: 'test/proof/sockets.test.ts',
    env: { OPEN_PAGES: '2000' },
  },
  {
    name: 'kills during a first start',
    file: 'test/proof/full-size/start-crash.test.ts',
    env: { START_KILLS: '21' },
  },
  {
    name: 'kills between a commit and its email',
    file: 'test/proof/full-size/mail-crash.test.ts',
    env: { MAIL_CRASHES: '100' },
  },
  { name: 'kills between a payment and its line', file: 'test/proof/line-crash.test.ts', env: { LINE_CRASHES: '50' } },
  { name: 'kills during a move of lines', file: 'test/proof/move-crash.test.ts', env: { MOVE_CRASHES: '50' } },
  { name: 'kills during an import', file: 'test/proof/import-crash.test.ts', env: { IMPORT_CRASHES: '40' } },
  {
    name: 'processes behind one port',
    file: 'test/proof/full-size/processes.test.ts',
    env: { PROCESS_COUNTS: '2,4', PROCESS_KILLS: '5' },
  },
  { name: 'payments through a pooler', file: 'test/proof/pgbouncer.test.ts', env: { POOLED_PAYMENTS: '500' } },
  { name: 'lists from a replica', file: 'test/proof/full-size/replica.test.ts', env: { REPLICA_WRITES: '300' } },
  { name: 'hosts cut off under load', file: 'test/proof/full-size/hosts.test.ts', env: { HOST_CUTS: '4' } },
  {
    name: 'due events with two processes',
    file: 'test/proof/full-size/due-events.test.ts',
    env: { DUE_EVENTS: '1000' },
  },
  {
    name: 'live channels for hours',
    file: 'test/proof/full-size/long-watching.test.ts',
    env: { WATCH_MINUTES: '360' },
    minutes: 390,
  },
  {
    name: 'screens of one line',
    file: 'test/proof/full-size/screens.test.ts',
    env: { SCREEN_ROUNDS: '200', ZAPS: '200' },
    minutes: 120,
  },
  { name: 'headers rated by scanners', file: 'scripts/header-scan.ts', env: {} },
  { name: 'removed controls', file: 'scripts/mutants.ts', env: {} },
  { name: 'scanners', file: 'scripts/scan.ts', env: {} },
  { name: 'secrets and slow regular expressions in the source tree', file: 'scripts/supply.ts', env: {} },
  { name: 'response times that could reveal names', file: 'scripts/login-timing.ts', env: { TIMING_SAMPLES: '2000' } },
]

const results = join(root, 'test-results')
mkdirSync(results, { recursive: true })
const wanted = process.argv[2] ?? ''
const chosen = runs.filter(({ name }) => name.includes(wanted))
if (chosen.length === 0) {
  console.error(`No run has this name. The runs are: ${runs.map(({ name }) => name).join('; ')}`)
  process.exit(2)
}
if ((await runTool(process.execPath, ['scripts/build.js', '--when-stale'], { minutes: 3 })) !== 0) process.exit(1)
const report: Result[] = []
for (const run of chosen) {
  const settings = Object.entries(run.env).map((pair) => pair.join('='))
  console.log(`\n── ${[run.name, ...settings].join(' ')} ──`)
  report.push(await execute(run))
  const machine = { cores: cpus().length, memoryGiB: Math.round(totalmem() / 2 ** 30) }
  writeFileSync(
    join(results, 'torture.json'),
    `${JSON.stringify({ seed, machine, at: new Date().toISOString(), runs: report }, null, 2)}\n`,
  )
}
for (const { name, passed, failed, seconds } of report)
  console.log(`${failed === 0 && passed > 0 ? '✓' : '✗'} ${name}: ${passed} passed, ${failed} failed in ${seconds} s`)
const bad = report.some(({ passed, failed }) => failed > 0 || passed === 0)
console.log(
  bad
    ? `At least one run failed. TORTURE_SEED=${seed} repeats everything that does not depend on timing.`
    : `All runs passed. Seed ${seed}.`,
)
process.exitCode = bad ? 1 : 0

async function execute(run: Run): Promise<Result> {
  const file = join(results, 'torture-part.json')
  writeFileSync(file, '{}')
  const started = performance.now()
  const isTest = run.file.endsWith('.test.ts')
  const [command, ...args] = isTest
    ? [
        'vitest',
        'run',
        run.file,
        '--testTimeout=1800000',
        '--reporter=dot',
        '--reporter=json',
        `--outputFile.json=${file}`,
      ]
    : [process.execPath, run.file]
  const code = await runTool(command!, args, {
    minutes: run.minutes ?? 60,
    env: { TEST_SIZE: 'full', ...run.env, TORTURE_PART: file },
  })
  const written = JSON.parse(readFileSync(file, 'utf8')) as Partial<Report> & Partial<Part>
  const { passed = 0, failed = 0, messages = [] } = isTest ? partOf(written) : written
  return {
    ...run,
    passed,
    failed: failed || (code === 0 ? 0 : 1),
    messages,
    seconds: Math.round((performance.now() - started) / 1000),
  }
}

function partOf({ numPassedTests = 0, numFailedTests = 0, testResults = [] }: Partial<Report>): Part {
  const messages = testResults.flatMap(({ message, assertionResults }) => [
    ...(message ? [message] : []),
    ...assertionResults.flatMap(({ title, failureMessages }) =>
      failureMessages.map((text) => `${title}: ${text.slice(0, 2_000)}`),
    ),
  ])
  return { passed: numPassedTests, failed: numFailedTests, messages }
}
