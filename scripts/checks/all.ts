import { bundleCheck } from './bundle.ts'
import type { Check } from './check.ts'
import { componentCheck, docCheck, folderCheck, nameCheck } from './files.ts'
import { forbiddenTextCheck } from './forbidden-text.ts'
import { importCheck } from './import-rules.ts'
import { licenseCheck } from './licenses.ts'
import { lockfileCheck } from './lockfile.ts'
import { migrationCheck } from './migrations.ts'
import { idiomCheck, retiredIdentifierCheck } from './retired-words.ts'
import { toolChecks } from './tools.ts'
import { tvCheck } from './tv-scripts.ts'

const checks: Check[] = [
  ...toolChecks,
  importCheck,
  nameCheck,
  folderCheck,
  componentCheck,
  docCheck,
  forbiddenTextCheck,
  retiredIdentifierCheck,
  idiomCheck,
  lockfileCheck,
  licenseCheck,
  migrationCheck,
  bundleCheck,
  tvCheck,
]
const atOnce = 2

/** Runs every check, passes a report on each to `say`, and counts passed and failed ones. */
export async function runChecks(
  say: (line: string) => void = console.log,
): Promise<{ passed: number; failed: number }> {
  const queue = [...checks]
  let failed = 0
  const work = async () => {
    for (let check = queue.shift(); check; check = queue.shift()) {
      const started = performance.now()
      const violations = await run(check)
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      say(`${violations.length === 0 ? '✓' : '✗'} ${check.name} (${seconds} s)`)
      for (const violation of violations) say(violation.replace(/^/gm, '    '))
      if (violations.length > 0) failed++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { passed: checks.length - failed, failed }
}

async function run(check: Check): Promise<string[]> {
  try {
    return await check.run()
  } catch (error) {
    return [`the check itself failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`]
  }
}
