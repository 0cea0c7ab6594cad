// Hostile WebSocket clients and many well-behaved ones: memory use, the count of visitors, and reconnection after a restart.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { ActiveVisitors } from '#features/visitors/admin-contract.ts'
import { reconnectMs } from '#kit/live.ts'
import { allPermissions } from '#kit/permissions.ts'
import { topics } from '#kit/topics.ts'
import { endpoints } from '#server/app.ts'
import { connect as connectDatabase } from '#server/db/connect.ts'
import { staleEndpoints } from '#server/live/changes.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { type HttpUser, loggedInUser } from '../harness/http-user.ts'
import { dataFolder, freePort, type RunningApp, runApp } from '../harness/running-app.ts'
import { roundCount } from '../harness/scale.ts'
import { silentLog } from '../harness/silent-log.ts'

/** A long run uses the machine alone, so response times are checked too. */
const isLong = process.env.OPEN_PAGES !== undefined
const pageCount = roundCount('OPEN_PAGES', { short: 50, full: 200 })
const handshakes = isLong ? 10_000 : 300
const attackSeconds = isLong ? 60 : 2
const flood = isLong ? { perSecond: 5_000, seconds: 10 } : { perSecond: 500, seconds: 2 }
/** Messages of about 2 kB each: together more than the kernel buffers for a client that does not read. */
const broadcasts = isLong ? 40_000 : 10_000
const mostGrowth = 50 * 2 ** 20
/** A short run divides the reconnection delays of pages by this. */
const speedUp = isLong ? 1 : 10
const admin = { username: 'admin', password: 'sockets-only-here' }
const env = {
  ADMIN_USERNAME: admin.username,
  ADMIN_PASSWORD: admin.password,
  RATE_LIMIT_FACTOR: '1000000',
  TRUST_PROXY: '1',
  LOG_LEVEL: 'error',
  SEED: 'empty',
  // A small heap, so that unreferenced memory is collected instead of counted as growth. The app alone needs about 60 MB.
  NODE_OPTIONS: `--max-semi-space-size=8 --max-old-space-size=${isLong ? 128 : 96}`,
}
const staleFor = staleEndpoints(endpoints)
const data = dataFolder()
let port: number
let app: RunningApp
let operator: HttpUser
beforeAll(async () => {
  port = await freePort()
  app = await runApp({ dataDir: data.path, env, port })
  operator = await loggedInUser(app.url, admin)
}, 60_000)
afterAll(async () => {
  await app?.stop()
  data.remove()
}, 30_000)

const memory = () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${app.pid}/status`, 'utf8'))?.[1]) * 1024
const open = async () =>
  Number(
    (await (await fetch(`${app.url}/metrics`)).text())
      .split('\n')
      .find((each) => each.startsWith('sauce_sockets '))
      ?.slice('sauce_sockets '.length),
  )
const visitors = async () => (await operator.send(app.url, 'GET', '/api/admin/active-visitors')).body as ActiveVisitors
const addressOf = (i: number) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`

const upgrade = (origin: string, cookie: string) =>
  `GET /ws HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: ${origin}\r\n${cookie && `Cookie: ${cookie}\r\n`}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`

/** Opens a WebSocket without a library; `received` returns the bytes received so far. */
async function rawSocket(origin = app.url, cookie = ''): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.write(upgrade(origin, cookie))
  await new Promise((resolve) => socket.once('data', resolve).once('close', resolve))
  return { socket, received: () => received }
}
/** A client frame with a zero mask, which leaves the payload unchanged. */
const frame = (first: number, payload: string) =>
  Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), Buffer.from(payload)])
/** Returns the status of a close frame at the end of the received bytes. */
const closeCode = (received: string) => {
  const at = received.lastIndexOf('\x88')
  const isWhole = at >= 0 && received.charCodeAt(at + 1) === received.length - at - 2
  return isWhole ? (received.charCodeAt(at + 2) << 8) | received.charCodeAt(at + 3) : undefined
}

