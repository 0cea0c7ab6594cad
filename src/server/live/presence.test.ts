import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { testConfig } from '../../../test/harness/app.ts'
import { createApp, type Pages } from '../app.ts'
import { limits } from '../limits.ts'
import type { Connection } from './connection.ts'
import { Presence } from './presence.ts'

const ip = '198.51.100.7'
const connectionFrom = (presence: Presence, from: { ip: string; userAgent: string }) =>
  ({ ...from, trace: presence.traceOf(from) }) as Connection

describe('page requests', () => {
  let presence: Presence
  beforeEach(() => {
    vi.useFakeTimers()
    presence = new Presence()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const paths = () => presence.requests.map(({ path }) => path)

  test('are kept for five minutes, the latest for each browser and IP address', () => {
    presence.recordPageRequest(ip, 'Firefox', '/')
    presence.recordPageRequest(ip, 'Firefox', '/faq')
    presence.recordPageRequest(ip, 'Chrome', '/setup')
    vi.advanceTimersByTime(200_000)
    presence.recordPageRequest(ip, 'Firefox', '/faq')
    vi.advanceTimersByTime(200_000)
    expect(paths()).toEqual(['/faq'])
    vi.advanceTimersByTime(101_000)
    expect(paths()).toEqual([])
  })

  test('are removed when the browser opens a socket; a closed socket is kept as a pseudonym for five minutes', () => {
    const mine = connectionFrom(presence, { ip, userAgent: 'Firefox' })
    presence.recordPageRequest(ip, 'Firefox', '/')
    presence.opened(mine)
    expect(paths()).toEqual([])
    presence.closed(mine)
    expect(presence.recentlyClosed).toEqual([[presence.traceOf(mine), Date.now()]])
    expect(JSON.stringify(presence.recentlyClosed)).not.toContain(ip)
    vi.advanceTimersByTime(301_000)
    expect(presence.recentlyClosed).toEqual([])
  })

  test('are limited in number and size', () => {
    for (let i = 0; i < limits.presence.maxEntries + 100; i++) {
      presence.recordPageRequest(ip, `browser ${i}`, `/${'x'.repeat(5_000)}`)
      const visitor = connectionFrom(presence, { ip, userAgent: `browser ${i}` })
      if (i % 2) {
        presence.connections.add(visitor)
        presence.closed(visitor)
      }
    }
    expect(presence.requests).toHaveLength(limits.presence.maxEntries)
    expect(presence.requests.at(-1)).toMatchObject({ userAgent: `browser ${limits.presence.maxEntries + 99}` })
    expect(Math.max(...paths().map((path) => path.length))).toBe(limits.presence.textLength)
  })
})

test('processes with the same key compute the same pseudonym for a browser', () => {
  const from = { ip, userAgent: 'Firefox' }
  const [one, same, other] = ['key', 'key', 'another'].map((key) => new Presence(Buffer.from(key)).traceOf(from))
  expect(one).toBe(same)
  expect(one).not.toBe(other)
})

test('only found pages are recorded: no redirects, missing pages, API calls, files or prefetches', async () => {
  const presence = new Presence()
  const render: Pages['render'] = async (request) =>
    new Response('<p>', {
      status: request.url.endsWith('/nowhere') ? 404 : 200,
      headers: { 'content-type': 'text/html' },
    })
  const parts = {
    config: testConfig,
    pages: { render, publicPaths: new Map([['/faq', []]]), builtAt: new Date() },
    presence,
  }
  const { hono } = createApp({ ...parts, log: { info: () => {}, error: () => {} } } as never)
  const send = (path: string, init?: RequestInit) =>
    hono.request(
      path,
      { ...init, headers: { 'user-agent': path, ...init?.headers } },
      { incoming: { socket: { remoteAddress: ip } } },
    )
  await send('/faq')
  await send('/auth?redirect=/checkout')
  for (const path of ['/nowhere', '/api/nowhere', '/invoices/ORD-AB12CD', '/healthz', '/api/docs']) await send(path)
  await send('/faq', { method: 'HEAD', headers: { 'user-agent': 'head' } })
  await send('/setup', { headers: { 'sec-purpose': 'prefetch' } })
  expect(presence.requests.map(({ path }) => path)).toEqual(['/faq', '/auth'])
})
