// SIGTERM under load: every request that reached the process gets a response, and the process exits gracefully within seconds.
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import WebSocket from 'ws'
import { loggedInUser } from '../harness/http-user.ts'
import { dataFolder, type RunningApp, runApp } from '../harness/running-app.ts'
import { roundCount } from '../harness/scale.ts'

const stops = roundCount('STOPS', { short: 1, full: 3 })
const clients = 12
const env = { ADMIN_PASSWORD: 'drain-only-here', RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'warn', SEED: 'sample' }
const data = dataFolder()
let app: RunningApp
beforeAll(async () => {
  // Keeps the database running while other processes stop; this process is not stopped.
  app = await runApp({ dataDir: data.path, env })
}, 60_000)
afterAll(async () => {
  await app.stop()
  data.remove()
})

type Tally = { answered: number; refused: number; reset: string[] }

/** Sends requests one after the other on keep-alive connections until new connections are refused. */
async function browse(url: string, cookie: string, tally: Tally): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const paths = ['/api/plans', '/api/user', '/', '/dashboard', '/api/invoices']
  for (let next = Math.floor(Math.random() * paths.length); ; next++) {
    const path = paths[next % paths.length]!
    const outcome = await requestOutcome(url + path, cookie, agent)
    if (outcome === 'refused') break
    if (outcome === 'answered') tally.answered++
    else tally.reset.push(`${path}: ${outcome}`)
    await sleep(Math.random() * 10)
  }
  tally.refused++
  agent.destroy()
}

/** Returns `answered` for a complete response, `refused` if the connection was refused, else a description of the error. */
function requestOutcome(url: string, cookie: string, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = httpRequest(url, { agent, headers: { cookie } }, (response) => {
      response.resume()
      response.once('close', () => resolve(response.complete ? 'answered' : 'cut short'))
    })
    outgoing.setTimeout(15_000, () => outgoing.destroy(new Error('no response')))
    outgoing.once('error', (error: Error & { code?: string }) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : `${error.code} ${error.message}`),
    )
    outgoing.end()
  })
}

/** Opens an idle keep-alive connection. `request` sends a request on it and returns the response headers, or '' if it was closed before. */
async function idleConnection(port: number): Promise<{ request: (path?: string) => Promise<string> }> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  let isOver = false
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', (error) => {
    received += error.message
  })
  socket.on('end', () => {
    isOver = true
  })
  const responseTo = async (path: string) => {
    received = ''
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await expect
      .poll(() => received.includes('\r\n\r\n') || isOver || socket.destroyed, { timeout: 10_000, interval: 5 })
      .toBe(true)
    return received.split('\r\n\r\n')[0] ?? ''
  }
  expect(await responseTo('/healthz')).toMatch(/^HTTP\/1\.1 200/)
  return { request: async (path = '/healthz') => (isOver ? '' : responseTo(path)) }
}

/** Sends a login with the first half of its body; `finish` sends the second half and returns the response. */
async function halfSent(port: number): Promise<{ finish: () => Promise<string> }> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', (error) => {
    received += error.message
  })
  const body = JSON.stringify({ username: 'nobody', password: 'nothing-at-all' })
  const head = `POST /api/login HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: http://localhost:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  socket.write(head + body.slice(0, 10))
  await once(socket, 'connect')
  return {
    finish: async () => {
      socket.write(body.slice(10))
      await once(socket, 'close')
      return received
    },
  }
}

test(
  `${stops} stops: no request is reset, readiness fails immediately, sockets get a close frame, and the process exits without a kill`,
  async () => {
    for (let round = 0; round < stops; round++) {
      // The first round and every second one after it stop two processes behind one port.
      const stopping = await runApp({ dataDir: data.path, env: { ...env, PROCESSES: String(2 - (round % 2)) } })
      onTestFinished(() => stopping.stop())
      const port = Number(new URL(stopping.url).port)
      const customer = await loggedInUser(stopping.url)
      const tally: Tally = { answered: 0, refused: 0, reset: [] }
      const browsing = Array.from({ length: clients }, () => browse(stopping.url, customer.cookie(), tally))
      const idle = await Promise.all(Array.from({ length: 8 }, () => idleConnection(port)))
      const readiness = await idleConnection(port)
      const slow = await halfSent(port)
      const socket = new WebSocket(`ws://localhost:${port}/ws`, { headers: { origin: stopping.url } })
      await once(socket, 'open')
      const socketClosed = once(socket, 'close')
      await sleep(300)

      const ended = stopping.ended()
      // From here on they are idle, for less than the keep-alive time.
      await Promise.all([...idle, readiness].map(({ request }) => request()))
      const began = performance.now()
      process.kill(stopping.pid, 'SIGTERM')
      expect((await socketClosed)[0], 'the WebSocket').toBe(1012)
      // Two processes do not receive the signal at the same moment.
      await expect
        .poll(() => readiness.request('/readyz'), { message: 'readiness', timeout: 1_000, interval: 10 })
        .toMatch(/^HTTP\/1\.1 503.*retry-after: 5/is)
      // Spread over the time in which a client may still reuse its connection.
      const idleResponses = Promise.all(
        idle.map(async ({ request }, i) => {
          await sleep(i * 250)
          return request()
        }),
      )
      await sleep(700)
      expect(await slow.finish(), 'an unfinished request body').toMatch(/^HTTP\/1\.1 401.*connection: close/is)
      for (const response of await idleResponses)
        expect(response, 'an idle connection').toMatch(/^HTTP\/1\.1 200.*connection: close/is)
      await Promise.all(browsing)
      expect(tally.reset).toEqual([])
      expect(tally.answered).toBeGreaterThan(clients)

      expect(await ended).toBe(0)
      expect(performance.now() - began, 'exit time').toBeLessThan(15_000)
      expect(stopping.output()).not.toMatch(/"level":(50|60)/)
    }
  },
  30_000 + stops * 30_000,
)

test('a second SIGTERM exits immediately, even with a request in progress', async () => {
  const stopping = await runApp({ dataDir: data.path, env })
  onTestFinished(() => stopping.stop())
  await halfSent(Number(new URL(stopping.url).port))
  const ended = stopping.ended()
  process.kill(stopping.pid, 'SIGTERM')
  // A second signal within one second counts as a repetition of the first.
  await sleep(1_200)
  const began = performance.now()
  process.kill(stopping.pid, 'SIGTERM')
  expect(await ended).toBe(1)
  expect(performance.now() - began).toBeLessThan(5_000)
}, 30_000)
