// Everything that can fail, in one go. The last line says how many promises hold and how many do not.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium } from '../test/harness/chromium.ts'
import { runChecks } from './checks/all.ts'
import { root } from './checks/tree.ts'
import { runTool } from './run-tool.ts'

type Count = { passed: number; failed: number }
type Part = { name: string; run: () => Promise<Count> }

const results = join(root, 'test-results')

const parts: Part[] = [
  { name: 'Checks', run: runChecks },
  { name: 'Unit and integration tests', run: runVitest },
  { name: 'Browser tests', run: runBrowser },
]

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const total: Count = { passed: 0, failed: 0 }
for (const part of parts) {
  console.log(`\n── ${part.name} ──`)
  const started = performance.now()
  const count = await part.run().catch((error: Error): Count => {
    console.log(error.stack)
    return { passed: 0, failed: 1 }
  })
  if (count.passed + count.failed === 0) {
    console.log('Nothing ran, and nothing that did not run has passed.')
    count.failed = 1
  }
  console.log(
    `${part.name}: ${count.passed} passed, ${count.failed} failed in ${Math.round((performance.now() - started) / 1000)} s`,
  )
  total.passed += count.passed
  total.failed += count.failed
}
process.exitCode = total.failed > 0 ? 1 : 0
console.log(`\n${total.passed} passed, ${total.failed} failed`)

async function runVitest(): Promise<Count> {
  const file = join(results, 'vitest.json')
  const code = await runTool('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`], {
    minutes: 40,
  })
  const report = readReport<{ numPassedTests: number; numFailedTests: number }>(file)
  return counted({ passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0 }, code)
}

async function runBrowser(): Promise<Count> {
  const missing = await chromiumMissing()
  if (missing) {
    console.log(missing)
    return { passed: 0, failed: 1 }
  }
  const file = join(results, 'browser.json')
  const built = await runTool(process.execPath, ['scripts/build.js', '--when-stale'], { minutes: 3 })
  if (built !== 0) return counted({ passed: 0, failed: 0 }, built)
  const code = await runTool('playwright', ['test', '--reporter=list,json'], {
    minutes: 60,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  })
  const { expected = 0, unexpected = 0, flaky = 0 } = readReport<{ stats: Record<string, number> }>(file)?.stats ?? {}
  if (flaky > 0) console.log(`${flaky} of them only at the second try.`)
  return counted({ passed: expected + flaky, failed: unexpected }, code)
}

/** A tool that ended badly without naming a failed test (a file that cannot be loaded, a crash) has failed once. */
function counted(count: Count, code: number | string): Count {
  if (code === 0 || count.failed > 0) return count
  console.log(`It ended with ${code}.`)
  return { ...count, failed: 1 }
}

function readReport<T>(file: string): T | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined
}

/** Looks for a browser, installs Debian's where that is possible, and says what to do where it is not. */
async function chromiumMissing(): Promise<string | undefined> {
  if (findChromium()) return undefined
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium (once) …')
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    if ((await runTool('apt-get', ['update', '-q'], { minutes: 5, env })) === 0)
      await runTool('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { minutes: 10, env })
  }
  return findChromium()
    ? undefined
    : 'No Chromium was found, so nothing was tried in a browser: install chromium, or say where one is with CHROMIUM_PATH.'
}