async function inBatches(count: number, size: number, work: (i: number) => Promise<void>): Promise<void> {
  for (let i = 0; i < count; i += size)
    await Promise.all(Array.from({ length: Math.min(size, count - i) }, (_, j) => work(i + j)))
}

test(`${handshakes} handshakes of a foreign page are refused, and as many valid ones leak no memory`, async () => {
  await inBatches(handshakes, 50, async () => {
    const { socket, received } = await rawSocket('https://evil.example')
    expect(received()).toMatch(/^HTTP\/1\.1 403/)
    socket.destroy()
  })
  expect(await open()).toBe(0)
  const before = memory()
  await inBatches(handshakes, 50, async () => {
    const { socket, received } = await rawSocket()
    expect(received()).toMatch(/^HTTP\/1\.1 101/)
    socket.destroy()
  })
  await expect.poll(open, { timeout: 10_000 }).toBe(0)
  expect(memory() - before).toBeLessThan(mostGrowth)
}, 180_000)

test(`${flood.perSecond} handshakes a second: each gets a response, so do probes, and none leaves a connection or memory`, async () => {
  const before = memory()
  const answers = new Map<string, number>()
  let [started, pending, unsent, slowest] = [0, 0, 0, 0]
  const handshake = async () => {
    pending++
    const { socket, received } = await rawSocket()
    const status = received().slice(9, 12) || 'none'
    answers.set(status, (answers.get(status) ?? 0) + 1)
    socket.destroy()
    pending--
  }
  const probe = async () => {
    const began = performance.now()
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
    slowest = Math.max(slowest, performance.now() - began)
  }
  const began = performance.now()
  const probes: Promise<void>[] = []
  for (let passed = 0; passed < flood.seconds * 1_000; passed = performance.now() - began) {
    if (passed > probes.length * 250) probes.push(probe())
    // The client has at most 2,000 concurrent connections.
    for (; started < (passed / 1_000) * flood.perSecond; started++)
      if (pending < 2_000) void handshake()
      else unsent++
    await sleep(2)
  }
  await expect.poll(() => pending, { timeout: 30_000 }).toBe(0)
  await Promise.all(probes)
  const tookMs = performance.now() - began
  const details = `${JSON.stringify(Object.fromEntries(answers))}, ${unsent} not sent, ${((started - unsent) / (tookMs / 1_000)).toFixed(0)} a second, probes at most ${slowest.toFixed(0)} ms, memory ${((memory() - before) / 2 ** 20).toFixed(0)} MB more`
  if (isLong) console.log(details)
  // 503: the process has reached its limit of connections.
  expect(
    [...answers.keys()].filter((status) => status !== '101' && status !== '503'),
    details,
  ).toEqual([])
  expect(answers.get('101'), details).toBeGreaterThan(0)
  await expect.poll(open, { timeout: 30_000 }).toBe(0)
  expect(memory() - before, details).toBeLessThan(mostGrowth)
  if (isLong) expect(slowest, details).toBeLessThan(1_000)
}, 120_000)

