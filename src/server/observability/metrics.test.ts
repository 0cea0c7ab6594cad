import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { Refusal } from '../errors.ts'
import { Metrics, mountMetrics } from './metrics.ts'

const token = 'a-token-of-thirty-letters-here'
function metricsApp(metricsToken: string | undefined) {
  const hono = new Hono()
  mountMetrics(hono, new Metrics(), { metricsToken, publicUrl: 'https://tv.example' })
  hono.onError((error, c) => c.json({}, error instanceof Refusal ? error.status : 500))
  return async (remoteAddress: string, headers: Record<string, string> = {}) =>
    (
      await hono.request(
        '/metrics',
        { headers: { host: 'localhost:3000', ...headers } },
        { incoming: { socket: { remoteAddress } } },
      )
    ).status
}

test('if no token is set, only direct requests from this machine are allowed, not those forwarded by a proxy', async () => {
  const get = metricsApp(undefined)
  for (const address of ['10.0.0.7', '198.51.100.1', '::ffff:10.0.0.7', '2001:db8::1', ''])
    expect(await get(address), address).toBe(404)
  for (const header of ['x-forwarded-for', 'X-Forwarded-Host', 'x-real-ip', 'forwarded', 'via'])
    expect(await get('127.0.0.1', { [header]: '127.0.0.1' })).toBe(404)
  expect(await get('10.0.0.7', { authorization: `Bearer ${token}` })).toBe(404)
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(await get(address), address).toBe(200)
  // DNS rebinding: a foreign host name that resolves to this machine.
  for (const host of ['evil.example', 'evil.example:3000', '']) expect(await get('127.0.0.1', { host }), host).toBe(404)
  expect(await get('127.0.0.1', { host: 'tv.example' })).toBe(200)
})

test('if a token is set, every request must send it, also from this machine', async () => {
  const get = metricsApp(token)
  for (const authorization of ['', 'Bearer ', `Bearer ${token}x`, token, `Basic ${token}`])
    expect(await get('127.0.0.1', { authorization }), authorization).toBe(401)
  expect(await get('127.0.0.1')).toBe(401)
  expect(await get('198.51.100.1', { authorization: `Bearer ${token}` })).toBe(200)
})

test('job runs are counted by result, and the time of the last success is reported', async () => {
  const metrics = new Metrics()
  metrics.job('expire', true)
  metrics.job('expire', false)
  const text = await metrics.text()
  for (const result of ['done', 'failed'])
    expect(text).toContain(`sauce_job_runs_total{job="expire",result="${result}"} 1\n`)
  const last = Number(/sauce_job_last_success_timestamp_seconds\{job="expire"\} (\S+)/.exec(text)?.[1])
  expect(Math.abs(last - Date.now() / 1_000)).toBeLessThan(60)
})
