import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { offsetsOf } from '#features/guide/time-rules.ts'
import {
  channelGuides,
  channelRights,
  channelStreams,
  guideChannels,
  guidePrograms,
  guideSources,
  plays,
  streamPanels,
} from '#server/db/tables.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { linePassword, panelZone } from '../../../test/harness/fake-panel.ts'
import { bytes, transport } from '../../../test/harness/fake-streams.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { getWatch, openPlay, seekPlay } from './contract.ts'

const hour = 3_600_000
let world: WatchWorld
let channelId: number
/** Two hours ago, on the hour, so that the recording is complete. */
const began = Math.floor(Date.now() / hour) * hour - 2 * hour
const instant = (at: number) => new Date(at).toISOString()

beforeAll(async () => {
  world = await watchWorld()
  channelId = await world.addChannel('tape')
  const { db } = world.app
  await db.insert(channelStreams).values({ channelId, archiveDays: 2, number: 7 })
  const [source] = await db.insert(guideSources).values({ name: 'Listings' }).returning({ id: guideSources.id })
  const [listed] = await db
    .insert(guideChannels)
    .values({ sourceId: source!.id, xmltvId: 'tape', name: 'Tape' })
    .returning({ id: guideChannels.id })
  await db.insert(channelGuides).values({ channelId, guideChannelId: listed!.id, matched: 'id', shiftMinutes: 0 })
  await db.insert(guidePrograms).values(
    [-60, 0, 1, 2, 3].map((hours) => ({
      guideChannelId: listed!.id,
      startsAt: instant(began + hours * hour),
      endsAt: instant(began + (hours + 1) * hour),
      title: `Program ${hours}`,
    })),
  )
  world.panel.streams.modes['tape.ts'] = transport({ burst: 20 })
  world.panel.streams.modes.tape = bytes('<html>Missing</html>', 'text/html', 404)
})
afterAll(() => world.close())

const open = (viewer: SignedIn, from: number) =>
  viewer.client.call(openPlay, { body: { channelId, from: instant(from) } })
const requestsOf = (word: string) => world.panel.streams.requests.filter((path) => path.includes(word))
const playing = async (viewer: SignedIn, address: string) => {
  const { text, addresses } = await world.readPlaylist(viewer, address)
  const first = await viewer.client.request(addresses[0]!)
  return { text, addresses, first }
}

test('a channel without HLS is cut into segments; the next play requests the transport stream directly', async () => {
  const viewer = await world.signInViewer()
  const { address, recording } = await world.play(viewer, channelId)
  expect(recording).toBeNull()
  const { text, addresses, first } = await playing(viewer, address)
  expect(text).toContain('#EXT-X-TARGETDURATION:2\n')
  expect(addresses.length).toBeGreaterThan(2)
  expect(first.headers.get('content-type')).toBe('video/mp2t')
  expect(Buffer.from(await first.arrayBuffer()).length % 188).toBe(0)
  await expect
    .poll(
      async () => (await world.app.db.select().from(channelStreams).where(eq(channelStreams.channelId, channelId)))[0],
    )
    .toMatchObject({ isTransport: true, video: 'h264', audio: 'aac', number: 7 })
  const { channels } = await viewer.client.call(getWatch, {})
  expect(channels.find(({ id }) => id === channelId)).toMatchObject({ archiveHours: 48, number: 7, video: 'h264' })
  const before = requestsOf('.m3u8').length
  await world.play(viewer, channelId)
  expect(requestsOf('.m3u8')).toHaveLength(before)
  // The address of the earlier generation no longer works, and its connection to the panel is closed.
  expect((await viewer.client.request(address)).status).toBe(404)
  await expect.poll(() => world.panel.streams.open()).toBe(1)
})

