// SIGTERM under load: whatever reached the process is answered, and it leaves in good order within seconds.
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import WebSocket from 'ws'
import { loggedInUser } from '../harness/http-person.ts'
import { dataFolder, type RunningApp, runApp } from '../harness/running-app.ts'
import { rounds } from '../harness/scale.ts'

const stops = rounds('STOPS', { short: 1, full: 3 })
const clients = 12
const env = { ADMIN_PASSWORD: 'drain-only-here', RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'warn', SEED: 'sample' }
const data = dataFolder()
let app: RunningApp
beforeAll(async () => {
  // Keeps the database running between the stops, and is not stopped itself.
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
  for (let turn = Math.floor(Math.random() * paths.length); ; turn++) {
    const path = paths[turn % paths.length]!
    const outcome = await ask(url + path, cookie, agent)
    if (outcome === 'refused') break
    if (outcome === 'answered') tally.answered++
    else tally.reset.push(`${path}: ${outcome}`)
    await sleep(Math.random() * 10)
  }
  tally.refused++
  agent.destroy()
}

/** `refused` before a connection was made; anything else but a whole answer is a request that was lost. */
function ask(url: string, cookie: string, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const asked = httpRequest(url, { agent, headers: { cookie } }, (response) => {
      response.resume()
      response.once('close', () => resolve(response.complete ? 'answered' : 'cut short'))
    })
    asked.setTimeout(15_000, () => asked.destroy(new Error('no answer')))
    asked.once('error', (error: Error & { code?: string }) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : `${error.code} ${error.message}`),
    )
    asked.end()
  })
}

/** A connection that is kept without a word until `speak` asks on it; gives the answer's first line, or '' when it was closed before. */
async function idleConnection(port: number): Promise<{ speak: (path?: string) => Promise<string> }> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  let isOver = false
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1')
  })
  socket.on('error', (error) => {
    heard += error.message
  })
  socket.on('end', () => {
    isOver = true
  })
  const answer = async (path: string) => {
    heard = ''
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await expect
      .poll(() => heard.includes('\r\n\r\n') || isOver || socket.destroyed, { timeout: 10_000, interval: 5 })
      .toBe(true)
    return heard.split('\r\n\r\n')[0] ?? ''
  }
  expect(await answer('/healthz')).toMatch(/^HTTP\/1\.1 200/)
  return { speak: async (path = '/healthz') => (isOver ? '' : answer(path)) }
}

/** Sends a login whose body comes in two halves, the second when `finish` is called. */
async function halfSent(port: number): Promise<{ finish: () => Promise<string> }> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1')
  })
  socket.on('error', (error) => {
    heard += error.message
  })
  const body = JSON.stringify({ username: 'nobody', password: 'nothing-at-all' })
  const head = `POST /api/login HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: http://localhost:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  socket.write(head + body.slice(0, 10))
  await once(socket, 'connect')
  return {
    finish: async () => {
      socket.write(body.slice(10))
      await once(socket, 'close')
      return heard
    },
  }
}

test(
  `${stops} times: no request is reset, readiness fails immediately, sockets get a close frame, and the process exits without a kill`,
  async () => {
    for (let round = 0; round < stops; round++) {
      // Every second time it is two processes behind one port that leave.
      const leaving = await runApp({ dataDir: data.path, env: { ...env, PROCESSES: String((round % 2) + 1) } })
      onTestFinished(() => leaving.stop())
      const port = Number(new URL(leaving.url).port)
      const customer = await loggedInUser(leaving.url)
      const tally: Tally = { answered: 0, refused: 0, reset: [] }
      const browsing = Array.from({ length: clients }, () => browse(leaving.url, customer.cookie(), tally))
      const idle = await Promise.all(Array.from({ length: 8 }, () => idleConnection(port)))
      const readiness = await idleConnection(port)
      const slow = await halfSent(port)
      const line = new WebSocket(`ws://localhost:${port}/ws`, { headers: { origin: leaving.url } })
      await once(line, 'open')
      const lineClosed = once(line, 'close')
      await sleep(300)

      const ended = leaving.ended()
      // From here on they are idle, for less than a client may count on.
      await Promise.all([...idle, readiness].map(({ speak }) => speak()))
      const began = performance.now()
      process.kill(leaving.pid, 'SIGTERM')
      expect((await lineClosed)[0], 'the line').toBe(1012)
      // Of two processes each hears of it in its own time.
      await expect
        .poll(() => readiness.speak('/readyz'), { message: 'readiness', timeout: 1_000, interval: 10 })
        .toMatch(/^HTTP\/1\.1 503.*retry-after: 5/is)
      // Spread over the time in which a client may still believe that its connection is kept.
      const spoken = Promise.all(
        idle.map(async ({ speak }, i) => {
          await sleep(i * 250)
          return speak()
        }),
      )
      await sleep(700)
      expect(await slow.finish(), 'a body under way').toMatch(/^HTTP\/1\.1 401.*connection: close/is)
      for (const answer of await spoken)
        expect(answer, 'an idle connection').toMatch(/^HTTP\/1\.1 200.*connection: close/is)
      await Promise.all(browsing)
      expect(tally.reset).toEqual([])
      expect(tally.answered).toBeGreaterThan(clients)

      expect(await ended).toBe(0)
      expect(performance.now() - began, 'the end').toBeLessThan(15_000)
      expect(leaving.output()).not.toMatch(/"level":(50|60)/)
    }
  },
  30_000 + stops * 30_000,
)

test('a second SIGTERM ends it at once, whatever is under way', async () => {
  const leaving = await runApp({ dataDir: data.path, env })
  onTestFinished(() => leaving.stop())
  await halfSent(Number(new URL(leaving.url).port))
  const ended = leaving.ended()
  process.kill(leaving.pid, 'SIGTERM')
  // Within a second it would be the same keystroke, told twice.
  await sleep(1_200)
  const began = performance.now()
  process.kill(leaving.pid, 'SIGTERM')
  expect(await ended).toBe(1)
  expect(performance.now() - began).toBeLessThan(1_000)
}, 30_000)
