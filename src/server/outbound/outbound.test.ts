import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { inspect } from 'node:util'
import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { localCertificate } from '../../../test/harness/certificate.ts'
import { limits } from '../limits.ts'
import { Outbound, OutboundFailure } from './outbound.ts'

const most = limits.outbound.bodyBytes

async function listening(server: Server & { closeAllConnections?: () => void }): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections?.()
  })
  return (server.address() as AddressInfo).port
}

/** A server that answers so, the calls it heard, and a client bound to it. */
async function serving(answer: RequestListener, options: Partial<ConstructorParameters<typeof Outbound>[0]> = {}) {
  const heard: string[] = []
  const port = await listening(
    createHttpServer((request, response) => {
      heard.push(request.url ?? '')
      answer(request, response)
    }),
  )
  return { port, heard, outbound: clientOf(`http://127.0.0.1:${port}`, options) }
}
const clientOf = (base: string, options: Partial<ConstructorParameters<typeof Outbound>[0]> = {}) =>
  new Outbound({ base, allowPrivate: true, userAgent: 'test', ...options })
const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'an answer',
    (error: unknown) => (error instanceof OutboundFailure ? error.code : `another error: ${error}`),
  )
const ok: RequestListener = (_, response) => response.end('{}')

describe('where a call goes', () => {
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
  ])('is never a private address that nobody allowed: %s', async (host) => {
    const { port, heard } = await serving(ok)
    expect(await codeOf(clientOf(`http://${host}:${port}`, { allowPrivate: false }).get('a', {}))).toBe(
      'private_address',
    )
    expect(heard).toEqual([])
  })

  test('is never a name of which any address is private', async () => {
    const { port, heard } = await serving(ok)
    const resolve = async () => [
      { address: '9.9.9.9', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    expect(await codeOf(clientOf(`http://panel.test:${port}`, { allowPrivate: false, resolve }).get('a', {}))).toBe(
      'private_address',
    )
    expect(heard).toEqual([])
  })

  test('is what the name meant when it was checked: it is asked for once a call', async () => {
    const { port, heard } = await serving(ok)
    const asked: string[] = []
    const resolve = async (host: string) => {
      asked.push(host)
      return [{ address: '127.0.0.1', family: 4 }]
    }
    expect(await clientOf(`http://panel.test:${port}/c/`, { resolve }).get('player_api.php', {})).toEqual({
      status: 200,
      body: '{}',
    })
    expect([asked, heard]).toEqual([['panel.test'], ['/c/player_api.php']])
  })

  test('is not where a redirect points', async () => {
    const canary = await serving(ok)
    const { outbound } = await serving((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/` }).end('moved'),
    )
    expect(await outbound.get('a', {})).toEqual({ status: 302, body: 'moved' })
    expect(canary.heard).toEqual([])
  })

  test.each(['a&action=get_live_streams', 'a#b', '../../etc', 'a\r\nHost: evil', 'a b+c%20d', 'пароль', '?&=;/\\'])(
    'and what is asked there is not changed by a value such as %j',
    async (value) => {
      const { heard, outbound } = await serving(ok)
      await outbound.get('player_api.php', { username: value, password: 'x' })
      const { pathname, searchParams, hash } = new URL(heard[0]!, 'http://panel')
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

describe('an answer', () => {
  test('that is larger than 256 KiB is given up, packed or not', async () => {
    for (const headers of [{}, { 'content-encoding': 'gzip' }, { 'content-encoding': 'deflate' }]) {
      const pack =
        { gzip: gzipSync, deflate: deflateSync }[headers['content-encoding'] ?? ''] ?? ((bytes: Buffer) => bytes)
      const fits = await serving((_, response) => response.writeHead(200, headers).end(pack(Buffer.alloc(most, 'x'))))
      expect((await fits.outbound.get('a', {})).body).toHaveLength(most)
      const over = await serving((_, response) =>
        response.writeHead(200, headers).end(pack(Buffer.alloc(most + 1, 'x'))),
      )
      expect(await codeOf(over.outbound.get('a', {}))).toBe('too_large')
    }
  })

  test('that unpacks to nothing for ever is given up', async () => {
    const nothing = Buffer.concat(Array.from({ length: 40_000 }, () => gzipSync('')))
    const { outbound } = await serving((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(nothing),
    )
    expect(nothing.length).toBeGreaterThan(most)
    expect(await codeOf(outbound.get('a', {}))).toBe('too_large')
  })

  test('that is packed in a way nobody asked for, or not as it says, is none', async () => {
    const { outbound } = await serving((_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('x'))
    expect(await codeOf(outbound.get('a', {}))).toBe('bad_encoding')
    const lying = await serving((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
    )
    expect(await codeOf(lying.outbound.get('a', {}))).toBe('Z_DATA_ERROR')
  })

  test.each<[string, RequestListener]>([
    ['before it begins', () => undefined],
    ['in the middle', (_, response) => response.write('{')],
    [
      'in the middle of what is packed',
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('{}').subarray(0, 12)),
    ],
  ])('that stops %s is waited for no longer than agreed', async (_, answer) => {
    const { outbound } = await serving(answer, { totalMs: 200 })
    expect(await codeOf(outbound.get('a', {}))).toBe('timeout')
  })

  test('is not waited for while a name server keeps silent either', async () => {
    const resolve = () => new Promise<never>(() => undefined)
    expect(await codeOf(clientOf('http://panel.test', { resolve, totalMs: 50 }).get('a', {}))).toBe('timeout')
  })

  test('that breaks off is none', async () => {
    const { outbound } = await serving((_, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half')
      setTimeout(() => response.socket?.resetAndDestroy(), 20)
    })
    expect(await codeOf(outbound.get('a', {}))).toBe('ECONNRESET')
  })

  test.each([
    ['nobody is there', 'http://127.0.0.1:1', 'ECONNREFUSED'],
    ['the name leads nowhere', 'http://nowhere.invalid', /^(ENOTFOUND|EAI_AGAIN)$/],
  ])('is missed when %s', async (_, base, code) => {
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
  ])('that %s is none', async (_, said, code) => {
    const port = await listening(createTcpServer((socket) => void socket.on('error', () => undefined).write(said)))
    expect(await codeOf(clientOf(`http://127.0.0.1:${port}`, { totalMs: 2_000 }).get('a', {}))).toMatch(code)
  })

  test('without encryption is none where encryption was agreed, and hears no credentials', async () => {
    let heard = ''
    const plain = createTcpServer((socket) => {
      socket
        .on('error', () => undefined)
        .on('data', (data) => {
          heard += data.toString()
          socket.write('HTTP/1.1 200 OK\r\n\r\n')
        })
    })
    const port = await listening(plain)
    expect(await codeOf(clientOf(`https://127.0.0.1:${port}`).get('a', { password: 'canary-pw' }))).toMatch(
      /^(EPROTO|ERR_SSL_\w+)$/,
    )
    expect(heard).not.toBe('')
    expect(heard).not.toContain('canary')
  })
})

test('over TLS a call reaches only a server that an authority vouches for, which may be one of the operator’s own', async () => {
  const heard: string[] = []
  const shown = localCertificate()
  const answering: RequestListener = (request, response) => {
    heard.push(request.url ?? '')
    response.end('{}')
  }
  const port = await listening(createHttpsServer(shown, answering))
  const base = `https://localhost:${port}`
  const call = (ca?: string) =>
    codeOf(clientOf(base, { ...(ca && { ca }) }).send({ method: 'POST', file: 'a', form: [['key', 'canary']] }))
  expect(await call()).toMatch(/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/)
  expect(await call(localCertificate().cert)).toMatch(
    /^(CERT_SIGNATURE_FAILURE|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+)$/,
  )
  expect(heard).toEqual([])
  expect(await call(shown.cert)).toBe('an answer')
  expect(heard).toEqual(['/a'])
})

test('a failure holds nothing of what was asked or answered', async () => {
  const { outbound } = await serving((request, response) => {
    response.writeHead(200, { 'content-length': '9000' }).write(`canary-body ${request.url}`)
    response.socket?.destroySoon()
  })
  const error: unknown = await outbound.get('canary-file', { password: 'canary-pw' }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(OutboundFailure)
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('canary')
})

test('more calls at once than agreed are refused, and room is made again', async () => {
  const held: (() => void)[] = []
  const { outbound } = await serving((_, response) => void held.push(() => response.end('{}')))
  const calls = Array.from({ length: limits.outbound.atOnce + 3 }, () => codeOf(outbound.get('a', {})))
  await expect.poll(() => held.length).toBe(limits.outbound.atOnce)
  for (const release of held) release()
  const outcomes = await Promise.all(calls)
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(3)
  expect(outcomes.filter((outcome) => outcome === 'an answer')).toHaveLength(limits.outbound.atOnce)
  const again = codeOf(outbound.get('a', {}))
  await expect.poll(() => held.length).toBe(limits.outbound.atOnce + 1)
  held.at(-1)!()
  expect(await again).toBe('an answer')
})