test('clients that do not read are disconnected, and all others get every message', async () => {
  const embedded = await startEmbedded({ dataDir: data.path, log: silentLog })
  const { pool, close } = connectDatabase(embedded.connection, { log: silentLog, max: 1 })
  try {
    const before = memory()
    const unread = await Promise.all(Array.from({ length: 3 }, () => rawSocket(app.url, operator.cookie())))
    for (const { socket } of unread) socket.pause()
    const reading = await Promise.all([operator.listen(app.url), operator.listen(app.url)])
    expect(await open()).toBe(5)
    // Every message leaves another topic out, so that the order of the received messages can be checked.
    const changes = topics.map((_, left) => ({ to: 'pages', topics: topics.filter((_, index) => index !== left) }))
    const endpointsOf = changes.map((change) => staleFor(change, { id: 0, permissions: allPermissions }))
    const expected: string[] = []
    for (let sent = 0; sent < broadcasts; sent += 100) {
      const numbers = Array.from({ length: 100 }, (_, i) => sent + i)
      // PostgreSQL delivers equal payloads of a transaction once; the number makes them differ.
      await pool.query("select pg_notify('sauce', payload) from unnest($1::text[]) payload", [
        numbers.map((number) => JSON.stringify({ ...changes[number % topics.length], number })),
      ])
      expected.push(...numbers.flatMap((number) => endpointsOf[number % topics.length]!))
      await expect
        .poll(() => reading.map(({ changedEndpoints: received }) => received.length), { timeout: 30_000, interval: 5 })
        .toEqual([expected.length, expected.length])
    }
    const isSame = (received: string[]) => received.every((endpoint, index) => endpoint === expected[index])
    expect(reading.map(({ changedEndpoints }) => isSame(changedEndpoints))).toEqual([true, true])
    await expect.poll(open, { timeout: 10_000 }).toBe(2)
    const grown = memory() - before
    if (isLong)
      console.log(
        `three clients that do not read, ${broadcasts} broadcasts: memory ${(grown / 2 ** 20).toFixed(0)} MB more`,
      )
    expect(grown).toBeLessThan(mostGrowth)
    for (const { close } of reading) close()
    for (const { socket } of unread) socket.destroy()
    await expect.poll(open, { timeout: 10_000 }).toBe(0)
  } finally {
    await close()
    await embedded.stop()
  }
}, 120_000)

test('a hundred sockets that claim to be the administrator stay anonymous', async () => {
  const { id } = (await operator.send(app.url, 'GET', '/api/user')).body as { id: number }
  const impostors = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      const pageSocket = new WebSocket(`ws://localhost:${port}/ws`, {
        headers: { origin: app.url, 'x-forwarded-for': addressOf(i), 'user-agent': `browser/${i}` },
      })
      const messages: unknown[] = []
      pageSocket.on('message', (message) => messages.push(JSON.parse(String(message))))
      await once(pageSocket, 'open')
      pageSocket.send(JSON.stringify({ type: 'auth', auth: true, userId: id, username: admin.username }))
      await expect.poll(() => messages, { timeout: 10_000 }).toContainEqual({ type: 'auth', ok: false })
      return pageSocket
    }),
  )
  const own = (await visitors()).visitors.filter(({ ipAddress }) => ipAddress.startsWith('10.'))
  expect(own).toHaveLength(100)
  expect(own.filter(({ isAuthenticated, username }) => isAuthenticated || username !== null)).toEqual([])
  for (const pageSocket of impostors) pageSocket.terminate()
}, 60_000)

