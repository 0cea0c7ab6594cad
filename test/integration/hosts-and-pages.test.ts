import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { builtPages } from '#server/http/pages.ts'
import { sessionCookieName } from '#server/http/request.ts'
import { buildApp, type TestApp, testConfig } from '../harness/app.ts'
import { listenRaw, type RawApp } from '../harness/raw-http.ts'

let app: TestApp
let raw: RawApp
beforeAll(async () => {
  app = await buildApp()
  const pages = await builtPages(testConfig, `${import.meta.dirname}/../../dist`)
  const { hono, responseCache, answerDirectly } = createApp({ ...app.context, pages })
  raw = await listenRaw({ app: hono, responseCache, answerDirectly, context: app.context })
})
afterAll(async () => {
  await raw.close()
  await app.close()
})

/** Sends raw bytes and returns the response. */
async function send(text: string): Promise<string> {
  const socket = connect(raw.port, '127.0.0.1')
  let response = ''
  socket.on('data', (bytes) => {
    response += bytes
  })
  socket.write(text)
  await once(socket, 'close')
  return response
}

describe('a request with two Host headers', () => {
  test.each(['GET /api/plans', 'GET /', 'GET /healthz', 'POST /api/logout', 'GET /ws'])(
    'is refused: %s',
    async (line) => {
      const response = await send(
        `${line} HTTP/1.1\r\nHost: localhost:3000\r\nhOST: evil.example\r\nConnection: close\r\n\r\n`,
      )
      expect(response).toMatch(/^HTTP\/1\.1 400 /)
      expect(response.toLowerCase()).toContain('x-content-type-options: nosniff')
    },
  )

  test('is refused even if the response is cached', async () => {
    for (let i = 0; i < 2; i++) expect((await raw.send({ method: 'GET', path: '/api/plans' })).status).toBe(200)
    expect(
      await send('GET /api/plans HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
    ).toMatch(/^HTTP\/1\.1 400 /)
  })
})

test('a write to a foreign host name is refused, even if Host and Origin match', async () => {
  const headers = {
    host: 'evil.example',
    origin: 'http://evil.example',
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
  }
  const { status, text } = await raw.send({ method: 'POST', path: '/api/logout', headers, body: '{}' })
  expect([status, JSON.parse(text)]).toMatchObject([
    403,
    { code: 'foreign_host', message: expect.stringContaining('PUBLIC_URL') },
  ])
})

describe('pages', () => {
  const get = (path: string, cookie = '') =>
    raw.send({ method: 'GET', path, headers: { ...(cookie && { cookie }), 'accept-encoding': 'br' } })

  test('of a logged-in user are not cached, but compressed', async () => {
    const { client } = await app.signIn()
    const cookie = `${sessionCookieName(testConfig)}=${client.cookies.get('sid')}`
    for (const path of ['/', '/dashboard', '/security', '/invoices', '/nowhere']) {
      const { headers } = await get(path, cookie)
      expect([path, headers['cache-control'], headers['content-encoding']]).toEqual([path, 'no-store', 'br'])
    }
  })

  test('of a visitor may be cached', async () => {
    expect((await get('/')).headers['cache-control']).not.toContain('no-store')
  })

  test('are sent uncompressed to a browser that refuses brotli and gzip', async () => {
    for (let i = 0; i < 3; i++) {
      const { headers } = await raw.send({
        method: 'GET',
        path: '/pricing',
        headers: { 'accept-encoding': 'br;q=0, gzip;q=0' },
      })
      expect(headers['content-encoding']).toBeUndefined()
    }
  })
})
