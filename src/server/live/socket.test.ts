import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { updateInvoice } from '#features/billing/admin-contract.ts'
import { createInvoice, listInvoices, submitPayment } from '#features/billing/contract.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
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
  sockets = liveSockets({ server, config: { ...app.house.config, ...config }, log: app.house.log, db: app.db })
  listener = await listen({
    connection: clientConfig(app.database.address),
    onUser: (userId, endpoints) => (endpoints.length === 0 ? sockets.endUser(userId) : sockets.tell(userId, endpoints)),
    onAdmins: (endpoints) => sockets.tell('admins', endpoints),
    onCatalogue: () => {},
    onReconnect: () => {},
  })
})
afterAll(async () => {
  await sockets.close()
  await listener.close()
  server.close()
  await app.close()
})

// Lines of one test take no places of the next one's.
beforeEach(() => expect.poll(() => sockets.connections.size).toBe(0))

type Line = { socket: WebSocket; heard: { type: string; [key: string]: unknown }[]; closed: Promise<number> }
const port = () => (server.address() as AddressInfo).port

/** Opens a socket; rejects with the HTTP status when the upgrade is refused. */
function dial(headers: Record<string, string> = {}, path = '/ws'): Promise<Line> {
  const socket = new WebSocket(`ws://127.0.0.1:${port()}${path}`, { headers: { origin: config.publicUrl, ...headers } })
  const heard: Line['heard'] = []
  socket.on('message', (data) => heard.push(JSON.parse(String(data))))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ socket, heard, closed }))
    socket.once('unexpected-response', (_request, response) => reject(response.statusCode))
    socket.once('error', () => {})
  })
}
const as = ({ client }: SignedIn) => ({ cookie: `sid=${client.cookies.get('sid')}` })
const heardOf = (line: Line, type: string) => line.heard.filter((message) => message.type === type)

test.each([
  ['a foreign page', { origin: 'https://evil.example' }],
  ['a page that hides where it is from', { origin: 'null' }],
  ['a look-alike host', { origin: 'https://tv.example.evil.example' }],
  ['a cross-site request', { 'sec-fetch-site': 'cross-site' }],
])('%s gets 403 and no socket', async (_who, headers) => {
  const before = sockets.connections.size
  await expect(dial(headers)).rejects.toBe(403)
  expect(sockets.connections.size).toBe(before)
})

test('whatever an auth message claims, the user is the session’s', async () => {
  const victim = await app.signIn()
  const visitor = await dial()
  visitor.socket.send(
    JSON.stringify({ type: 'auth', auth: true, userId: victim.user.id, username: victim.user.username }),
  )
  await expect.poll(() => heardOf(visitor, 'auth')).toEqual([{ type: 'auth', ok: false }])
  const own = await dial(as(victim))
  own.socket.send(JSON.stringify({ type: 'auth', auth: true, userId: victim.user.id, username: victim.user.username }))
  await expect.poll(() => heardOf(own, 'auth')).toEqual([{ type: 'auth', ok: true }])

  sockets.tell(victim.user.id, ['GET /api/user'])
  await expect.poll(() => heardOf(own, 'changed')).toHaveLength(1)
  expect(heardOf(visitor, 'changed')).toEqual([])
  visitor.socket.close()
  own.socket.close()
})

test('a ping is answered, nonsense is not, and neither ends the line', async () => {
  const line = await dial()
  for (const nonsense of ['', '{', '[]', 'null', '{"type":"admin"}', '{"type":"page","path":7}'])
    line.socket.send(nonsense)
  line.socket.send('{"type":"ping"}')
  await expect.poll(() => heardOf(line, 'pong')).toMatchObject([{ timestamp: expect.any(Number) }])
  line.socket.close()
})

test('too many messages, a giant one and a binary one close the line', async () => {
  const chatty = await dial()
  for (let i = 0; i < 21; i++) chatty.socket.send('{"type":"ping"}')
  expect(await chatty.closed).toBe(1008)
  const giant = await dial()
  giant.socket.send('x'.repeat(5_000))
  expect(await giant.closed).toBe(1009)
  const binary = await dial()
  binary.socket.send(Buffer.from('{}'))
  expect(await binary.closed).toBe(1003)
})

test('a confirmed payment is heard by the customer’s open pages and by administrators, and by nobody else', async () => {
  const [customer, other, admin] = [await app.signIn(), await app.signIn(), await app.signInAdmin()]
  const plan = await createPlan(app.db)
  const [own, foreign, office] = [await dial(as(customer)), await dial(as(other)), await dial(as(admin))]
  const { invoiceNumber } = await customer.client.call(createInvoice, {
    body: { planId: plan.id, email: 'buyer@example.org' },
  })
  await customer.client.call(submitPayment, { body: { planId: plan.id, paymentMethod: 'creditcard', invoiceNumber } })
  const [invoice] = await customer.client.call(listInvoices, {})
  await admin.client.call(updateInvoice, { params: { invoiceId: invoice!.id }, body: { status: 'paid' } })
  await expect.poll(() => heardOf(own, 'changed').flatMap((message) => message.endpoints)).toContain('GET /api/user')
  await expect
    .poll(() => heardOf(office, 'changed').flatMap((message) => message.endpoints))
    .toContain('GET /api/admin/invoices')
  await sleep(50)
  expect(heardOf(foreign, 'changed')).toEqual([])
  for (const { socket } of [own, foreign, office]) socket.close()
})

