import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { listChannelMatches } from '#features/guide/admin-contract.ts'
import { getGuide, getGuideNow, getProgram } from '#features/guide/contract.ts'
import type { CompactProgram } from '#features/guide/rules.ts'
import { matchNewChannels } from '#features/guide/server/match/match-new-channels.ts'
import { removeUnusedListings } from '#features/guide/server/panel/store-listings.ts'
import { getSite } from '#features/settings/contract.ts'
import { clientConfig } from '#server/db/connect.ts'
import {
  channelGuides,
  channels,
  guideChannels,
  guidePrograms,
  guideSources,
  lines,
  panelGuideCalls,
} from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { linePassword } from '../../../test/harness/fake-panel.ts'
import { faults, html, json, type Mode } from '../../../test/harness/panel-modes.ts'
import { silentLog } from '../../../test/harness/silent-log.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { requestListings } from './contract.ts'
import { requestListings as askPanel } from './server/listings/ask-panel.ts'
import { readWatchedListings } from './server/listings/read-watched.ts'

let world: WatchWorld
let viewer: SignedIn
beforeAll(async () => {
  world = await watchWorld()
  viewer = await world.signInViewer()
})
beforeEach(async () => {
  Object.assign(world.panel.epg, { programs: {}, modes: {}, ignoresLimit: false, most: 0, delayMs: 0 })
  await world.app.db.delete(panelGuideCalls)
})
afterEach(() => expect(world.app.logs.join('\n')).not.toContain(linePassword))
afterAll(() => world.close())

const minute = 60_000
const hour = 60 * minute
const now = () => Math.floor(Date.now() / minute) * minute
const base64 = (text: string) => Buffer.from(text).toString('base64')
const epgCalls = () => world.panel.calls.filter(({ address }) => address.searchParams.get('action') === 'get_short_epg')

/** Adds a channel with a stream of its own. */
async function addChannel(): Promise<{ id: number; stream: string }> {
  const id = await world.addChannel('news')
  const [row] = await world.app.db.select({ stream: channels.panelStream }).from(channels).where(eq(channels.id, id))
  return { id, stream: row!.stream! }
}
const titles = (programs: CompactProgram[] | undefined) => programs?.map(([, , title]) => title)
const ask = async (channelId: number, by = viewer) =>
  titles((await by.client.call(requestListings, { params: { channelId } })).programs)
const onNow = async (channelId: number) => {
  const { rows } = await world.app.client().call(getGuideNow, {})
  return titles(rows.find(([id]) => id === channelId)?.[1])
}
/** Matches a channel with the listings of a guide source. */
async function listInSource(channelId: number, matched: 'id' | 'hand' = 'id', guideChannelId?: number | null) {
  await world.app.db.insert(guideSources).values({ name: 'Listings' }).onConflictDoNothing()
  const [source] = await world.app.db.select().from(guideSources)
  const [listed] = await world.app.db
    .insert(guideChannels)
    .values({ sourceId: source!.id, xmltvId: `listed.${channelId}`, name: 'Listed' })
    .returning()
  const values = { guideChannelId: guideChannelId === null ? null : listed!.id, matched }
  await world.app.db
    .insert(channelGuides)
    .values({ channelId, ...values })
    .onConflictDoUpdate({ target: channelGuides.channelId, set: values })
}

