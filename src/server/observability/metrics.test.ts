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

test('without a token they are told to this machine alone, and not to what a proxy on it forwards', async () => {
  const ask = metricsApp(undefined)
  for (const address of ['10.0.0.7', '198.51.100.1', '::ffff:10.0.0.7', '2001:db8::1', ''])
    expect(await ask(address), address).toBe(404)
  for (const header of ['x-forwarded-for', 'X-Forwarded-Host', 'x-real-ip', 'forwarded', 'via'])
    expect(await ask('127.0.0.1', { [header]: '127.0.0.1' })).toBe(404)
  expect(await ask('10.0.0.7', { authorization: `Bearer ${token}` })).toBe(404)
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(await ask(address), address).toBe(200)
  // A stranger's name that points here would make it readable for the stranger's pages.
  for (const host of ['evil.example', 'evil.example:3000', '']) expect(await ask('127.0.0.1', { host }), host).toBe(404)
  expect(await ask('127.0.0.1', { host: 'tv.example' })).toBe(200)
})

test('with a token they are told to whoever has it, and to nobody else on this machine either', async () => {
  const ask = metricsApp(token)
  for (const authorization of ['', 'Bearer ', `Bearer ${token}x`, token, `Basic ${token}`])
    expect(await ask('127.0.0.1', { authorization }), authorization).toBe(401)
  expect(await ask('127.0.0.1')).toBe(401)
  expect(await ask('198.51.100.1', { authorization: `Bearer ${token}` })).toBe(200)
})

test('jobs say how often they ran, how that ended, and when it last went well', async () => {
  const metrics = new Metrics()
  metrics.job('expire', true)
  metrics.job('expire', false)
  const text = await metrics.text()
  for (const result of ['done', 'failed'])
    expect(text).toContain(`sauce_job_runs_total{job="expire",result="${result}"} 1\n`)
  const last = Number(/sauce_job_last_success_timestamp_seconds\{job="expire"\} (\S+)/.exec(text)?.[1])
  expect(Math.abs(last - Date.now() / 1_000)).toBeLessThan(60)
})
