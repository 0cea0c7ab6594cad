// Screens with two processes and a panel that counts connections: many devices on one line, a killed process, and quick channel changes.
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { connect, type Database } from '#server/db/connect.ts'
import { plays, streamPanels } from '#server/db/tables.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { startFakePanel } from '../../harness/fake-panel.ts'
import { bytes } from '../../harness/fake-streams.ts'
import type { HttpUser } from '../../harness/http-user.ts'
import { countedChannel, type FullLineBehavior } from '../../harness/line-connections.ts'
import { dataFolder, type RunningApp, runApp } from '../../harness/running-app.ts'
import { roundCount } from '../../harness/scale.ts'
import { silentLog } from '../../harness/silent-log.ts'
import { streamEnvironment } from '../../harness/stream-app.ts'
import { offerStreams, storeViewers } from '../../harness/watch-installation.ts'

const devices = 50
const roundsPerDevice = roundCount('SCREEN_ROUNDS', { full: 40 })
const channelChanges = roundCount('ZAPS', { full: 25 })
const connections = 3

const data = dataFolder()
const behaviors: FullLineBehavior[] = ['closes_oldest', 'refuses', 'lags']
const lagMs = 5_000
/** The number of channel changes in the storm, at ten per second. */
const stormChanges = 100
let panel: Awaited<ReturnType<typeof startFakePanel>>
let apps: RunningApp[]
let database: Database
let channels: number[]
const env = streamEnvironment()
const start = () => runApp({ dataDir: data.path, env })
const viewersOf = (count: number, others: object) =>
  storeViewers(database.db, readConfig({ DATA_DIR: data.path, ...env }), panel.url, { count, ...others })
const counted = {
  many: countedChannel('closes_oldest', connections),
  closes_oldest: countedChannel('closes_oldest', 1),
  refuses: countedChannel('refuses', 1),
  lags: countedChannel('lags', 1, { lagMs }),
  shared: countedChannel('closes_oldest', 2),
  storm: countedChannel('closes_oldest', 1),
  slow: countedChannel('closes_oldest', connections, { answerMs: 2_000 }),
  // A panel counts HLS for 30 seconds after its last request.
  hls: countedChannel('refuses', 1, { streams: () => panel.streams }),
}

beforeAll(async () => {
  panel = await startFakePanel()
  env.PANEL_URL = panel.url
  apps = [await start(), await start()]
  const embedded = await startEmbedded({ dataDir: data.path, log: silentLog })
  database = connect(embedded.connection, { log: silentLog, connectTimeoutMs: 15_000 })
  const names = Object.keys(counted)
  for (const [name, { mode, playlist }] of Object.entries(counted)) {
    panel.streams.modes[`${name}.ts`] = mode
    panel.streams.modes[name] = name === 'hls' ? playlist : bytes('<html>Missing</html>', 'text/html', 404)
  }
  channels = await offerStreams(
    database.db,
    [...names, ...names].map((name, n) => `${name}.${n}`),
  )
}, 120_000)
afterAll(async () => {
  await database?.close()
  for (const app of apps ?? []) await app.stop()
  await panel?.close()
  data.remove()
})

