// Runs Debian's security scanners against the product on the loopback interface. Run: npm run torture scan [name of a scanner]. The report is
// test-results/scan.json. A finding that security/triage.json does not explain fails the run.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './checks/tree.ts'
import { reportResult } from './report-result.ts'
import { openPaths } from './scan/ffuf.ts'
import { type Finding, untriaged } from './scan/finding.ts'
import { type Product, startProduct } from './scan/product.ts'
import { missingScanners } from './scan/scanner.ts'
import { slowVisitors } from './scan/slow.ts'
import { sqlInjections } from './scan/sqlmap.ts'
import { siteWeaknesses } from './scan/wapiti.ts'

type Outcome = { findings: Finding[]; [figure: string]: unknown }
const runs: Record<string, (product: Product, folder: string) => Promise<Outcome>> = {
  slowhttptest: slowVisitors,
  ffuf: openPaths,
  wapiti: async (product, folder) => ({ findings: await siteWeaknesses(product, folder) }),
  sqlmap: sqlInjections,
}

const missing = missingScanners()
if (missing.length > 0) {
  console.error(`Missing scanners: apt-get install --no-install-recommends ${missing.join(' ')}`)
  process.exit(2)
}
const chosen = Object.entries(runs).filter(([name]) => name.includes(process.argv[2] ?? ''))
const folder = mkdtempSync(join(tmpdir(), 'sauce-scan-'))
chmodSync(folder, 0o755)
const report: Record<string, Outcome & { untriaged: Finding[]; seconds: number }> = {}
for (const [name, run] of chosen) {
  console.log(`── ${name} ──`)
  const started = performance.now()
  const product = await startProduct()
  try {
    const outcome = await run(product, folder)
    const alive = await fetch(`${product.url}/readyz`).then(({ status }) => status, String)
    if (alive !== 200)
      outcome.findings.push({ tool: name, what: `the app was not ready afterwards: ${alive}`, where: '/readyz' })
    outcome.findings.push(
      ...unexpectedErrors(product.output()).map((path) => ({ tool: name, what: 'unexpected error', where: path })),
    )
    report[name] = {
      ...outcome,
      untriaged: untriaged(outcome.findings),
      seconds: Math.round((performance.now() - started) / 1000),
    }
  } finally {
    await product.stop()
  }
}
const isOpen = Object.values(report).some((each) => each.untriaged.length > 0)
mkdirSync(join(root, 'test-results'), { recursive: true })
writeFileSync(join(root, 'test-results/scan.json'), `${JSON.stringify(report, null, 2)}\n`)
for (const [name, { findings, untriaged: open, seconds }] of Object.entries(report)) {
  console.log(
    `${open.length === 0 ? '✓' : '✗'} ${name}: ${findings.length} findings, ${open.length} of them not explained, in ${seconds} s`,
  )
  for (const { what, where } of open) console.log(`    ${what} ${where}`)
}
if (isOpen) console.log(`The output of the scanners is in ${folder}`)
else rmSync(folder, { recursive: true, force: true })
const failures = Object.entries(report).filter(([, { untriaged: open }]) => open.length > 0)
reportResult({
  passed: chosen.length - failures.length,
  failed: failures.length,
  messages: failures.flatMap(([name, { untriaged: open }]) =>
    open.map(({ what, where }) => `${name}: ${what} ${where}`),
  ),
})
process.exitCode = isOpen ? 1 : 0

/** The paths for which the product logged an unexpected error. */
function unexpectedErrors(said: string): string[] {
  const lines = said.split('\n').filter((line) => line.includes('"unexpected error"'))
  return [...new Set(lines.map((line) => String((JSON.parse(line) as { path?: string }).path)))]
}
