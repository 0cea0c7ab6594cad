// What hostile and what many honest lines do to the real process: its memory, its count of visitors, its way back after a restart.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { ActiveVisitors } from '#features/visitors/contract.ts'
import { reconnectMs } from '#kit/live.ts'
import { connect as connectDatabase } from '#server/db/connect.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { type HttpPerson, personAt } from '../harness/http-person.ts'
import { dataFolder, freePort, type RunningApp, runApp } from '../harness/running-app.ts'
import { rounds } from '../harness/scale.ts'
import { silentLog } from '../harness/silent-log.ts'

/** A long run has the machine to itself, and its times are promises. */
const isLong = process.env.LINES !== undefined
const lines = rounds('LINES', { short: 50, full: 200 })
const handshakes = isLong ? 10_000 : 300
const attackSeconds = isLong ? 60 : 2
const flood = isLong ? { perSecond: 5_000, seconds: 10 } : { perSecond: 500, seconds: 2 }
/** Messages of 7 kB each: more than the kernel buffers for a client that does not read. */
const broadcasts = isLong ? 10_000 : 2_500
const mostGrowth = 50 * 2 ** 20
/** A short run does not wait as long as pages do. */
const hurry = isLong ? 1 : 10
const admin = { username: 'admin', password: 'sockets-only-here' }
const env = {
  ADMIN_USERNAME: admin.username,
  ADMIN_PASSWORD: admin.password,
  RATE_LIMIT_FACTOR: '1000000',
  TRUST_PROXY: '1',
  LOG_LEVEL: 'error',
  SEED: 'empty',
  // A small heap, so that unreferenced memory is collected instead of counted as growth.
  NODE_OPTIONS: `--max-semi-space-size=8 --max-old-space-size=${isLong ? 128 : 64}`,
}
const data = dataFolder()
let port: number
let app: RunningApp
let operator: HttpPerson
beforeAll(async () => {
  port = await freePort()
  app = await runApp({ dataDir: data.path, env, port })
  operator = await personAt(app.url, admin)
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

/** A line without any WebSocket library between; `heard` is what came back. */
async function rawLine(origin = app.url, cookie = ''): Promise<{ socket: Socket; heard: () => string }> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.write(upgrade(origin, cookie))
  await new Promise((resolve) => socket.once('data', resolve).once('close', resolve))
  return { socket, heard: () => heard }
}
/** A frame from a client with a mask of zeroes, which leaves the payload as it is. */
const frame = (first: number, payload: string) =>
  Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), Buffer.from(payload)])
/** The status of a close frame at the end of what was heard. */
const closeCode = (heard: string) => {
  const at = heard.lastIndexOf('\x88')
  const isWhole = at >= 0 && heard.charCodeAt(at + 1) === heard.length - at - 2
  return isWhole ? (heard.charCodeAt(at + 2) << 8) | heard.charCodeAt(at + 3) : undefined
}

async function inBatches(count: number, size: number, work: (i: number) => Promise<void>): Promise<void> {
  for (let i = 0; i < count; i += size)
    await Promise.all(Array.from({ length: Math.min(size, count - i) }, (_, j) => work(i + j)))
}

test(`${handshakes} handshakes of a foreign page are all refused, and the same number of valid ones leaves no memory in use`, async () => {
  await inBatches(handshakes, 50, async () => {
    const { socket, heard } = await rawLine('https://evil.example')
    expect(heard()).toMatch(/^HTTP\/1\.1 403/)
    socket.destroy()
  })
  expect(await open()).toBe(0)
  const before = memory()
  await inBatches(handshakes, 50, async () => {
    const { socket, heard } = await rawLine()
    expect(heard()).toMatch(/^HTTP\/1\.1 101/)
    socket.destroy()
  })
  await expect.poll(open, { timeout: 10_000 }).toBe(0)
  expect(memory() - before).toBeLessThan(mostGrowth)
}, 180_000)

