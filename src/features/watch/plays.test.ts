import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { lines, plays, sessions } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { openSession } from '#server/session/session.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { linePassword } from '../../../test/harness/fake-panel.ts'
import { bytes, segmentOf } from '../../../test/harness/fake-streams.ts'
import { withUnavailableTable } from '../../../test/harness/unavailable-table.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { endPlay, getPlay, listPlays, type OpenedPlay } from './contract.ts'
import { relayOf } from './server/relay/relay.ts'

let world: WatchWorld
let news: number
let direct: number
beforeAll(async () => {
  world = await watchWorld()
  news = await world.addChannel('news')
  direct = await world.addChannel('direct')
})
afterAll(() => world.close())
afterEach(() => {
  for (const secret of [linePassword, encodeURIComponent(linePassword), world.panel.streams.balancer])
    expect(world.app.logs.join('\n')).not.toContain(secret)
})

/** The same customer in another browser. */
async function otherBrowser({ user }: SignedIn): Promise<SignedIn> {
  const client = world.app.client()
  client.cookies.set('sid', await openSession(world.app.db, user, { ip: '127.0.0.1', userAgent: 'test' }))
  return { client, user }
}
const statusOf = async (viewer: SignedIn, address: string, headers: Record<string, string> = {}) =>
  (await viewer.client.request(address, { headers })).status

test('a channel plays through this site, and no response contains the credentials or the address of the panel', async () => {
  const viewer = await world.signInViewer()
  const { address } = await world.play(viewer, news)
  const response = await viewer.client.request(address)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/vnd.apple.mpegurl',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': expect.stringContaining('sandbox'),
  })
  const first = await response.text()
  const { text, addresses } = await world.readPlaylist(viewer, address)
  expect(addresses).toHaveLength(6)
  // Players compare the addresses in two readings of a playlist, so segments that are in both must have the same address.
  const again = await world.readPlaylist(viewer, address)
  expect(again.addresses.filter((each) => addresses.includes(each)).length).toBeGreaterThan(1)
  const segment = await viewer.client.request(addresses[0]!)
  expect(segment.headers.get('content-type')).toBe('video/mp2t')
  const received = Buffer.from(await segment.arrayBuffer())
  expect([0, 1, 2, 3, 4, 5].some((n) => received.equals(segmentOf(n)))).toBe(true)
  const shown = [first, text, address, ...addresses, JSON.stringify([...response.headers, ...segment.headers])].join(
    '\n',
  )
  for (const secret of ['line', encodeURIComponent(linePassword), new URL(world.panel.url).host, 'secret'])
    expect(shown.replaceAll('stream/', '')).not.toContain(`/${secret}`)
  // The panel received one request for the channel: a second one would open another connection.
  expect(
    world.panel.streams.requests.filter((path) => path.includes('/live/') && path.includes('/news.')),
  ).toHaveLength(1)
})

test('while the database is unavailable, a request for a stream gets 503, and its address is not logged', async () => {
  const viewer = await world.signInViewer()
  const { address } = await world.play(viewer, direct)
  await withUnavailableTable(world.app.database.pool, 'plays', async () => {
    expect(await statusOf(viewer, address)).toBe(503)
  })
  const logged = world.app.logs.filter((line) => line.includes('database unavailable')).join('\n')
  const [, , play, sealed] = address.split('/')
  expect(logged).toContain(`/stream/${play}`)
  expect(logged).not.toContain(sealed)
  expect(await statusOf(viewer, address)).toBe(200)
})

