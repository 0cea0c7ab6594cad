// The long runs of what `npm test` shows in short: more attacks, more crashes, more orders of events, all from one seed.
// `npm run torture`, or with a part of a name; the report is test-results/torture.json.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { root } from './checks/tree.ts'
import { runTool } from './run-tool.ts'

type Run = { name: string; file: string; env: Record<string, string> }
type Result = Run & { passed: number; failed: number; seconds: number; messages: string[] }
type Report = {
  numPassedTests: number
  numFailedTests: number
  testResults: { message?: string; assertionResults: { title: string; failureMessages: string[] }[] }[]
}

const seed = String(Number(process.env.TORTURE_SEED) || Date.now() % 2 ** 31)
const runs: Run[] = [
  { name: 'bad bodies, addresses and questions', file: 'test/fuzz.test.ts', env: { FUZZ_RUNS: '3200', FUZZ_SEED: seed } },
  { name: 'broken requests and frames', file: 'test/wire.test.ts', env: { WIRE_REQUESTS: '5000', WIRE_FRAMES: '50000', WIRE_SEED: seed } },
  {
    name: 'orders of buying, changing, undoing and refunding',
    file: 'test/sequences.test.ts',
    env: { SEQUENCES: '600', SEQUENCES_SEED: seed },
  },
  { name: 'kills of app and database under load', file: 'test/faults.test.ts', env: { KILLS: '100' } },
  { name: 'kills between a commit and its mail', file: 'test/mail-crash.test.ts', env: { MAIL_CRASHES: '100' } },
  { name: 'kills between a payment and its line', file: 'test/line-crash.test.ts', env: { LINE_CRASHES: '50' } },
  { name: 'due events with two processes', file: 'test/due-events.test.ts', env: { DUE_EVENTS: '1000' } },
]

const results = join(root, 'test-results')
mkdirSync(results, { recursive: true })
const wanted = process.argv[2] ?? ''
const chosen = runs.filter(({ name }) => name.includes(wanted))
if (chosen.length === 0) {
  console.error(`There is none of that name: ${runs.map(({ name }) => name).join('; ')}`)
  process.exit(2)
}
const report: Result[] = []
for (const run of chosen) {
  console.log(
    `\n── ${run.name} (${Object.entries(run.env)
      .map((pair) => pair.join('='))
      .join(' ')}) ──`,
  )
  report.push(await carriedOut(run))
  const machine = { cores: cpus().length, memoryGiB: Math.round(totalmem() / 2 ** 30) }
  writeFileSync(join(results, 'torture.json'), `${JSON.stringify({ seed, machine, at: new Date().toISOString(), runs: report }, null, 2)}\n`)
}
for (const { name, passed, failed, seconds } of report)
  console.log(`${failed === 0 && passed > 0 ? '✓' : '✗'} ${name}: ${passed} passed, ${failed} failed in ${seconds} s`)
const bad = report.some(({ passed, failed }) => failed > 0 || passed === 0)
console.log(bad ? `Something gave way. TORTURE_SEED=${seed} repeats what does not hang on the clock.` : `Everything held. Seed ${seed}.`)
process.exitCode = bad ? 1 : 0

async function carriedOut(run: Run): Promise<Result> {
  const file = join(results, 'torture-part.json')
  writeFileSync(file, '{}')
  const started = performance.now()
  const args = ['run', run.file, '--testTimeout=1800000', '--retry=0', '--reporter=dot', '--reporter=json', `--outputFile.json=${file}`]
  const code = await runTool('vitest', args, { minutes: 60, env: run.env })
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Report>
  const messages = testResults.flatMap(({ message, assertionResults }) => [
    ...(message ? [message] : []),
    ...assertionResults.flatMap(({ title, failureMessages }) => failureMessages.map((text) => `${title}: ${text.slice(0, 2_000)}`)),
  ])
  return { ...run, passed: numPassedTests, failed: numFailedTests || (code === 0 ? 0 : 1), seconds: Math.round((performance.now() - started) / 1000), messages }
}
