// Opens two thousand pages on two processes and kills one process. Measures how long a handshake takes, how soon the number of active visitors is correct in
// every process, and the CPU time that the open visitor list costs.
// Run: npm run bench presence
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { type HttpUser, loggedInUser } from '../test/harness/http-user.ts'
import { dataFolder, type RunningApp, runApp } from '../test/harness/running-app.ts'
import { processCpuMs } from './processes.ts'

const pages = 2_000
const concurrency = 50
const goals = { handshakeP95Ms: 500, rightWithinMs: 30_000 }
const watchedSeconds = 20
/** Processes stop publishing their visitors this long after the last request for the visitor list. */
const stopsPublishingMs = 35_000
const admin = { username: 'admin', password: 'for-the-bench-only' }
const env = {
  ADMIN_USERNAME: admin.username,
  ADMIN_PASSWORD: admin.password,
  RATE_LIMIT_FACTOR: '100000',
  TRUST_PROXY: '1',
  LOG_LEVEL: 'warn',
  SEED: 'sample',
}

type Page = { socket: WebSocket; handshakeMs: number }
const results: string[] = []
const missed: string[] = []
const data = dataFolder()
const apps: RunningApp[] = []
try {
  apps.push(await runApp({ dataDir: data.path, env }))
  apps.push(await runApp({ dataDir: data.path, env }))
  const [first, second] = apps as [RunningApp, RunningApp]
  const operator = await loggedInUser(first.url, admin)
  // Earlier page requests count as visitors for five minutes, so they are part of the expected count.
  const [own = 0] = await counts(operator, [first])

  const opened = await openPages(pages, (i) => (i % 2 ? second : first), 0)
  handshakes(`${pages} pages open on two processes, ${concurrency} at a time`, opened)
  await untilCorrect('correct count at both processes', operator, apps, own + pages)

  await sleep(stopsPublishingMs)
  const idle = await processorTime(apps, async () => sleep(watchedSeconds * 1000))
  const watched = await processorTime(apps, () => watch(operator, first, opened))
  results.push(
    `CPU time of both processes: ${idle} while the visitor list is closed, ${watched} while it is open and 20 visitors per second change pages`,
  )

  process.kill(second.pid, 'SIGKILL')
  await untilCorrect('correct count after one process was killed', operator, [first], own + pages / 2)
  const back = await openPages(pages / 2, () => first, pages)
  handshakes(`the ${pages / 2} pages of the killed process open again at the other one`, back)
  await untilCorrect('correct count with all pages at one process', operator, [first], own + pages)
  results.push(`memory of the remaining process: ${residentMegabytes(first.pid)} MB`)
  for (const { socket } of [...opened, ...back]) socket.terminate()
  await untilCorrect('correct count after all pages were closed', operator, [first], own)
} finally {
  for (const app of apps) await app.stop()
  data.remove()
}
console.log(results.join('\n'))
console.log(missed.length === 0 ? 'All goals met.' : `Missed:\n${missed.map((text) => `  ${text}`).join('\n')}`)
process.exitCode = missed.length === 0 ? 0 : 1

async function openPages(count: number, at: (index: number) => RunningApp, offset: number): Promise<Page[]> {
  const opened: Page[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const i = next++
      opened.push(await openPage(at(i), offset + i))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return opened
}

/** Opens a page as a visitor with a unique IP address. */
async function openPage({ url }: RunningApp, i: number): Promise<Page> {
  const headers = {
    origin: url,
    'x-forwarded-for': `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
    'user-agent': userAgent(i),
  }
  const started = performance.now()
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.on('error', () => {})
  const handshakeMs = performance.now() - started
  socket.send(JSON.stringify({ type: 'page', path: '/pricing' }))
  return { socket, handshakeMs }
}
function userAgent(i: number): string {
  return `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + (i % 50)}.0.0.0 Safari/537.36`
}

function handshakes(what: string, opened: Page[]): void {
  const sorted = opened.map(({ handshakeMs }) => handshakeMs).sort((a, b) => a - b)
  const [p50, p95, longest] = [0.5, 0.95, 1].map((part) => sorted[Math.ceil(part * sorted.length) - 1]!)
  results.push(
    `${what}: handshake p50 ${p50!.toFixed(0)} ms, p95 ${p95!.toFixed(0)} ms (goal < ${goals.handshakeP95Ms}), longest ${longest!.toFixed(0)} ms`,
  )
  if (p95! >= goals.handshakeP95Ms) missed.push(`${what}: p95 ${p95!.toFixed(0)} ms`)
}

/** Polls the visitor list like the Admin Panel, but more often, until every process returns the expected count. */
async function untilCorrect(what: string, operator: HttpUser, at: RunningApp[], expected: number): Promise<void> {
  const started = performance.now()
  let reported: number[] = []
  while (performance.now() - started < 2 * goals.rightWithinMs) {
    reported = await counts(operator, at)
    if (reported.every((count) => count === expected)) break
    await sleep(200)
  }
  const ms = performance.now() - started
  results.push(
    `${what} (${reported.join(' and ')}) after ${(ms / 1000).toFixed(1)} s (goal ≤ ${goals.rightWithinMs / 1000})`,
  )
  if (ms > goals.rightWithinMs)
    missed.push(`${what}: ${reported.join(' and ')} instead of ${expected} after ${(ms / 1000).toFixed(1)} s`)
}

async function counts(operator: HttpUser, at: RunningApp[]): Promise<number[]> {
  const answers = await Promise.all(at.map(({ url }) => operator.send(url, 'GET', '/api/admin/active-visitors')))
  return answers.map(({ body }) => Number(body.count))
}

/** Polls the visitor list every two seconds like the Admin Panel, while visitors change pages. */
async function watch(operator: HttpUser, app: RunningApp, opened: Page[]): Promise<void> {
  for (let second = 0; second < watchedSeconds; second++) {
    if (second % 2 === 0) await operator.send(app.url, 'GET', '/api/admin/active-visitors')
    for (let move = 0; move < 20; move++)
      opened[(second * 20 + move) % opened.length]!.socket.send(
        JSON.stringify({ type: 'page', path: second % 2 ? '/faq' : '/setup' }),
      )
    await sleep(1_000)
  }
}

/** Runs `work` and returns the CPU time that the processes used during it, as a percentage of one core. */
async function processorTime(processes: RunningApp[], work: () => Promise<unknown>): Promise<string> {
  const started = performance.now()
  const before = processes.reduce((sum, { pid }) => sum + processCpuMs(pid), 0)
  await work()
  const spent = processes.reduce((sum, { pid }) => sum + processCpuMs(pid), 0) - before
  return `${((100 * spent) / (performance.now() - started)).toFixed(1)} % of a core`
}

function residentMegabytes(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
}