const anyApp = () => apps[Math.floor(Math.random() * apps.length)]!.url
type Opened = { status: number; code: string; id: string; generation: number; address: string }
async function open(device: HttpUser, channelId: number, take?: string, url = anyApp()): Promise<Opened> {
  const { status, body } = await device.send(url, 'POST', '/api/plays', { channelId, ...(take && { take }) })
  return {
    status,
    code: String(body.code),
    id: String(body.id),
    generation: Number(body.generation),
    address: String(body.address),
  }
}
/** Loads the first segment of a play, as a player does. Returns its size in bytes, or 0 if it is refused. */
async function picture(device: HttpUser, address: string, url = anyApp()): Promise<number> {
  const headers = { cookie: device.cookie() }
  const text = await (await fetch(url + address, { headers, signal: AbortSignal.timeout(20_000) })).text()
  const segment = /^\/stream\/\S+$/m.exec(text)?.[0]
  if (!segment) return 0
  const response = await fetch(url + segment, { headers, signal: AbortSignal.timeout(20_000) })
  const { byteLength } = await response.arrayBuffer()
  return response.status === 200 ? byteLength : 0
}
/** Returns the two channels of an entry of `counted`. */
function pairOf(name: keyof typeof counted): [number, number] {
  const names = Object.keys(counted)
  const at = names.indexOf(name)
  return [channels[at]!, channels[at + names.length]!]
}
/** Opens a channel. As the page does, retries while the panel still counts the previous stream. */
async function openLikePage(device: HttpUser, channelId: number): Promise<Opened> {
  let opened = await open(device, channelId)
  for (const waitMs of [1_000, 2_000, 4_000, 8_000]) {
    if (opened.code !== 'too_many') break
    await sleep(waitMs)
    opened = await open(device, channelId)
  }
  return opened
}
async function end(device: HttpUser, id: string): Promise<void> {
  const url = anyApp()
  const headers = { origin: url, cookie: device.cookie(), 'content-type': 'application/json' }
  await fetch(`${url}/api/plays/${id}`, { method: 'DELETE', headers, body: '{}' })
}

test(`${devices} devices in ${roundsPerDevice} rounds on ${connections} connections: the panel never has more, also when a process is killed`, {
  timeout: 120_000 + roundsPerDevice * 5_000,
}, async () => {
  const [browsers] = await viewersOf(1, { connections, browsers: devices })
  const channel = counted.many
  const statuses: Record<string, number> = {}
  let pictures = 0
  const playing = new Set<HttpUser>()
  const act = async (device: HttpUser) => {
    const other = channels[Object.keys(counted).length]!
    const { body } = await device.send(anyApp(), 'GET', '/api/plays')
    const running = body as never as { id: string; isHere: boolean }[]
    const mine = running.find(({ isHere }) => isHere)
    if (mine && Math.random() < 0.6) {
      playing.delete(device)
      return end(device, mine.id)
    }
    const take = Math.random() < 0.05 ? running.find(({ isHere }) => !isHere)?.id : undefined
    const opened = await open(device, Math.random() < 0.5 ? channels[0]! : other, take)
    const what = opened.status === 200 ? 'played' : opened.code
    statuses[what] = (statuses[what] ?? 0) + 1
    if (opened.status === 200) playing.add(device)
    if (opened.status === 200 && (await picture(device, opened.address)) > 0) pictures++
  }
  let killed = 0
  for (let turn = 0; turn < roundsPerDevice; turn++) {
    const acting = new Set([...playing, ...browsers!.toSorted(() => Math.random() - 0.5).slice(0, 8)])
    if (turn % 10 === 9) {
      process.kill(apps[1]!.pid, 'SIGKILL')
      killed++
      await apps[1]!.ended()
      apps[1] = await start()
    }
    await Promise.all([...acting].map((device) => act(device).catch(() => undefined)))
  }
  console.log(
    `${JSON.stringify(statuses)}, ${pictures} pictures, ${killed} kills, ${channel.over()} times over the limit`,
  )
  expect(statuses.played).toBeGreaterThan(roundsPerDevice)
  expect(pictures).toBeGreaterThan(0)
  expect(channel.most()).toBeLessThanOrEqual(connections)
  // 40 seconds after the last request all screens are free, whatever the killed processes left behind.
  await sleep(41_000)
  const fresh = await Promise.all(browsers!.slice(0, connections).map((device) => open(device, channels[0]!)))
  expect(fresh.map(({ status, code }) => (status === 200 ? 'played' : code))).toEqual(['played', 'played', 'played'])
  for (const [n, { id }] of fresh.entries()) await end(browsers![n]!, id)
  await expect.poll(channel.open, { timeout: 5_000 }).toBe(0)
})

