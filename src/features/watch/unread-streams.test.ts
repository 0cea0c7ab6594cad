import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { limits } from '#server/limits.ts'
import { bytes, playlist, type StreamMode, segmentOf } from '../../../test/harness/fake-streams.ts'
import { type ServedApp, serveApp } from '../../../test/harness/served-app.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { relayOf } from './server/relay/relay.ts'

let world: WatchWorld
let served: ServedApp
let wide: number
beforeAll(async () => {
  world = await watchWorld()
  served = await serveApp(world.app)
  world.panel.streams.modes.wide = bytes('<html>Missing</html>', 'text/html', 404)
  world.panel.streams.modes['wide.ts'] = wideStream
  wide = await world.addChannel('wide')
})
afterAll(async () => {
  served.close()
  await world.close()
})
const { stalledMs } = limits.relay
beforeEach(() => {
  limits.relay.stalledMs = 2_000
  onTestFinished(() => {
    limits.relay.stalledMs = stalledMs
  })
})

/** A transport stream whose first segment has 10 MB, more than the kernel buffers for a connection. */
const wideStream: StreamMode = (response) => {
  const filling = Buffer.alloc(188 * 54_000)
  for (let at = 0; at < filling.length; at += 188) {
    filling.set([0x47, 0x05, 0x00, 0x10], at)
    // A packet that is identical to the previous one would be left out.
    filling.writeUInt32BE(at, at + 4)
  }
  response.writeHead(200, { 'content-type': 'video/mp2t' })
  for (const part of [segmentOf(0), filling, segmentOf(1), segmentOf(2)]) response.write(part)
}

/** Requests an address on a separate connection and reads nothing. */
async function requestUnread(address: string): Promise<void> {
  const socket = connect(served.port, '127.0.0.1').pause()
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(`GET ${address} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
}

test('a viewer who does not read a segment that was cut here occupies one of the six request slots of the play, and is disconnected', async () => {
  const viewer = await world.signInViewer()
  const { address } = await world.play(viewer, wide)
  const { addresses } = await world.readPlaylist(viewer, address)
  const { traffic } = relayOf(world.app.context)
  const whole = async () => {
    const response = await fetch(served.url + addresses[0]!)
    return [response.status, (await response.arrayBuffer()).byteLength] as const
  }
  const [status, length] = await whole()
  expect([status, length > 10_000_000]).toEqual([200, true])
  const expectRunning = async (count: number, withinMs: number) => {
    for (const until = performance.now() + withinMs; traffic.running !== count && performance.now() < until; )
      await sleep(20)
    expect(traffic.running).toBe(count)
  }
  await expectRunning(0, 1_000)
  const open = served.open()
  for (let n = 0; n < limits.relay.atOnce; n++) await requestUnread(addresses[0]!)
  await expectRunning(limits.relay.atOnce, 1_500)
  expect((await fetch(served.url + addresses[0]!)).status).toBe(429)
  await expectRunning(0, 10_000)
  await expect.poll(served.open).toBeLessThanOrEqual(open)
  expect(await whole()).toEqual([200, length])
})

test('a connection whose response was read stays open for the next request', async () => {
  const viewer = await world.signInViewer()
  limits.relay.stalledMs = 300
  const { address } = await world.play(viewer, wide)
  const before = served.opened()
  await fetch(served.url + address).then((response) => response.text())
  await sleep(600)
  await fetch(served.url + address).then((response) => response.text())
  expect(served.opened() - before).toBeLessThanOrEqual(1)
})

test('a segment that breaks off immediately gives a truncated response or a 504 with the reason, never an internal error', async () => {
  const { streams } = world.panel
  streams.files['/short.ts'] = (response) => {
    response.writeHead(200, { 'content-length': '999999' }).write(segmentOf(0))
    setTimeout(() => response.destroy(), Math.random() * 3)
  }
  streams.modes.short = (...call) =>
    playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', '#EXTINF:2,', `${streams.balancer}/short.ts`)(...call)
  const [short, viewer] = [await world.addChannel('short'), await world.signInViewer()]
  const { address } = await world.play(viewer, short)
  const { addresses } = await world.readPlaylist(viewer, address)
  const statuses = new Set<number>()
  for (let n = 0; n < 30; n++) {
    const response = await fetch(served.url + addresses[0]!)
    statuses.add(response.status)
    await response.arrayBuffer().catch(() => undefined)
  }
  expect([...statuses].filter((status) => status !== 200 && status !== 504)).toEqual([])
})
