import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { endpoints } from '#server/app.ts'
import { clientConfig } from '#server/db/connect.ts'
import { type Listener, listen } from '#server/live/notify.ts'
import { Presence } from '#server/live/presence.ts'
import { type LiveSockets, liveSockets } from '#server/live/socket.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { listActiveVisitors } from './admin-contract.ts'
import { type Watch, watchVisitors } from './server/watch.ts'

/** One of two server processes that share the app's database. */
type Process = {
  presence: Presence
  sockets: LiveSockets
  watch: Watch
  server: Server
  listener: Listener
  adminEvents: string[][]
}
const origin = 'https://tv.example'
const key = Buffer.from('the same for every process')
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

let app: TestApp
let admin: SignedIn
let firstProcess: Process
let secondProcess: Process
const sockets: WebSocket[] = []

async function start(presence: Presence): Promise<Process> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const config = { ...app.context.config, publicUrl: origin, trustProxy: 1 }
  const { db } = app
  const log = app.context.log
  const sockets = liveSockets({ server, config, log, db, endpoints, presence })
  const watch = watchVisitors({ db, config, log, presence, tickMs: 50, watchMs: 600 })
  const adminEvents: string[][] = []
  const listener = await listen({
    connection: clientConfig(app.database.address),
    onChange: ({ topics }) => adminEvents.push(topics),
    onSessionsChanged: () => {},
    onCatalog: () => {},
    onPresence: watch.onRequest,
    onReconnect: () => {},
  })
  return { presence, sockets, watch, server, listener, adminEvents }
}

beforeAll(async () => {
  app = await buildApp({
    config: { secretKey: randomBytes(32).toString('base64'), trustProxy: 1 },
    presence: new Presence(key),
  })
  admin = await app.signInAdmin()
  firstProcess = await start(app.context.presence)
  secondProcess = await start(new Presence(key))
})
afterAll(async () => {
  for (const { sockets, watch, listener, server } of [firstProcess, secondProcess]) {
    await sockets.close()
    await watch.stop()
    await listener.close()
    server.close()
  }
  await app.close()
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await expect.poll(() => firstProcess.presence.connections.size + secondProcess.presence.connections.size).toBe(0)
})

type Visit = { path?: string; ip?: string; userAgent?: string; browser?: string; cookie?: string }
/** Opens a tab with a socket connection to a process; resolves when the server has received its page. */
async function visit(
  { server, presence }: Process,
  { path, ip = '198.51.100.7', userAgent = chrome, browser, cookie = '' }: Visit = {},
): Promise<WebSocket> {
  const { port } = server.address() as AddressInfo
  const known = new Set(presence.connections)
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
    headers: { origin, 'x-forwarded-for': ip, 'user-agent': userAgent, cookie },
  })
  sockets.push(socket)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  if (path) socket.send(JSON.stringify({ type: 'page', path, browser }))
  const mine = () => [...presence.connections].find((connection) => !known.has(connection))
  await expect.poll(() => mine()?.path).toBe(path ?? '/ws')
  return socket
}
const cookieOf = ({ client }: SignedIn) => `sid=${client.cookies.get('sid')}`
const list = () => admin.client.call(listActiveVisitors, {})
const everywhere = async (count: number) => {
  await expect.poll(async () => (await list()).count).toBe(count)
  return list()
}
/** Published visitors are up to one tick old, so poll for the expected pages. */
const expectPages = (...paths: string[]) =>
  expect.poll(async () => (await list()).visitors.map(({ path }) => path).toSorted()).toEqual(paths.toSorted())

test('the list is empty without visitors', async () => {
  expect(await everywhere(0)).toEqual({ count: 0, visitors: [] })
})

test('a visitor and a customer are listed with page, address and device, and without secrets', async () => {
  const customer = await app.signIn()
  await visit(firstProcess, { path: '/pricing', ip: '198.51.100.7' })
  await visit(secondProcess, { path: '/dashboard', ip: '203.0.113.9', cookie: cookieOf(customer) })
  await expectPages('/pricing', '/dashboard')
  const { visitors } = await list()
  expect(visitors).toEqual([
    {
      id: expect.stringMatching(/^[\w-]{16}$/),
      isAuthenticated: true,
      username: customer.user.username,
      ipAddress: '203.0.113.9',
      country: null,
      path: '/dashboard',
      userAgent: chrome,
      device: { browser: 'Chrome 141', system: 'Windows', type: 'desktop' },
      lastActive: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    },
    expect.objectContaining({ isAuthenticated: false, username: null, ipAddress: '198.51.100.7', path: '/pricing' }),
  ])
  expect(JSON.stringify(visitors)).not.toContain(String(customer.client.cookies.get('sid')))
})

test('the list can be exported, searched and sorted, and the export is audited', async () => {
  const customer = await app.signIn()
  await visit(firstProcess, { path: '/pricing', ip: '198.51.100.7' })
  await visit(secondProcess, { path: '/faq', ip: '198.51.100.8', userAgent: '=cmd|calc/1' })
  await visit(secondProcess, { path: '/dashboard', ip: '203.0.113.9', cookie: cookieOf(customer) })
  await expectPages('/pricing', '/faq', '/dashboard')
  const csvRows = async (query: string) =>
    (await (await admin.client.request(`/admin/visitors.csv?${query}`)).text()).trimEnd().split('\r\n').slice(1)
  const [faq, pricing] = await csvRows('search=anonymous&sort=path&order=asc')
  expect(faq).toContain('"Anonymous","no","198.51.100.8","","FAQ","/faq",')
  expect(pricing).toContain('"Anonymous","no","198.51.100.7","","Pricing","/pricing","Chrome 141","Windows","desktop",')
  expect(await csvRows(`search=${customer.user.username}`)).toEqual([
    expect.stringContaining(`"${customer.user.username}","yes","203.0.113.9","","My Account","/dashboard",`),
  ])
  const [auditRow] = (
    await app.database.pool.query(
      "select action, target_id, after from audit_log where action = 'list.export' order by id limit 1",
    )
  ).rows
  expect(auditRow).toEqual({
    action: 'list.export',
    target_id: 'visitors',
    after: { search: 'anonymous', sort: 'path', order: 'asc' },
  })
})