test(`${flood.perSecond} handshakes a second: each is answered, probes are too, and nothing is left of them`, async () => {
  const before = memory()
  const answers = new Map<string, number>()
  let [asked, under, unsent, slowest] = [0, 0, 0, 0]
  const one = async () => {
    under++
    const { socket, heard } = await rawLine()
    const status = heard().slice(9, 12) || 'none'
    answers.set(status, (answers.get(status) ?? 0) + 1)
    socket.destroy()
    under--
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
    for (; asked < (passed / 1_000) * flood.perSecond; asked++)
      if (under < 2_000) void one()
      else unsent++
    await sleep(2)
  }
  await expect.poll(() => under, { timeout: 30_000 }).toBe(0)
  await Promise.all(probes)
  const tookMs = performance.now() - began
  const told = `${JSON.stringify(Object.fromEntries(answers))}, ${unsent} not asked, ${((asked - unsent) / (tookMs / 1_000)).toFixed(0)} a second, probes at most ${slowest.toFixed(0)} ms, memory ${((memory() - before) / 2 ** 20).toFixed(0)} MB more`
  if (isLong) console.log(told)
  // 503: all lines that a process takes are open just then.
  expect(
    [...answers.keys()].filter((status) => status !== '101' && status !== '503'),
    told,
  ).toEqual([])
  expect(answers.get('101'), told).toBeGreaterThan(0)
  await expect.poll(open, { timeout: 30_000 }).toBe(0)
  expect(memory() - before, told).toBeLessThan(mostGrowth)
  if (isLong) expect(slowest, told).toBeLessThan(1_000)
}, 120_000)

test('clients that do not read are disconnected, and all others get every message', async () => {
  const embedded = await startEmbedded({ dataDir: data.path, log: silentLog })
  const { pool, close } = connectDatabase(embedded.connection, { log: silentLog, max: 1 })
  try {
    const before = memory()
    const deaf = await Promise.all(Array.from({ length: 3 }, () => rawLine(app.url, operator.cookie())))
    for (const { socket } of deaf) socket.pause()
    const reading = await Promise.all([operator.listen(app.url), operator.listen(app.url)])
    expect(await open()).toBe(5)
    for (let told = 0; told < broadcasts; told += 100) {
      await pool.query(
        `select pg_notify('sauce', json_build_object('to', 'admins', 'endpoints', array[i || repeat('x', 7000)])::text) from generate_series($1::int, $2::int) i`,
        [told, Math.min(told + 100, broadcasts) - 1],
      )
      const soFar = Math.min(told + 100, broadcasts)
      await expect
        .poll(() => reading.map(({ heard }) => heard.length), { timeout: 30_000, interval: 5 })
        .toEqual([soFar, soFar])
    }
    expect(
      reading.map(({ heard }) =>
        heard.map((text) => Number.parseInt(text, 10)).every((value, index) => value === index),
      ),
    ).toEqual([true, true])
    await expect.poll(open, { timeout: 10_000 }).toBe(2)
    const grown = memory() - before
    if (isLong)
      console.log(
        `three lines that do not read, ${broadcasts} broadcasts: memory ${(grown / 2 ** 20).toFixed(0)} MB more`,
      )
    expect(grown).toBeLessThan(mostGrowth)
    for (const { close } of reading) close()
    for (const { socket } of deaf) socket.destroy()
    await expect.poll(open, { timeout: 10_000 }).toBe(0)
  } finally {
    await close()
    await embedded.stop()
  }
}, 120_000)

test('a hundred lines that claim to be the administrator stay anonymous', async () => {
  const { id } = (await operator.send(app.url, 'GET', '/api/user')).body as { id: number }
  const claiming = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      const line = new WebSocket(`ws://localhost:${port}/ws`, {
        headers: { origin: app.url, 'x-forwarded-for': addressOf(i), 'user-agent': `browser/${i}` },
      })
      const told: unknown[] = []
      line.on('message', (message) => told.push(JSON.parse(String(message))))
      await once(line, 'open')
      line.send(JSON.stringify({ type: 'auth', auth: true, userId: id, username: admin.username }))
      await expect.poll(() => told, { timeout: 10_000 }).toContainEqual({ type: 'auth', ok: false })
      return line
    }),
  )
  const own = (await visitors()).visitors.filter(({ ipAddress }) => ipAddress.startsWith('10.'))
  expect(own).toHaveLength(100)
  expect(own.filter(({ isAuthenticated, username }) => isAuthenticated || username !== null)).toEqual([])
  for (const line of claiming) line.terminate()
}, 60_000)

