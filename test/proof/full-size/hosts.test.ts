import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { ActiveVisitors } from '#features/visitors/admin-contract.ts'
import { connect, type Database } from '#server/db/connect.ts'
import { type HttpUser, loggedInUser } from '../../harness/http-user.ts'
import { type Host, makeHost, whyNoHosts } from '../../harness/namespaces.ts'
import { dataFolder, type RunningApp, runApp } from '../../harness/running-app.ts'
import { roundCount } from '../../harness/scale.ts'
import { silentLog } from '../../harness/silent-log.ts'
import { type TcpServer, tcpServer } from '../../harness/tcp-server.ts'
import { emptyJournal, expectJournalKept, runTrades, threeMonthPlanId } from '../../harness/trading.ts'

// Two hosts share a database server, and one of them is disconnected under load. Needs root and takes minutes, so `npm test` skips it.
const cuts = roundCount('HOST_CUTS', { full: 2 })
const skipReason = whyNoHosts()
if (skipReason) console.log(`The test with separate hosts is skipped: ${skipReason}.`)
const secret = randomBytes(32).toString('base64')
const admin = { username: 'admin', password: 'hosts-only-here' }

describe.runIf(!skipReason)('two hosts on one database', () => {
  const folders = [dataFolder(), dataFolder()]
  let hosts: Host[] = []
  let server: TcpServer | undefined
  let apps: RunningApp[] = []
  let database: Database | undefined
  let operator: HttpUser
  const start = (at: number): Promise<RunningApp> => {
    const { namespace, address, gateway } = hosts[at]!
    const env = {
      ADMIN_USERNAME: admin.username,
      ADMIN_PASSWORD: admin.password,
      RATE_LIMIT_FACTOR: '1000000',
      TRUST_PROXY: '1',
      LOG_LEVEL: 'warn',
      SEED: 'sample',
      SECRET_KEY: secret,
      DATABASE_URL: `postgres://sauce@${gateway}:${server!.port}/sauce`,
    }
    return runApp({ dataDir: folders[at]!.path, env, host: { namespace, address } })
  }

  beforeAll(async () => {
    hosts = [makeHost(1), makeHost(2)]
    server = await tcpServer({ host: ['127.0.0.1', ...hosts.map(({ gateway }) => gateway)].join() })
    apps = [await start(0), await start(1)]
    database = connect(server!.url, { log: silentLog, max: 2, connectTimeoutMs: 15_000 })
    operator = await loggedInUser(apps[0]!.url, admin)
  }, 120_000)
  afterAll(async () => {
    for (const app of apps) await app.stop()
    await database?.close()
    await server?.stop()
    for (const host of hosts) host.remove()
    for (const folder of folders) folder.remove()
  }, 60_000)

  async function open(at: number, path: string, ip: string): Promise<WebSocket> {
    const { url } = apps[at]!
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
      headers: { origin: url, 'x-forwarded-for': ip, 'user-agent': 'a browser/1' },
    })
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    socket.on('error', () => {})
    socket.send(JSON.stringify({ type: 'page', path }))
    return socket
  }
  const paths = async (at: number) =>
    ((await operator.send(apps[at]!.url, 'GET', '/api/admin/active-visitors')).body as ActiveVisitors).visitors
      .map(({ path }) => path)
      .filter((path) => path.startsWith('/open-'))
      .toSorted()
  const within30s = { timeout: 30_000, interval: 500 }

  test(
    'when one is disconnected or killed under load, no acknowledged write is lost, visitor counts recover within 30 s, and it rejoins',
    async () => {
      const planId = await threeMonthPlanId(apps[0]!.url)
      const journal = emptyJournal()
      for (let cut = 0; cut < cuts; cut++) {
        const buyers = await Promise.all(Array.from({ length: 6 }, (_, at) => loggedInUser(apps[at % 2]!.url)))
        const names = [0, 1].map((at) => Array.from({ length: 4 }, (_, n) => `/open-${cut}-${at}-${n}`))
        const sockets = await Promise.all(
          names.flatMap((list, at) => list.map((path, n) => open(at, path, `198.51.${cut}.${10 * at + n}`))),
        )
        for (const at of [0, 1]) await expect.poll(() => paths(at), within30s).toEqual(names.flat())
        let isOver = false
        let turn = 0
        const trading = runTrades({
          url: () => apps[turn++ % 2]!.url,
          planId,
          buyers,
          cashier: operator,
          journal,
          isOver: () => isOver,
        })
        const before = journal.paid.size
        await expect.poll(() => journal.paid.size, { timeout: 30_000 }).toBeGreaterThan(before + 5)

        const isKilled = cut % 2 === 1
        if (isKilled) process.kill(apps[1]!.pid, 'SIGKILL')
        else hosts[1]!.unplug()
        await expect.poll(() => paths(0), within30s).toEqual(names[0])
        // Open pages reconnect their sockets to the host that still answers.
        const reconnected = await Promise.all(names[1]!.map((path, n) => open(0, path, `198.51.${cut}.${10 + n}`)))
        await expect.poll(() => paths(0), within30s).toEqual(names.flat())
        const paidSoFar = journal.paid.size
        await expect.poll(() => journal.paid.size, { timeout: 60_000 }).toBeGreaterThan(paidSoFar)

        if (isKilled) apps[1] = await start(1)
        else hosts[1]!.plugIn()
        const ready = () =>
          fetch(`${apps[1]!.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
            ({ status }) => status,
            () => 0,
          )
        await expect.poll(ready, within30s).toBe(200)
        for (const socket of [...sockets, ...reconnected]) socket.terminate()
        for (const at of [0, 1]) await expect.poll(() => paths(at), within30s).toEqual([])
        isOver = true
        await trading
      }
      expect(journal.paid.size).toBeGreaterThan(5 * cuts)
      await expectJournalKept(database!.db, journal)
    },
    60_000 + cuts * 240_000,
  )
})
