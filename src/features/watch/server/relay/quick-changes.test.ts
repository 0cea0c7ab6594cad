// Channel changes in quick succession: only the last channel is requested from the panel, and a single change is not delayed.
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { plays } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import type { SignedIn } from '../../../../../test/harness/app.ts'
import { bytes, type StreamMode, transport } from '../../../../../test/harness/fake-streams.ts'
import { countedChannel } from '../../../../../test/harness/line-connections.ts'
import { roundCount } from '../../../../../test/harness/scale.ts'
import { type WatchWorld, watchWorld } from '../../../../../test/harness/watch-world.ts'
import { endPlay, type OpenedPlay } from '../../contract.ts'
import { openingsOf } from '../plays/count-openings.ts'
import { relayOf } from './relay.ts'

const { holdMs } = limits.relay
/** The number of channel changes in a burst, one every 100 ms. */
const changes = roundCount('ZAPS', { short: 12, full: 100 })
let world: WatchWorld
let news: number[]
beforeAll(async () => {
  world = await watchWorld()
  news = [await world.addChannel('news'), await world.addChannel('news'), await world.addChannel('news')]
})
afterAll(() => world.close())
beforeEach(() => {
  limits.relay.holdMs = holdMs
  onTestFinished(() => {
    limits.relay.holdMs = 0
  })
})

/** Returns the channels that were requested from the panel since the last call of this function. */
function asked(): number {
  const { requests } = world.panel.streams
  const count = requests.filter((path) => path.includes('/live/')).length
  requests.length = 0
  return count
}
const statusOf = async (viewer: SignedIn, { address }: OpenedPlay) => (await viewer.client.request(address)).status
const overtaken = () => openingsOf(world.app.context.config).all.get('live overtaken')?.count ?? 0
/** Makes the last channel change older. */
const passTime = (viewer: SignedIn, ms: number) =>
  world.app.db
    .update(plays)
    .set({ openedAt: sql`opened_at - make_interval(secs => ${ms / 1_000})` })
    .where(eq(plays.userId, viewer.user.id))
/** Opens a channel and returns how many milliseconds that took. */
async function timed(viewer: SignedIn, channel: number): Promise<number> {
  const began = performance.now()
  await world.play(viewer, channel)
  return performance.now() - began
}

describe('a channel change is not delayed', () => {
  beforeEach(() => {
    limits.relay.holdMs = 2_000
  })

  test('if the device played nothing before', async () => {
    expect(await timed(await world.signInViewer(), news[0]!)).toBeLessThan(1_500)
  })

  test('if the last one was a second ago', async () => {
    const viewer = await world.signInViewer()
    await world.play(viewer, news[0]!)
    await passTime(viewer, limits.relay.quickMs)
    expect(await timed(viewer, news[1]!)).toBeLessThan(1_500)
  })

  test('because of changes on another device', async () => {
    const [viewer, other] = [await world.signInViewer(), await world.signInViewer()]
    await world.play(other, news[0]!)
    expect(await timed(viewer, news[1]!)).toBeLessThan(1_500)
  })
})

test('a change within a second of the last one is delayed, and its channel is then requested once', async () => {
  const viewer = await world.signInViewer()
  await world.play(viewer, news[0]!)
  asked()
  expect(await timed(viewer, news[1]!)).toBeGreaterThanOrEqual(holdMs - 5)
  expect(asked()).toBe(1)
})

test(`${changes} changes, ten a second: the last channel plays, and the panel is asked at most five times`, {
  timeout: 20_000 + changes * 200,
}, async () => {
  const viewer = await world.signInViewer()
  asked()
  const before = overtaken()
  const opening: Promise<OpenedPlay>[] = []
  for (let n = 0; n < changes; n++) {
    opening.push(world.play(viewer, news[n % news.length]!))
    await sleep(100)
  }
  const opened = await Promise.all(opening)
  const calls = asked()
  expect(calls).toBeLessThanOrEqual(5)
  expect(overtaken() - before).toBeGreaterThanOrEqual(changes - calls)
  const last = opened.at(-1)!
  expect(last.generation).toBe(Math.max(...opened.map(({ generation }) => generation)))
  expect(await statusOf(viewer, last)).toBe(200)
  const [play] = await world.app.db.select().from(plays).where(eq(plays.id, last.id))
  expect(play).toMatchObject({ channelId: news[(changes - 1) % news.length], endedAt: null })
  // The other requests get addresses that no longer work, like those of an earlier channel.
  for (const each of opened.slice(0, -1)) expect(await statusOf(viewer, each)).toBe(404)
})

