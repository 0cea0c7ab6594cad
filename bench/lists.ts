// Response times of admin lists with a million users and three million invoices: every list, sort order, kind of search and filter, and distant pages, in
// sequential requests, measured from sending to the last byte. The data are created once in BENCH_DATA (.cache/bench-lists). BENCH_ONLY selects cases.
// Run: npm run bench lists
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, get, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { runApp } from '../test/harness/running-app.ts'
import { fill } from './fill.ts'
import { appAndDatabaseCpuMs } from './processes.ts'
import { size } from './seed-big.ts'

const root = join(import.meta.dirname, '..')
const dataDir = process.env.BENCH_DATA ?? join(root, '.cache/bench-lists')
const times = Number(process.env.BENCH_TIMES ?? 40)
const only = new RegExp(process.env.BENCH_ONLY ?? '')
/** The overview reads many lists in one response. */
const overviewP95Ms = 60
/** The business figures read rollups of up to two years. */
const insightP95Ms = 100
const goals = { p95Ms: 40, memoryMb: 400 }
const goalOf = ({ list }: Case) => ({ desk: overviewP95Ms, insight: insightP95Ms })[list] ?? goals.p95Ms
/** Two runs on the same machine differ by about a tenth. */
const noise = 1.1
const password = 'for-the-bench-only'

type Case = { list: string; name: string; query: string }
type Row = Case & { p50: number; p95: number; p99: number; cpuMs: number; total: string }

await fill(dataDir, size)
const app = await runApp({
  dataDir,
  env: { SEED: 'sample', LOG_LEVEL: 'warn', ADMIN_PASSWORD: password, RATE_LIMIT_FACTOR: '100000' },
})
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const rows: Row[] = []
let cookie = ''
try {
  cookie = await logIn()
  for (const one of await cases()) {
    if (!only.test(`${one.list} ${one.name}`)) continue
    const row = await measure(one)
    rows.push(row)
    console.log(
      `${`${row.list} ${row.name}`.padEnd(44)}${[row.p50, row.p95, row.p99, row.cpuMs].map((ms) => ms.toFixed(1).padStart(9)).join('')}${row.total.padStart(12)}${row.p95 > goalOf(row) * noise ? `  over ${goalOf(row)}` : ''}`,
    )
  }
  report(peakMemoryMb(app.pid))
} finally {
  agent.destroy()
  await app.stop()
}

async function cases(): Promise<Case[]> {
  const all: Case[] = []
  const add = (list: string, name: string, query: string) => all.push({ list, name, query })
  const lists: Record<string, { sorts: string[]; statuses: string[] }> = {
    users: {
      sorts: ['createdAt', 'username', 'email', 'role', 'subscriptionEndDate'],
      statuses: ['active', 'pending', 'expired', 'cancelled', 'none'],
    },
    invoices: {
      sorts: ['createdAt', 'amount', 'status', 'invoiceNumber'],
      statuses: ['draft', 'pending', 'paid', 'cancelled', 'expired'],
    },
    reports: { sorts: ['createdAt', 'status'], statuses: ['pending', 'reviewing', 'resolved', 'dismissed'] },
    'trial-requests': { sorts: ['requestDate', 'status'], statuses: ['pending', 'approved', 'denied'] },
    lines: { sorts: ['createdAt'], statuses: ['tasks', 'done', 'rejected', 'sent'] },
    inquiries: { sorts: ['createdAt', 'status'], statuses: ['open', 'answered'] },
    tickets: { sorts: ['lastMessageAt', 'status'], statuses: ['open', 'waiting', 'solved'] },
  }
  for (const [list, { sorts, statuses }] of Object.entries(lists)) {
    const last = Math.ceil((await total(`/api/admin/${list}?pageSize=10`)) / 10)
    add(list, 'first page', '')
    for (const sort of sorts)
      for (const order of ['asc', 'desc']) add(list, `${sort} ${order}`, `sort=${sort}&order=${order}`)
    for (const [name, search] of [
      ['common text', 'gmail'],
      ['rare text', 'quinn.kim1000'],
      ['text without results', 'nobody-at-all'],
      ['a full name', 'Quinn Kim1000'],
      ['a line username', 'line4711of'],
      ['a confirmation code', 'CA9B7BA70783'],
      ['a part of many confirmation codes', 'C12'],
      ['a payment note', 'SAUCE: 7919000'],
      ['an email address', 'anna.smith221@gmail.com'],
      ['one letter', 'a'],
      ['two letters', 'an'],
      ['two characters, no result', '~#'],
    ])
      add(list, `search ${name}`, `search=${encodeURIComponent(search!)}`)
    for (const status of statuses) add(list, `status ${status}`, `status=${status}`)
    for (const status of statuses.slice(0, 2))
      add(list, `status ${status}, search common text`, `status=${status}&search=gmail`)
    for (const sort of sorts) add(list, `last page by ${sort}`, `page=${last}&sort=${sort}&order=desc`)
    for (const status of statuses)
      add(
        list,
        `last page of ${status}`,
        `status=${status}&page=${Math.max(1, Math.ceil((await total(`/api/admin/${list}?status=${status}&pageSize=10`)) / 10))}`,
      )
    add(list, 'page 1,000', 'page=1000')
    for (const sort of sorts)
      add(list, `middle page by ${sort}`, `page=${Math.floor(last / 2)}&sort=${sort}&order=desc`)
  }
  add('invoices', 'search an invoice number', 'search=ORD-0JKL')
  add('lines', 'search an invoice number', 'search=ORD-0JKL')
  add('lines', 'search a line username', 'search=line4711of')
  add('tickets', 'without an assignee', 'assignee=0')
  add('tickets', 'without an assignee, open', 'assignee=0&status=open')
  // The cards of the overview. The data contain open work of every kind.
  for (const part of ['queue', 'figures', 'activity', 'promises', 'counts', 'setup']) add('desk', part, '')
  for (const period of ['30d', '90d', '12m']) add('insight', period, `period=${period}`)
  for (const id of [4711, 500_000, 999_000]) add('timeline', `of customer ${id}`, String(id))
  return all
}

