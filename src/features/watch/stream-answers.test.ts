import type { IncomingHttpHeaders } from 'node:http'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { channelStreams } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { secretKey } from '#server/secrets/keys.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { bytes, playlist, redirect, type StreamMode, segmentOf, transport } from '../../../test/harness/fake-streams.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { getPlay } from './contract.ts'
import { addressSealer, openAddress } from './server/relay/sealed-address.ts'

let world: WatchWorld
let channelId: number
let viewer: SignedIn
beforeAll(async () => {
  world = await watchWorld()
  channelId = await world.addChannel('plain')
  viewer = await world.signInViewer()
})
afterAll(() => world.close())

/** Opens the channel with these segments on the panel. Returns the id of the play, its address and the addresses of the segments. */
async function open(...segments: StreamMode[]) {
  const { streams } = world.panel
  const paths = segments.map((segment, n) => {
    streams.files[`/answer/${n}.ts`] = segment
    return `${streams.balancer}/answer/${n}.ts`
  })
  streams.modes.plain = playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', ...paths.flatMap((path) => ['#EXTINF:2,', path]))
  const { id, address } = await world.play(viewer, channelId)
  return { id, address, segments: (await world.readPlaylist(viewer, address)).addresses }
}
const request = (address: string, headers: Record<string, string> = {}) => viewer.client.request(address, { headers })
const whyEnded = async (playId: string) => (await viewer.client.call(getPlay, { params: { playId } })).why

test('only a single range of the viewer’s headers reaches the panel, and only the range of the panel’s headers reaches the viewer', async () => {
  let received: IncomingHttpHeaders = {}
  const spying: StreamMode = (response, { headers }) => {
    received = headers
    const fromPanel = {
      'x-accel-redirect': '/metrics',
      'clear-site-data': '"cookies"',
      location: 'http://spy.example/',
    }
    response
      .writeHead(206, {
        ...fromPanel,
        'content-type': 'text/html',
        'set-cookie': 'spy=1',
        server: 'spy',
        'access-control-allow-origin': '*',
        'content-range': 'bytes 0-375/752',
      })
      .end(segmentOf(0).subarray(0, 376))
  }
  const { segments } = await open(spying)
  const sent = {
    range: 'bytes=0-375',
    authorization: 'Bearer spy',
    referer: 'http://spy.example/',
    'x-forwarded-for': '9.9.9.9',
  }
  const response = await request(segments[0]!, sent)
  expect(received).toEqual({
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'VLC/3.0.18 LibVLC/3.0.18',
    range: 'bytes=0-375',
    host: new URL(world.panel.streams.balancer).host,
    connection: expect.any(String),
  })
  expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([206, 376])
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'video/mp2t',
    'content-range': 'bytes 0-375/752',
    'cache-control': 'private, max-age=60',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringMatching(/^default-src 'none';.*sandbox/),
    'cross-origin-resource-policy': 'same-origin',
  })
  expect(JSON.stringify([...response.headers])).not.toMatch(/spy|accel|clear-site|allow-origin|text\/html/)
})

test('a range past the end of a segment gets 416, and does not count as a failure of the channel', async () => {
  const { id, segments } = await open((response) => {
    response.writeHead(416, { 'content-range': 'bytes */752', 'set-cookie': 'spy=1' }).end('<html>No</html>')
  })
  for (let n = 0; n <= limits.relay.failures; n++) {
    const response = await request(segments[0]!, { range: 'bytes=900-' })
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */752'])
    expect(await response.json()).toMatchObject({ code: 'range' })
  }
  expect(await whyEnded(id)).toBeNull()
  await expect.poll(() => world.panel.streams.open()).toBe(0)
})

test('a short text that begins like a transport stream is not accepted as a segment', async () => {
  const { segments } = await open(bytes('Gateway Time-out', 'text/plain'))
  const response = await request(segments[0]!)
  expect(response.status).toBe(504)
  expect(await response.json()).toMatchObject({ code: 'channel_down' })
})

test('a seventh request at the same time gets 429', async () => {
  const { segments } = await open((response) => void response.writeHead(200).write(segmentOf(0)))
  const readers = []
  for (let n = 0; n < limits.relay.atOnce; n++) {
    const response = await request(segments[0]!)
    expect(response.status).toBe(200)
    readers.push(response.body!.getReader())
  }
  const refused = await request(segments[0]!)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  await readers[0]!.cancel()
  await expect.poll(async () => (await request(segments[0]!)).status).toBe(200)
  await world.play(viewer, channelId)
  await expect.poll(() => world.panel.streams.open()).toBe(0)
})

test('the third segment within a minute that stalls or is too large ends the play', async () => {
  const { silenceMs, segmentBytes } = limits.relay
  limits.relay.silenceMs = 100
  limits.relay.segmentBytes = 2 * segmentOf(0).length
  onTestFinished(() => {
    Object.assign(limits.relay, { silenceMs, segmentBytes })
  })
  const silent: StreamMode = (response) => void response.writeHead(200).write(segmentOf(0))
  const large: StreamMode = (response) => {
    for (let n = 0; n < 4; n++) response.write(segmentOf(n))
    response.end()
  }
  const announced: StreamMode = (response) =>
    void response.writeHead(200, { 'content-length': String(9 * segmentOf(0).length) }).write(segmentOf(0))
  const { id, segments } = await open(silent, large, announced)
  for (const address of segments.slice(0, 2)) {
    const response = await request(address)
    expect(response.status).toBe(200)
    await expect(response.arrayBuffer()).rejects.toThrow()
    expect(await whyEnded(id)).toBeNull()
  }
  expect((await request(segments[2]!)).status).toBe(504)
  expect(await whyEnded(id)).toBe('channel_down')
})

