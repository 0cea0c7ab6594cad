import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { connect as dial } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ActiveVisitors } from '#features/visitors/admin-contract.ts'
import { connect, type Database } from '#server/db/connect.ts'
import { accountFor } from '#server/postgres/account.ts'
import { type HttpUser, loggedInUser } from '../harness/http-user.ts'
import { dataFolder, freePort, type RunningApp, runApp } from '../harness/running-app.ts'
import { roundCount } from '../harness/scale.ts'
import { silentLog } from '../harness/silent-log.ts'
import { type TcpServer, tcpServer } from '../harness/tcp-server.ts'
import { emptyJournal, expectJournalKept, runTrades, threeMonthPlanId } from '../harness/trading.ts'

// Two processes connect through PgBouncer in transaction mode, which has fewer server connections than client connections.
const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path))
const admin = { username: 'admin', password: 'pooled-only-here' }
const env = {
  ADMIN_USERNAME: admin.username,
  ADMIN_PASSWORD: admin.password,
  RATE_LIMIT_FACTOR: '1000000',
  LOG_LEVEL: 'warn',
  SEED: 'sample',
}
const payments = roundCount('POOLED_PAYMENTS', { short: 6, full: 30 })

// Needs Debian's package `pgbouncer`; the tests are skipped if it is not installed.
describe.runIf(program)('through PgBouncer in transaction mode', () => {
  const data = dataFolder()
  let server: TcpServer
  let bouncer: ChildProcess
  let apps: RunningApp[] = []
  let database: Database
  let operator: HttpUser

  beforeAll(async () => {
    server = await tcpServer()
    const port = await freePort()
    const file = join(data.path, 'pgbouncer.ini')
    const target = `[databases]\nsauce = host=127.0.0.1 port=${server.port} dbname=sauce user=sauce\n`
    const settings = `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 4\nmax_client_conn = 200\n`
    writeFileSync(file, target + settings)
    chmodSync(file, 0o644)
    bouncer = spawn(program!, ['-q', file], { ...accountFor(data.path), stdio: ['ignore', 'ignore', 'inherit'] })
    await vi.waitUntil(
      () =>
        new Promise((resolve) =>
          dial(port, '127.0.0.1')
            .once('connect', () => resolve(true))
            .once('error', () => resolve(false)),
        ),
      { timeout: 30_000 },
    )
    const pooled = { DATABASE_URL: `postgres://sauce@127.0.0.1:${port}/sauce`, DATABASE_DIRECT_URL: server.url }
    apps = await Promise.all([0, 1].map(() => runApp({ dataDir: data.path, env: { ...env, ...pooled } })))
    database = connect(server.url, { log: silentLog, max: 2 })
    operator = await loggedInUser(apps[0]!.url, admin)
  }, 90_000)
  afterAll(async () => {
    for (const app of apps) await app.stop()
    await database.close()
    const ended = once(bouncer, 'exit')
    bouncer.kill('SIGTERM')
    await ended
    await server.stop()
    data.remove()
  }, 60_000)

  test(
    'customers buy at either process, payments are confirmed, pages are notified, and all invariants hold',
    async () => {
      const journal = emptyJournal()
      const buyers = await Promise.all(Array.from({ length: 8 }, (_, at) => loggedInUser(apps[at % 2]!.url)))
      const sockets = await Promise.all(buyers.map((buyer, at) => buyer.listen(apps[(at + 1) % 2]!.url)))
      let next = 0
      const planId = await threeMonthPlanId(apps[0]!.url)
      let isOver = false
      const trading = runTrades({
        url: () => apps[next++ % 2]!.url,
        planId,
        buyers,
        cashier: operator,
        journal,
        isOver: () => isOver,
      })
      await expect
        .poll(() => journal.paid.size, { timeout: 60_000 + payments * 1_000 })
        .toBeGreaterThanOrEqual(payments)
      isOver = true
      await trading
      await expect
        .poll(() => sockets.filter(({ changedEndpoints: endpoints }) => endpoints.includes('GET /api/user')).length, {
          timeout: 10_000,
        })
        .toBe(sockets.length)
      const { body } = await operator.send(apps[1]!.url, 'GET', '/api/admin/active-visitors')
      expect((body as ActiveVisitors).visitors.filter(({ username }) => username?.startsWith('buyer-'))).toHaveLength(
        sockets.length,
      )
      for (const { close } of sockets) close()
      await expectJournalKept(database.db, journal)
    },
    120_000 + payments * 1_000,
  )

  test('the apps log no error, and the database role has the time zone UTC', async () => {
    for (const app of apps)
      expect(app.output()).not.toMatch(/prepared statement|unsupported startup|unexpected error|"level":(50|60)/)
    const { rows } = await database.pool.query(
      `select s.setconfig from pg_db_role_setting s join pg_roles r on r.oid = s.setrole where r.rolname = 'sauce'`,
    )
    expect(rows[0].setconfig.toSorted()).toEqual([
      'TimeZone=UTC',
      'idle_in_transaction_session_timeout=30s',
      'statement_timeout=30s',
    ])
  })
})