test('the more changes follow each other every 400 milliseconds, the longer the last one is delayed', async () => {
  const viewer = await world.signInViewer()
  await world.play(viewer, news[0]!)
  asked()
  const opening: Promise<OpenedPlay>[] = []
  for (let n = 1; n <= 8; n++) {
    await sleep(400)
    opening.push(world.play(viewer, news[n % news.length]!))
  }
  const opened = await Promise.all(opening)
  expect(asked()).toBeLessThanOrEqual(3)
  expect(await statusOf(viewer, opened.at(-1)!)).toBe(200)
})

test('the channel of a delayed change is not requested if another process has opened a later one', async () => {
  const viewer = await world.signInViewer()
  await world.play(viewer, news[0]!)
  asked()
  const held = world.play(viewer, news[1]!)
  await sleep(holdMs / 2)
  // The same update as in the transaction of another process.
  await world.app.db.update(plays).set({ generation: sql`generation + 1` }).where(eq(plays.userId, viewer.user.id))
  expect(await statusOf(viewer, await held)).toBe(404)
  expect(asked()).toBe(0)
})

test('a channel that the viewer stops during the delay is not requested', async () => {
  const viewer = await world.signInViewer()
  const { id } = await world.play(viewer, news[0]!)
  asked()
  const held = world.play(viewer, news[1]!)
  await sleep(holdMs / 3)
  await viewer.client.call(endPlay, { params: { playId: id }, query: {} })
  expect(await statusOf(viewer, await held)).toBe(410)
  expect(asked()).toBe(0)
})

describe('while the panel is still opening a channel', () => {
  test.each<[string, StreamMode]>([
    ['sends no headers', () => {}],
    ['sends headers only', (response) => response.writeHead(200).flushHeaders()],
  ])('and %s, opening another channel closes the first one immediately', async (_, mode) => {
    const { streams } = world.panel
    streams.modes.slow = mode
    const [slow, viewer] = [await world.addChannel('slow'), await world.signInViewer()]
    const stuck = world.play(viewer, slow)
    await expect.poll(() => streams.open()).toBe(1)
    await passTime(viewer, limits.relay.quickMs)
    const next = await world.play(viewer, news[0]!)
    expect(await statusOf(viewer, await stuck)).toBe(404)
    expect(await statusOf(viewer, next)).toBe(200)
    await expect.poll(() => streams.open()).toBe(0)
    const [play] = await world.app.db.select().from(plays).where(eq(plays.id, next.id))
    expect(play).toMatchObject({ endedAt: null, why: null })
  })
})

test('quick changes between transport streams never use two connections of the line at the same time', async () => {
  const { streams } = world.panel
  const counted = countedChannel('closes_oldest', 1)
  Object.assign(streams.modes, { tape: bytes('', 'text/html', 404), 'tape.ts': counted.mode })
  const [first, second, viewer] = [
    await world.addChannel('tape'),
    await world.addChannel('tape'),
    await world.signInViewer(),
  ]
  const opening: Promise<OpenedPlay>[] = []
  for (let n = 0; n < 12; n++) {
    opening.push(world.play(viewer, n % 2 ? second : first))
    await sleep(60)
  }
  const last = (await Promise.all(opening)).at(-1)!
  expect(await statusOf(viewer, last)).toBe(200)
  expect([counted.most(), counted.over(), counted.open()]).toEqual([1, 0, 1])
})

test('if the stream of an earlier channel opens late, it does not close the stream of the later channel', async () => {
  const { traffic, packaged } = relayOf(world.app.context)
  const { streams } = world.panel
  Object.assign(streams.modes, { late: bytes('', 'text/html', 404), 'late.ts': transport() })
  const [channel, viewer] = [await world.addChannel('late'), await world.signInViewer()]
  const opened = await world.play(viewer, channel)
  traffic.retune(opened.id, opened.generation - 1)
  const early = traffic.hold(opened.id, opened.generation - 1)
  expect(early.signal.aborted).toBe(true)
  early.end()
  let isClosed = false
  const source = {
    kind: 'transport' as const,
    url: new URL('http://panel.example/'),
    head: Buffer.alloc(0),
    chunks: { next: () => Promise.resolve({ done: true as const, value: undefined }) },
    close: () => {
      isClosed = true
    },
  }
  const reopen = () => Promise.reject(new Error('Not reopened'))
  const options = { source, recording: undefined, reopen, onCodecs: () => {}, onFailure: () => {} }
  expect(() => packaged.start(opened.id, opened.generation - 1, options)).toThrow('another channel')
  expect([isClosed, await statusOf(viewer, opened)]).toEqual([true, 200])
})