test('an expired address gets the same refusal as a changed one', async () => {
  const { id, address, segments } = await open(bytes(segmentOf(0)))
  const key = secretKey(world.app.context.config)
  const target = openAddress(key, id, segments[0]!.split('/').at(-1)!, Date.now())!
  const past = addressSealer(key, id)({ ...target, endsAt: Date.now() - 1_000 })
  const changed = address.replace(/(.)\.m3u8$/, (_, last) => `${last === 'A' ? 'B' : 'A'}.m3u8`)
  const answers = []
  for (const each of [past, changed]) {
    const response = await request(each)
    answers.push([response.status, await response.text()])
  }
  expect(answers[0]).toEqual([404, expect.stringContaining('not_found')])
  expect(answers[1]).toEqual(answers[0])
})

test('a channel that was a transport stream is played as HLS if the panel now sends a playlist, and vice versa', async () => {
  const { streams } = world.panel
  const both = await world.addChannel('both')
  const isTransport = async () =>
    (await world.app.db.select().from(channelStreams).where(eq(channelStreams.channelId, both)))[0]?.isTransport
  streams.modes.both = transport({ burst: 8 })
  const cut = await world.play(viewer, both)
  expect((await world.readPlaylist(viewer, cut.address)).addresses.length).toBeGreaterThan(1)
  expect(await isTransport()).toBe(true)
  streams.modes['both.ts'] = playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', '#EXTINF:2,', `${streams.balancer}/b.ts`)
  streams.files['/b.ts'] = bytes(segmentOf(2))
  const listed = await world.play(viewer, both)
  const { addresses } = await world.readPlaylist(viewer, listed.address)
  expect(Buffer.from(await (await request(addresses[0]!)).arrayBuffer()).equals(segmentOf(2))).toBe(true)
  expect(await isTransport()).toBe(false)
  await world.play(viewer, channelId)
})

test('with a list of hosts, segments and redirects may lead only to these hosts and to the panel', async () => {
  const listed = await watchWorld({ streamHosts: ['cdn.example'] })
  onTestFinished(listed.close)
  const { streams } = listed.panel
  const uris = [`${streams.balancer}/a.ts`, 'http://cdn.example/b.ts', 'http://other.example/c.ts']
  streams.modes.hosts = playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', ...uris.flatMap((uri) => ['#EXTINF:2,', uri]))
  streams.modes.moved = (...call) => redirect('http://other.example/live.m3u8')(...call)
  const [hosts, moved, watcher] = [
    await listed.addChannel('hosts'),
    await listed.addChannel('moved'),
    await listed.signInViewer(),
  ]
  const { address } = await listed.play(watcher, hosts)
  expect((await listed.readPlaylist(watcher, address)).addresses).toHaveLength(2)
  await expect(listed.play(watcher, moved)).rejects.toMatchObject({ code: 'bad_stream' })
})

describe('a process without capacity', () => {
  test('for another request answers 503 with the time for a retry', async () => {
    const small = await watchWorld({ streamMost: 1 })
    onTestFinished(small.close)
    small.panel.streams.files['/slow.ts'] = (response) => void response.writeHead(200).write(segmentOf(0))
    small.panel.streams.modes.slow = (...call) =>
      playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', '#EXTINF:2,', `${small.panel.streams.balancer}/slow.ts`)(...call)
    const slow = await small.addChannel('slow')
    const [first, second] = [await small.signInViewer(), await small.signInViewer()]
    const [played, waiting] = [await small.play(first, slow), await small.play(second, slow)]
    const { addresses } = await small.readPlaylist(first, played.address)
    const reader = (await first.client.request(addresses[0]!)).body!.getReader()
    const refused = await second.client.request(waiting.address)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
    expect(await refused.json()).toMatchObject({ code: 'relay_full' })
    await reader.cancel()
    await expect.poll(async () => (await second.client.request(waiting.address)).status).toBe(200)
  })

  test.each([
    ['the site', []],
    ['two hosts', ['https://s1.tv.example', 'https://s2.tv.example']],
  ])(
    'for cutting another stream answers 503 and does not end plays as failed, with streams on %s',
    async (_, streamUrls) => {
      const small = await watchWorld({ streamMemory: 1, streamUrls })
      onTestFinished(small.close)
      small.panel.streams.modes.tape = bytes('<html>Missing</html>', 'text/html', 404)
      small.panel.streams.modes['tape.ts'] = transport()
      const tape = await small.addChannel('tape')
      const { client } = await small.signInViewer()
      let answer = await client.post('/api/plays', { channelId: tape })
      if (streamUrls.length > 0) {
        // The host in the address opens the stream, not the process that opened the play.
        const { id, address } = (await answer.json()) as { id: string; address: string }
        const { origin, pathname } = new URL(address)
        expect(streamUrls).toContain(origin)
        for (let n = 0; n < limits.relay.failures; n++) answer = await client.request(pathname)
        expect(await client.call(getPlay, { params: { playId: id } })).toMatchObject({ why: null })
        expect(answer.headers.get('access-control-allow-origin')).toBe(
          new URL(small.app.context.config.publicUrl).origin,
        )
        expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      }
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10'])
      expect(await answer.json()).toMatchObject({ code: 'relay_full' })
      await expect.poll(() => small.panel.streams.open()).toBe(0)
    },
  )
})
