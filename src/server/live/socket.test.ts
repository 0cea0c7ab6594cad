import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { updateInvoice } from '#features/billing/admin-contract.ts'
import { createInvoice, listInvoices, submitPayment } from '#features/billing/contract.ts'
import { listWatchlist } from '#features/watchlist/contract.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { endpoints } from '../app.ts'
import { clientConfig } from '../db/connect.ts'
import { type Listener, listen } from './notify.ts'
import { type LiveSockets, liveSockets } from './socket.ts'

let app: TestApp
let sockets: LiveSockets
let listener: Listener
const server = createServer()
const config = { publicUrl: 'https://tv.example', secureCookies: false, trustProxy: 0, rateLimitFactor: 3 }

beforeAll(async () => {
  app = await buildApp()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  sockets = liveSockets({
    server,
    config: { ...app.context.config, ...config },
    log: app.context.log,
    db: app.db,
    endpoints,
  })
  listener = await listen({
    connection: clientConfig(app.database.address),
    onChange: sockets.notify,
    onSessionsChanged: sockets.endUser,
    onCatalog: () => {},
    onReconnect: () => {},
  })
})
afterAll(async () => {
  await sockets.close()
  await listener.close()
  server.close()
  await app.close()
})

// The sockets of one test must not count against the limits of the next.
beforeEach(() => expect.poll(() => sockets.connections.size).toBe(0))

type TestSocket = { socket: WebSocket; received: { type: string; [key: string]: unknown }[]; closed: Promise<number> }
const port = () => (server.address() as AddressInfo).port