describe.each(behaviors)('a panel that %s over its limit', (behavior) => {
  test(`${channelChanges} channel changes on one connection each end with a picture or the reason for its absence`, {
    timeout: 60_000 + channelChanges * 40_000,
  }, async () => {
    const [[device]] = (await viewersOf(1, { browsers: 1 })) as [[HttpUser]]
    const pair = pairOf(behavior)
    let pictures = 0
    let longestMs = 0
    for (let zap = 0; zap < channelChanges; zap++) {
      const began = performance.now()
      const opened = await openLikePage(device, pair[zap % 2]!)
      if (opened.status === 200 && (await picture(device, opened.address)) > 0) pictures++
      else expect(['too_many']).toContain(opened.code)
      longestMs = Math.max(longestMs, performance.now() - began)
      await sleep(500)
    }
    console.log(
      `${behavior}: ${pictures} of ${channelChanges} pictures, at most ${Math.round(longestMs)} ms, ${counted[behavior].requests()} requests`,
    )
    expect(longestMs).toBeLessThan(35_000)
    expect(pictures).toBeGreaterThanOrEqual(behavior === 'lags' ? channelChanges * 0.9 : channelChanges * 0.975)
    expect(counted[behavior].most()).toBe(1)
  })
})

test(`${channelChanges} channel changes on one device do not interrupt another device of the line`, {
  timeout: 60_000 + channelChanges * 20_000,
}, async () => {
  const [[watching, changing]] = (await viewersOf(1, { connections: 2, browsers: 2 })) as [[HttpUser, HttpUser]]
  const pair = pairOf('shared')
  const { address } = await open(watching, pair[0]!)
  const seen = { watching: 0, changing: 0 }
  for (let zap = 0; zap < channelChanges; zap++) {
    const opened = await open(changing, pair[zap % 2]!)
    if (opened.status === 200 && (await picture(changing, opened.address)) > 0) seen.changing++
    if ((await picture(watching, address)) > 0) seen.watching++
    await sleep(500)
  }
  console.log(
    `${seen.changing} and ${seen.watching} of ${channelChanges} pictures, ${counted.shared.requests()} requests`,
  )
  expect(seen.watching).toBe(channelChanges)
  expect(seen.changing).toBeGreaterThanOrEqual(channelChanges * 0.975)
  // Above the limit, the panel would have closed the connection of the watching device.
  expect([counted.shared.most(), counted.shared.over()]).toEqual([2, 0])
})

test(`${channelChanges} channel changes on a panel that refuses and counts HLS for 30 seconds show pictures once the app has learned this`, {
  timeout: 240_000 + channelChanges * 40_000,
}, async () => {
  const [[device]] = (await viewersOf(1, { browsers: 1 })) as [[HttpUser]]
  const pair = pairOf('hls')
  await database.db.delete(streamPanels)
  /** Changes the channel `count` times, or until `isDone`. Returns the numbers of changes and pictures, and the longest wait. */
  const change = async (count: number, isDone = async (_hasPicture: boolean) => false) => {
    const seen = { changes: 0, pictures: 0, longestMs: 0 }
    while (seen.changes < count) {
      const began = performance.now()
      const opened = await openLikePage(device, pair[seen.changes++ % 2]!)
      const hasPicture = opened.status === 200 && (await picture(device, opened.address)) > 0
      if (hasPicture) seen.pictures++
      else expect(opened.code).toBe('too_many')
      seen.longestMs = Math.max(seen.longestMs, performance.now() - began)
      if (await isDone(hasPicture)) break
      await sleep(500)
    }
    return seen
  }
  // The app learns from the first refusals. The HLS stream that plays then still counts for 30 seconds.
  const learning = await change(10, async (hasPicture) => {
    const [known] = await database.db.select().from(streamPanels)
    return hasPicture && known?.overLimit === 'refuses'
  })
  const settling = await change(4)
  const known = await change(channelChanges)
  const words = ({ changes, pictures, longestMs }: typeof known) =>
    `${pictures} of ${changes} pictures, at most ${Math.round(longestMs)} ms`
  console.log(`HLS: learning ${words(learning)}; then ${words(settling)}; then ${words(known)}`)
  expect(known.longestMs).toBeLessThan(35_000)
  expect(known.pictures).toBeGreaterThanOrEqual(channelChanges * 0.975)
})

