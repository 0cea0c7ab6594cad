// The real process moves 5,000 lines from one panel double to another: how long the move takes, whether it slows down, and the memory of the process.
// Run: npm run bench moves
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { pino } from 'pino'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/open.ts'
import { users } from '#server/db/tables.ts'
import { loggedInUser } from '../test/harness/http-user.ts'
import { linesToMove } from '../test/harness/lines-to-move.ts'
import { dataFolder, runApp } from '../test/harness/running-app.ts'
import { appAndDatabaseCpuMs } from './processes.ts'

const count = Number(process.env.BENCH_LINES ?? 5_000)
/** `slowdown`: the time per line in the last quarter divided by that in the first. It exceeds the goal if the cost of a line grows during the move. */
const goals = { slowdown: 1.3, memoryMb: 100 }

const data = dataFolder()
const admin = { username: 'admin', password: 'for-the-bench-only' }
const env = {
  ...{ SECRET_KEY: randomBytes(32).toString('base64'), PANEL_ALLOW_PRIVATE: 'true', RATE_LIMIT_FACTOR: '100000' },
  ...{ LOG_LEVEL: 'warn', ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
}
// The first start creates the administrator.
await (await runApp({ dataDir: data.path, env })).stop()
const config = readConfig({ DATA_DIR: data.path, ...env })
const { db, close } = await openDatabase(config, pino({ level: 'warn' }), join(import.meta.dirname, '../migrations'))
const [owner] = await db.select({ id: users.id }).from(users).where(eq(users.username, admin.username))
const { from, to, toId, close: closePanels } = await linesToMove(db, config, count, owner!.id)
await close()

const app = await runApp({ dataDir: data.path, env: { ...env, PANEL_URL: from.url } })
try {
  const cashier = await loggedInUser(app.url, admin)
  await sleep(5_000)
  const memoryBefore = memoryMb('VmRSS')
  const [started, cpuBefore] = [performance.now(), appAndDatabaseCpuMs(app.pid, data.path)]
  const { status } = await cashier.send(app.url, 'POST', '/api/admin/line-moves', {
    from: 1,
    to: toId,
    expected: count,
  })
  if (status !== 200) throw new Error(`The move was refused: ${status}`)
  const quarters: number[] = []
  const isDisabled = ({ enabled }: { enabled?: string | null }) => enabled === '0'
  const disabled = () => [...from.lines.rows.values()].filter(isDisabled).length
  while (disabled() < count) {
    await sleep(500)
    while (to.lines.rows.size >= ((quarters.length + 1) * count) / 4) quarters.push(seconds(started))
    if (seconds(started) > count) throw new Error(`Only ${disabled()} old lines are disabled`)
  }
  const whole = seconds(started)
  const cpu = (appAndDatabaseCpuMs(app.pid, data.path) - cpuBefore) / count
  const perLine = quarters.map((end, at) => ((end - (quarters[at - 1] ?? 0)) / (count / 4)) * 1000)
  const slowdown = perLine.at(-1)! / perLine[0]!
  const addedMb = memoryMb('VmHWM') - memoryBefore
  console.log(
    `${count} lines in ${whole.toFixed(0)} s; time per line in each quarter ${perLine.map((ms) => ms.toFixed(0)).join(', ')} ms ` +
      `(the last at most ${goals.slowdown} times the first); ${cpu.toFixed(1)} ms of processor time per line, app and database; ` +
      `${addedMb.toFixed(0)} MB more memory (goal ${goals.memoryMb} MB), ${memoryMb('VmHWM').toFixed(0)} MB in total`,
  )
  if (to.lines.rows.size !== count || slowdown > goals.slowdown || addedMb > goals.memoryMb) process.exitCode = 1
} finally {
  await app.stop()
  await closePanels()
  data.remove()
}

function seconds(since: number): number {
  return (performance.now() - since) / 1000
}

/** Returns the resident memory of the app: the current value (`VmRSS`) or the peak (`VmHWM`). */
function memoryMb(name: 'VmRSS' | 'VmHWM'): number {
  const text = readFileSync(`/proc/${app.pid}/status`, 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)![1]) / 1024
}
