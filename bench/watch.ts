// The budgets of watching: opening and ending plays, the cost and memory of relayed streams, other requests beside them, the first picture and the
// self-check. The panel double and all viewers run in this process. BENCH_PARTS chooses parts. Run: npm run bench watch
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { canPin, keepToLoadCore } from './processes.ts'
import { type Installation, install } from './watching/installation.ts'
import { pages } from './watching/pages.ts'
import { cost, measureOtherRequests, memory, type Note, opening, type Row, stopping } from './watching/work.ts'

const parts: Record<string, (installation: Installation, note: Note) => Promise<unknown>> = {
  memory,
  opening,
  stopping,
  others: measureOtherRequests,
  cost,
  pages,
}
const chosen = process.env.BENCH_PARTS?.split(',') ?? Object.keys(parts)
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`BENCH_PARTS has no part ${unknown.join(', ')}. The parts are: ${Object.keys(parts).join(', ')}`)
  process.exit(2)
}
/** Two runs on the same machine differ by about a tenth. */
const noise = 1.1
const isMissed = ({ value, most }: Row) => most !== undefined && !(value <= most * noise)
const rows: Row[] = []
const note: Note = (row) => {
  rows.push(row)
  const goal = row.most === undefined ? '' : `≤ ${row.most.toFixed(row.most < 10 ? 1 : 0)}`
  const value = row.value.toFixed(row.value < 10 ? 2 : 0)
  console.log(
    `${row.what.padEnd(76)}${value.padStart(8)} ${row.unit.padEnd(8)}${goal}${isMissed(row) ? '  MISSED' : ''}`,
  )
}

if (!canPin) console.log('Not pinned: without two cores and taskset, the app and its viewers share cores.')
const installation = await install()
keepToLoadCore()
const busiest: number[] = []
try {
  for (const name of chosen) {
    await parts[name]!(installation, note)
    busiest.push(loadavg()[0]!)
  }
} finally {
  await installation.close()
}
const missed = rows.filter(isMissed)
writeFileSync(
  join(import.meta.dirname, 'watch-results.json'),
  `${JSON.stringify({ node: process.version, rows, missed: missed.map(({ what }) => what) }, null, 2)}\n`,
)
// The bench itself keeps both cores busy.
const isBusy = Math.max(...busiest) > cpus().length + 2
console.log(`Load of the machine: at most ${Math.max(...busiest).toFixed(1)} on ${cpus().length} cores`)
if (missed.length > 0 && isBusy) console.log('The machine was busy with other programs: no valid times.')
console.log(missed.length === 0 ? 'All goals met.' : `${missed.length} missed.`)
process.exitCode = missed.length === 0 || isBusy ? 0 : 1
