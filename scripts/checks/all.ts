import { bundleCheck } from './bundle.ts'
import type { Check } from './check.ts'
import { componentCheck, docCheck, nameCheck, sizeCheck } from './files.ts'
import { cycleCheck, houseCheck } from './house.ts'
import { licenceCheck } from './licences.ts'
import { lockfileCheck } from './lockfile.ts'
import { migrationCheck } from './migrations.ts'
import { toolChecks } from './tools.ts'
import { wordCheck } from './words.ts'

const checks: Check[] = [
  ...toolChecks,
  houseCheck,
  cycleCheck,
  sizeCheck,
  nameCheck,
  componentCheck,
  docCheck,
  wordCheck,
  lockfileCheck,
  licenceCheck,
  migrationCheck,
  bundleCheck,
]
const atOnce = 2

/** Runs every check, passes a report on each to `say`, and counts them. */
export async function runChecks(
  say: (line: string) => void = console.log,
): Promise<{ passed: number; failed: number }> {
  const queue = [...checks]
  let failed = 0
  const work = async () => {
    for (let check = queue.shift(); check; check = queue.shift()) {
      const started = performance.now()
      const complaints = await complaintsOf(check)
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      say(`${complaints.length === 0 ? '✓' : '✗'} ${check.name} (${seconds} s)`)
      for (const complaint of complaints) say(complaint.replace(/^/gm, '    '))
      if (complaints.length > 0) failed++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { passed: checks.length - failed, failed }
}

async function complaintsOf(check: Check): Promise<string[]> {
  try {
    return await check.run()
  } catch (error) {
    return [`the check itself failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`]
  }
}
