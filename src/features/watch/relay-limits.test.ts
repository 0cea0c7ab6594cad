import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough, pipeline, Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '#server/limits.ts'
import type { StreamRules } from '#server/outbound/stream-address.ts'
import { openSource } from './server/relay/open-source.ts'
import { PackagedStreams } from './server/relay/packager/packaged-streams.ts'
import type { PackagerOptions } from './server/relay/packager/packager.ts'
import { rewrittenPlaylist } from './server/relay/read-playlist.ts'
import { relaySegment } from './server/relay/relay-segment.ts'
import { Traffic } from './server/relay/traffic.ts'
import { StreamFailure } from './server/relay/upstream-reason.ts'

const mebibyte = 1024 * 1024
/** The first packet of a transport stream. */
const packet = Buffer.alloc(188 * 4, Buffer.from([0x47, ...Buffer.alloc(187)]))
afterEach(() => vi.useRealTimers())

/** A fake panel with one response at a time. `requests` and `closed`: how many requests arrived, and how many responses were closed. */
async function panelWith(listener: RequestListener) {
  let requests = 0
  let closed = 0
  let last: ServerResponse | undefined
  const server = createServer((request, response) => {
    requests++
    last = response
    response.on('close', () => closed++).on('error', () => undefined)
    listener(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/1`)
  const rules: StreamRules = { base: url, ownHosts: new Set(), allowPrivate: true, userAgent: 'test' }
  return { url, rules, requests: () => requests, closed: () => closed, send: (bytes: Buffer) => last!.write(bytes) }
}
type Panel = Awaited<ReturnType<typeof panelWith>>

const segmentOf = ({ url, rules }: Panel, kind: 'segment' | 'key' = 'segment', pace = (_bytes: number) => 0) => {
  const call = { url, range: undefined, kind, signal: new AbortController().signal, onEnd: () => {}, pace }
  return relaySegment(call, rules)
}
/** Returns a function that returns the state of a promise: `pending`, its value, or the reason and detail of its failure. */
function stateOf<T>(promise: Promise<T>): () => unknown {
  let state: unknown = 'pending'
  promise.then(
    (value) => {
      state = value
    },
    (error: unknown) => {
      state = error instanceof StreamFailure ? `${error.reason}: ${error.detail}` : 'stopped'
    },
  )
  return () => state
}
/** Waits 30 milliseconds for sockets and promises, without timers. */
async function settle(): Promise<void> {
  for (const until = performance.now() + 30; performance.now() < until; ) await nextTurn()
}
/** Expects a value within five seconds. It polls without timers, because the timers are fake. */
async function expectSoon(read: () => unknown, value: unknown): Promise<void> {
  for (const until = performance.now() + 5_000; read() !== value && performance.now() < until; ) await nextTurn()
  expect(read()).toBe(value)
}
/** Advances the fake timers. */
async function advance(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms)
  await settle()
}
/** Returns what a viewer receives of a segment. The viewer accepts only as many bytes as are read. */
function received({ body }: Awaited<ReturnType<typeof segmentOf>>): ReadableStream<Uint8Array> {
  const viewer = new PassThrough({ highWaterMark: 1 })
  body!(viewer)
  return Readable.toWeb(viewer, { strategy: { highWaterMark: 0 } }) as ReadableStream<Uint8Array>
}
const readerOf = async (panel: Panel) => received(await segmentOf(panel)).getReader()
const sendFirstPacket: RequestListener = (_, response) => void response.writeHead(200).write(packet)

describe('a segment ends', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

  test('after eight seconds if the panel sends nothing', async () => {
    const panel = await panelWith(() => {})
    const segment = stateOf(segmentOf(panel))
    await expectSoon(panel.requests, 1)
    await advance(7_900)
    expect(segment()).toBe('pending')
    await advance(200)
    await expectSoon(segment, 'channel_down: timeout')
    await expectSoon(panel.closed, 1)
  })

  test('eight seconds after the headers if the panel sends only its first bytes', async () => {
    const panel = await panelWith((_, response) => void response.writeHead(200).write(packet.subarray(0, 10)))
    const segment = stateOf(segmentOf(panel))
    await expectSoon(panel.requests, 1)
    // The second period starts when the headers have arrived.
    await settle()
    await advance(7_900)
    expect(segment()).toBe('pending')
    await advance(200)
    await expectSoon(segment, 'channel_down: segment cut off')
  })

  test('after the panel has sent nothing for 15 seconds', async () => {
    const panel = await panelWith(sendFirstPacket)
    const reader = await readerOf(panel)
    await reader.read()
    const next = stateOf(reader.read())
    await advance(14_900)
    expect(next()).toBe('pending')
    await advance(200)
    await expectSoon(next, 'stopped')
    await expectSoon(panel.closed, 1)
  })

  test('after a minute, even if data arrives steadily', async () => {
    const panel = await panelWith(sendFirstPacket)
    const reader = await readerOf(panel)
    for (let n = 0; n < 6; n++) {
      expect((await reader.read()).done).toBe(false)
      panel.send(packet)
      await advance(9_900)
    }
    const next = stateOf(reader.read())
    await settle()
    expect(next()).toMatchObject({ done: false })
    await advance(700)
    await expectSoon(panel.closed, 1)
  })

  test('after the viewer has read nothing for 20 seconds', async () => {
    const panel = await panelWith(sendFirstPacket)
    const reader = await readerOf(panel)
    await advance(19_900)
    expect(panel.closed()).toBe(0)
    await advance(200)
    await expectSoon(panel.closed, 1)
    await expect(reader.read()).rejects.toThrow()
  })
})

describe('a playlist is refused', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

  test.each([
    [true, 15_000, 'panel_down: timeout'],
    [false, 8_000, 'channel_down: timeout'],
  ])('if the panel sends nothing (first call: %s: %i ms)', async (isFirst, ms, expected) => {
    const panel = await panelWith(() => {})
    const source = stateOf(openSource({ url: panel.url, isFirst }, panel.rules))
    await expectSoon(panel.requests, 1)
    await advance(ms - 100)
    expect(source()).toBe('pending')
    await advance(200)
    await expectSoon(source, expected)
  })

  test('after eight seconds if it has not ended', async () => {
    const panel = await panelWith((_, response) => void response.writeHead(200).write('#EXTM3U\n#EXTINF:2,\na.ts\n'))
    const source = stateOf(openSource({ url: panel.url, isFirst: true }, panel.rules))
    await expectSoon(panel.requests, 1)
    await settle()
    await advance(7_900)
    expect(source()).toBe('pending')
    await advance(200)
    await expectSoon(source, 'channel_down: playlist cut off')
  })
})

describe('size limits', () => {
  const playlistOf = (bytes: number) => {
    const lines = Array.from({ length: Math.floor(bytes / 8_000) }, () => `#${'x'.repeat(7_998)}\n`).join('')
    return `#EXTM3U\n#EXTINF:2,\na.ts\n${lines}`
  }
  test('a playlist of more than 1 MiB is refused', async () => {
    let size = 0.9 * mebibyte
    const panel = await panelWith((_, response) => void response.end(playlistOf(size)))
    const open = () => openSource({ url: panel.url, isFirst: true }, panel.rules)
    expect((await open()).kind).toBe('playlist')
    size = 1.1 * mebibyte
    await expect(open()).rejects.toMatchObject({ reason: 'bad_stream' })
  })

  test('a segment with a Content-Length of more than 64 MiB is refused', async () => {
    const panel = await panelWith((_, response) => {
      response.writeHead(200, { 'content-length': String(64 * mebibyte + 1) }).write(packet)
    })
    await expect(segmentOf(panel)).rejects.toMatchObject({ reason: 'channel_down', detail: 'segment too large' })
  })

  test('a segment is cut off at 64 MiB, a key at 16 bytes', async () => {
    const chunks = Array.from({ length: 66 }, () => Buffer.alloc(mebibyte, packet))
    const panel = await panelWith((_, response) => void pipeline(Readable.from(chunks), response, () => undefined))
    let bytes = 0
    const whole = async () => {
      for await (const part of received(await segmentOf(panel))) bytes += part.length
    }
    await expect(whole()).rejects.toThrow()
    expect(bytes).toBeLessThanOrEqual(64 * mebibyte)
    expect(bytes).toBeGreaterThan(60 * mebibyte)
    const keys = await panelWith((_, response) => {
      response.write(Buffer.alloc(10))
      response.end(Buffer.alloc(7))
    })
    const read = async () => new Response(received(await segmentOf(keys, 'key'))).arrayBuffer()
    await expect(read()).rejects.toThrow()
  })
})

test.each([
  ['an HTML page', '<html>Please log in to the network</html>'.repeat(9)],
  ['JSON', '{"user_info":{"auth":0}}'],
  ['nothing', ''],
])('%s instead of a segment is refused', async (_, body) => {
  const panel = await panelWith((_request, response) => void response.end(body))
  await expect(segmentOf(panel)).rejects.toMatchObject({ reason: 'channel_down' })
})

test('a playlist and a transport stream are recognized in chunks of any size', async () => {
  const playlist = Buffer.from(`#EXTM3U\n${'#EXTINF:2,\na.ts\n'.repeat(200)}`)
  for (const [body, kind] of [
    [playlist, 'playlist'],
    [Buffer.concat(Array.from({ length: 4 }, () => packet)), 'transport'],
    [Buffer.concat([packet.subarray(77), packet]), 'transport'],
  ] as const) {
    const panel = await panelWith(async (_, response) => {
      for (const part of [body.subarray(0, 1), body.subarray(1, 9), body.subarray(9)]) {
        response.write(part)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      if (kind === 'playlist') response.end()
    })
    const source = await openSource({ url: panel.url, isFirst: true }, panel.rules)
    expect(source.kind).toBe(kind)
    if (source.kind === 'transport') source.close()
  }
})

test('a playlist with three addresses that must not be called is refused', () => {
  const rules = {
    base: new URL('http://panel.example/'),
    ownHosts: new Set<string>(),
    allowPrivate: false,
    userAgent: '',
  }
  const play = { key: randomBytes(32), playId: randomUUID(), generation: 1, endsAt: Date.now() + 60_000 }
  const read = (...uris: string[]) => {
    const bytes = Buffer.from(['#EXTM3U', ...uris.flatMap((uri) => ['#EXTINF:2,', uri])].join('\n'))
    return rewrittenPlaylist({ bytes, url: rules.base }, { mayBeMaster: true, rules, play })
  }
  expect(read('a.ts', 'file:///x', 'http://u:p@x/').match(/\/stream\//g)).toHaveLength(1)
  expect(() => read('a.ts', 'file:///x', 'http://u:p@x/', 'http://x:22/')).toThrow(StreamFailure)
})

describe('requests of a play', () => {
  const id = randomUUID()
  const trafficOf = (most = 100) => new Traffic({} as never, { warn: () => {} }, most)
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))

  test('at most six run at the same time', () => {
    const traffic = trafficOf()
    const running = Array.from({ length: 6 }, () => traffic.begin(id, 1, false))
    expect(traffic.begin(id, 1, false)).toBe('too_fast')
    expect(traffic.begin(randomUUID(), 1, false)).toMatchObject({ signal: expect.anything() })
    ;(running[0] as { end: () => void }).end()
    expect(traffic.begin(id, 1, false)).toMatchObject({ signal: expect.anything() })
  })

  test('at most twenty playlists are requested in ten seconds', () => {
    const traffic = trafficOf()
    const read = (isPlaylist: boolean) => {
      const running = traffic.begin(id, 1, isPlaylist)
      if (typeof running === 'object') running.end()
      return running
    }
    for (let n = 0; n < 20; n++) expect(read(true)).toBeTypeOf('object')
    expect(read(true)).toBe('too_fast')
    expect(read(false)).toBeTypeOf('object')
    vi.advanceTimersByTime(10_000)
    expect(read(true)).toBeTypeOf('object')
  })

  test('all plays share the limit of the process', () => {
    const traffic = trafficOf(3)
    const running = Array.from({ length: 3 }, () => traffic.begin(randomUUID(), 1, false))
    expect(traffic.begin(randomUUID(), 1, true)).toBe('relay_full')
    ;(running[0] as { end: () => void }).end()
    expect(traffic.begin(randomUUID(), 1, true)).toBeTypeOf('object')
  })

  test('three failures within a minute are too many', () => {
    const traffic = trafficOf()
    expect([traffic.countFailure(id), traffic.countFailure(id)]).toEqual([false, false])
    vi.advanceTimersByTime(61_000)
    expect([1, 2, 3].map(() => traffic.countFailure(id))).toEqual([false, false, true])
  })

  test('at most 40 Mbit/s are sent on average over 30 seconds; the rest is delayed', () => {
    const traffic = trafficOf()
    // 150 MB without a delay, and then 5 MB a second.
    for (let n = 0; n < 30; n++) expect(traffic.pace(id, 5_000_000)).toBe(0)
    expect(traffic.pace(id, 5_000_000)).toBe(1_000)
    expect(traffic.pace(randomUUID(), 5_000_000)).toBe(0)
    vi.advanceTimersByTime(10_000)
    for (let n = 0; n < 9; n++) expect(traffic.pace(id, 5_000_000)).toBe(0)
    expect(traffic.pace(id, 10_000_000)).toBe(2_000)
    // A channel change does not reset the rate limit.
    traffic.retune(id, 2)
    expect(traffic.pace(id, 5_000_000)).toBe(3_000)
  })
})

test('a segment is delayed if its play is over the rate limit', async () => {
  const panel = await panelWith((_, response) => void response.end(packet))
  const started = performance.now()
  const sent: number[] = []
  const segment = await segmentOf(panel, 'segment', (bytes) => {
    sent.push(bytes)
    return 150
  })
  expect(Buffer.from(await new Response(received(segment)).arrayBuffer()).equals(packet)).toBe(true)
  expect(sent.reduce((sum, bytes) => sum + bytes, 0)).toBe(packet.length)
  expect(performance.now() - started).toBeGreaterThan(140)
})

test('all transport streams of a process share a memory limit', () => {
  const traffic = new Traffic({} as never, { warn: () => {} }, 100)
  const streams = new PackagedStreams(traffic, 2 * limits.relay.packager.ringBytes)
  const open = new Set<PromiseWithResolvers<IteratorResult<Buffer>>>()
  const optionsOf = (): PackagerOptions => {
    const next = Promise.withResolvers<IteratorResult<Buffer>>()
    open.add(next)
    const close = () => {
      open.delete(next)
      next.resolve({ done: true, value: undefined })
    }
    const url = new URL('http://panel.example/')
    const source = { kind: 'transport', url, head: packet, chunks: { next: () => next.promise }, close } as const
    return { source, recording: undefined, reopen: () => Promise.reject(), onCodecs: () => {}, onFailure: () => {} }
  }
  const [first] = [streams.start('a', 1, optionsOf()), streams.start('b', 1, optionsOf())]
  expect(() => streams.start('c', 1, optionsOf())).toThrow('relay_full')
  expect(open.size).toBe(2)
  first.close()
  streams.start('c', 1, optionsOf()).close()
  traffic.stop('b')
  expect(open.size).toBe(0)
})
