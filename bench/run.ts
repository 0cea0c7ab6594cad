// Compares the app with a bare node:http server that sends the same bytes in the same run, because absolute figures depend on the machine. The rounds of the
// two alternate, and the median ratio counts. Goals use CPU time per request: requests per second are limited by the core of the load generator and vary with
// other programs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataFolder, freePort, type RunningApp, runApp } from '../test/harness/running-app.ts'
import { canPin, type Load, load, serve, serverCore } from './processes.ts'

const rounds = 7
const seconds = 2
const starts = 5
const goals = { startMs: 1_000, ratioToBare: 0.7 }
const paths = ['/', '/pricing', '/channels', '/api/plans', '/api/channels', '/api/faqs']

type Pair = { app: Load; bare: Load; ratio: number; rateRatio: number }
type Row = { path: string; ratio: number; rateRatio: number; app: Load; bare: Load; encoding: string; bytes: number }

const env = { SEED: 'sample', LOG_LEVEL: 'warn', ADMIN_PASSWORD: 'for-the-bench-only', RATE_LIMIT_FACTOR: '100000' }
const data = dataFolder()
const files = mkdtempSync(join(tmpdir(), 'sauce-bench-'))
try {
  if (!canPin) console.log('Not pinned: without two cores and taskset, server and load generator share cores.')
  const startTimes = await measureStarts()
  const app = await runApp({ dataDir: data.path, env, core: serverCore })
  const rows: Row[] = []
  for (const path of paths) rows.push(await measure(app, path))
  await app.stop()
  report(rows, startTimes)
} finally {
  data.remove()
  rmSync(files, { recursive: true, force: true })
}

/** Returns the milliseconds from each start to the first page. The first start creates the database and is not counted. */
async function measureStarts(): Promise<number[]> {
  const times: number[] = []
  for (let start = 0; start <= starts; start++) {
    const app = await runApp({ dataDir: data.path, env, readyPath: '/' })
    await app.stop()
    if (start > 0) times.push(app.readyMs)
  }
  return times
}

async function measure(app: RunningApp, path: string): Promise<Row> {
  const { body, type, encoding } = await compressedAnswer(app.url + path)
  const file = join(files, 'body')
  writeFileSync(file, body)
  const port = await freePort()
  const bareServer = serve(['bench/bare.js', String(port), file, type, encoding])
  const bareUrl = `http://localhost:${port}${path}`
  await waitForServer(bareUrl)

  await load(app.url + path, 1, app.pid)
  await load(bareUrl, 1, bareServer.pid)
  const pairs: Pair[] = []
  for (let round = 0; round < rounds; round++) {
    const bare = await load(bareUrl, seconds, bareServer.pid)
    const ours = await load(app.url + path, seconds, app.pid)
    pairs.push({ app: ours, bare, ratio: bare.cpuMicros / ours.cpuMicros, rateRatio: ours.perSecond / bare.perSecond })
  }
  bareServer.stop()
  return {
    path,
    ratio: median(pairs.map((pair) => pair.ratio)),
    rateRatio: median(pairs.map((pair) => pair.rateRatio)),
    app: medianLoad(pairs.map((pair) => pair.app)),
    bare: medianLoad(pairs.map((pair) => pair.bare)),
    encoding,
    bytes: body.length,
  }
}

/** Returns the response that a browser gets once the compressed copy is cached. */
async function compressedAnswer(url: string): Promise<{ body: Buffer; type: string; encoding: string }> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const { promise, resolve, reject } = Promise.withResolvers<{ body: Buffer; type: string; encoding: string }>()
    get(url, { headers: { 'accept-encoding': 'gzip, deflate, br' } }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      resolve({
        body: Buffer.concat(chunks),
        type: response.headers['content-type'] ?? '',
        encoding: response.headers['content-encoding'] ?? '',
      })
    }).on('error', reject)
    const answer = await promise
    if (answer.encoding) return answer
    await sleep(100)
  }
  throw new Error(`${url} is never sent compressed`)
}

async function waitForServer(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const answered = await fetch(url)
      .then((response) => response.arrayBuffer().then(() => true))
      .catch(() => false)
    if (answered) return
    await sleep(20)
  }
  throw new Error(`${url} does not answer`)
}

function report(rows: Row[], startTimes: number[]): void {
  const line = (...cells: string[]) =>
    console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(14) : cell.padStart(12))).join(''))
  line('', 'bytes', 'CPU µs', 'bare', 'ratio', 'goal', 'req/s', 'bare', 'ratio', 'p99 ms')
  for (const { path, bytes, encoding, app, bare, ratio, rateRatio } of rows) {
    const processor = [app.cpuMicros.toFixed(1), bare.cpuMicros.toFixed(1), ratio.toFixed(2), `≥ ${goals.ratioToBare}`]
    line(
      path,
      `${bytes} ${encoding}`,
      ...processor,
      app.perSecond.toFixed(0),
      bare.perSecond.toFixed(0),
      rateRatio.toFixed(2),
      String(app.p99),
    )
  }
  // Other programs can only slow down a start, so the fastest start says most about the code.
  const fastest = Math.min(...startTimes)
  console.log(
    `first page of a warm start: ${fastest.toFixed(0)} ms (goal ≤ ${goals.startMs}), median ${median(startTimes).toFixed(0)} ms of ${startTimes.length}`,
  )
  const missed = [
    ...rows
      .filter(({ ratio }) => ratio < goals.ratioToBare)
      .map(
        ({ path, ratio }) => `${path}: ratio ${ratio.toFixed(2)} to a bare server, the goal is ${goals.ratioToBare}`,
      ),
    ...rows.filter((row) => row.app.wrong > 0).map((row) => `${row.path}: ${row.app.wrong} wrong responses`),
    ...(fastest > goals.startMs ? [`first page after ${fastest.toFixed(0)} ms, the goal is ${goals.startMs}`] : []),
  ]
  writeFileSync(
    join(import.meta.dirname, 'results.json'),
    `${JSON.stringify({ node: process.version, pinned: canPin, rounds, seconds, startTimes, rows, missed }, null, 2)}\n`,
  )
  console.log(missed.length === 0 ? 'All goals met.' : `Missed:\n${missed.map((text) => `  ${text}`).join('\n')}`)
  process.exitCode = missed.length === 0 ? 0 : 1
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** Returns the round with the median number of requests per second, with the errors of all rounds. */
function medianLoad(loads: Load[]): Load {
  const middle = loads.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(loads.length / 2)]!
  return { ...middle, wrong: loads.reduce((sum, each) => sum + each.wrong, 0) }
}
