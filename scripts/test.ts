// Runs the tests of one tier, or only the files named, see docs/testing.md. The last line counts what passed and what failed.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { findChromium } from '../test/harness/chromium.ts'
import { findDovecot } from '../test/harness/dovecot.ts'
import { testProjects } from '../test/harness/test-projects.ts'
import { runChecks } from './checks/all.ts'
import { root } from './checks/tree.ts'
import { runTool } from './run-tool.ts'
import { testsNearChanges } from './tests-near-changes.ts'

/** `names` are the tests that failed. */
type Count = { passed: number; failed: number; names?: string[] }
type Part = { name: string; run: (say: (line: string) => void) => Promise<Count> }
type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[]
}
type PlaywrightReport = { stats: { expected: number; unexpected: number }; suites: PlaywrightSuite[] }
type PlaywrightSuite = { file: string; specs?: { title: string; ok: boolean }[]; suites?: PlaywrightSuite[] }
/** Parts of one step run at the same time. */
type Step = Part[]

const results = join(root, 'test-results')
const tiers = ['quick', 'test', 'proof'] as const
const [tier, ...named] = tierAndFiles(process.argv.slice(2))
/** Read by test/harness/scale.ts and app-entry.ts. At full size, the tests start the sources, as the product does. */
const size: Record<string, string> =
  tier === 'proof' ? { TEST_SIZE: 'full' } : { TEST_SIZE: 'short', TEST_APP: '.cache/test-app' }
const minutes = tier === 'proof' ? 180 : 30
let appBuild: Promise<number | string> | undefined

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const started = performance.now()
const programs = installPrograms()
const total: Count = { passed: 0, failed: 0 }
const failures: string[] = []
for (const step of steps()) {
  for (const { passed, failed, names = [] } of await Promise.all(step.map(runPart))) {
    total.passed += passed
    total.failed += failed
    failures.push(...names)
  }
}
process.exitCode = total.failed > 0 ? 1 : 0
// The output of the browser tests is long and would hide the failures of the earlier parts.
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((name) => `  ${name}`).join('\n')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed in ${seconds(started)} s`)

function tierAndFiles([first = '', ...rest]: string[]): [(typeof tiers)[number], ...string[]] {
  const tier = tiers.find((name) => name === first)
  return tier ? [tier, ...rest] : ['test', ...[first, ...rest].filter(Boolean)]
}

function steps(): Step[] {
  const checks: Part = { name: 'Checks', run: runChecks }
  const vitest = (files: string[] = []): Part => ({ name: 'Vitest', run: () => runVitest(files) })
  const browser = (files: string[] = []): Part => ({ name: 'Browser tests', run: () => runBrowser(files) })
  if (named.length > 0) {
    const specs = named.filter((file) => file.startsWith('e2e') || file.endsWith('.spec.ts'))
    const tests = named.filter((file) => !specs.includes(file))
    return [...(tests.length > 0 ? [[vitest(tests)]] : []), ...(specs.length > 0 ? [[browser(specs)]] : [])]
  }
  const { unit, pages } = testProjects()
  if (tier === 'quick') return [[checks, vitest([...unit, ...pages, ...testsNearChanges()])]]
  return [[checks, vitest()], [browser()]]
}

async function runPart({ name, run }: Part): Promise<Count> {
  const started = performance.now()
  const lines: string[] = []
  const count = await run((line) => lines.push(line)).catch((error: Error): Count => {
    lines.push(error.stack ?? error.message)
    return { passed: 0, failed: 1 }
  })
  if (count.passed + count.failed === 0) {
    lines.push('No test ran, which counts as a failure.')
    count.failed = 1
  }
  lines.push(`${name}: ${count.passed} passed, ${count.failed} failed in ${seconds(started)} s`)
  console.log(`\n── ${name} ──\n${lines.join('\n')}`)
  return count
}

async function runVitest(files: string[]): Promise<Count> {
  await programs
  const built = await buildApp()
  if (built !== 0) return withExitCode({ passed: 0, failed: 0 }, built)
  const file = join(results, 'vitest.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await runTool('vitest', ['run', ...reporters, ...files], { minutes, env: size })
  const {
    numPassedTests: passed = 0,
    numFailedTests: failed = 0,
    testResults = [],
  } = readReport<VitestReport>(file) ?? {}
  const names = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${relative(root, name)}: ${fullName}`),
  )
  return withExitCode({ passed, failed, names }, code)
}

async function runBrowser(files: string[]): Promise<Count> {
  await programs
  if (!findChromium()) {
    console.log(
      'No Chromium was found, so no browser test ran: install chromium-headless-shell or chromium, or set CHROMIUM_PATH to the path of one.',
    )
    return { passed: 0, failed: 1 }
  }
  const built = await buildApp()
  if (built !== 0) return withExitCode({ passed: 0, failed: 0 }, built)
  const file = join(results, 'browser.json')
  const code = await runTool('playwright', ['test', '--reporter=list,json', ...files], {
    minutes,
    env: { ...size, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  })
  const { stats = { expected: 0, unexpected: 0 }, suites = [] } = readReport<PlaywrightReport>(file) ?? {}
  return withExitCode({ passed: stats.expected, failed: stats.unexpected, names: suites.flatMap(failedSpecs) }, code)
}

function failedSpecs({ file, specs = [], suites = [] }: PlaywrightSuite): string[] {
  const failed = specs.filter(({ ok }) => !ok).map(({ title }) => `e2e/${file}: ${title}`)
  return [...failed, ...suites.flatMap(failedSpecs)]
}

/**
 * Tests that start the app and browser tests need the built pages, and their short form a bundle of the server. Resolves with the first exit
 * code other than 0.
 */
function buildApp(): Promise<number | string> {
  appBuild ??= Promise.all([
    runTool(process.execPath, ['scripts/build.js', '--when-stale'], { minutes: 3 }),
    size.TEST_APP ? runTool(process.execPath, ['scripts/bundle-app.ts', size.TEST_APP], { minutes: 3 }) : 0,
  ]).then((codes) => codes.find((code) => code !== 0) ?? 0)
  return appBuild
}

/** Counts one failure for a tool that failed without naming a test: a file that does not load, a crash, a timeout. */
function withExitCode(count: Count, code: number | string): Count {
  if (code === 0 || count.failed > 0) return count
  console.log(`The tool ended with ${code}.`)
  return { ...count, failed: 1 }
}

function readReport<T>(file: string): T | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 1000)
}

/**
 * Installs the programs that the tests need and that are not npm packages, if this process runs as root on Debian. Otherwise, the tests of the
 * mailbox and the browser tests fail with instructions.
 */
async function installPrograms(): Promise<void> {
  const missing = [
    ...(findDovecot() ? [] : ['dovecot-imapd']),
    ...(tier === 'quick' || findChromium() ? [] : ['chromium-headless-shell']),
  ]
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  console.log(`Installing ${missing.join(' and ')} (once) …`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  // A concurrent run waits until this one has installed them.
  const aptOptions = ['-y', '-q', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300']
  if ((await runTool('apt-get', ['update', '-q'], { minutes: 5, env })) === 0)
    await runTool('apt-get', ['install', ...aptOptions, ...missing], { minutes: 10, env })
  // The package would also run Dovecot as a service of the machine.
  if (missing.includes('dovecot-imapd') && existsSync('/run/systemd/system'))
    await runTool('systemctl', ['disable', '--now', 'dovecot'], { minutes: 1 })
}