async function measure(one: Case): Promise<Row> {
  const address =
    one.list === 'desk'
      ? `/api/admin/desk/${one.name}`
      : one.list === 'timeline'
        ? `/api/admin/users/${one.query}/timeline`
        : `/api/admin/${one.list}?pageSize=10&${one.query}`
  await ask(address)
  const spent: number[] = []
  const cpu = appAndDatabaseCpuMs(app.pid, dataDir)
  let shown = ''
  for (let n = 0; n < times; n++) {
    const started = performance.now()
    const { headers } = await ask(address)
    spent.push(performance.now() - started)
    shown = `${headers['x-total-is-minimum'] ? '>' : ''}${headers['x-total-count']}`
  }
  spent.sort((a, b) => a - b)
  const at = (part: number) => spent[Math.min(spent.length - 1, Math.floor(part * spent.length))]!
  return {
    ...one,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    cpuMs: (appAndDatabaseCpuMs(app.pid, dataDir) - cpu) / times,
    total: shown,
  }
}

async function total(address: string): Promise<number> {
  return Number((await ask(address)).headers['x-total-count'])
}

function ask(path: string): Promise<{ headers: IncomingHttpHeaders }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ headers: IncomingHttpHeaders }>()
  get(app.url + path, { agent, headers: { cookie } }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`))
    response.resume().once('end', () => resolve({ headers: response.headers }))
  }).on('error', reject)
  return promise
}

async function logIn(): Promise<string> {
  const response = await fetch(`${app.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: app.url },
    body: JSON.stringify({ username: 'admin', password }),
  })
  if (!response.ok) throw new Error(`The administrator cannot log in: ${await response.text()}`)
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

/** The peak resident memory of the app's process in MB. */
function peakMemoryMb(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

function report(memoryMb: number): void {
  const missed = rows
    .filter((row) => row.p95 > goalOf(row) * noise)
    .map((row) => `${row.list} ${row.name}: ${row.p95.toFixed(1)} ms, ${goalOf(row)} is the goal`)
  if (memoryMb > goals.memoryMb * noise)
    missed.push(`the app used ${memoryMb.toFixed(0)} MB, the goal is ${goals.memoryMb}`)
  console.log(
    `\n${rows.length} queries, ${times} times each; the app used at most ${memoryMb.toFixed(0)} MB (goal ≤ ${goals.memoryMb}).`,
  )
  writeFileSync(
    join(import.meta.dirname, 'lists-results.json'),
    `${JSON.stringify({ node: process.version, size, times, memoryMb, rows, missed }, null, 2)}\n`,
  )
  console.log(missed.length === 0 ? 'All goals met.' : `Missed:\n${missed.map((text) => `  ${text}`).join('\n')}`)
  process.exitCode = missed.length === 0 ? 0 : 1
}
