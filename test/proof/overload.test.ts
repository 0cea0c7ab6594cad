// More load than the machine can handle: admitted requests get responses, the rest are refused immediately, and administrators and probes are served.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Database } from '#server/db/connect.ts'
import { type Embedded, startEmbedded } from '#server/postgres/embedded.ts'
import { type Answers, type MixReport, mix } from '../../bench/processes.ts'
import { type HttpUser, loggedInUser } from '../harness/http-user.ts'
import { dataFolder, type RunningApp, runApp } from '../harness/running-app.ts'
import { roundCount } from '../harness/scale.ts'
import { silentLog } from '../harness/silent-log.ts'
import { emptyJournal, expectJournalKept, runTrades, threeMonthPlanId } from '../harness/trading.ts'

/** A long run uses the machine alone: it measures the capacity of the machine and checks response times too. */
const isLong = process.env.OVERLOAD_SECONDS !== undefined
const seconds = roundCount('OVERLOAD_SECONDS', { short: 1, full: 3 })
const admin = { username: 'admin', password: 'overload-only-here' }
const env = {
  ADMIN_USERNAME: admin.username,
  ADMIN_PASSWORD: admin.password,
  RATE_LIMIT_FACTOR: '1000000',
  LOG_LEVEL: 'warn',
  SEED: 'sample',
}
const data = dataFolder()
let app: RunningApp
let embedded: Embedded
let database: Database
let operator: HttpUser
let customers: HttpUser[]

beforeAll(async () => {
  app = await runApp({ dataDir: data.path, env })
  // From the response cache they are answered under any load.
  for (const path of ['/', '/api/plans']) expect((await fetch(app.url + path)).status).toBe(200)
  embedded = await startEmbedded({ dataDir: data.path, log: silentLog })
  database = connect(embedded.connection, { log: silentLog, max: 2 })
  operator = await loggedInUser(app.url, admin)
  customers = await Promise.all(Array.from({ length: 8 }, () => loggedInUser(app.url)))
}, 60_000)
afterAll(async () => {
  await app?.stop()
  await database?.close()
  await embedded?.stop()
  data.remove()
}, 60_000)

const get = (path: string, cookie = '') =>
  `GET ${path} HTTP/1.1\r\nHost: ${new URL(app.url).host}\r\n${cookie && `Cookie: ${cookie}\r\n`}\r\n`
function login(name: string): string {
  const body = JSON.stringify({ username: name, password: 'correct-horse' })
  const headers = `Host: ${new URL(app.url).host}\r\nOrigin: ${app.url}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  return `POST /api/login HTTP/1.1\r\n${headers}${body}`
}
const reads = () =>
  customers.flatMap((each) =>
    ['/api/user', '/api/invoices', '/api/referrals/my-code'].map((path) => get(path, each.cookie())),
  )

const pages = () => customers.map((each) => get('/dashboard', each.cookie()))

/** Sends `perSecond` requests per second: a fifth are logins, a fifth pages. The requests of administrators, probes and for public lists are additional. */
function load(perSecond: number, forSeconds: number): Promise<MixReport> {
  return mix({
    port: Number(new URL(app.url).port),
    seconds: forSeconds,
    kinds: [
      { name: 'reads', perSecond: perSecond * 0.6, connections: isLong ? 450 : 150, requests: reads() },
      { name: 'pages', perSecond: perSecond * 0.2, connections: isLong ? 150 : 50, requests: pages() },
      {
        name: 'logins',
        perSecond: perSecond * 0.2,
        connections: isLong ? 200 : 60,
        requests: customers.map(({ name }) => login(name)),
      },
      {
        name: 'admin',
        perSecond: 10,
        connections: 20,
        requests: [get('/api/admin/invoices', operator.cookie()), get('/api/admin/users', operator.cookie())],
      },
      { name: 'probes', perSecond: 5, connections: 20, requests: [get('/healthz')] },
      { name: 'lists', perSecond: 20, connections: 20, requests: [get('/api/plans'), get('/')] },
    ],
  })
}
const none: Answers = { count: 0, p50: 0, p95: 0, p99: 0, max: 0 }
const accepted = (report: MixReport, name: string) => report[name]?.statuses['200'] ?? none
const refused = (report: MixReport, name: string) => report[name]?.statuses['503'] ?? none

/** On any machine: each request gets 200 or 503 with Retry-After, none is cut off, and privileged requests are served. */
function expectFairRefusals(report: MixReport): void {
  for (const [name, { statuses, withoutRetry, lost }] of Object.entries(report)) {
    expect(
      Object.keys(statuses).filter((status) => status !== '200' && status !== '503'),
      name,
    ).toEqual([])
    expect({ name, withoutRetry, lost }).toEqual({ name, withoutRetry: 0, lost: {} })
  }
  for (const name of ['probes', 'lists']) expect(refused(report, name).count, name).toBe(0)
  // The database of a busy machine may be slow for all, but administrators are never refused for lack of capacity.
  expect(report.admin!.codes.busy ?? 0, 'administrators').toBe(0)
  expect(accepted(report, 'admin').count, 'administrators').toBeGreaterThan(0)
}

const residentMegabytes = () =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${app.pid}/status`, 'utf8'))?.[1]) / 1024
const metric = async (name: string) =>
  Number(
    (await (await fetch(`${app.url}/metrics`)).text())
      .split('\n')
      .find((each) => each.startsWith(`${name} `))
      ?.slice(name.length),
  )