test('endless fragments, ping floods and clients that do not read are disconnected and leak no memory', async () => {
  const before = memory()
  let most = before
  const codes = new Map<string, number>()
  const countCode = (kind: string) => void codes.set(kind, (codes.get(kind) ?? 0) + 1)
  const until = performance.now() + attackSeconds * 1_000
  const watching = setInterval(() => {
    most = Math.max(most, memory())
  }, 100)
  const repeat = async (attack: () => Promise<void>) => {
    while (performance.now() < until) await attack()
  }
  /** Sends the same bytes until the socket is closed, at most until 10 s after the attack. Without `reads` the responses stay unread. */
  const attackWith = async (kind: string, rest: Buffer, { reads = true, pauseMs = 0 } = {}) => {
    const { socket, received } = await rawSocket()
    if (!reads) socket.pause()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(frame(0x01, 'x'))
    for (
      const end = until + 10_000;
      !socket.destroyed && closeCode(received()) === undefined && performance.now() < end;
    )
      await Promise.race([
        new Promise((resolve) => socket.write(rest, resolve)).then(() => sleep(pauseMs)),
        closed,
        sleep(1_000),
      ])
    countCode(`${kind} ${closeCode(received()) ?? (socket.destroyed ? 'cut' : 'open')}`)
    socket.destroy()
  }
  const fragment = frame(0x00, 'x')
  const ping = frame(0x89, 'x'.repeat(125))
  const fiveTimes = (work: () => Promise<void>) => Array.from({ length: 5 }, () => repeat(work))
  await Promise.all([
    ...fiveTimes(() => attackWith('fragments', fragment, { pauseMs: 1 })),
    ...fiveTimes(() => attackWith('pings', Buffer.concat(Array<Buffer>(100).fill(ping)))),
    ...fiveTimes(() => attackWith('unread pings', Buffer.concat(Array<Buffer>(500).fill(ping)), { reads: false })),
  ])
  clearInterval(watching)
  const closeCounts = JSON.stringify(Object.fromEntries(codes))
  expect(codes.get('fragments 1008'), closeCounts).toBeGreaterThan(0)
  expect(codes.get('unread pings cut'), closeCounts).toBeGreaterThan(0)
  for (const kind of ['fragments', 'pings', 'unread pings']) expect(codes.has(`${kind} open`), closeCounts).toBe(false)
  if (isLong) console.log(`${closeCounts}, memory grew by ${((most - before) / 2 ** 20).toFixed(0)} MB`)
  expect(most - before).toBeLessThan(mostGrowth)
  await expect.poll(open, { timeout: 15_000 }).toBe(0)
}, 180_000)

test(`${pageCount} open pages reconnect after a restart, and the count of visitors is exact`, async () => {
  const times: number[] = []
  let isOver = false
  const pages = new Map<number, WebSocket>()
  const codes = new Set<number>()
  /** Connects like a page, and reconnects with its delay after a close or a failure. */
  const dial = (i: number): void => {
    if (isOver) return
    const began = performance.now()
    const pageSocket = new WebSocket(`ws://localhost:${port}/ws`, {
      headers: { origin: app.url, 'x-forwarded-for': addressOf(i), 'user-agent': `page/${i % 50}` },
    })
    pageSocket.on('error', () => {})
    pageSocket.once('open', () => {
      times.push(performance.now() - began)
      pages.set(i, pageSocket)
      pageSocket.send(JSON.stringify({ type: 'page', path: '/pricing' }))
    })
    pageSocket.once('close', (code) => {
      if (pages.delete(i)) codes.add(code)
      setTimeout(() => dial(i), reconnectMs() / speedUp).unref()
    })
  }
  await inBatches(pageCount, 100, async (i) => {
    dial(i)
    await expect.poll(() => pages.has(i), { timeout: 30_000, interval: 20 }).toBe(true)
  })
  expect(await open()).toBe(pageCount)

  times.length = 0
  await app.stop()
  expect([...codes]).toEqual([1012])
  app = await runApp({ dataDir: data.path, env, port })
  const ready = performance.now()
  await expect.poll(() => pages.size, { timeout: 60_000, interval: 50 }).toBe(pageCount)
  const backMs = performance.now() - ready
  // The administrator's session is still valid.
  const exact = async () => (await visitors()).count
  // A page request without a socket counts as a visitor too.
  expect((await fetch(app.url)).status).toBe(200)
  await expect.poll(exact, { timeout: 60_000, interval: 200 }).toBe(pageCount + 1)
  const countedMs = performance.now() - ready
  times.sort((a, b) => a - b)
  const p95 = times[Math.ceil(times.length * 0.95) - 1]!
  isOver = true
  for (const pageSocket of pages.values()) pageSocket.terminate()
  if (!isLong) return
  console.log(
    `${pageCount} pages reconnected after ${backMs.toFixed(0)} ms, counted after ${countedMs.toFixed(0)} ms, handshake p95 ${p95.toFixed(0)} ms`,
  )
  expect(backMs).toBeLessThan(15_000)
  expect(countedMs).toBeLessThan(30_000)
  expect(p95).toBeLessThan(500)
}, 240_000)