describe('the panel is not asked', () => {
  test('for a channel that the viewer left before it was opened', async () => {
    const [first, left, last] = [await addChannel(), await addChannel(), await addChannel()]
    limits.relay.holdMs = 300
    onTestFinished(() => {
      limits.relay.holdMs = 0
    })
    const customer = await world.signInViewer()
    const opening = [await world.play(customer, first.id), world.play(customer, left.id)]
    await sleep(100)
    await Promise.all([...opening, world.play(customer, last.id)])
    const asked = () => epgCalls().map(({ address }) => address.searchParams.get('stream_id'))
    await expect.poll(asked).toContain(last.stream)
    expect(asked()).toContain(first.stream)
    expect(asked()).not.toContain(left.stream)
  })

  const expectNoCall = async (channelId: number, by = viewer) => {
    const before = epgCalls().length
    expect(await ask(channelId, by)).toEqual([])
    expect(epgCalls()).toHaveLength(before)
  }

  test('without a session', async () => {
    const { id } = await addChannel()
    const response = await world.app.client().post(`/api/watch/channels/${id}/listings`, {})
    expect(response.status).toBe(401)
  })

  test('for a channel that does not exist, is hidden, or is not on the panel', async () => {
    await expectNoCall(999_999)
    const [hidden, own] = [await addChannel(), await addChannel()]
    await world.app.db.update(channels).set({ hidden: true }).where(eq(channels.id, hidden.id))
    await world.app.db.update(channels).set({ panelStream: null }).where(eq(channels.id, own.id))
    await expectNoCall(hidden.id)
    await expectNoCall(own.id)
  })

  test('by customers who cannot watch', async () => {
    const { id } = await addChannel()
    await expectNoCall(id, await world.app.signIn())
    const paused = await world.signInViewer()
    await world.app.db.update(lines).set({ wantedEnabled: false }).where(eq(lines.userId, paused.user.id))
    await expectNoCall(id, paused)
  })

  test('for a channel that a source lists, and for one that an administrator set to have no listings', async () => {
    const [listed, none] = [await addChannel(), await addChannel()]
    await listInSource(listed.id)
    await listInSource(none.id, 'hand', null)
    await expectNoCall(listed.id)
    await expectNoCall(none.id)
  })

  test('again within ten minutes, whatever it responded', async () => {
    const { id, stream } = await addChannel()
    world.panel.epg.modes[stream] = html(500)
    const before = epgCalls().length
    await ask(id)
    await ask(id, await world.signInViewer())
    expect(epgCalls()).toHaveLength(before + 1)
    await world.app.db.update(panelGuideCalls).set({ askedAt: sql`now() - interval '11 minutes'` as never })
    await ask(id)
    expect(epgCalls()).toHaveLength(before + 2)
  })

  test('for half a minute after five failures; requests that were not made do not count', async () => {
    const config = { ...world.app.context.config }
    const context = { db: world.app.db, config, log: silentLog }
    const before = epgCalls().length
    for (let n = 0; n < 7; n++) {
      const { id, stream } = await addChannel()
      world.panel.epg.modes[stream] = html(500)
      await askPanel(context, viewer.user.id, id)
    }
    expect(epgCalls()).toHaveLength(before + 5)
    expect(await world.app.db.select().from(panelGuideCalls)).toHaveLength(5)
  })
})

test('all processes together run at most four calls at the same time and thirty per minute', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, addChannel))
  world.panel.epg.delayMs = 150
  // Each configuration acts as a separate process.
  const contexts = [0, 1].map(() => ({ db: world.app.db, config: { ...world.app.context.config }, log: silentLog }))
  const before = epgCalls().length
  await Promise.all(all.map(({ id }, n) => askPanel(contexts[n % 2]!, viewer.user.id, id)))
  expect(world.panel.epg.most).toBe(4)
  expect(epgCalls()).toHaveLength(before + 4)

  world.panel.epg.delayMs = 0
  for (const { id } of all) await askPanel(contexts[0]!, viewer.user.id, id)
  for (let n = 0; n < 24; n++) await askPanel(contexts[n % 2]!, viewer.user.id, (await addChannel()).id)
  expect(epgCalls()).toHaveLength(before + 30)
  // A call of a process that has ended blocks others for a few seconds only.
  await world.app.db.update(panelGuideCalls).set({
    askedAt: sql`now() - interval '2 minutes'` as never,
    busyUntil: sql`now() + interval '5 seconds'` as never,
  })
  const next = await addChannel()
  await askPanel(contexts[0]!, viewer.user.id, next.id)
  expect(epgCalls()).toHaveLength(before + 30)
  await world.app.db.update(panelGuideCalls).set({ busyUntil: sql`now() - interval '1 second'` as never })
  await askPanel(contexts[0]!, viewer.user.id, next.id)
  expect(epgCalls()).toHaveLength(before + 31)
})

test('listings of the panel are shown wherever those of a source would be, and are requested with the line of the customer', async () => {
  const { id, stream } = await addChannel()
  const startsAt = now() - 20 * minute
  world.panel.epg.programs[stream] = [
    { title: 'Évening news', description: 'From the harbor', startsAt, minutes: 60 },
    { title: 'Kids', startsAt: startsAt + hour, minutes: 30 },
  ]
  expect(await onNow(id)).toBeUndefined()
  expect(await ask(id)).toEqual(['Évening news', 'Kids'])
  const { searchParams } = epgCalls().at(-1)!.address
  expect(Object.fromEntries(searchParams)).toMatchObject({
    username: `line.${viewer.user.id}`,
    password: linePassword,
    stream_id: stream,
  })
  expect(await onNow(id)).toEqual(['Évening news', 'Kids'])
  const range = { from: new Date(startsAt).toISOString(), hours: 2, ids: String(id) }
  expect((await viewer.client.call(getGuide, { query: range })).rows).toEqual([
    [
      id,
      [
        [0, 60, 'Évening news', '', 0],
        [60, 30, 'Kids', '', 0],
      ],
    ],
  ])
  const params = { channelId: id, startsAt: new Date(startsAt).toISOString() }
  expect(await viewer.client.call(getProgram, { params })).toMatchObject({ description: 'From the harbor' })
  const [match] = (await world.admin.client.call(listChannelMatches, { query: { status: 'unmatched' } })).rows.filter(
    (row) => row.id === id,
  )
  expect(match).toMatchObject({ matched: null, listing: null, isFromPanel: true })
})

