// WebSocket upgrade requests at /ws, the only route that is not an endpoint.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import WebSocket from 'ws'
import { getHealth } from '#features/desk/admin-contract.ts'
import { getActivity } from '#features/desk/admin-overview-contract.ts'
import { getInstallation } from '#features/installation/admin-contract.ts'
import { listWatchlist } from '#features/watchlist/contract.ts'
import { endpoints } from '#server/app.ts'
import { type LiveSockets, liveSockets } from '#server/live/socket.ts'
import { createWorld, type World } from '../harness/access-world.ts'
import { buildApp, type TestApp } from '../harness/app.ts'
import { createPlan } from '../harness/factories.ts'
import { forgedHeaders } from '../harness/forged-requests.ts'
import { listenRaw, type RawApp } from '../harness/raw-http.ts'

let app: TestApp
let raw: RawApp
let sockets: LiveSockets
let world: World
beforeAll(async () => {
  app = await buildApp()
  raw = await listenRaw(app)
  sockets = liveSockets({ server: raw.server, config: app.context.config, log: app.context.log, db: app.db, endpoints })
  const plan = await createPlan(app.db)
  world = await createWorld(app, [plan, plan])
})
afterAll(async () => {
  await sockets.close()
  await raw.close()
  await app.close()
})
beforeEach(() => expect.poll(() => sockets.connections.size).toBe(0))

/** Sends a raw upgrade request and returns the status and the headers of the response. */
async function upgrade(
  path: string,
  headers: Record<string, string | null> = {},
): Promise<{ status: number; head: string }> {
  const all = {
    host: 'localhost:3000',
    origin: app.context.config.publicUrl,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`]))
  const socket = connect(raw.port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  let head = ''
  while (!head.includes('\r\n\r\n')) head += String((await once(socket, 'data'))[0])
  socket.destroy()
  return { status: Number(head.split(' ')[1]), head: head.split('\r\n\r\n')[0]!.toLowerCase() }
}

test('a socket has the identity of its session and is notified only of changes that its user may see', async () => {
  for (const { name, cookie, as, restriction: must } of world.principals) {
    const socket = new WebSocket(`ws://127.0.0.1:${raw.port}/ws`, {
      headers: { origin: app.context.config.publicUrl, cookie },
    })
    // Otherwise, a failure here would keep all following tests waiting.
    onTestFinished(() => socket.terminate())
    const messages: Record<string, unknown>[] = []
    socket.on('message', (data) => messages.push(JSON.parse(String(data)) as Record<string, unknown>))
    await once(socket, 'open')
    const notifications = () => messages.filter(({ type }) => type === 'auth' || type === 'changed')
    for (const who of [world.owner, world.admin]) {
      const before = notifications().length
      socket.send(JSON.stringify({ type: 'auth', auth: true, userId: who.user.id, username: who.user.username }))
      await expect.poll(() => notifications().length).toBe(before + 1)
    }
    // The token of a paired TV opens endpoints for watching only.
    const isOwner = must !== 'only-watch' && (as === 'owner' || must === 'read-only')
    expect(notifications(), name).toEqual([
      { type: 'auth', ok: isOwner },
      { type: 'auth', ok: as === 'admin' },
    ])
    sockets.notify({ topics: ['watchlist'], userId: world.owner.user.id })
    sockets.notify({ topics: ['installation'] })
    socket.send('{"type":"ping"}')
    await expect.poll(() => messages.some(({ type }) => type === 'pong')).toBe(true)
    expect(notifications().slice(2), name).toEqual([
      ...(isOwner ? [{ type: 'changed', endpoints: [listWatchlist.id] }] : []),
      ...(as === 'admin' ? [{ type: 'changed', endpoints: [getActivity.id, getHealth.id, getInstallation.id] }] : []),
    ])
    socket.terminate()
    await expect.poll(() => sockets.connections.size).toBe(0)
  }
})

test('no page of a foreign origin can open a socket, nor can a request without an origin', async () => {
  let refused = 0
  for (const { 'content-type': _, ...headers } of forgedHeaders.filter(
    (shape) => shape['content-type'] === 'application/json',
  )) {
    expect((await upgrade('/ws', headers)).status, JSON.stringify(headers)).toBe(403)
    refused++
  }
  expect((await upgrade('/ws', { origin: null, 'sec-fetch-site': 'same-origin' })).status).toBe(403)
  expect(refused).toBeGreaterThan(80)
  expect(sockets.connections.size).toBe(0)
})

test.each([
  ['/api/plans', 200],
  ['/api/user', 401],
  ['/api/ws', 404],
  ['/ws/', 301],
  ['/ws;x', 404],
  ['/ws%2f', 404],
  ['/%77s', 404],
  ['/./ws', 404],
  ['/WS', 404],
  ['//ws', 404],
  ['//', 404],
  ['///', 404],
  ['/?/ws', 404],
  ['http://localhost/ws', 404],
  ['/\\ws', 400],
  ['http://[', 400],
  ['*', 400],
])('an upgrade request to %s gets the response of an ordinary request', async (path, expected) => {
  for (const protocol of ['websocket', 'h2c', 'TLS/1.0']) {
    const { status, head } = await upgrade(path, { upgrade: protocol })
    expect(status).toBe(expected)
    expect(head).toContain('x-content-type-options: nosniff')
  }
  expect(sockets.connections.size).toBe(0)
})

test('an invalid handshake is refused', async () => {
  const broken: Record<string, string | null>[] = [
    { 'sec-websocket-key': 'short' },
    { 'sec-websocket-key': null },
    { 'sec-websocket-version': '12' },
    { upgrade: 'h2c' },
  ]
  for (const headers of broken)
    expect((await upgrade('/ws', headers)).status, JSON.stringify(headers)).toBeGreaterThanOrEqual(400)
})
