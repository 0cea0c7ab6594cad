import { join } from 'node:path'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { mountStatic } from './static.ts'

describe('files of public/', () => {
  const app = new Hono()
  mountStatic(app, join(import.meta.dirname, '../../../../public'))

  test('that do not exist get no cache-control header', async () => {
    const response = await app.request('/previews/bars/9.m4s')
    expect(response.status).toBe(404)
    expect(response.headers.get('cache-control')).toBeNull()
  })

  test('that do not exist fall through to the pages', async () => {
    const site = new Hono()
    mountStatic(site, join(import.meta.dirname, '../../../../public'))
    site.get('*', (c) => c.text('a page', 404, { 'cache-control': 'no-store' }))
    for (const path of ['/llms.txt', '/favicon.ico', '/assets/gone.js']) {
      const response = await site.request(path)
      expect([response.status, await response.text(), response.headers.get('cache-control')], path).toEqual([
        404,
        'a page',
        'no-store',
      ])
    }
  })

  test('cannot be escaped by path traversal', async () => {
    for (const path of ['/%2e%2e/src/web/styles/app.css', '/previews/..%2f..%2fsrc/web/styles/app.css'])
      expect((await app.request(path)).status, path).toBe(404)
  })

  test.each([
    ['/previews/bars/index.m3u8', 'application/vnd.apple.mpegurl'],
    ['/previews/bars/init.mp4', 'video/mp4'],
    ['/previews/bars/0.m4s', 'video/iso.segment'],
    ['/favicon.svg', 'image/svg+xml; charset=utf-8'],
  ])('%s is sent as %s, cacheable for an hour', async (path, type) => {
    const response = await app.request(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
  })

  test('support range requests', async () => {
    const response = await app.request('/previews/bars/0.m4s', { headers: { range: 'bytes=4-7' } })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toMatch(/^bytes 4-7\/\d+$/)
    expect(await response.text()).toMatch(/^(styp|moof|sidx)$/)
  })
})