const summary = (report: MixReport) =>
  Object.entries(report)
    .map(([name, { statuses, codes, unsent }]) => {
      const counts = Object.entries(statuses).map(
        ([status, { count, p50, p95, max }]) => `${count} × ${status} (p50 ${p50}, p95 ${p95}, longest ${max} ms)`,
      )
      return `${name}: ${counts.join(', ')} ${JSON.stringify(codes)}${unsent ? `, ${unsent} unsent` : ''}`
    })
    .join('\n')

/** Returns the highest request rate per second at which hardly any request waits. */
async function capacity(): Promise<number> {
  let found = 50
  // A warm-up: the first requests run code that is not compiled yet.
  await load(found, 8)
  for (let tried = 100; tried <= 6_400; tried *= 1.3) {
    const report = await load(tried, 8)
    console.log(`${tried.toFixed(0)} a second\n${summary(report)}`)
    if (
      refused(report, 'reads').count + refused(report, 'logins').count > 0 ||
      Math.max(accepted(report, 'reads').p95, accepted(report, 'logins').p95) > 200
    )
      break
    found = tried
  }
  return found
}

test(
  'under overload, excess requests are refused immediately, administrators are served and no acknowledged write is lost',
  async () => {
    const perSecond = isLong ? 4 * (await capacity()) : 3_000
    const before = residentMegabytes()
    await metric('nodejs_eventloop_lag_p99_seconds')
    const journal = emptyJournal()
    let isOver = false
    const planId = await threeMonthPlanId(app.url)
    const trading = runTrades({
      url: () => app.url,
      planId,
      buyers: customers.slice(0, 2),
      cashier: operator,
      journal,
      isOver: () => isOver,
    })
    let most = 0
    const watching = setInterval(() => {
      most = Math.max(most, residentMegabytes())
    }, 500)
    const report = await load(perSecond, seconds)
    const lag = await metric('nodejs_eventloop_lag_p99_seconds')
    clearInterval(watching)
    await expect.poll(() => journal.paid.size, { timeout: 15_000 }).toBeGreaterThan(0)
    isOver = true
    await trading

    expectFairRefusals(report)
    expect(refused(report, 'reads').count).toBeGreaterThan(0)
    for (const name of ['reads', 'pages']) expect(accepted(report, name).count, name).toBeGreaterThan(0)
    await expectJournalKept(database.db, journal)
    if (!isLong) return
    console.log(
      `${perSecond.toFixed(0)} a second for ${seconds} s; event loop p99 ${lag} s; memory ${before.toFixed(0)}, at most ${most.toFixed(0)} MB\n${summary(report)}`,
    )
    const { count } = accepted(report, 'admin')
    expect(count / (count + refused(report, 'admin').count), 'administrators').toBeGreaterThanOrEqual(0.95)
    for (const name of ['reads', 'logins', 'admin', 'lists']) expect(accepted(report, name).p95, name).toBeLessThan(500)
    // A page request may wait up to one second before it is rendered.
    expect(accepted(report, 'pages').p95, 'pages').toBeLessThan(1_500)
    for (const name of ['reads', 'logins', 'pages']) expect(refused(report, name).p95, name).toBeLessThan(50)
    expect(accepted(report, 'probes').max).toBeLessThan(1_000)
    expect(lag).toBeLessThan(0.2)
    expect(most).toBeLessThan(512)
    await sleep(120_000)
    const after = residentMegabytes()
    console.log(`memory two minutes later: ${after.toFixed(0)} MB`)
    expect(after).toBeLessThan(1.1 * before)
  },
  120_000 + seconds * 2_000 + 300_000,
)

test('a flood of logins does not slow down public lists', async () => {
  const { port } = new URL(app.url)
  const kinds = [
    { name: 'logins', perSecond: 500, connections: 100, requests: customers.map(({ name }) => login(name)) },
    { name: 'lists', perSecond: 50, connections: 20, requests: [get('/api/plans'), get('/api/faqs'), get('/')] },
  ]
  const report = await mix({ port: Number(port), seconds: isLong ? 30 : 2, kinds })
  expect(refused(report, 'logins').count).toBeGreaterThan(0)
  expect(refused(report, 'lists').count).toBe(0)
  for (const { withoutRetry, lost } of Object.values(report))
    expect({ withoutRetry, lost }).toEqual({ withoutRetry: 0, lost: {} })
  if (!isLong) return
  console.log(summary(report))
  expect(accepted(report, 'lists').p95).toBeLessThan(300)
}, 90_000)
