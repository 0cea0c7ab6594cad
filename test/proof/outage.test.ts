// The database stops, freezes, is cut off or refuses, while people trade: the app says so at once, serves what it has ready, and recovers.
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { type Address, connect } from '#server/db/connect.ts'
import { type HttpPerson, loggedInUser } from '../harness/http-person.ts'
import { type OwnServer, ownServer } from '../harness/own-server.ts'
import { type Passage, proxyTo } from '../harness/proxy.ts'
import { dataFolder, type RunningApp, runApp } from '../harness/running-app.ts'
import { rounds } from '../harness/scale.ts'
import { silentLog } from '../harness/silent-log.ts'
import { emptyJournal, expectJournalKept, threeMonths, trade } from '../harness/trading.ts'

const outages = rounds('OUTAGES', { short: 4, full: 4 })
const seconds = Number(process.env.OUTAGE_SECONDS ?? 1)
/** A long run has the machine to itself, and its times are promises. */
const isLong = process.env.OUTAGES !== undefined
/** The pool, what listens and what feels the pulse. */
const mostConnections = 10 + 1 + 1
const admin = { username: 'admin', password: 'outage-only-here' }
let server: OwnServer
let proxy: Passage
let app: RunningApp

/** The app, with a proxy between it and a server of its own. */
async function setUp(): Promise<void> {
  server = await ownServer()
  onTestFinished(() => server.remove())
  proxy = await proxyTo(server.address)
  const data = dataFolder()
  onTestFinished(data.remove)
  const env = {
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    RATE_LIMIT_FACTOR: '1000000',
    LOG_LEVEL: 'warn',
    SEED: 'sample',
  }
  app = await runApp({ dataDir: data.path, env: { ...env, DATABASE_URL: urlOf(proxy.address) } })
  onTestFinished(() => app.stop())
}

const urlOf = (address: Address): string =>
  typeof address === 'string'
    ? address
    : `postgres://${address.user}@${address.host}:${address.port}/${address.database}`

type Kind = { name: string; away: () => unknown; back: () => unknown }
const kinds: Kind[] = [
  { name: 'stopped', away: () => server.crash(), back: () => server.start() },
  { name: 'frozen', away: () => server.freeze(), back: () => server.thaw() },
  { name: 'cut off', away: () => proxy.freeze(), back: () => proxy.thaw() },
  { name: 'refusing', away: () => proxy.close(), back: () => proxy.listen() },
]

type Refused = { status: number; retryAfter: number; ms: number }

/** Asks for what only the database knows until told to stop. */
async function askOn(person: HttpPerson, isOver: () => boolean, heard: Refused[]): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    const began = performance.now()
    const path = ['/api/user', '/api/invoices', '/dashboard', '/readyz'][turn % 4]!
    const answer = await fetch(app.url + path, {
      headers: { cookie: person.cookie() },
      signal: AbortSignal.timeout(5_000),
    })
    await answer.arrayBuffer()
    heard.push({
      status: answer.status,
      retryAfter: Number(answer.headers.get('retry-after')),
      ms: performance.now() - began,
    })
    await sleep(20)
  }
}

const metric = async (line: string) =>
  Number(
    (await (await fetch(`${app.url}/metrics`)).text())
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length),
  )
