import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { ActiveVisitors } from '#features/visitors/admin-contract.ts'
import { type HttpUser, loggedInUser } from '../../harness/http-user.ts'
import { dataFolder, type RunningApp, runApp } from '../../harness/running-app.ts'

// Visitor presence over two processes on one database, one of which is killed.
const admin = { username: 'admin', password: 'presence-only-here' }
const env = {
  ADMIN_USERNAME: admin.username,
  ADMIN_PASSWORD: admin.password,
  RATE_LIMIT_FACTOR: '1000000',
  TRUST_PROXY: '1',
  LOG_LEVEL: 'warn',
  SEED: 'empty',
}
const data = dataFolder()
let apps: RunningApp[] = []
let operator: HttpUser
const sockets: WebSocket[] = []

beforeAll(async () => {
  apps = [await runApp({ dataDir: data.path, env })]
  apps.push(await runApp({ dataDir: data.path, env }))
  operator = await loggedInUser(apps[0]!.url, admin)
}, 90_000)
afterAll(async () => {
  for (const socket of sockets) socket.terminate()
  for (const app of apps) await app.stop()
  data.remove()
}, 60_000)

async function visit(app: RunningApp, path: string, ip: string): Promise<WebSocket> {
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/ws`, {
    headers: { origin: app.url, 'x-forwarded-for': ip, 'user-agent': 'a browser/1' },
  })
  sockets.push(socket)
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'page', path }))
  return socket
}
const visitors = async (at: RunningApp) =>
  (await operator.send(at.url, 'GET', '/api/admin/active-visitors')).body as ActiveVisitors
/** Addresses and pages of all visitors except the test's own requests. */
const visitedPages = async (at: RunningApp) =>
  (await visitors(at)).visitors
    .filter(({ ipAddress }) => ipAddress !== '127.0.0.1')
    .map(({ path, ipAddress }) => `${ipAddress} ${path}`)
    .toSorted()

test('both processes list all visitors, including pages served without a socket, and drop those of a killed process', async () => {
  const [first, second] = [apps[0]!, apps[1]!]
  for (let i = 1; i <= 6; i++) await visit(i % 2 ? first : second, `/page-${i}`, `198.51.100.${i}`)
  // The first response is rendered, the second comes from the cache.
  for (const ip of ['203.0.113.1', '203.0.113.2'])
    expect(
      (await fetch(`${second.url}/faq`, { headers: { 'x-forwarded-for': ip, 'user-agent': 'a browser/1' } })).status,
    ).toBe(200)
  const expectedPages = [
    ...Array.from({ length: 6 }, (_, i) => `198.51.100.${i + 1} /page-${i + 1}`),
    '203.0.113.1 /faq',
    '203.0.113.2 /faq',
  ].toSorted()
  for (const app of apps) await expect.poll(() => visitedPages(app), { timeout: 10_000 }).toEqual(expectedPages)

  // Their WebSockets connect to the other process and close again.
  for (const ip of ['203.0.113.1', '203.0.113.2']) (await visit(first, '/faq', ip)).close()
  for (const app of apps) await expect.poll(() => visitedPages(app), { timeout: 10_000 }).toHaveLength(6)

  process.kill(second.pid, 'SIGKILL')
  await expect
    .poll(() => visitedPages(first), { timeout: 30_000, interval: 500 })
    .toEqual(['198.51.100.1 /page-1', '198.51.100.3 /page-3', '198.51.100.5 /page-5'])
}, 90_000)
