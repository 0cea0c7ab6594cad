// How the cost of admin lists and of an order grows with the number of customers (BENCH_SIZES, by default 1,000 to 1,000,000), in CPU time of
// app and database together. Run: npm run bench growth
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loggedInUser } from '../test/harness/http-user.ts'
import { runApp } from '../test/harness/running-app.ts'
import { fill } from './fill.ts'
import { appAndDatabaseCpuMs, keepToLoadCore, serverCore } from './processes.ts'
import { size } from './seed-big.ts'
import { confirm, inParallel, order, pendingInvoiceIds, planOnSale } from './trade.ts'

const root = join(import.meta.dirname, '..')
const sizes = (process.env.BENCH_SIZES ?? '1000,10000,100000,1000000').split(',').map(Number)
const times = Number(process.env.BENCH_TIMES ?? 40)
const orders = Number(process.env.BENCH_ORDERS ?? 200)
const admin = { username: 'admin', password: 'for-the-bench-only' }

/** Allowed factor above logarithmic growth, because hundredths of a millisecond are lost in the noise of a shared machine. */
const tolerance = 1.3
/** The query of each measured list. NEWEST is replaced by the username of the newest customer, so that the search always finds one row. */
const lists: Record<string, string> = {
  'users, first page': 'users?pageSize=10',
  'users, search rare text': 'users?pageSize=10&search=NEWEST',
  'users, search common text': 'users?pageSize=10&search=gmail',
  'users, by email': 'users?pageSize=10&sort=email&order=desc',
  'invoices, first page': 'invoices?pageSize=10',
  'invoices, status pending': 'invoices?pageSize=10&status=pending',
  'invoices, search rare text': 'invoices?pageSize=10&search=NEWEST',
  'invoices, by amount': 'invoices?pageSize=10&sort=amount&order=desc',
  'reports, first page': 'reports?pageSize=10',
  'trial-requests, first page': 'trial-requests?pageSize=10',
  'lines, first page': 'lines?pageSize=10',
}
const far = ['users', 'invoices', 'reports', 'trial-requests', 'lines']

const curves: Record<string, number[]> = {}
const note = (work: string, ms: number) => {
  curves[work] = [...(curves[work] ?? []), ms]
}
keepToLoadCore()
for (const users of sizes) await measure(users)
report()

async function measure(users: number): Promise<void> {
  const part = users / size.users
  const wanted = Object.fromEntries(
    Object.entries(size).map(([table, rows]) => [table, Math.ceil(rows * part)]),
  ) as typeof size
  const dataDir =
    users === size.users
      ? (process.env.BENCH_DATA ?? join(root, '.cache/bench-lists'))
      : join(root, `.cache/bench-growth-${users}`)
  await fill(dataDir, wanted)
  const env = { SEED: 'sample', LOG_LEVEL: 'warn', ADMIN_PASSWORD: admin.password, RATE_LIMIT_FACTOR: '1000000' }
  const app = await runApp({ dataDir, env, ...(serverCore !== undefined && { core: serverCore }) })
  try {
    const spent = () => appAndDatabaseCpuMs(app.pid, dataDir)
    const cashier = await loggedInUser(app.url, admin)
    const ask = async (query: string) => {
      const { status } = await cashier.send(app.url, 'GET', `/api/admin/${query}`)
      if (status !== 200) throw new Error(`${query} answered ${status}`)
    }
    const cost = async (work: string, query: string) => {
      for (let n = 0; n < 5; n++) await ask(query)
      // Counts that run in the background must have finished.
      await sleep(500)
      const before = spent()
      for (let n = 0; n < times; n++) await ask(query)
      note(work, (spent() - before) / times)
    }
    const { body: newest } = await cashier.send(app.url, 'GET', '/api/admin/users?pageSize=1&sort=createdAt&order=desc')
    const name = (newest as unknown as { username: string }[])[0]!.username
    for (const [work, query] of Object.entries(lists)) await cost(work, query.replace('NEWEST', name))
    for (const list of far) {
      const rows = {
        users,
        invoices: wanted.invoices,
        reports: wanted.reports,
        'trial-requests': wanted.trials,
        lines: wanted.lineJobs,
      }[list]!
      await cost(`${list}, middle page`, `${list}?pageSize=10&page=${Math.ceil(rows / 20)}`)
      await cost(`${list}, last page`, `${list}?pageSize=10&page=${Math.ceil(rows / 10)}`)
    }
    const planId = await planOnSale(app.url)
    const buyers = await inParallel(Array.from({ length: orders / 4 }), () => loggedInUser(app.url))
    // Only the last round counts: the others are the warm-up.
    for (let round = 0; round < 5; round++) {
      let before = spent()
      await inParallel(buyers, (buyer) => order(app.url, buyer, planId))
      const ordered = (spent() - before) / buyers.length
      const ids = await pendingInvoiceIds(app.url, cashier, buyers.length)
      before = spent()
      await inParallel(ids, (id) => confirm(app.url, cashier, id))
      const confirmed = (spent() - before) / ids.length
      if (round === 4) {
        note('order and payment', ordered)
        note('confirmation', confirmed)
      }
    }
  } finally {
    await app.stop()
  }
}

function report(): void {
  const [smallest, largest] = [sizes[0]!, sizes.at(-1)!]
  const allowed = (Math.log(largest) / Math.log(smallest)) * tolerance
  const rows = Object.entries(curves).map(([work, ms]) => ({ work, ms, growth: ms.at(-1)! / ms[0]! }))
  console.log(
    `${'ms CPU by number of customers'.padEnd(34)}${sizes.map((users) => users.toLocaleString('en').padStart(11)).join('')}     growth`,
  )
  for (const { work, ms, growth } of rows)
    console.log(
      `${work.padEnd(34)}${ms.map((value) => value.toFixed(1).padStart(11)).join('')}${growth.toFixed(2).padStart(10)}x${growth > allowed ? '  MISSED' : ''}`,
    )
  const missed = rows.filter(({ growth }) => growth > allowed).map(({ work }) => work)
  writeFileSync(
    join(import.meta.dirname, 'growth-results.json'),
    `${JSON.stringify({ node: process.version, sizes, rows, missed }, null, 2)}\n`,
  )
  console.log(
    missed.length === 0
      ? `No row grows faster than logarithmically (${allowed.toFixed(2)}x).`
      : `${missed.length} rows grow faster than logarithmically (${allowed.toFixed(2)}x).`,
  )
  process.exitCode = missed.length === 0 ? 0 : 1
}