test('when a channel is played, its listings are requested without delaying the picture', async () => {
  const { id, stream } = await addChannel()
  world.panel.epg.delayMs = 300
  world.panel.epg.programs[stream] = [{ title: 'Harbor News', startsAt: now(), minutes: 60 }]
  await world.play(viewer, id)
  expect(await onNow(id)).toBeUndefined()
  await vi.waitFor(async () => expect(await onNow(id)).toEqual(['Harbor News']), 5_000)
})

test('a request waits at most two seconds, and a later one finds what a slow panel sent', async () => {
  const { id, stream } = await addChannel()
  world.panel.epg.delayMs = 2_600
  world.panel.epg.programs[stream] = [{ title: 'Harbor News', startsAt: now(), minutes: 60 }]
  const start = performance.now()
  expect(await ask(id)).toEqual([])
  expect(performance.now() - start).toBeLessThan(2_500)
  await vi.waitFor(async () => expect(await ask(id)).toEqual(['Harbor News']), 5_000)
})

test('the listings of playing channels are requested every ten minutes; they may become shorter or longer', async () => {
  const { id, stream } = await addChannel()
  const [start, watching] = [now() - 10 * minute, await world.signInViewer()]
  const program = (title: string, from: number, minutes = 30) => ({ title, startsAt: start + from * minute, minutes })
  world.panel.epg.programs[stream] = [program('News', 0), program('Film', 30, 90), program('Late', 120)]
  await world.play(watching, id)
  await vi.waitFor(async () => expect(await onNow(id)).toEqual(['News', 'Film', 'Late']), 5_000)
  const context = { db: world.app.db, config: world.app.context.config, log: silentLog }
  const ownCalls = () => epgCalls().filter(({ address }) => address.searchParams.get('stream_id') === stream)
  await readWatchedListings(context)
  expect(ownCalls()).toHaveLength(1)
  await world.app.db.update(panelGuideCalls).set({ askedAt: sql`now() - interval '11 minutes'` as never })
  world.panel.epg.programs[stream] = [program('News', 0, 45), program('Short film', 45, 75)]
  await readWatchedListings(context)
  expect(ownCalls()).toHaveLength(2)
  expect(await onNow(id)).toEqual(['News', 'Short film', 'Late'])
})

test('a source that lists the channel later takes precedence', async () => {
  const { id, stream } = await addChannel()
  world.panel.epg.programs[stream] = [{ title: 'From the panel', startsAt: now(), minutes: 60 }]
  expect(await ask(id)).toEqual(['From the panel'])
  // Visitors see no guide if only the panel has listings, and only for a few channels.
  await world.app.db.delete(channelGuides).where(sql`matched <> 'panel'`)
  expect((await world.app.client().call(getSite, {})).listings).toBe(false)
  const [channel] = await world.app.db.select().from(channels).where(eq(channels.id, id))
  await world.app.db.insert(guideSources).values({ name: 'Listings' }).onConflictDoNothing()
  const [source] = await world.app.db.select().from(guideSources)
  const [listed] = await world.app.db
    .insert(guideChannels)
    .values({ sourceId: source!.id, xmltvId: 'found.later', name: channel!.name })
    .returning()
  await world.app.db.insert(guidePrograms).values({
    guideChannelId: listed!.id,
    startsAt: new Date(now()).toISOString(),
    endsAt: new Date(now() + hour).toISOString(),
    title: 'From the source',
  })
  expect(await matchNewChannels(world.app.db, clientConfig(world.app.database.address))).toBe(1)
  const read = await viewer.client.call(getGuide, {
    query: { from: new Date(now()).toISOString(), ids: String(id) },
  })
  expect(titles(read.rows[0]![1])).toEqual(['From the source'])
  await world.app.db.delete(panelGuideCalls)
  const before = epgCalls().length
  await ask(id)
  expect(epgCalls()).toHaveLength(before)
  await removeUnusedListings(world.app.db)
  const kept = await world.app.db
    .select()
    .from(guideChannels)
    .where(sql`source_id is null and xmltv_id = ${String(id)}`)
  expect(kept).toEqual([])
})

