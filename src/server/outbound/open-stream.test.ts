import { once } from 'node:events'
import http, { createServer, type RequestListener } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { privateHosts } from '../../../test/harness/private-hosts.ts'
import { openStream, pinnedAddress } from './open-stream.ts'
import { OutboundFailure } from './outbound.ts'
import type { StreamRules } from './stream-address.ts'

afterEach(() => vi.restoreAllMocks())

async function serving(listener: RequestListener) {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(request.url ?? '')
    listener(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, received }
}
type Rules = StreamRules & { resolve?: (host: string) => Promise<{ address: string; family: number }[]> }
const loopback = [{ address: '127.0.0.1', family: 4 }]
/** The rules for a panel with this URL. Its host name resolves to this machine. */
const rulesOf = (base: string, others: Partial<Rules> = {}): Rules => ({
  base: new URL(base),
  ownHosts: new Set(),
  allowPrivate: true,
  userAgent: 'test',
  resolve: async () => loopback,
  ...others,
})
/** The status of the response, or the code of the failure. */
async function resultOf(url: string, rules: Rules): Promise<number | string> {
  try {
    const { status, close } = await openStream({ url: new URL(url), firstByteMs: 5_000 }, rules)
    close()
    return status
  } catch (error) {
    return error instanceof OutboundFailure ? error.code : `another error: ${error}`
  }
}
const redirectTo =
  (location: (url: string) => string | undefined): RequestListener =>
  (request, response) => {
    const target = location(request.url ?? '')
    response.writeHead(target === undefined ? 200 : 302, target === undefined ? {} : { location: target }).end('x')
  }

describe('redirects', () => {
  test('are followed three times, but not four times', async () => {
    const { port, received } = await serving(
      redirectTo((url) => (url === '/0' ? undefined : `/${Number(url.slice(1)) - 1}`)),
    )
    const panel = `http://panel.test:${port}`
    expect(await resultOf(`${panel}/3`, rulesOf(panel))).toBe(200)
    expect(received).toEqual(['/3', '/2', '/1', '/0'])
    expect(await resultOf(`${panel}/4`, rulesOf(panel))).toBe('redirect')
    expect(received.slice(4)).toEqual(['/4', '/3', '/2', '/1'])
  })

  test('never lead from https to http', async () => {
    const { port, received } = await serving(
      redirectTo((url) => (url === '/a' ? `http://panel.test:${port}/b` : undefined)),
    )
    // Replaced because the certificate of a server on this machine would not be trusted.
    vi.spyOn(https, 'request').mockImplementation(((url: URL, options: http.RequestOptions) =>
      http.request(new URL(url.href.replace('https:', 'http:')), options)) as typeof https.request)
    const panel = `http://panel.test:${port}`
    expect(await resultOf(`https://panel.test:${port}/a`, rulesOf(panel))).toBe('redirect')
    expect(received).toEqual(['/a'])
  })
})

describe('addresses of this machine and of private networks', () => {
  const names: Record<string, string> = { 'localhost.test': '127.0.0.1', 'metadata.test': '169.254.169.254' }
  let asked = 0
  /** The panel is on this machine. The name `rebinding.test` resolves to a public address the first time, and to this machine afterwards. */
  const resolve = async (host: string) => {
    if (host === 'panel.test') return loopback
    if (host !== 'rebinding.test') return [{ address: names[host]!, family: 4 }]
    return [{ address: asked++ === 0 ? '9.9.9.9' : '127.0.0.1', family: 4 }]
  }

  test(`are not called in ${privateHosts.length} forms, by an address or by a redirect`, async () => {
    const canary = await serving((_, response) => void response.end('reached'))
    let target = ''
    const panel = await serving(redirectTo((url) => (url === '/live' ? target : undefined)))
    const base = `http://panel.test:${panel.port}`
    const rules = rulesOf(base, { resolve })
    // The first address of `rebinding.test` is public. The calls below get the second one.
    await resolve('rebinding.test')
    const open: string[] = []
    for (const host of privateHosts) {
      target = `http://${host}:${canary.port}/`
      const results = [await resultOf(target, rules), await resultOf(`${base}/live`, rules)]
      if (results[0] !== 'private_address' || results[1] !== 'redirect') open.push(`${host}: ${results}`)
    }
    expect(open).toEqual([])
    expect(canary.received).toEqual([])
  })

  test('are never passed to a proxy', async () => {
    const pinned = (host: string) =>
      pinnedAddress(
        new URL(`http://${host}:8000/1.ts?a=b`),
        new AbortController().signal,
        rulesOf('http://panel.test', { resolve }),
      )
    for (const host of privateHosts) await expect(pinned(host), host).rejects.toThrow('private_address')
    expect(await pinned('panel.test')).toEqual({
      url: 'http://127.0.0.1:8000/1.ts?a=b',
      host: 'panel.test:8000',
      name: 'panel.test',
    })
  })
})

test('a name is resolved once for each call, and the connection goes to the resulting address', async () => {
  const { port, received } = await serving((_, response) => void response.end('x'))
  const hosts: string[] = []
  const resolve = async (host: string) => {
    hosts.push(host)
    return loopback
  }
  const panel = `http://panel.test:${port}`
  expect(await resultOf(`${panel}/1.ts`, rulesOf(panel, { resolve }))).toBe(200)
  expect([hosts, received]).toEqual([['panel.test'], ['/1.ts']])
})

test('a compressed body is refused, and no cookie or header of a viewer is sent', async () => {
  const headers: object[] = []
  const { port } = await serving((request, response) => {
    headers.push(request.headers)
    response.writeHead(200, { 'content-encoding': 'gzip', 'set-cookie': 'spy=1' }).end('x')
  })
  const panel = `http://panel.test:${port}`
  for (let n = 0; n < 2; n++) expect(await resultOf(panel, rulesOf(panel))).toBe('bad_encoding')
  expect(headers[1]).toEqual({
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'test',
    host: `panel.test:${port}`,
    connection: expect.any(String),
  })
})
