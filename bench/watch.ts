// The goals of watching: opening and ending plays, CPU time and memory of relayed streams, other requests at the same time, the first picture and the
// self-check. The panel double and all viewers run in this process. BENCH_PARTS selects parts. Run: npm run bench watch
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { canPin, keepToLoadCore } from './processes.ts'
import { createInstallation, type Installation } from './watching/installation.ts'
import { measurePages } from './watching/pages.ts'
import {
  type AddRow,
  measureMemory,
  measureOpening,
  measureOtherRequests,
  measureRelay,
  measureStopping,
  type Row,
} from './watching/work.ts'

const parts: Record<string, (installation: Installation, addRow: AddRow) => Promise<unknown>> = {
  memory: measureMemory,
  opening: measureOpening,
  stopping: measureStopping,
  others: measureOtherRequests,
  cost: measureRelay,
  pages: measurePages,
}
const chosen = process.env.BENCH_PARTS?.split(',') ?? Object.keys(parts)
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`BENCH_PARTS has no part ${unknown.join(', ')}. The parts are: ${Object.keys(parts).join(', ')}`)
  process.exit(2)
}
/** Two runs on the same machine differ by about a tenth. */
const noise = 1.1
const isMissed = ({ value, max }: Row) => max !== undefined && !(value <= max * noise)
const rows: Row[] = []
const addRow: AddRow = (row) => {
  rows.push(row)
  const goal = row.max === undefined ? '' : `≤ ${row.max.toFixed(row.max < 10 ? 1 : 0)}`
  const value = row.value.toFixed(row.value < 10 ? 2 : 0)
  console.log(
    `${row.what.padEnd(76)}${value.padStart(8)} ${row.unit.padEnd(8)}${goal}${isMissed(row) ? '  MISSED' : ''}`,
  )
}

if (!canPin) console.log('Not pinned: without two cores and taskset, the app and its viewers share cores.')
const installation = await createInstallation()
keepToLoadCore()
const loads: number[] = []
try {
  for (const name of chosen) {
    await parts[name]!(installation, addRow)
    loads.push(loadavg()[0]!)
  }
} finally {
  await installation.close()
}
const missed = rows.filter(isMissed)
writeFileSync(
  join(import.meta.dirname, 'watch-results.json'),
  `${JSON.stringify({ node: process.version, rows, missed: missed.map(({ what }) => what) }, null, 2)}\n`,
)
// The bench keeps both cores busy; a load of two more than the cores comes from other programs.
const isBusy = Math.max(...loads) > cpus().length + 2
console.log(`Load average of the machine: at most ${Math.max(...loads).toFixed(1)} on ${cpus().length} cores`)
if (missed.length > 0 && isBusy) console.log('The machine was busy with other programs: the times are not valid.')
console.log(missed.length === 0 ? 'All goals met.' : `${missed.length} goals missed.`)
process.exitCode = missed.length === 0 || isBusy ? 0 : 1