/** Asked beside the proxy: what the app has at the server. */
async function connectionsAtServer(): Promise<number> {
  const client = new pg.Client({ ...server.address })
  await client.connect()
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where application_name like 'sauce%'`,
  )
  await client.end()
  return rows[0]!.count
}
const openFiles = () => readdirSync(`/proc/${app.pid}/fd`).length

test(
  `${outages} outages under load: answered 503 at once, nothing acknowledged lost, back within seconds, no connection left behind`,
  async () => {
    await setUp()
    const planId = await threeMonths(app.url)
    const cashier = await loggedInUser(app.url, admin)
    const buyers = await Promise.all(Array.from({ length: 4 }, () => loggedInUser(app.url)))
    const watcher = await loggedInUser(app.url)
    const line = await watcher.listen(app.url)
    for (const path of ['/api/plans', '/']) expect((await fetch(app.url + path)).status).toBe(200)
    const filesBefore = openFiles()
    const journal = emptyJournal()
    const waits: number[] = []
    const returns: number[] = []

    for (let outage = 0; outage < outages; outage++) {
      const { name, away, back } = kinds[outage % kinds.length]!
      let isOver = false
      const trading = trade({ url: () => app.url, planId, buyers, cashier, journal, isOver: () => isOver })
      const before = journal.paid.size
      await expect.poll(() => journal.paid.size, { timeout: 15_000 }).toBeGreaterThan(before)

      await away()
      await expect
        .poll(async () => (await fetch(`${app.url}/readyz`)).status, { timeout: 5_000, interval: 50 })
        .toBe(503)
      const page = await fetch(`${app.url}/invoices`, {
        headers: { cookie: watcher.cookie() },
        signal: AbortSignal.timeout(5_000),
      })
      expect([page.status, await page.text()], name).toEqual([503, expect.stringContaining('Something went wrong')])
      expect(await (await fetch(`${app.url}/readyz`)).json(), name).toMatchObject({ code: 'unavailable' })
      const heard: Refused[] = []
      let isBack = false
      const asking = Promise.all(Array.from({ length: 3 }, () => askOn(watcher, () => isBack, heard)))
      const until = performance.now() + seconds * 1_000
      while (performance.now() < until) {
        for (const path of ['/healthz', '/api/plans', '/'])
          expect((await fetch(app.url + path)).status, `${name}: ${path}`).toBe(200)
        await sleep(100)
      }
      isBack = true
      await asking
      expect(heard.length, name).toBeGreaterThan(0)
      for (const { status, retryAfter } of heard)
        expect([status, retryAfter >= 2 && retryAfter <= 10], name).toEqual([503, true])
      waits.push(...heard.map(({ ms }) => ms))

      await back()
      const began = performance.now()
      await expect
        .poll(async () => (await watcher.send(app.url, 'GET', '/api/user')).status, { timeout: 10_000, interval: 50 })
        .toBe(200)
      returns.push(performance.now() - began)
      await expect
        .poll(
          async () =>
            (await Promise.all(Array.from({ length: 20 }, () => watcher.send(app.url, 'GET', '/api/invoices')))).every(
              ({ status }) => status === 200,
            ),
          { timeout: 10_000 },
        )
        .toBe(true)
      isOver = true
      await trading
    }

    await expect
      .poll(() => metric('sauce_database_connections{state="busy"}'), { timeout: 15_000, interval: 100 })
      .toBe(0)
    expect(await metric('sauce_database_waiting')).toBe(0)
    await expect.poll(connectionsAtServer, { timeout: 15_000 }).toBeLessThanOrEqual(mostConnections)
    expect(openFiles()).toBeLessThan(filesBefore + 30)
    expect(line.isOpen(), 'the line of an open page').toBe(true)
    line.close()
    expect(journal.paid.size).toBeGreaterThanOrEqual(outages)
    const database = connect(server.address, { log: silentLog, max: 2 })
    onTestFinished(() => database.close())
    await expectJournalKept(database.db, journal)
    expect(app.output()).not.toMatch(/"level":60|unexpected error/)

    waits.sort((a, b) => a - b)
    const p99 = waits[Math.ceil(waits.length * 0.99) - 1]!
    console.log(
      `${waits.length} refusals, p99 ${p99.toFixed(0)} ms, longest ${waits.at(-1)!.toFixed(0)} ms; back after ${returns.map((ms) => ms.toFixed(0)).join(', ')} ms; ${journal.paid.size} payments kept`,
    )
    if (isLong) {
      expect(p99).toBeLessThan(2_000)
      expect(Math.max(...returns)).toBeLessThan(5_000)
    }
  },
  60_000 + outages * (seconds + 40) * 1_000,
)