describe('the panel may send', () => {
  const row = (title: unknown, from: unknown = now() / 1_000, to: unknown = now() / 1_000 + 3_600) => ({
    title,
    description: '',
    start_timestamp: from,
    stop_timestamp: to,
  })
  const at = (minutes: number) => now() / 1_000 + minutes * 60
  const listed = (...rows: object[]): Mode => json({ epg_listings: rows })
  const long = 'x'.repeat(3_000)
  test.each<[string, Mode, string[] | undefined]>([
    ['a web page', html(200), undefined],
    ['a refusal', html(403), undefined],
    ['an unknown stream', html(404), undefined],
    ['broken JSON', faults.badjson, undefined],
    ['an empty body', faults.empty, undefined],
    ['an endless body', faults.endless, undefined],
    ['a decompression bomb', faults.bomb, undefined],
    ['a redirect', faults.redirect, undefined],
    ['a login response', json({ user_info: { auth: 1, status: 'Active' } }), undefined],
    ['a list without an object', json([]), undefined],
    ['null instead of the list', json({ epg_listings: null }), undefined],
    ['an object with numbers as keys', json({ epg_listings: { 0: row(base64('Harbor News')) } }), ['Harbor News']],
    [
      'a list that is cut off',
      json(`{"epg_listings":[${JSON.stringify(row(base64('Harbor News')))},{"ti`),
      ['Harbor News'],
    ],
    ['plain titles', listed(row('Kids'), row('Late film', at(60), at(90))), ['Kids', 'Late film']],
    ['broken base64', listed(row('not base64 !!'), row('SGFyYm9y=', at(60), at(90))), ['not base64 !!', 'SGFyYm9y=']],
    ['markup', listed(row(base64('<b>News</b> &amp; more <script>'))), ['<b>News</b> &amp; more <script>']],
    ['control characters', listed(row(base64('Har\u0007bor\u202e\n  News'))), ['Harbor News']],
    [
      'titles that are not strings',
      listed(row(null), row({}), row(''), row(base64('A long title'), at(0), at(9))),
      ['A long title'],
    ],
    ['a title that is too long', listed(row(base64(long))), ['x'.repeat(200)]],
    [
      'wrong times',
      listed(
        row(base64('Without an end'), at(0), null),
        row(base64('Without a start'), 'soon', at(60)),
        row(base64('Ends before it starts'), at(60), at(30)),
        row(base64('Over'), at(-90), at(-30)),
        row(base64('In a year'), at(525_600), at(525_660)),
        row(base64('In a million years'), 1e14, 1e14 + 60),
        row(base64('Right'), at(-5), at(60)),
      ),
      ['Right'],
    ],
    [
      'programs that overlap, are repeated and are out of order',
      listed(
        row(base64('Second program'), at(30), at(90)),
        row(base64('First program'), at(-30), at(45)),
        row(base64('Second again'), at(30), at(60)),
      ),
      ['First program', 'Second program'],
    ],
  ])('%s', async (_, mode, expected) => {
    const { id, stream } = await addChannel()
    world.panel.epg.modes[stream] = mode
    // A separate configuration, so that failures in these tests do not open the same circuit breaker.
    const context = { db: world.app.db, config: { ...world.app.context.config }, log: silentLog }
    expect(titles(await askPanel(context, viewer.user.id, id))).toEqual(expected ?? [])
    expect(await onNow(id)).toEqual(expected)
    expect(world.panel.canaryHits()).toBe(0)
  })

  test('a huge list: only its beginning is read and stored', async () => {
    const { id, stream } = await addChannel()
    let sent = 0
    world.panel.epg.modes[stream] = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"epg_listings":[')
      const more = () => {
        let canWrite = true
        while (canWrite && sent < 400_000 && !response.destroyed)
          canWrite = response.write(`${JSON.stringify(row(base64(`Program ${sent}`), at(sent * 5), at(++sent * 5)))},`)
      }
      response.on('drain', more)
      more()
    }
    expect(await ask(id)).toEqual(['Program 0', 'Program 1', 'Program 2'])
    expect(sent).toBeLessThan(100_000)
    const stored = await world.app.db
      .select({ title: guidePrograms.title })
      .from(guidePrograms)
      .innerJoin(guideChannels, eq(guideChannels.id, guidePrograms.guideChannelId))
      .where(eq(guideChannels.xmltvId, String(id)))
    expect(stored).toHaveLength(24)
  })

  test('more programs than were asked for', async () => {
    const { id, stream } = await addChannel()
    world.panel.epg.ignoresLimit = true
    world.panel.epg.programs[stream] = Array.from({ length: 40 }, (_, n) => ({
      title: `Program ${n}`,
      startsAt: now() + n * 10 * minute,
      minutes: 10,
    }))
    expect(await ask(id)).toEqual(['Program 0', 'Program 1', 'Program 2'])
  })
})