test(`${stormChanges} channel changes, ten per second, in two processes: the last channel plays, and the panel gets at most five requests`, {
  timeout: 90_000,
}, async () => {
  const [[device]] = (await viewersOf(1, { browsers: 1 })) as [[HttpUser]]
  const pair = pairOf('storm')
  // Opens both channels once, so that the app knows afterwards that the panel has no HLS for them.
  for (const channel of pair) await open(device, channel)
  await sleep(1_500)
  const before = panel.streams.requests.length
  const opening: Promise<Opened>[] = []
  for (let n = 0; n < stormChanges; n++) {
    opening.push(open(device, pair[n % 2]!))
    await sleep(100)
  }
  const opened = await Promise.all(opening)
  const asked = panel.streams.requests.slice(before).filter((path) => path.includes('/storm.')).length
  console.log(`${asked} requests, ${counted.storm.over()} over the limit`)
  expect(opened.filter(({ status }) => status !== 200)).toEqual([])
  expect(asked).toBeLessThanOrEqual(5)
  // Two requests to different processes may overtake each other, so the last one is the one with the highest generation.
  const generations = opened.map(({ generation }) => generation)
  const at = generations.indexOf(Math.max(...generations))
  const last = opened[at]!
  expect(at).toBeGreaterThanOrEqual(stormChanges - 10)
  expect(await picture(device, last.address)).toBeGreaterThan(0)
  const [play] = await database.db.select().from(plays).where(eq(plays.id, last.id))
  expect(play).toMatchObject({ channelId: pair[at % 2], generation: last.generation, endedAt: null })
  expect([counted.storm.most(), counted.storm.over(), counted.storm.open()]).toEqual([1, 0, 1])
})

test('a channel that the other process is still opening is closed before the next channel is requested from the panel', {
  timeout: 60_000,
}, async () => {
  const [browsers] = (await viewersOf(1, { connections, browsers: connections + 1 })) as [HttpUser[]]
  const [first, second] = pairOf('slow')
  const [changing, taking, ...others] = browsers as [HttpUser, HttpUser, ...HttpUser[]]
  // Opens both channels once, so that the app knows afterwards that the panel has no HLS for them.
  for (const channel of [first, second]) await open(changing, channel)
  await Promise.all(others.map((device) => open(device, first)))
  const before = counted.slow.over()
  const [one, other] = apps.map(({ url }) => url)
  for (const [at, next] of [
    [one, other],
    [other, one],
  ]) {
    const overtaken = open(changing, second, undefined, at)
    // Long enough that the next change does not count as a quick change, which the app would delay.
    await sleep(1_200)
    const opened = await open(changing, first, undefined, next)
    expect(opened.status).toBe(200)
    await overtaken
    await sleep(1_200)
  }
  // Another device takes the screen that is being opened.
  const lost = open(changing, second, undefined, one)
  await sleep(1_200)
  const { body } = await changing.send(one!, 'GET', '/api/plays')
  const mine = (body as never as { id: string; isHere: boolean }[]).find(({ isHere }) => isHere)!
  expect((await open(taking, first, mine.id, other)).status).toBe(200)
  await lost
  console.log(`${counted.slow.most()} connections, ${counted.slow.over() - before} over the limit`)
  expect([counted.slow.most(), counted.slow.over() - before]).toEqual([connections, 0])
})