/** Opens a socket; rejects with the HTTP status when the upgrade is refused. */
function openSocket(headers: Record<string, string> = {}, path = '/ws'): Promise<TestSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port()}${path}`, { headers: { origin: config.publicUrl, ...headers } })
  const received: TestSocket['received'] = []
  socket.on('message', (data) => received.push(JSON.parse(String(data))))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ socket, received, closed }))
    socket.once('unexpected-response', (_request, response) => reject(response.statusCode))
    socket.once('error', () => {})
  })
}
const as = ({ client }: SignedIn) => ({ cookie: `sid=${client.cookies.get('sid')}` })
const receivedBy = (socketOf: TestSocket, type: string) => socketOf.received.filter((message) => message.type === type)

test.each([
  ['a foreign page', { origin: 'https://evil.example' }],
  ['a page with an opaque origin', { origin: 'null' }],
  ['a look-alike host', { origin: 'https://tv.example.evil.example' }],
  ['a cross-site request', { 'sec-fetch-site': 'cross-site' }],
])('%s gets 403 and no socket', async (_who, headers) => {
  const before = sockets.connections.size
  await expect(openSocket(headers)).rejects.toBe(403)
  expect(sockets.connections.size).toBe(before)
})

test('the user of a socket is that of its session, whatever the auth message claims', async () => {
  const victim = await app.signIn()
  const visitor = await openSocket()
  visitor.socket.send(
    JSON.stringify({ type: 'auth', auth: true, userId: victim.user.id, username: victim.user.username }),
  )
  await expect.poll(() => receivedBy(visitor, 'auth')).toEqual([{ type: 'auth', ok: false }])
  const own = await openSocket(as(victim))
  own.socket.send(JSON.stringify({ type: 'auth', auth: true, userId: victim.user.id, username: victim.user.username }))
  await expect.poll(() => receivedBy(own, 'auth')).toEqual([{ type: 'auth', ok: true }])

  sockets.notify({ topics: ['user'], userId: victim.user.id })
  await expect.poll(() => receivedBy(own, 'changed')).toHaveLength(1)
  expect(receivedBy(visitor, 'changed')).toEqual([])
  visitor.socket.close()
  own.socket.close()
})

test('a ping gets a pong, invalid messages are ignored, and neither closes the socket', async () => {
  const socketOf = await openSocket()
  for (const invalid of ['', '{', '[]', 'null', '{"type":"admin"}', '{"type":"page","path":7}'])
    socketOf.socket.send(invalid)
  socketOf.socket.send('{"type":"ping"}')
  await expect.poll(() => receivedBy(socketOf, 'pong')).toMatchObject([{ timestamp: expect.any(Number) }])
  socketOf.socket.close()
})

test('too many, too large and binary messages close the socket', async () => {
  const flooding = await openSocket()
  for (let i = 0; i < 21; i++) flooding.socket.send('{"type":"ping"}')
  expect(await flooding.closed).toBe(1008)
  const tooLarge = await openSocket()
  tooLarge.socket.send('x'.repeat(5_000))
  expect(await tooLarge.closed).toBe(1009)
  const binary = await openSocket()
  binary.socket.send(Buffer.from('{}'))
  expect(await binary.closed).toBe(1003)
})

test('a confirmed payment is received by the customer’s open pages and by administrators only', async () => {
  const [customer, other, admin] = [await app.signIn(), await app.signIn(), await app.signInAdmin()]
  const plan = await createPlan(app.db)
  const [own, foreign, adminSocket] = [
    await openSocket(as(customer)),
    await openSocket(as(other)),
    await openSocket(as(admin)),
  ]
  const { invoiceNumber } = await customer.client.call(createInvoice, {
    body: { planId: plan.id, email: 'buyer@example.org' },
  })
  await customer.client.call(submitPayment, { body: { planId: plan.id, paymentMethod: 'creditcard', invoiceNumber } })
  const [invoice] = await customer.client.call(listInvoices, {})
  await admin.client.call(updateInvoice, { params: { invoiceId: invoice!.id }, body: { status: 'paid' } })
  await expect.poll(() => receivedBy(own, 'changed').flatMap((message) => message.endpoints)).toContain('GET /api/user')
  await expect
    .poll(() => receivedBy(adminSocket, 'changed').flatMap((message) => message.endpoints))
    .toContain('GET /api/admin/invoices')
  await sleep(50)
  expect(receivedBy(foreign, 'changed')).toEqual([])
  for (const { socket } of [own, foreign, adminSocket]) socket.close()
})

test('changes between loading a page and opening its socket are sent when it opens', async () => {
  const customer = await app.signIn()
  const auth = (loadedMsAgo: number) =>
    JSON.stringify({
      type: 'auth',
      auth: true,
      userId: customer.user.id,
      username: customer.user.username,
      loadedMsAgo,
    })
  const notifiedAt = Date.now()
  sockets.notify({ topics: ['watchlist'], userId: customer.user.id })
  await sleep(300)
  const [late, early, ancient] = [
    await openSocket(as(customer)),
    await openSocket(as(customer)),
    await openSocket(as(customer)),
  ]
  late.socket.send(auth(10))
  early.socket.send(auth(Date.now() - notifiedAt + 20))
  ancient.socket.send(auth(3_600_000))
  await expect.poll(() => receivedBy(early, 'changed')).toEqual([{ type: 'changed', endpoints: [listWatchlist.id] }])
  await expect.poll(() => receivedBy(ancient, 'changed')).toEqual([{ type: 'changed', endpoints: [] }])
  await expect.poll(() => receivedBy(late, 'auth')).toHaveLength(1)
  expect(receivedBy(late, 'changed')).toEqual([])
  for (const { socket } of [late, early, ancient]) socket.close()
})

test('a page loaded before this process began to receive changes refetches everything', async () => {
  const customer = await app.signIn()
  const loadedAt = Date.now()
  await sleep(20)
  // As after a lost database connection, or in a restarted process.
  await sockets.resync()
  const socketOf = await openSocket(as(customer))
  socketOf.socket.send(
    JSON.stringify({
      type: 'auth',
      auth: true,
      userId: customer.user.id,
      username: customer.user.username,
      loadedMsAgo: Date.now() - loadedAt,
    }),
  )
  await expect.poll(() => receivedBy(socketOf, 'changed')).toEqual([{ type: 'changed', endpoints: [] }])
  socketOf.socket.close()
})

test('logging out closes the sockets of the session', async () => {
  const customer = await app.signIn()
  const socketOf = await openSocket(as(customer))
  await customer.client.post('/api/logout', {})
  expect(await socketOf.closed).toBe(4401)
})

/** Opens `count` sockets in parallel: returns the opened ones and the HTTP statuses of the refused ones. */
async function openInParallel(
  count: number,
  headersOf: (index: number) => Record<string, string>,
): Promise<{ opened: TestSocket[]; refused: number[] }> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, (_, index) => openSocket(headersOf(index))))
  const opened = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  return {
    opened,
    refused: outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as number] : [])),
  }
}
const closeAll = async (opened: TestSocket[]) => {
  for (const { socket } of opened) socket.close()
  await Promise.all(opened.map(({ closed }) => closed))
}

test('the number of sockets per session is limited, also for parallel upgrades; closed and failed ones do not count', async () => {
  const customer = await app.signIn()
  for (let round = 0; round < 2; round++) {
    const { opened, refused } = await openInParallel(40, () => as(customer))
    expect([opened.length, new Set(refused)]).toEqual([15, new Set([429])])
    await closeAll(opened)
    await expect.poll(() => sockets.connections.size).toBe(0)
    for (let broken = 0; broken < 20; broken++)
      await expect(openSocket({ ...as(customer), 'sec-websocket-protocol': '"' })).rejects.toBe(400)
  }
})

test('the number of sockets per IP address is limited and counted without iterating over all sockets', async () => {
  const iterator = vi.spyOn(sockets.connections, Symbol.iterator)
  const first = await openInParallel(80, () => ({}))
  expect([first.opened.length, new Set(first.refused)]).toEqual([60, new Set([429])])
  expect(iterator).not.toHaveBeenCalled()
  await closeAll(first.opened.slice(0, 7))
  await expect.poll(() => sockets.connections.size).toBe(53)
  const second = await openInParallel(20, () => ({}))
  expect(second.opened).toHaveLength(7)
  await closeAll([...first.opened.slice(7), ...second.opened])
})

test('an IPv6 /64 network is limited like one IP address, independently of its neighbors', async () => {
  const proxied = createServer()
  await new Promise<void>((resolve) => proxied.listen(0, '127.0.0.1', resolve))
  const others = liveSockets({
    server: proxied,
    config: { ...app.context.config, ...config, trustProxy: 1, rateLimitFactor: 0.25 },
    log: app.context.log,
    db: app.db,
    endpoints,
  })
  const open = (ip: string) =>
    new Promise<number>((resolve) => {
      const headers = { origin: config.publicUrl, 'x-forwarded-for': ip }
      const socket = new WebSocket(`ws://127.0.0.1:${(proxied.address() as AddressInfo).port}/ws`, { headers })
      socket.once('open', () => resolve(101))
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
      socket.once('error', () => {})
    })
  const responses: number[] = []
  for (let i = 1; i <= 8; i++) responses.push(await open(`2001:db8:7:7::${i}`))
  expect(responses).toEqual([101, 101, 101, 101, 101, 429, 429, 429])
  expect(await open('2001:db8:7:8::1')).toBe(101)
  await others.close()
  proxied.close()
})