test('a recording is requested with the form of address that works on the panel, and that form is stored', async () => {
  const viewer = await world.signInViewer()
  world.panel.streams.modes['tape.ts'] = (response, request) =>
    (/timeshift\/[^/]+\/[^/]+\/\d+\/\d{4}-\d\d-\d\d_\d\d-\d\d\//.test(request.url ?? '') ||
      request.url?.includes('/live/')
      ? transport({ burst: 200, seconds: 200 })
      : bytes('<html>Missing</html>', 'text/html', 404))(response, request)
  const opened = await open(viewer, began)
  expect(opened.recording).toMatchObject({
    title: 'Program 0',
    from: instant(began),
    to: instant(began + hour),
    startsAt: instant(began),
    at: instant(began),
  })
  const { text } = await playing(viewer, opened.address)
  expect(text).toContain(`#EXT-X-PROGRAM-DATE-TIME:${instant(began)}`)
  expect(requestsOf('/timeshift/').some((path) => /\/timeshift\/[^/]+\/[^/]+\/65\//.test(path))).toBe(true)
  const wall = new Date(began + offsetsOf(panelZone)(began) * 60_000).toISOString().slice(0, 16)
  expect(requestsOf('/timeshift/').at(-1)).toContain(`/${wall.replace('T', '_').replace(':', '-')}/`)
  expect(requestsOf('utc=')).toEqual([])
  const panel = { archiveForm: 'underscore', zone: panelZone }
  expect((await world.app.db.select().from(streamPanels))[0]).toMatchObject(panel)
  const before = requestsOf('/timeshift/').length
  expect((await open(viewer, began)).recording?.isSure).toBe(true)
  expect(requestsOf('/timeshift/')).toHaveLength(before + 1)
})

test('a seek keeps the screen, requests the recording from the full minute, skips to the second, and invalidates the earlier address', async () => {
  const viewer = await world.signInViewer()
  const { id, address } = await open(viewer, began)
  const at = began + 10 * 60_000 + 12_000
  const seek = await viewer.client.call(seekPlay, { params: { playId: id }, body: { from: instant(at) } })
  expect(seek).toMatchObject({ id, recording: { at: instant(at), startsAt: instant(at) } })
  const { text } = await playing(viewer, seek.address)
  const shown = Date.parse(/PROGRAM-DATE-TIME:(\S+)/.exec(text)![1]!)
  expect(Math.abs(shown - at)).toBeLessThan(2_500)
  expect((await viewer.client.request(address)).status).toBe(404)
  const other = await world.signInViewer()
  await expect(
    other.client.call(seekPlay, { params: { playId: id }, body: { from: instant(at) } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('a recording is read from the panel only as fast as the viewer watches', async () => {
  const viewer = await world.signInViewer()
  const { address } = await open(viewer, began)
  const count = async () => (await world.readPlaylist(viewer, address)).addresses.length
  await expect.poll(count).toBeGreaterThan(10)
  const held = await world.readPlaylist(viewer, address)
  expect(held.addresses.length).toBeLessThanOrEqual(17)
  for (const part of held.addresses) expect((await viewer.client.request(part)).status).toBe(200)
  await expect.poll(count).toBeGreaterThan(held.addresses.length + 5)
  // Segments far behind the viewer are listed, but not kept.
  expect((await viewer.client.request(held.addresses[0]!)).status).toBe(404)
})

test.each<[string, number, number, string]>([
  ['a program older than the archive', -60, 404, 'archive_missing'],
  ['a program that has not begun', 3, 404, 'archive_missing'],
  ['a time for which the guide has no program', -10, 404, 'archive_missing'],
])('a request for %s is refused and the panel is not called', async (_, hours, status, code) => {
  const viewer = await world.signInViewer()
  const before = world.panel.streams.requests.length
  await expect(open(viewer, began + hours * hour)).rejects.toMatchObject({ status, code })
  expect(world.panel.streams.requests).toHaveLength(before)
})

test('if the panel does not have the recording, the play ends with that reason', async () => {
  const viewer = await world.signInViewer()
  const mode = world.panel.streams.modes['tape.ts']!
  world.panel.streams.modes['tape.ts'] = bytes('<html>Missing</html>', 'text/html', 404)
  await expect(open(viewer, began)).rejects.toMatchObject({ status: 404, code: 'archive_missing' })
  world.panel.streams.modes['tape.ts'] = mode
  expect((await world.app.db.select().from(plays).where(eq(plays.userId, viewer.user.id)))[0]?.why).toBe(
    'archive_missing',
  )
})

test('when a right no longer includes catch-up, running recordings end and new ones are refused, but the live stream plays', async () => {
  const viewer = await world.signInViewer()
  const { address } = await open(viewer, began)
  await world.app.db.update(channelRights).set({ archiveHours: 0 }).where(eq(channelRights.channelId, channelId))
  expect((await viewer.client.request(address)).status).toBe(410)
  await expect(open(viewer, began)).rejects.toMatchObject({ code: 'archive_missing' })
  await world.play(viewer, channelId)
  await world.app.db.update(channelRights).set({ archiveHours: 48 }).where(eq(channelRights.channelId, channelId))
})

test('no address, playlist or log entry contains the credentials of the line', async () => {
  const viewer = await world.signInViewer()
  const { address, recording } = await open(viewer, began)
  const { text } = await playing(viewer, address)
  for (const secret of [linePassword, encodeURIComponent(linePassword), new URL(world.panel.url).host])
    expect([world.app.logs.join('\n'), text, address, JSON.stringify(recording)].join('\n')).not.toContain(secret)
})

test('a stream that ends repeatedly means that the line has no free connection, and ends the play', async () => {
  const viewer = await world.signInViewer()
  world.panel.streams.modes['tape.ts'] = transport({ burst: 4, seconds: 4 })
  const others = world.panel.streams.open()
  const { id } = await world.play(viewer, channelId)
  await expect
    .poll(async () => (await world.app.db.select().from(plays).where(eq(plays.id, id)))[0]?.why, { timeout: 5_000 })
    .toBe('too_many')
  await expect.poll(() => world.panel.streams.open()).toBeLessThanOrEqual(others)
})