test('the tabs of a browser are one visitor across processes, on the page used last; others count separately', async () => {
  await visit(firstProcess, { path: '/faq', browser: 'one-browser-name' })
  await visit(secondProcess, { path: '/setup', browser: 'one-browser-name' })
  await expectPages('/setup')
  await visit(firstProcess, { path: '/faq' })
  await visit(secondProcess, { path: '/devices' })
  await expectPages('/setup', '/faq', '/devices')
})

test('each session is one visitor, even if two sessions belong to the same user', async () => {
  const customer = await app.signIn()
  const again = await app.signIn(customer.user.username)
  for (const where of [firstProcess, secondProcess, firstProcess])
    await visit(where, { path: '/', cookie: cookieOf(customer) })
  await visit(secondProcess, { path: '/', cookie: cookieOf(again) })
  await expectPages('/', '/')
  expect((await list()).visitors.map(({ username }) => username)).toEqual([
    customer.user.username,
    customer.user.username,
  ])
})

test('a user id that the browser claims is ignored, and displayed values are truncated and sanitized', async () => {
  const socket = await visit(firstProcess)
  socket.send(JSON.stringify({ type: 'auth', auth: true, userId: admin.user.id, username: admin.user.username }))
  socket.send(JSON.stringify({ type: 'page', path: `/\u202e${'x'.repeat(600)}` }))
  await expectPages(`/${'x'.repeat(254)}`)
  expect((await list()).visitors).toMatchObject([{ isAuthenticated: false, username: null }])
})

test('a visitor who closes the page disappears from the list of every process', async () => {
  const socket = await visit(secondProcess, { path: '/' })
  await expectPages('/')
  socket.close()
  await everywhere(0)
})

describe('a page request', () => {
  const ask = (presence: Presence, path: string, ip: string, userAgent = chrome, session?: string) =>
    presence.recordPageRequest(ip, userAgent, path, session)

  test('counts its visitor until the same browser opens a connection, and not again after the connection closes', async () => {
    ask(firstProcess.presence, '/', '192.0.2.1')
    ask(firstProcess.presence, '/pricing', '192.0.2.1')
    await expectPages('/pricing')
    expect((await list()).visitors).toMatchObject([{ path: '/pricing', ipAddress: '192.0.2.1' }])
    const socket = await visit(secondProcess, { path: '/pricing', ip: '192.0.2.1' })
    await everywhere(1)
    socket.close()
    await everywhere(0)
    await visit(firstProcess, { path: '/', ip: '192.0.2.1' })
    expect(firstProcess.presence.requests).toEqual([])
  })

  test('identifies a customer by the session, and does not count a crawler', async () => {
    const customer = await app.signIn()
    ask(secondProcess.presence, '/dashboard', '192.0.2.2', chrome, customer.client.cookies.get('sid'))
    ask(
      secondProcess.presence,
      '/',
      '192.0.2.3',
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    )
    await expectPages('/dashboard')
    expect((await list()).visitors).toMatchObject([{ username: customer.user.username, path: '/dashboard' }])
    const socket = await visit(secondProcess, { ip: '192.0.2.2' })
    socket.close()
    await everywhere(0)
  })
})

test('visitors are stored only while an administrator views the list, and never with a readable IP address', async () => {
  const rows = async () =>
    (await app.database.pool.query<{ process: string; visitors: string }>('select * from presence')).rows
  await visit(secondProcess, { path: '/', ip: '198.51.100.99' })
  await expect.poll(rows).toEqual([])
  await everywhere(1)
  const [row] = await rows()
  expect(row?.process).toBe(secondProcess.presence.processId)
  expect(row?.visitors).not.toContain('198.51.100.99')
  await expect.poll(rows, { timeout: 5_000 }).toEqual([])
})

test('administrators who view the list are notified of changes, and no events are sent while no administrator views it', async () => {
  await sleep(700)
  const socket = await visit(secondProcess, { path: '/' })
  await sleep(200)
  firstProcess.adminEvents.length = 0
  await list()
  socket.send(JSON.stringify({ type: 'page', path: '/faq' }))
  await expect.poll(() => firstProcess.adminEvents.flat()).toContain('visitor')
  await sleep(700)
  firstProcess.adminEvents.length = 0
  socket.send(JSON.stringify({ type: 'page', path: '/setup' }))
  await sleep(200)
  expect(firstProcess.adminEvents).toEqual([])
})

test('only the latest 500 visitors are listed, but all are counted', async () => {
  for (let i = 0; i < 700; i++)
    (i % 2 ? firstProcess : secondProcess).presence.recordPageRequest(`10.0.${i >> 8}.${i & 255}`, chrome, '/')
  const { visitors } = await everywhere(700)
  expect(visitors).toHaveLength(500)
})
