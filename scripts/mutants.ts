// Mutation test of security controls: removes each control of mutants/controls.ts from a copy of the tree; its tests must then fail.
// Run: npm run torture mutants [part of a name]. The report is test-results/mutants.json.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { files, read, root } from './checks/tree.ts'
import { mutants } from './mutants/controls.ts'
import type { Mutant } from './mutants/mutant.ts'
import { reportResult } from './report-result.ts'
import { runTool } from './run-tool.ts'

type Report = {
  numPassedTests: number
  testResults: {
    name: string
    message?: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}
/** The message of a failed assertion or property. Any other error means that the test itself crashed. */
const assertionFailure = /^(AssertionError|Error: promise (resolved|rejected) |Error: Property failed )/
type Failure = { test: string; message: string }
type Verdict = { control: string; caught: boolean; by?: Failure; reason?: string; seconds: number }

const wanted = process.argv[2] ?? ''
const chosen = mutants.filter(({ control }) => control.includes(wanted))
if (chosen.length === 0) {
  console.error(`No control has this name. The controls are: ${mutants.map(({ control }) => control).join('; ')}`)
  process.exit(2)
}

const copy = mkdtempSync(join(tmpdir(), 'sauce-mutant-'))
const verdicts: Verdict[] = []
try {
  for (const file of files(/./)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    copyFileSync(join(root, file), join(copy, file))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const whole = await runTests([...new Set(chosen.flatMap(({ tests }) => tests))])
  const broken = whole.reason ?? (whole.failures[0] && `${whole.failures[0].test}: ${whole.failures[0].message}`)
  if (broken) throw new Error(`A test fails although no control is removed: ${broken}`)
  for (const each of chosen) {
    const verdict = await runMutant(each)
    verdicts.push(verdict)
    console.log(
      `${verdict.caught ? '✓' : '✗'} without "${each.control}": ${verdict.by ? `${verdict.by.test}: ${verdict.by.message}` : verdict.reason}`,
    )
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}

const missed = verdicts.filter(({ caught }) => !caught)
mkdirSync(join(root, 'test-results'), { recursive: true })
writeFileSync(
  join(root, 'test-results/mutants.json'),
  `${JSON.stringify({ caught: verdicts.length - missed.length, of: verdicts.length, verdicts }, null, 2)}\n`,
)
reportResult({
  passed: verdicts.length - missed.length,
  failed: missed.length,
  messages: missed.map(({ control, reason }) => `${control}: ${reason}`),
})
console.log(`${verdicts.length - missed.length} of ${verdicts.length} caught`)
process.exitCode = missed.length > 0 ? 1 : 0

async function runMutant({ control, edits, tests }: Mutant): Promise<Verdict> {
  const started = performance.now()
  for (const { file, text, instead } of edits) {
    const parts = readFileSync(join(copy, file), 'utf8').split(text)
    if (parts.length !== 2)
      throw new Error(`${file} contains the text of "${control}" ${parts.length - 1} times, not once: ${text}`)
    writeFileSync(join(copy, file), parts.join(instead))
  }
  const { failures, reason } = await runTests(tests)
  for (const { file } of edits) writeFileSync(join(copy, file), read(file))
  const by = failures.find(({ message }) => assertionFailure.test(message))
  const seconds = Math.round((performance.now() - started) / 1000)
  if (by && !reason) return { control, caught: true, by, seconds }
  return { control, caught: false, reason: reason ?? failures[0]?.message ?? 'every test passed', seconds }
}

/** Runs test files in the copy and returns the failed tests. `reason` says why the tests could not be run. */
async function runTests(testFiles: string[]): Promise<{ failures: Failure[]; reason?: string }> {
  const file = join(copy, 'report.json')
  rmSync(file, { force: true })
  // A timeout on a slow machine must not count as a caught mutant.
  const patience = ['--testTimeout=120000', '--hookTimeout=120000']
  const args = ['run', ...testFiles, ...patience, '--silent', '--reporter=json', `--outputFile.json=${file}`]
  const code = await runTool('vitest', args, { minutes: 20, cwd: copy })
  if (typeof code === 'string') return { failures: [], reason: code }
  const { numPassedTests, testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report
  const unread = testResults.find(({ message, assertionResults }) => message && assertionResults.length === 0)
  if (unread) return { failures: [], reason: `${unread.name} could not be run: ${unread.message}` }
  const failures = testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        test: fullName,
        message: failureMessages[0]?.split('\n', 1)[0] ?? '',
      })),
  )
  if (failures.length === 0 && (code !== 0 || numPassedTests === 0))
    return { failures, reason: `the run ended with ${code} without reporting a failed test` }
  return { failures }
}