test('a range of a segment is passed on; several ranges, other methods and requests from pages of other sites are refused', async () => {
  const viewer = await world.signInViewer()
  const { address } = await world.play(viewer, direct)
  const { addresses } = await world.readPlaylist(viewer, address)
  expect(await statusOf(viewer, addresses[0]!, { range: 'bytes=0-99' })).toBe(200)
  expect(await statusOf(viewer, addresses[0]!, { range: 'bytes=0-1,5-6' })).toBe(416)
  expect(await statusOf(viewer, addresses[0]!, { 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect((await viewer.client.request(address, { method: 'HEAD' })).status).toBe(405)
  expect((await viewer.client.request(address, { method: 'POST' })).status).toBe(405)
})

test('changed addresses, and those of other plays or earlier channels, get the same 404', async () => {
  const viewer = await world.signInViewer()
  const other = await world.signInViewer()
  const { id, address } = await world.play(viewer, news)
  const { id: otherId } = await world.play(other, news)
  await world.play(viewer, direct)
  const bodies = new Set<string>()
  for (const path of [
    address,
    address.replace(id, otherId),
    address.replace(/(.)\.m3u8$/, (_, last) => `${last === 'A' ? 'B' : 'A'}.m3u8`),
    `/stream/${id}/x.m3u8`,
    `/stream/x/y.ts`,
  ]) {
    const response = await viewer.client.request(path)
    expect(response.status).toBe(404)
    bodies.add(await response.text())
  }
  expect(bodies.size).toBe(1)
})

describe('a play ends and its addresses stop working when', () => {
  test.each<[string, string, (viewer: SignedIn) => Promise<unknown>]>([
    [
      'the line is disabled',
      'expired',
      ({ user }) => world.app.db.update(lines).set({ wantedEnabled: false }).where(eq(lines.userId, user.id)),
    ],
    [
      'the session ends',
      'session_over',
      ({ user }) => world.app.db.delete(sessions).where(eq(sessions.userId, user.id)),
    ],
  ])('%s', async (_, why, change) => {
    const viewer = await world.signInViewer()
    const { id, address } = await world.play(viewer, news)
    await change(viewer)
    const response = await viewer.client.request(address)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([410, why])
    expect((await world.app.db.select().from(plays).where(eq(plays.id, id)))[0]).toMatchObject({ why })
  })

  test('another process ends it, although a request was just served', async () => {
    const viewer = await world.signInViewer()
    const { id, address } = await world.play(viewer, news)
    expect(await statusOf(viewer, address)).toBe(200)
    await world.app.db.update(plays).set({ endedAt: sql`now()`, why: 'taken' }).where(eq(plays.id, id))
    await relayOf(world.app.context).traffic.checkNow()
    expect(await statusOf(viewer, address)).toBe(410)
  })

  test('the session ends: the cached state of a play that is in use is read again before it expires', async () => {
    const { traffic } = relayOf(world.app.context)
    const viewers = [await world.signInViewer(), await world.signInViewer()]
    const opened = await Promise.all(viewers.map((viewer) => world.play(viewer, news)))
    const expireSoon = async () => {
      for (const [n, { address }] of opened.entries()) expect(await statusOf(viewers[n]!, address)).toBe(200)
      for (const { id } of opened) traffic.of(id).state!.until = Date.now() + limits.relay.checkMs
      await traffic.checkNow()
      for (const { id } of opened) expect(traffic.of(id).state!.until).toBeGreaterThan(Date.now() + 2_000)
    }
    await expireSoon()
    await world.app.db.delete(sessions).where(eq(sessions.userId, viewers[0]!.user.id))
    await expireSoon()
    expect(await statusOf(viewers[0]!, opened[0]!.address)).toBe(410)
    expect(await statusOf(viewers[1]!, opened[1]!.address)).toBe(200)
  })

  test('viewers in two networks share the play', async () => {
    const { sharedAfterMs } = limits.relay
    limits.relay.sharedAfterMs = 0
    onTestFinished(() => {
      limits.relay.sharedAfterMs = sharedAfterMs
    })
    const viewer = await world.signInViewer()
    const { id, address } = await world.play(viewer, news)
    const from = async (ip: string) => (await world.app.client({ ip }).request(address)).status
    for (const ip of ['192.0.2.1', '198.51.100.1', '192.0.2.7']) expect(await from(ip)).toBe(200)
    // The turns have to be older than 0 ms.
    await sleep(5)
    expect(await from('198.51.100.7')).toBe(410)
    expect(await viewer.client.call(getPlay, { params: { playId: id } })).toMatchObject({ why: 'shared_address' })
  })

  test('the session ends: the cached state of a play that is not in use expires after `stateMs`', async () => {
    const { traffic } = relayOf(world.app.context)
    const { stateMs } = limits.relay
    const viewer = await world.signInViewer()
    const { id, address } = await world.play(viewer, news)
    expect(await statusOf(viewer, address)).toBe(200)
    await world.app.db.delete(sessions).where(eq(sessions.userId, viewer.user.id))
    const { state } = traffic.of(id)
    expect(state!.until).toBeLessThanOrEqual(Date.now() + stateMs)
    state!.until = Date.now() - 1
    // States are read again early only while the play is in use.
    traffic.of(id).usedAt = Date.now() - 2 * stateMs
    expect(await statusOf(viewer, address)).toBe(410)
  })

  test('the viewer stops it, although a request was just served', async () => {
    const viewer = await world.signInViewer()
    const { id, address } = await world.play(viewer, news)
    expect(await statusOf(viewer, address)).toBe(200)
    await viewer.client.call(endPlay, { params: { playId: id }, query: {} })
    await viewer.client.call(endPlay, { params: { playId: id }, query: {} })
    expect(await statusOf(viewer, address)).toBe(410)
    expect(await viewer.client.call(listPlays, {})).toEqual([])
  })
})

describe('screens', () => {
  test('a browser uses one screen, also after a channel change; a second browser is refused and shown what plays', async () => {
    const viewer = await world.signInViewer(1)
    const { id } = await world.play(viewer, news)
    expect((await world.play(viewer, direct)).id).toBe(id)
    const second = await otherBrowser(viewer)
    await expect(world.play(second, news)).rejects.toMatchObject({ status: 409, code: 'slots_full' })
    expect(await second.client.call(listPlays, {})).toMatchObject([{ id, channelId: direct, isHere: false }])
  })

  test('another browser takes over the screen, the first browser shows which one did, and takeovers are limited to three a minute', async () => {
    const viewer = await world.signInViewer(1)
    const second = await otherBrowser(viewer)
    const first = await world.play(viewer, news)
    const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0' }
    const taking = await second.client.post('/api/plays', { channelId: news, take: first.id }, headers)
    const taken = (await taking.json()) as OpenedPlay
    const response = await viewer.client.request(first.address)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([410, 'taken'])
    expect(await viewer.client.call(getPlay, { params: { playId: first.id } })).toMatchObject({
      why: 'taken',
      takenBy: 'Chrome on Windows',
    })
    expect(await statusOf(second, taken.address)).toBe(200)
    const back = await world.play(viewer, news, taken.id)
    const again = await world.play(second, news, back.id)
    await expect(world.play(viewer, news, again.id)).rejects.toMatchObject({ status: 409, code: 'took_turns' })
  })

  test('a play of another customer cannot be taken over, seen or ended', async () => {
    const [viewer, stranger] = [await world.signInViewer(1), await world.signInViewer(1)]
    const { id, address } = await world.play(viewer, news)
    await world.play(stranger, news, id)
    await stranger.client.call(endPlay, { params: { playId: id }, query: {} })
    await expect(stranger.client.call(getPlay, { params: { playId: id } })).rejects.toMatchObject({ status: 404 })
    expect(await statusOf(viewer, address)).toBe(200)
  })

  test('a play without requests for 40 seconds uses no screen', async () => {
    const viewer = await world.signInViewer(1)
    const { id } = await world.play(viewer, news)
    await world.app.db.update(plays).set({ seenAt: sql`now() - interval '41 seconds'` }).where(eq(plays.id, id))
    await world.play(await otherBrowser(viewer), news)
  })

  test('a browser that comes back after its screen was given to another device does not play as well, unless a screen is left', async () => {
    const oneScreen = await world.signInViewer(1)
    const twoScreens = await world.signInViewer(2)
    const statuses: number[] = []
    for (const viewer of [oneScreen, twoScreens]) {
      const { id, address } = await world.play(viewer, news)
      await world.app.db.update(plays).set({ seenAt: sql`now() - interval '41 seconds'` }).where(eq(plays.id, id))
      await world.play(await otherBrowser(viewer), news)
      statuses.push(await statusOf(viewer, address))
      const movedAway = { why: 'closed', takenBy: 'An unknown device' }
      expect(await viewer.client.call(getPlay, { params: { playId: id } })).toMatchObject(
        viewer === oneScreen ? movedAway : { why: null, takenBy: null },
      )
    }
    expect(statuses).toEqual([410, 200])
    // Giving away the screen of a lost device does not count as a takeover.
    const browsers = [await otherBrowser(oneScreen), await otherBrowser(oneScreen), await otherBrowser(oneScreen)]
    for (const browser of browsers) {
      await world.app.db
        .update(plays)
        .set({ seenAt: sql`now() - interval '41 seconds'` })
        .where(and(eq(plays.userId, oneScreen.user.id), isNull(plays.endedAt)))
      await world.play(browser, news)
    }
    const [running] = await browsers[0]!.client.call(listPlays, {})
    await world.play(browsers[0]!, news, running!.id)
  })

  test('after both devices of a screen lost their network, only one of them plays, and each play has the reason why it ended', async () => {
    const first = await world.signInViewer(1)
    const second = await otherBrowser(first)
    const before = await world.play(first, news)
    const taken = await world.play(second, news, before.id)
    await world.app.db.update(plays).set({ seenAt: sql`now() - interval '41 seconds'` }).where(eq(plays.id, taken.id))
    const back = await world.play(first, news)
    expect([await statusOf(first, back.address), await statusOf(second, taken.address)]).toEqual([200, 410])
    const reasonOf = async ({ client }: SignedIn, { id: playId }: OpenedPlay) =>
      client.call(getPlay, { params: { playId } })
    expect(await reasonOf(first, before)).toMatchObject({ why: 'taken', takenBy: 'An unknown device' })
    expect(await reasonOf(second, taken)).toMatchObject({ why: 'closed', takenBy: 'An unknown device' })
    await expect(world.play(second, news)).rejects.toMatchObject({ code: 'slots_full' })
  })

  test('a request keeps the screen for its play', async () => {
    const viewer = await world.signInViewer(1)
    const { id, address } = await world.play(viewer, news)
    await world.app.db.update(plays).set({ seenAt: sql`now() - interval '41 seconds'` }).where(eq(plays.id, id))
    const { seenMs } = limits.relay
    limits.relay.seenMs = 0
    onTestFinished(() => {
      limits.relay.seenMs = seenMs
    })
    expect(await statusOf(viewer, address)).toBe(200)
    await relayOf(world.app.context).traffic.checkNow()
    expect(await viewer.client.call(listPlays, {})).toMatchObject([{ id }])
    await expect(world.play(await otherBrowser(viewer), news)).rejects.toMatchObject({ code: 'slots_full' })
  })

  test('ten browsers that start at the same time do not use more screens than the line has', async () => {
    const viewer = await world.signInViewer(3)
    const browsers = await Promise.all(Array.from({ length: 10 }, () => otherBrowser(viewer)))
    const results = await Promise.allSettled(browsers.map((browser) => world.play(browser, news)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await viewer.client.call(listPlays, {})).toHaveLength(3)
  })
})

describe('a viewer is refused', () => {
  test.each<[string, string, Partial<typeof lines.$inferInsert>]>([
    ['whose line is being created', 'preparing', { panelEnabled: false }],
    ['whose subscription has ended', 'expired', { wantedEnabled: false }],
  ])('%s', async (_, code, line) => {
    const viewer = await world.signInViewer()
    await world.app.db.update(lines).set(line).where(eq(lines.userId, viewer.user.id))
    await expect(world.play(viewer, news)).rejects.toMatchObject({ code })
  })

  test('without a session or a channel', async () => {
    expect((await world.app.client().post('/api/plays', { channelId: news })).status).toBe(401)
    await expect(world.play(await world.signInViewer(), 999_999)).rejects.toMatchObject({ status: 404 })
  })

  test.each(['0x10', '', '2026-02-30T20:00:00Z', '1999-12-31T20:00:00Z'])(
    'who requests the time "%s"',
    async (from) => {
      const { client } = await world.signInViewer()
      const refused = await client.post('/api/plays', { channelId: news, from })
      expect(refused.status).toBe(400)
      expect(await refused.json()).toMatchObject({
        code: 'invalid',
        message: expect.stringMatching(/^Please enter a time such as/),
      })
    },
  )
})

test('the stream from the panel is closed when the viewer leaves or the play is taken over', async () => {
  const viewer = await world.signInViewer(1)
  const { streams } = world.panel
  streams.files['/slow.ts'] = (response) => {
    response.writeHead(200, { 'content-type': 'video/mp2t' })
    response.write(segmentOf(0))
  }
  streams.modes.slow = (response) =>
    bytes(`#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${streams.balancer}/slow.ts\n`)(response, {} as never)
  const slow = await world.addChannel('slow')
  const open = async (who: SignedIn, take?: string) => {
    const { id, address } = await world.play(who, slow, take)
    const { addresses } = await world.readPlaylist(who, address)
    const response = await who.client.request(addresses[0]!)
    const reader = response.body!.getReader()
    await reader.read()
    return { id, reader }
  }
  const before = streams.open()
  const left = await open(viewer)
  expect(streams.open()).toBe(before + 1)
  await left.reader.cancel()
  await expect.poll(() => streams.open()).toBe(before)
  const first = await open(viewer)
  await open(await otherBrowser(viewer), first.id)
  await expect(first.reader.read()).rejects.toThrow()
})
