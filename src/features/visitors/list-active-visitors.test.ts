import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { clientConfig } from '#server/db/connect.ts'
import { type Listener, listen } from '#server/live/notify.ts'
import { Presence } from '#server/live/presence.ts'
import { type LiveSockets, liveSockets } from '#server/live/socket.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { listActiveVisitors } from './contract.ts'
import { type Watch, watchVisitors } from './server/watch.ts'

/** A second process on the app's database, and the first one's sockets. */
type Process = {
  presence: Presence
  sockets: LiveSockets
  watch: Watch
  server: Server
  listener: Listener
  told: string[][]
}
const origin = 'https://tv.example'
const key = Buffer.from('the same for every process')
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

let app: TestApp
let admin: SignedIn
let here: Process
let there: Process
const lines: WebSocket[] = []

async function start(presence: Presence): Promise<Process> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const config = { ...app.house.config, publicUrl: origin, trustProxy: 1 }
  const { db } = app
  const log = app.house.log
  const sockets = liveSockets({ server, config, log, db, presence })
  const watch = watchVisitors({ db, config, log, presence, tickMs: 50, watchMs: 600 })
  const told: string[][] = []
  const listener = await listen({
    connection: clientConfig(app.database.address),
    onUser: () => {},
    onAdmins: (endpoints) => told.push(endpoints),
    onCatalogue: () => {},
    onPresence: watch.asked,
    onReconnect: () => {},
  })
  return { presence, sockets, watch, server, listener, told }
}

beforeAll(async () => {
  app = await buildApp({
    config: { secretKey: randomBytes(32).toString('base64'), trustProxy: 1 },
    presence: new Presence(key),
  })
  admin = await app.signInAdmin()
  here = await start(app.house.presence)
  there = await start(new Presence(key))
})
afterAll(async () => {
  for (const { sockets, watch, listener, server } of [here, there]) {
    await sockets.close()
    await watch.stop()
    await listener.close()
    server.close()
  }
  await app.close()
})
afterEach(async () => {
  for (const line of lines.splice(0)) line.terminate()
  await expect.poll(() => here.presence.connections.size + there.presence.connections.size).toBe(0)
})

type Visit = { path?: string; ip?: string; userAgent?: string; browser?: string; cookie?: string }
/** A browser's tab with a line to a process; resolves when the server knows its page. */
async function visit(
  { server, presence }: Process,
  { path, ip = '198.51.100.7', userAgent = chrome, browser, cookie = '' }: Visit = {},
): Promise<WebSocket> {
  const { port } = server.address() as AddressInfo
  const known = new Set(presence.connections)
  const line = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
    headers: { origin, 'x-forwarded-for': ip, 'user-agent': userAgent, cookie },
  })
  lines.push(line)
  await new Promise((resolve, reject) => line.once('open', resolve).once('error', reject))
  if (path) line.send(JSON.stringify({ type: 'page', path, browser }))
  const mine = () => [...presence.connections].find((connection) => !known.has(connection))
  await expect.poll(() => mine()?.path).toBe(path ?? '/ws')
  return line
}
const cookieOf = ({ client }: SignedIn) => `sid=${client.cookies.get('sid')}`
const list = () => admin.client.call(listActiveVisitors, {})
const everywhere = async (count: number) => {
  await expect.poll(async () => (await list()).count).toBe(count)
  return list()
}
/** What is told of a process is up to a tick old: pages are waited for. */
const expectPages = (...paths: string[]) =>
  expect.poll(async () => (await list()).visitors.map(({ path }) => path).toSorted()).toEqual(paths.toSorted())

test('nobody there is an empty list', async () => {
  expect(await everywhere(0)).toEqual({ count: 0, visitors: [] })
})