test('what changed between loading a page and opening its line is told when it opens', async () => {
  const customer = await app.signIn()
  const auth = (loadedMsAgo: number) =>
    JSON.stringify({
      type: 'auth',
      auth: true,
      userId: customer.user.id,
      username: customer.user.username,
      loadedMsAgo,
    })
  const toldAt = Date.now()
  sockets.tell(customer.user.id, ['GET /api/invoices'])
  await sleep(300)
  const [late, early, ancient] = [await dial(as(customer)), await dial(as(customer)), await dial(as(customer))]
  late.socket.send(auth(10))
  early.socket.send(auth(Date.now() - toldAt + 20))
  ancient.socket.send(auth(3_600_000))
  await expect.poll(() => heardOf(early, 'changed')).toEqual([{ type: 'changed', endpoints: ['GET /api/invoices'] }])
  await expect.poll(() => heardOf(ancient, 'changed')).toEqual([{ type: 'changed', endpoints: [] }])
  await expect.poll(() => heardOf(late, 'auth')).toHaveLength(1)
  expect(heardOf(late, 'changed')).toEqual([])
  for (const { socket } of [late, early, ancient]) socket.close()
})

test('a page that is older than what this process heard asks for everything', async () => {
  const customer = await app.signIn()
  const loadedAt = Date.now()
  await sleep(20)
  // As after a lost connection to the database, or in a process that took the place of another one.
  await sockets.resync()
  const line = await dial(as(customer))
  line.socket.send(
    JSON.stringify({
      type: 'auth',
      auth: true,
      userId: customer.user.id,
      username: customer.user.username,
      loadedMsAgo: Date.now() - loadedAt,
    }),
  )
  await expect.poll(() => heardOf(line, 'changed')).toEqual([{ type: 'changed', endpoints: [] }])
  line.socket.close()
})

test('logging out closes the lines of the session', async () => {
  const customer = await app.signIn()
  const line = await dial(as(customer))
  await customer.client.post('/api/logout', {})
  expect(await line.closed).toBe(4401)
})

/** Asks for so many lines at the same moment: those that opened, and the statuses of those that did not. */
async function dialAtOnce(
  count: number,
  headersOf: (index: number) => Record<string, string>,
): Promise<{ lines: Line[]; refused: number[] }> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, (_, index) => dial(headersOf(index))))
  const lines = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  return {
    lines,
    refused: outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as number] : [])),
  }
}
const hangUp = async (lines: Line[]) => {
  for (const { socket } of lines) socket.close()
  await Promise.all(lines.map(({ closed }) => closed))
}

test('one session gets so many lines and no more, however many ask at once; closed and failed ones take no place', async () => {
  const customer = await app.signIn()
  for (let round = 0; round < 2; round++) {
    const { lines, refused } = await dialAtOnce(40, () => as(customer))
    expect([lines.length, new Set(refused)]).toEqual([15, new Set([429])])
    await hangUp(lines)
    await expect.poll(() => sockets.connections.size).toBe(0)
    for (let broken = 0; broken < 20; broken++)
      await expect(dial({ ...as(customer), 'sec-websocket-protocol': '"' })).rejects.toBe(400)
  }
})

test('one address gets so many, and so many more when some close; opening one looks at no other', async () => {
  const lookedAt = vi.spyOn(sockets.connections, Symbol.iterator)
  const first = await dialAtOnce(80, () => ({}))
  expect([first.lines.length, new Set(first.refused)]).toEqual([60, new Set([429])])
  expect(lookedAt).not.toHaveBeenCalled()
  await hangUp(first.lines.slice(0, 7))
  await expect.poll(() => sockets.connections.size).toBe(53)
  const second = await dialAtOnce(20, () => ({}))
  expect(second.lines).toHaveLength(7)
  await hangUp([...first.lines.slice(7), ...second.lines])
})

test('all addresses of one IPv6 network get as many as one address, and a neighbor has places of its own', async () => {
  const proxied = createServer()
  await new Promise<void>((resolve) => proxied.listen(0, '127.0.0.1', resolve))
  const others = liveSockets({
    server: proxied,
    config: { ...app.house.config, ...config, trustProxy: 1, rateLimitFactor: 0.25 },
    log: app.house.log,
    db: app.db,
  })
  const open = (ip: string) =>
    new Promise<number>((resolve) => {
      const headers = { origin: config.publicUrl, 'x-forwarded-for': ip }
      const socket = new WebSocket(`ws://127.0.0.1:${(proxied.address() as AddressInfo).port}/ws`, { headers })
      socket.once('open', () => resolve(101))
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
      socket.once('error', () => {})
    })
  const answers: number[] = []
  for (let i = 1; i <= 8; i++) answers.push(await open(`2001:db8:7:7::${i}`))
  expect(answers).toEqual([101, 101, 101, 101, 101, 429, 429, 429])
  expect(await open('2001:db8:7:8::1')).toBe(101)
  await others.close()
  proxied.close()
})
