import { getEventListeners, once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { inspect } from 'node:util'
import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { localCertificate } from '../../../test/harness/certificate.ts'
import { limits } from '../limits.ts'
import { Outbound, OutboundFailure, orAborted } from './outbound.ts'

const maxBytes = limits.outbound.bodyBytes

async function listening(server: Server & { closeAllConnections?: () => void }): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections?.()
  })
  return (server.address() as AddressInfo).port
}

/** Starts a server with this listener. Returns the URLs that it receives, and a client for it. */
async function serving(result: RequestListener, options: Partial<ConstructorParameters<typeof Outbound>[0]> = {}) {
  const received: string[] = []
  const port = await listening(
    createHttpServer((request, response) => {
      received.push(request.url ?? '')
      result(request, response)
    }),
  )
  return { port, received, outbound: clientOf(`http://127.0.0.1:${port}`, options) }
}
const clientOf = (base: string, options: Partial<ConstructorParameters<typeof Outbound>[0]> = {}) =>
  new Outbound({ base, allowPrivate: true, userAgent: 'test', ...options })
const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'a response',
    (error: unknown) => (error instanceof OutboundFailure ? error.code : `another error: ${error}`),
  )
const ok: RequestListener = (_, response) => response.end('{}')

describe('the target of a call', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '169.254.169.254',
    '[fd00::1]',
    '0.0.0.0',
  ])('is never a private address unless allowed: %s', async (host) => {
    const { port, received } = await serving(ok)
    expect(await codeOf(clientOf(`http://${host}:${port}`, { allowPrivate: false }).get('a', {}))).toBe(
      'private_address',
    )
    expect(received).toEqual([])
  })

  test('is never a name that resolves to any private address', async () => {
    const { port, received } = await serving(ok)
    const resolve = async () => [
      { address: '9.9.9.9', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    expect(await codeOf(clientOf(`http://panel.test:${port}`, { allowPrivate: false, resolve }).get('a', {}))).toBe(
      'private_address',
    )
    expect(received).toEqual([])
  })

  test('is the address that was checked, because the name is resolved once per call', async () => {
    const { port, received } = await serving(ok)
    const resolvedHosts: string[] = []
    const resolve = async (host: string) => {
      resolvedHosts.push(host)
      return [{ address: '127.0.0.1', family: 4 }]
    }
    expect(await clientOf(`http://panel.test:${port}/c/`, { resolve }).get('player_api.php', {})).toEqual({
      status: 200,
      body: '{}',
    })
    expect([resolvedHosts, received]).toEqual([['panel.test'], ['/c/player_api.php']])
  })

  test('is never changed by a redirect', async () => {
    const canary = await serving(ok)
    const { outbound } = await serving((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/` }).end('moved'),
    )
    expect(await outbound.get('a', {})).toEqual({ status: 302, body: 'moved' })
    expect(canary.received).toEqual([])
  })

  test.each(['a&action=get_live_streams', 'a#b', '../../etc', 'a\r\nHost: evil', 'a b+c%20d', 'пароль', '?&=;/\\'])(
    'is not changed by a query value such as %j',
    async (value) => {
      const { received, outbound } = await serving(ok)
      await outbound.get('player_api.php', { username: value, password: 'x' })
      const { pathname, searchParams, hash } = new URL(received[0]!, 'http://panel')
      expect([pathname, [...searchParams], hash]).toEqual([
        '/player_api.php',
        [
          ['username', value],
          ['password', 'x'],
        ],
        '',
      ])
    },
  )
})

describe('a response', () => {
  test('larger than 256 KiB is rejected, compressed or not', async () => {
    for (const headers of [{}, { 'content-encoding': 'gzip' }, { 'content-encoding': 'deflate' }]) {
      const pack =
        { gzip: gzipSync, deflate: deflateSync }[headers['content-encoding'] ?? ''] ?? ((bytes: Buffer) => bytes)
      const largest = await serving((_, response) =>
        response.writeHead(200, headers).end(pack(Buffer.alloc(maxBytes, 'x'))),
      )
      expect((await largest.outbound.get('a', {})).body).toHaveLength(maxBytes)
      const over = await serving((_, response) =>
        response.writeHead(200, headers).end(pack(Buffer.alloc(maxBytes + 1, 'x'))),
      )
      expect(await codeOf(over.outbound.get('a', {}))).toBe('too_large')
    }
  })

  test('of many empty compressed blocks that exceeds the limit is rejected', async () => {
    const nothing = Buffer.concat(Array.from({ length: 40_000 }, () => gzipSync('')))
    const { outbound } = await serving((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(nothing),
    )
    expect(nothing.length).toBeGreaterThan(maxBytes)
    expect(await codeOf(outbound.get('a', {}))).toBe('too_large')
  })

  test('with an unsupported or wrong content encoding is rejected', async () => {
    const { outbound } = await serving((_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('x'))
    expect(await codeOf(outbound.get('a', {}))).toBe('bad_encoding')
    const mislabeled = await serving((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
    )
    expect(await codeOf(mislabeled.outbound.get('a', {}))).toBe('Z_DATA_ERROR')
  })

  test.each<[string, RequestListener]>([
    ['before the headers', () => undefined],
    ['within the body', (_, response) => response.write('{')],
    [
      'within a compressed body',
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('{}').subarray(0, 12)),
    ],
  ])('that stalls %s times out', async (_, response) => {
    const { outbound } = await serving(response, { totalMs: 200 })
    expect(await codeOf(outbound.get('a', {}))).toBe('timeout')
  })

  test('times out while the name server does not answer', async () => {
    const resolve = () => new Promise<never>(() => undefined)
    expect(await codeOf(clientOf('http://panel.test', { resolve, totalMs: 50 }).get('a', {}))).toBe('timeout')
  })

  test('that is cut off is rejected', async () => {
    const { outbound } = await serving((_, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half')
      setTimeout(() => response.socket?.resetAndDestroy(), 20)
    })
    expect(await codeOf(outbound.get('a', {}))).toBe('ECONNRESET')
  })

  test.each([
    ['nothing listens on the port', 'http://127.0.0.1:1', 'ECONNREFUSED'],
    ['the name does not resolve', 'http://nowhere.invalid', /^(ENOTFOUND|EAI_AGAIN)$/],
  ])('is an error if %s', async (_, base, code) => {
    expect(await codeOf(clientOf(base).get('a', {}))).toMatch(code)
  })

  test.each([
    ['is not HTTP', 'hello\r\n\r\n', /^HPE_/],
    [
      'changes to another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      'ECONNRESET',
    ],
    ['has endless headers', `HTTP/1.1 200 OK\r\n${'X-More: more\r\n'.repeat(5_000)}`, 'HPE_HEADER_OVERFLOW'],
  ])('that %s is rejected', async (_, sent, code) => {
    const port = await listening(createTcpServer((socket) => void socket.on('error', () => undefined).write(sent)))
    expect(await codeOf(clientOf(`http://127.0.0.1:${port}`, { totalMs: 2_000 }).get('a', {}))).toMatch(code)
  })

  test('without TLS from an https server is rejected, and no credentials are sent', async () => {
    let received = ''
    const plain = createTcpServer((socket) => {
      socket
        .on('error', () => undefined)
        .on('data', (data) => {
          received += data.toString()
          socket.write('HTTP/1.1 200 OK\r\n\r\n')
        })
    })
    const port = await listening(plain)
    expect(await codeOf(clientOf(`https://127.0.0.1:${port}`).get('a', { password: 'canary-pw' }))).toMatch(
      /^(EPROTO|ERR_SSL_\w+)$/,
    )
    expect(received).not.toBe('')
    expect(received).not.toContain('canary')
  })
})

test('over TLS only a server with a trusted certificate is called; the operator may add certificate authorities', async () => {
  const received: string[] = []
  const shown = localCertificate()
  const respond: RequestListener = (request, response) => {
    received.push(request.url ?? '')
    response.end('{}')
  }
  const port = await listening(createHttpsServer(shown, respond))
  const base = `https://localhost:${port}`
  const call = (ca?: string) =>
    codeOf(clientOf(base, { ...(ca && { ca }) }).send({ method: 'POST', file: 'a', form: [['key', 'canary']] }))
  expect(await call()).toMatch(/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/)
  expect(await call(localCertificate().cert)).toMatch(
    /^(CERT_SIGNATURE_FAILURE|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+)$/,
  )
  expect(received).toEqual([])
  expect(await call(shown.cert)).toBe('a response')
  expect(received).toEqual(['/a'])
})

test('an error contains nothing of the request or response', async () => {
  const { outbound } = await serving((request, response) => {
    response.writeHead(200, { 'content-length': '9000' }).write(`canary-body ${request.url}`)
    response.socket?.destroySoon()
  })
  const error: unknown = await outbound.get('canary-file', { password: 'canary-pw' }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(OutboundFailure)
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('canary')
})

test('calls beyond the concurrency limit are refused, and finished calls free slots', async () => {
  const held: (() => void)[] = []
  const { outbound } = await serving((_, response) => void held.push(() => response.end('{}')))
  const calls = Array.from({ length: limits.outbound.atOnce + 3 }, () => codeOf(outbound.get('a', {})))
  await expect.poll(() => held.length).toBe(limits.outbound.atOnce)
  for (const release of held) release()
  const outcomes = await Promise.all(calls)
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(3)
  expect(outcomes.filter((outcome) => outcome === 'a response')).toHaveLength(limits.outbound.atOnce)
  const again = codeOf(outbound.get('a', {}))
  await expect.poll(() => held.length).toBe(limits.outbound.atOnce + 1)
  held.at(-1)!()
  expect(await again).toBe('a response')
})

describe('waiting for work with a signal', () => {
  const never = new Promise<never>(() => {})

  test('is rejected if the signal aborts, or was already aborted', async () => {
    const controller = new AbortController()
    const pending = orAborted(never, controller.signal)
    controller.abort(new Error('Too late'))
    await expect(pending).rejects.toThrow('Too late')
    await expect(orAborted(never, controller.signal)).rejects.toThrow('Too late')
  })

  test('leaves no listener on the signal', async () => {
    const { signal } = new AbortController()
    await expect(orAborted(Promise.resolve(1), signal)).resolves.toBe(1)
    await expect(orAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken')
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