test('a visitor and a customer are listed with page, address and device, and nothing secret', async () => {
  const customer = await app.signIn()
  await visit(here, { path: '/pricing', ip: '198.51.100.7' })
  await visit(there, { path: '/dashboard', ip: '203.0.113.9', cookie: cookieOf(customer) })
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

test('the list is a file too, searched and sorted, and who took it is noted', async () => {
  const customer = await app.signIn()
  await visit(here, { path: '/pricing', ip: '198.51.100.7' })
  await visit(there, { path: '/faq', ip: '198.51.100.8', userAgent: '=cmd|calc/1' })
  await visit(there, { path: '/dashboard', ip: '203.0.113.9', cookie: cookieOf(customer) })
  await expectPages('/pricing', '/faq', '/dashboard')
  const lines = async (query: string) =>
    (await (await admin.client.request(`/admin/visitors.csv?${query}`)).text()).trimEnd().split('\r\n').slice(1)
  const [faq, pricing] = await lines('search=anonymous&sort=path&order=asc')
  expect(faq).toContain('"Anonymous","no","198.51.100.8","","FAQ","/faq",')
  expect(pricing).toContain('"Anonymous","no","198.51.100.7","","Pricing","/pricing","Chrome 141","Windows","desktop",')
  expect(await lines(`search=${customer.user.username}`)).toEqual([
    expect.stringContaining(`"${customer.user.username}","yes","203.0.113.9","","My Account","/dashboard",`),
  ])
  const [noted] = (
    await app.database.pool.query(
      "select action, target_id, after from audit_log where action = 'list.export' order by id limit 1",
    )
  ).rows
  expect(noted).toEqual({
    action: 'list.export',
    target_id: 'visitors',
    after: { search: 'anonymous', sort: 'path', order: 'asc' },
  })
})

test('the tabs of a browser are one visitor, at whatever process, on the page used last; without the tabs’ common name each counts', async () => {
  await visit(here, { path: '/faq', browser: 'one-browser-name' })
  await visit(there, { path: '/setup', browser: 'one-browser-name' })
  await expectPages('/setup')
  await visit(here, { path: '/faq' })
  await visit(there, { path: '/devices' })
  await expectPages('/setup', '/faq', '/devices')
})

test('a session is one visitor, and another session of the same person another', async () => {
  const customer = await app.signIn()
  const again = await app.signIn(customer.user.username)
  for (const where of [here, there, here]) await visit(where, { path: '/', cookie: cookieOf(customer) })
  await visit(there, { path: '/', cookie: cookieOf(again) })
  await expectPages('/', '/')
  expect((await list()).visitors.map(({ username }) => username)).toEqual([
    customer.user.username,
    customer.user.username,
  ])
})

test('claims of the browser change nothing: who says to be somebody stays anonymous, and what is shown is cut and cleaned', async () => {
  const line = await visit(here)
  line.send(JSON.stringify({ type: 'auth', auth: true, userId: admin.user.id, username: admin.user.username }))
  line.send(JSON.stringify({ type: 'page', path: `/\u202e${'x'.repeat(600)}` }))
  await expectPages(`/${'x'.repeat(254)}`)
  expect((await list()).visitors).toMatchObject([{ isAuthenticated: false, username: null }])
})

test('whoever closes the page is gone, at any process', async () => {
  const line = await visit(there, { path: '/' })
  await expectPages('/')
  line.close()
  await everywhere(0)
})

describe('without a line', () => {
  const ask = (presence: Presence, path: string, ip: string, userAgent = chrome, session?: string) =>
    presence.recordPageRequest(ip, userAgent, path, session)

  test('a visitor counts by page requests until a line of the same browser opens anywhere, and is not back when it closes', async () => {
    ask(here.presence, '/', '192.0.2.1')
    ask(here.presence, '/pricing', '192.0.2.1')
    await expectPages('/pricing')
    expect((await list()).visitors).toMatchObject([{ path: '/pricing', ipAddress: '192.0.2.1' }])
    const line = await visit(there, { path: '/pricing', ip: '192.0.2.1' })
    await everywhere(1)
    line.close()
    await everywhere(0)
    await visit(here, { path: '/', ip: '192.0.2.1' })
    expect(here.presence.requests).toEqual([])
  })

  test('a customer is known by the session, a crawler does not count', async () => {
    const customer = await app.signIn()
    ask(there.presence, '/dashboard', '192.0.2.2', chrome, customer.client.cookies.get('sid'))
    ask(there.presence, '/', '192.0.2.3', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)')
    await expectPages('/dashboard')
    expect((await list()).visitors).toMatchObject([{ username: customer.user.username, path: '/dashboard' }])
    const line = await visit(there, { ip: '192.0.2.2' })
    line.close()
    await everywhere(0)
  })
})

test('while nobody looks nothing is in the database, and never an address in the clear', async () => {
  const rows = async () =>
    (await app.database.pool.query<{ process: string; visitors: string }>('select * from presence')).rows
  await visit(there, { path: '/', ip: '198.51.100.99' })
  await expect.poll(rows).toEqual([])
  await everywhere(1)
  const [row] = await rows()
  expect(row?.process).toBe(there.presence.processId)
  expect(row?.visitors).not.toContain('198.51.100.99')
  await expect.poll(rows, { timeout: 5_000 }).toEqual([])
})

test('administrators who look are told of changes, and not of what somebody does while nobody looks', async () => {
  await sleep(700)
  const line = await visit(there, { path: '/' })
  await sleep(200)
  here.told.length = 0
  await list()
  line.send(JSON.stringify({ type: 'page', path: '/faq' }))
  await expect.poll(() => here.told.flat()).toContain(listActiveVisitors.id)
  await sleep(700)
  here.told.length = 0
  line.send(JSON.stringify({ type: 'page', path: '/setup' }))
  await sleep(200)
  expect(here.told).toEqual([])
})

test('of very many the latest 500 are listed and all are counted', async () => {
  for (let i = 0; i < 700; i++)
    (i % 2 ? here : there).presence.recordPageRequest(`10.0.${i >> 8}.${i & 255}`, chrome, '/')
  const { visitors } = await everywhere(700)
  expect(visitors).toHaveLength(500)
})
