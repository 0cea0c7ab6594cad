// A process without free file descriptors serves open connections, closes new ones, and leaks no descriptors.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpUser, loggedInUser } from '../harness/http-user.ts'
import { dataFolder, type RunningApp, runApp } from '../harness/running-app.ts'

const rounds = Number(process.env.NO_FILES ?? 1)
const canLimit = spawnSync('prlimit', ['--version']).status === 0
const data = dataFolder()
let app: RunningApp
let buyer: HttpUser
beforeAll(async () => {
  app = await runApp({ dataDir: data.path, env: { RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'warn', SEED: 'sample' } })
  buyer = await loggedInUser(app.url)
}, 60_000)
afterAll(async () => {
  await app?.stop()
  data.remove()
}, 30_000)

const openFiles = () => readdirSync(`/proc/${app.pid}/fd`).length
const setFileLimit = (count: number) =>
  expect(spawnSync('prlimit', ['--pid', String(app.pid), `--nofile=${count}:`]).status).toBe(0)
/** Opens a connection. `isClosed` returns true once it has ended. */
function openConnection(port: number): Promise<{ socket: Socket; isClosed: () => boolean }> {
  const socket = connect(port, '127.0.0.1')
  let isOver = false
  socket.on('error', () => {})
  socket.resume()
  socket.once('close', () => {
    isOver = true
  })
  return new Promise((resolve) => socket.once('connect', () => resolve({ socket, isClosed: () => isOver })))
}

test.runIf(canLimit)(
  'open connections are served while no file descriptor is free; new ones once descriptors are free again',
  async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const statusOf = (path: string) =>
      new Promise<number>((resolve, reject) => {
        get(app.url + path, { agent, headers: { cookie: buyer.cookie() } }, (answer) =>
          answer.resume().once('end', () => resolve(answer.statusCode!)),
        ).once('error', reject)
      })
    for (let round = 0; round < rounds; round++) {
      // Ten parallel requests of the page with the most queries open every database connection of the pool before
      // descriptors run out.
      const warmUp = { headers: { cookie: buyer.cookie(), connection: 'close' } }
      const responses = await Promise.all(Array.from({ length: 10 }, () => fetch(`${app.url}/dashboard`, warmUp)))
      for (const response of responses) await response.arrayBuffer()
      expect(await statusOf('/dashboard')).toBe(200)
      const before = openFiles()
      setFileLimit(before + 4)
      const newConnections = await Promise.all(
        Array.from({ length: 60 }, () => openConnection(Number(new URL(app.url).port))),
      )
      await expect
        .poll(() => newConnections.filter(({ isClosed }) => isClosed()).length, { timeout: 10_000 })
        .toBeGreaterThanOrEqual(50)
      for (const path of ['/healthz', '/api/plans', '/', '/api/user', '/api/invoices', '/dashboard'])
        expect([path, await statusOf(path)]).toEqual([path, 200])
      setFileLimit(20_000)
      for (const { socket } of newConnections) socket.destroy()
      await expect.poll(async () => (await fetch(`${app.url}/readyz`)).status, { timeout: 5_000 }).toBe(200)
      expect(
        (
          await buyer.send(app.url, 'POST', '/api/reports', {
            contentType: 'channel',
            contentName: 'News',
            issue: 'other',
          })
        ).status,
      ).toBe(200)
      await sleep(200)
      await expect.poll(openFiles, { timeout: 15_000 }).toBeLessThanOrEqual(before + 10)
    }
    agent.destroy()
    expect(app.output()).not.toMatch(/"level":(50|60)|unexpected error/)
  },
  60_000 + rounds * 20_000,
)
