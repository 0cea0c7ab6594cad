import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { channelStreams } from '#server/db/tables.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { bytes, redirect, type StreamMode, segmentOf } from '../../../test/harness/fake-streams.ts'
import { channelFaults, media, segmentFaults } from '../../../test/harness/stream-faults.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { getPlay } from './contract.ts'

let world: WatchWorld
let channelId: number
let viewer: SignedIn
beforeAll(async () => {
  world = await watchWorld()
  channelId = await world.addChannel('odd')
  viewer = await world.signInViewer()
})
afterAll(() => world.close())
afterEach(async () => {
  await expect.poll(() => world.panel.streams.open(), { timeout: 2_000 }).toBe(0)
  expect(world.panel.canaryHits()).toBe(0)
})

const open = (mode: StreamMode) => {
  world.panel.streams.modes.odd = mode
  return world.play(viewer, channelId)
}
describe('a channel is refused with a reason when the panel sends', () => {
  test.each(channelFaults)('%s', async (_, code, mode) => {
    const failure = await open(mode).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code })
    expect((failure as Error).message).not.toMatch(/http:|line|127/)
  })
})

test.each<[string, string, StreamMode]>([
  ['a page', 'no playlist: page', bytes(' <html>line:secret</html>', 'text/html')],
  ['JSON', 'no playlist: JSON', bytes('{"user_info":{"password":"secret"}}', 'application/json')],
  ['something else', 'no playlist: other bytes', bytes('line:secret is over its limit', 'text/plain')],
  ['nothing', 'empty playlist', bytes('')],
])('the log says that the panel sent %s, but contains none of the content', async (_, detail, mode) => {
  const before = world.app.logs.length
  world.panel.streams.modes['odd.ts'] = mode
  await expect(open(mode)).rejects.toMatchObject({ code: 'channel_down' })
  delete world.panel.streams.modes['odd.ts']
  const logged = world.app.logs.slice(before).join()
  expect(logged).toContain(`"detail":"${detail}"`)
  expect(logged).not.toContain('secret')
})

test('the log names the rules that addresses in a playlist violate, but contains no address', async () => {
  const before = world.app.logs.length
  const uris = ['file:///etc/passwd', 'http://u:p@x.example/', 'http://x.example:22/', 'http://localhost:3000/api/user']
  await expect(open(media('a.ts', ...uris))).rejects.toMatchObject({ code: 'bad_stream' })
  const logged = world.app.logs.slice(before).filter((line) => line.includes('stream failed'))
  expect(logged).toEqual([expect.stringContaining('"detail":"addresses refused: scheme, user_info, port, own_host"')])
  expect(logged.join()).not.toMatch(/passwd|example|:22|api/)
})

test('a transport stream without tables ends the play, and the connection to the panel is closed', async () => {
  world.panel.streams.modes['odd.ts'] = (response) => {
    response.writeHead(200)
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(188 * 5_000, 0x47)));
    }
    response.on('drain', write)
    write()
  }
  const { id } = await open(bytes('', 'text/html', 404))
  await expect
    .poll(async () => (await viewer.client.call(getPlay, { params: { playId: id } })).why, { timeout: 10_000 })
    .toBe('bad_stream')
  delete world.panel.streams.modes['odd.ts']
  await world.app.db.update(channelStreams).set({ isTransport: false })
})

test('a refusal right after a channel change means that the panel still counts the last stream', async () => {
  await open(media('a.ts'))
  await expect(open(bytes('', 'text/html', 403))).rejects.toMatchObject({ code: 'too_many' })
})

describe('a segment', () => {
  test.each(segmentFaults)('is refused when the panel sends %s', async (_, mode) => {
    world.panel.streams.files['/a.ts'] = mode
    const { address } = await open(media(`${world.panel.streams.balancer}/a.ts`))
    const { addresses } = await world.readPlaylist(viewer, address)
    const response = await viewer.client.request(addresses[0]!)
    expect(response.status).toBe(504)
    expect(await response.json()).toMatchObject({ code: expect.stringMatching(/^(channel_down|bad_stream)$/) })
  })

  test('that is the third one to fail within a minute ends the play', async () => {
    world.panel.streams.files['/a.ts'] = bytes('x', 'video/mp2t', 503)
    const { id, address } = await open(media(`${world.panel.streams.balancer}/a.ts`))
    const { addresses } = await world.readPlaylist(viewer, address)
    for (let n = 0; n < 3; n++) await viewer.client.request(addresses[0]!)
    expect(await viewer.client.call(getPlay, { params: { playId: id } })).toMatchObject({ why: 'channel_down' })
    expect((await viewer.client.request(addresses[0]!)).status).toBe(410)
  })
})

test('a playlist that is requested too often is refused for a few seconds', async () => {
  const { address } = await open(media('a.ts'))
  const statuses = []
  for (let n = 0; n < 25; n++) statuses.push((await viewer.client.request(address)).status)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
})

test('a segment is read only as fast as the viewer reads it', async () => {
  let written = 0
  world.panel.streams.files['/big.ts'] = (response) => {
    response.writeHead(200)
    const write = () => {
      while (written < 60 * 1024 * 1024 && !response.destroyed) {
        written += segmentOf(0).length
        if (!response.write(segmentOf(0))) return
      }
    }
    response.on('drain', write)
    write()
  }
  const { address } = await open(media(`${world.panel.streams.balancer}/big.ts`))
  const { addresses } = await world.readPlaylist(viewer, address)
  const response = await viewer.client.request(addresses[0]!)
  const reader = response.body!.getReader()
  await reader.read()
  const steady = async () => {
    const before = written
    await new Promise((resolve) => setTimeout(resolve, 100))
    return written === before
  }
  await expect.poll(steady, { timeout: 5_000 }).toBe(true)
  expect(written).toBeLessThan(20 * 1024 * 1024)
  await reader.cancel()
})

test('a playlist that the panel no longer has is requested once more from its original address', async () => {
  const { streams } = world.panel
  let asked = 0
  streams.modes.odd = (response, request) => redirect(`${streams.balancer}/at/${++asked}`)(response, request)
  streams.files['/at/1'] = media('a.ts')
  streams.files['/at/2'] = media('b.ts')
  const { address } = await world.play(viewer, channelId)
  await world.readPlaylist(viewer, address)
  streams.files['/at/1'] = bytes('', 'text/html', 403)
  expect((await world.readPlaylist(viewer, address)).addresses).toHaveLength(1)
  expect((await world.readPlaylist(viewer, address)).addresses).toHaveLength(1)
  expect(asked).toBe(2)
})
