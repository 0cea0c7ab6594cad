// Malformed HTTP and WebSocket frames against the real process, generated from a seed.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '#server/limits.ts'
import { dataFolder, type RunningApp, runApp } from '../harness/running-app.ts'
import { roundCount } from '../harness/scale.ts'

const seed = Number(process.env.WIRE_SEED ?? Date.now() % 2 ** 31)
const requests = roundCount('WIRE_REQUESTS', { short: 50, full: 300 })
const frames = roundCount('WIRE_FRAMES', { short: 150, full: 1000 })
/** The memory that may be in use after a flood, before garbage collection. */
const mostGrowth = 80 * 2 ** 20

// A small heap, so that unreferenced memory is collected instead of counted as growth.
const NODE_OPTIONS = '--max-semi-space-size=8 --max-old-space-size=96'
const data = dataFolder()
let app: RunningApp
/** Two unfinished requests, sent before the first test. */
let slow: Promise<{ received: string; afterMs: number }[]>
beforeAll(async () => {
  app = await runApp({ dataDir: data.path, env: { SEED: 'sample', RATE_LIMIT_FACTOR: '100000', NODE_OPTIONS } })
  const began = performance.now()
  const unfinished = ['GET /api/plans HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', 'POST /api/login HTTP/1.1\r\n']
  slow = Promise.all(
    unfinished.map(async (bytes) => ({ received: await exchange(bytes, 60_000), afterMs: performance.now() - began })),
  )
}, 60_000)
afterAll(async () => {
  await app?.stop()
  data.remove()
})

const memory = () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${app.pid}/status`, 'utf8'))?.[1]) * 1024

/**
 * Sends bytes on a new connection. Returns the bytes received until the connection closes or, after the first bytes, until `silenceMs`
 * of silence. `answered` means that every request gets a response, for which it then waits longer.
 */
function exchange(bytes: Uint8Array | string, silenceMs = 500, { answered = false } = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    let received = ''
    const end = () => {
      socket.destroy()
      resolve(received)
    }
    socket.setTimeout(answered ? 20_000 : silenceMs, end)
    socket.on('data', (chunk) => {
      socket.setTimeout(silenceMs)
      received += chunk.toString('latin1')
      if (received.length > 2_000_000) end()
    })
    socket.once('error', end)
    socket.once('close', end)
    socket.write(bytes)
  })
}

const host = 'Host: localhost\r\n'
const requestLine = fc.constantFrom(
  'GET / HTTP/1.1',
  'GET /api/plans HTTP/1.1',
  'POST /api/login HTTP/1.1',
  'PUT /api/user HTTP/1.1',
  'GET http://evil.example/ HTTP/1.1',
)
const malformedLine = fc.constantFrom(
  'GET',
  'GET /',
  'GET / HTTP/9.9',
  'GET /\u0000 HTTP/1.1',
  'GET //evil.example/%2e%2e HTTP/1.1',
  'GET /%ff%fe HTTP/1.1',
  'GET /api/%00/plans HTTP/1.1',
  'CONNECT evil.example:443 HTTP/1.1',
  'TRACE / HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'BREW /pot HTTP/1.1',
  `GET /${'a'.repeat(20_000)} HTTP/1.1`,
  'PRI * HTTP/2.0',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
)
const header = fc.constantFrom(
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 5, 6',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding: xchunked',
  'Content-Type: application/json',
  'Content-Type: \u0000',
  'Host: evil.example',
  'Host: localhost:99999',
  'X-Forwarded-For: 999.999.999.999',
  'X-Forwarded-Proto: javascript',
  'Cookie: sid=\u0000; sid=a; sid=b',
  `Cookie: ${'a=b; '.repeat(1_000)}`,
  `X-Long: ${'y'.repeat(30_000)}`,
  'No colon',
  ': no name',
  ' folded: yes',
  'Expect: 100-continue',
  'Expect: magic',
  'Range: bytes=0-,0-,0-,0-',
  'If-None-Match: "a", W/"b", *',
  'Accept-Encoding: br;q=9e99, *;q=-1',
  'Connection: upgrade, close, keep-alive',
  'Upgrade: websocket',
  'Sec-WebSocket-Key: short',
)
const body = fc.constantFrom(
  '',
  '12345',
  '5\r\nhello\r\n0\r\n\r\n',
  'FFFFFFFFFFFFFFFF\r\n',
  '-1\r\n\r\n',
  '{"username":',
  'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n',
  '\u0000\u0000',
)
const request = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: requestLine }, malformedLine),
    fc.array(header, { maxLength: 4 }),
    body,
    fc.boolean(),
  )
  .map(
    ([first, headers, rest, isWhole]) =>
      `${first}\r\n${host}${headers.map((each) => `${each}\r\n`).join('')}${isWhole ? '\r\n' : ''}${rest}`,
  )

test(`no malformed request gets a 5xx response or stops the process (WIRE_SEED=${seed})`, {
  timeout: 60_000 + requests * 200,
}, async () => {
  const before = memory()
  const all = fc.sample(request, { numRuns: requests, seed })
  while (all.length > 0) {
    await Promise.all(
      all.splice(0, 20).map(async (text) => {
        const received = await exchange(Buffer.from(text, 'latin1'))
        for (const [status] of received.matchAll(/^HTTP\/1\.1 5\d\d/gm))
          expect.fail(`${JSON.stringify(text.slice(0, 400))} got ${status}: ${received.slice(0, 400)}`)
        expect(received, 'a request inside another request gets no response').not.toContain('smuggled')
      }),
    )
  }
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
  expect(memory() - before).toBeLessThan(mostGrowth)
})

test('a client that does not finish its headers gets 408 within seconds, with the usual response headers', {
  timeout: 60_000,
}, async () => {
  const { headersTimeoutMs, checkMs } = limits.http
  for (const { received, afterMs } of await slow) {
    expect(received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(received).toMatch(/\r\nx-content-type-options: nosniff\r\n/)
    expect(received).toMatch(/\r\ncontent-security-policy: default-src 'none'; /)
    expect(afterMs).toBeLessThan(headersTimeoutMs + 2 * checkMs)
  }
})

const upgrade = () =>
  `GET /ws HTTP/1.1\r\nHost: localhost\r\nOrigin: ${app.url}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`

type Frame = {
  opcode: number
  isLast: boolean
  isMasked: boolean
  reserved: number
  payload: Uint8Array
  claimed: number | undefined
}
const frame: fc.Arbitrary<Frame> = fc.record({
  opcode: fc.nat({ max: 15 }),
  isLast: fc.boolean(),
  isMasked: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
  reserved: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 7 })),
  payload: fc.oneof(
    fc
      .constantFrom(
        '{"type":"ping"}',
        '{"type":"auth","userId":1,"role":"admin"}',
        '{"type":"page","path":"javascript:alert(1)"}',
        '{"type":"__proto__"}',
        '{"type":',
        'null',
        '[]',
        '"'.repeat(100),
        `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
        'x'.repeat(70_000),
      )
      .map((text) => new TextEncoder().encode(text)),
    fc.uint8Array({ maxLength: 200 }),
  ),
  claimed: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.constantFrom(2 ** 31, 2 ** 40)),
})