test('tiny fragments without an end, floods of pings and readers that do not read are cut off, and cost no memory', async () => {
  const before = memory()
  let most = before
  const codes = new Map<string, number>()
  const note = (kind: string) => void codes.set(kind, (codes.get(kind) ?? 0) + 1)
  const until = performance.now() + attackSeconds * 1_000
  const watching = setInterval(() => {
    most = Math.max(most, memory())
  }, 100)
  const again = async (attack: () => Promise<void>) => {
    while (performance.now() < until) await attack()
  }
  /** Sends the same bytes until the socket is closed, at most until 10 s after the attack. Without `reads` the responses stay unread. */
  const pour = async (kind: string, rest: Buffer, { reads = true, pauseMs = 0 } = {}) => {
    const { socket, heard } = await rawLine()
    if (!reads) socket.pause()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(frame(0x01, 'x'))
    for (const end = until + 10_000; !socket.destroyed && closeCode(heard()) === undefined && performance.now() < end; )
      await Promise.race([
        new Promise((resolve) => socket.write(rest, resolve)).then(() => sleep(pauseMs)),
        closed,
        sleep(1_000),
      ])
    note(`${kind} ${closeCode(heard()) ?? (socket.destroyed ? 'cut' : 'open')}`)
    socket.destroy()
  }
  const fragment = frame(0x00, 'x')
  const ping = frame(0x89, 'x'.repeat(125))
  const many = (work: () => Promise<void>) => Array.from({ length: 5 }, () => again(work))
  await Promise.all([
    ...many(() => pour('fragments', fragment, { pauseMs: 1 })),
    ...many(() => pour('pings', Buffer.concat(Array<Buffer>(100).fill(ping)))),
    ...many(() => pour('unread pings', Buffer.concat(Array<Buffer>(500).fill(ping)), { reads: false })),
  ])
  clearInterval(watching)
  const told = JSON.stringify(Object.fromEntries(codes))
  expect(codes.get('fragments 1008'), told).toBeGreaterThan(0)
  expect(codes.get('unread pings cut'), told).toBeGreaterThan(0)
  for (const kind of ['fragments', 'pings', 'unread pings']) expect(codes.has(`${kind} open`), told).toBe(false)
  if (isLong) console.log(`${told}, memory grew by ${((most - before) / 2 ** 20).toFixed(0)} MB`)
  expect(most - before).toBeLessThan(mostGrowth)
  await expect.poll(open, { timeout: 15_000 }).toBe(0)
}, 180_000)

test(`${lines} open pages come back after a restart, and are counted exactly`, async () => {
  const times: number[] = []
  let isOver = false
  const pages = new Map<number, WebSocket>()
  const codes = new Set<number>()
  /** As the page does it: back so long after a close or a failure. */
  const dial = (i: number): void => {
    if (isOver) return
    const began = performance.now()
    const line = new WebSocket(`ws://localhost:${port}/ws`, {
      headers: { origin: app.url, 'x-forwarded-for': addressOf(i), 'user-agent': `page/${i % 50}` },
    })
    line.on('error', () => {})
    line.once('open', () => {
      times.push(performance.now() - began)
      pages.set(i, line)
      line.send(JSON.stringify({ type: 'page', path: '/pricing' }))
    })
    line.once('close', (code) => {
      if (pages.delete(i)) codes.add(code)
      setTimeout(() => dial(i), reconnectMs() / hurry).unref()
    })
  }
  await inBatches(lines, 100, async (i) => {
    dial(i)
    await expect.poll(() => pages.has(i), { timeout: 30_000, interval: 20 }).toBe(true)
  })
  expect(await open()).toBe(lines)

  times.length = 0
  await app.stop()
  expect([...codes]).toEqual([1012])
  app = await runApp({ dataDir: data.path, env, port })
  const ready = performance.now()
  await expect.poll(() => pages.size, { timeout: 60_000, interval: 50 }).toBe(lines)
  const backMs = performance.now() - ready
  // The session of the administrator survived.
  const exact = async () => (await visitors()).count
  // A page request without a socket counts as a visitor too.
  expect((await fetch(app.url)).status).toBe(200)
  await expect.poll(exact, { timeout: 60_000, interval: 200 }).toBe(lines + 1)
  const countedMs = performance.now() - ready
  times.sort((a, b) => a - b)
  const p95 = times[Math.ceil(times.length * 0.95) - 1]!
  isOver = true
  for (const line of pages.values()) line.terminate()
  if (!isLong) return
  console.log(
    `${lines} lines back after ${backMs.toFixed(0)} ms, counted after ${countedMs.toFixed(0)} ms, handshake p95 ${p95.toFixed(0)} ms`,
  )
  expect(backMs).toBeLessThan(15_000)
  expect(countedMs).toBeLessThan(30_000)
  expect(p95).toBeLessThan(500)
}, 240_000)
