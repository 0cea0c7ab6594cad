import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { loggedInUser } from '../harness/http-user.ts'
import { dataFolder, type RunningApp, runApp } from '../harness/running-app.ts'

const data = dataFolder()
let app: RunningApp
beforeAll(async () => {
  app = await runApp({
    dataDir: data.path,
    env: { ADMIN_PASSWORD: 'metrics-only-here', RATE_LIMIT_FACTOR: '1000', LOG_LEVEL: 'warn', SEED: 'empty' },
  })
}, 60_000)
afterAll(async () => {
  await app.stop()
  data.remove()
})

/** Returns the current metric values by name and labels. */
async function readSeries(): Promise<Map<string, number>> {
  const response = await fetch(`${app.url}/metrics`)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const lines = (await response.text()).split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

test('a process reports metrics of its requests, database, sockets, cached responses and the outbox', async () => {
  const user = await loggedInUser(app.url)
  await user.send(app.url, 'GET', '/api/user')
  expect((await user.send(app.url, 'GET', '/api/admin/users')).status).toBe(403)
  const line = new WebSocket(`${app.url.replace('http', 'ws')}/ws`, { headers: { origin: app.url } })
  await once(line, 'open')
  for (let at = 0; at < 5; at++) await (await fetch(`${app.url}/api/plans`)).text()

  const now = await readSeries()
  const at = (name: string) => now.get(name)
  expect(at('sauce_http_requests_total{method="POST",route="/api/register",status="200"}')).toBe(1)
  expect(at('sauce_http_requests_total{method="GET",route="/api/admin/users",status="403"}')).toBe(1)
  expect(at('sauce_http_request_duration_seconds_count{method="GET",route="/api/user"}')).toBeGreaterThanOrEqual(1)
  expect(at('sauce_ready_hits_total{status="200"}')).toBeGreaterThanOrEqual(4)
  expect(at('sauce_ready_answers')).toBeGreaterThanOrEqual(1)
  expect(at('sauce_sockets')).toBe(1)
  expect(at('sauce_database_up')).toBe(1)
  expect(at('sauce_database_connections{state="busy"}')).toBeGreaterThanOrEqual(0)
  expect(at('sauce_database_waiting')).toBe(0)
  expect(at('sauce_outbox_waiting')).toBe(0)
  expect(at('sauce_outbox_oldest_seconds')).toBe(0)
  for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total'])
    expect(at(name)).toBeGreaterThan(0)
  line.terminate()
})

test('unknown paths do not become metric series', async () => {
  const ask = (name: string) =>
    Promise.all([fetch(`${app.url}/api/${name}`), fetch(`${app.url}/${name}`), fetch(`${app.url}/invoice/${name}`)])
  await ask('first')
  const names = async () => [...(await readSeries()).keys()].filter((name) => name.startsWith('sauce_http_')).toSorted()
  await names()
  const before = await names()
  for (let at = 0; at < 20; at++) await ask(`made-up-${at}`)
  expect(await names()).toEqual(before)
})