/** Encodes a frame, which may claim to be longer than it is. */
function bytesOf({ opcode, isLast, isMasked, reserved, payload, claimed }: Frame): Buffer {
  const length = claimed ?? payload.length
  const head = [(isLast ? 0x80 : 0) | (reserved << 4) | opcode]
  const masked = isMasked ? 0x80 : 0
  if (length < 126) head.push(masked | length)
  else if (length < 65_536) head.push(masked | 126, length >> 8, length & 255)
  else
    head.push(masked | 127, ...Array.from({ length: 8 }, (_, index) => Math.floor(length / 256 ** (7 - index)) & 255))
  // A zero mask leaves the payload unchanged.
  return Buffer.concat([Buffer.from(head), isMasked ? Buffer.alloc(4) : Buffer.alloc(0), payload])
}

test('no malformed frame stops the process or leaks memory', {
  timeout: 60_000 + frames * 50,
}, async () => {
  expect(await exchange(upgrade())).toMatch(/^HTTP\/1\.1 101/)
  const perSocket = 5
  const sockets = fc.sample(fc.array(frame, { minLength: perSocket, maxLength: perSocket }), {
    numRuns: Math.ceil(frames / perSocket),
    seed,
  })
  const before = memory()
  while (sockets.length > 0) {
    const answers = await Promise.all(
      sockets
        .splice(0, 20)
        .map((sent) =>
          exchange(Buffer.concat([Buffer.from(upgrade()), ...sent.map(bytesOf)]), 300, { answered: true }),
        ),
    )
    for (const answer of answers)
      expect(answer, 'the WebSocket was opened, so that its frames were read').toMatch(/^HTTP\/1\.1 101/)
  }
  expect(memory() - before).toBeLessThan(mostGrowth)
  expect((await fetch(`${app.url}/api/plans`)).status).toBe(200)
  expect(app.output()).not.toMatch(/"level":(50|60)/)
})
