import { desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listChannels } from '#features/catalog/contract.ts'
import { auditLog, channelStreams, channels } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { type FakePanel, linePassword, startFakePanel } from '../../../test/harness/fake-panel.ts'
import { importPanelChannels, previewChannelImport } from './admin-import-contract.ts'
import { suggestCategory } from './server/import/suggest-category.ts'
import { sumOf } from './web/import/import-choice.ts'

let fake: FakePanel
let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  fake = await startFakePanel()
  app = await buildApp({
    config: { panel: { url: fake.url, allowPrivate: true, userAgent: 'test', neverExpires: [] } },
  })
  admin = await app.signInAdmin()
})
afterAll(async () => {
  await app.close()
  await fake.close()
})
const stream = (
  stream_id: number | string,
  name: string | null,
  category_id: number | string | null,
  other: object = {},
) => ({
  num: 1,
  stream_id,
  name,
  category_id,
  stream_type: 'live',
  stream_icon: 'http://logos.example/a.png',
  ...other,
})
beforeEach(async () => {
  await app.db.delete(channels)
  fake.watch.categories = [
    { category_id: '5', category_name: 'UK | News' },
    { category_id: 6, category_name: 'NBA Teams' },
    { category_id: '7', category_name: 'Adult 18+' },
  ]
  fake.watch.streams = [
    stream(1, 'Harbor News', '5'),
    stream('2', 'Harbor  News', 5),
    stream(3, 'Harbor News Radio', '5', { stream_type: 'radio_streams' }),
    stream(4, 'Comets', 6),
    stream(5, '<b>Late</b> \u202ehouse', '7'),
    stream(6, '', 6),
    stream(7, 'Nowhere', '99'),
  ]
})

const credentials = { iptvUsername: 'line', iptvPassword: linePassword }
const preview = (input = credentials) => admin.client.call(previewChannelImport, { body: input })
const add = (categories: object, show = false) =>
  admin.client.call(importPanelChannels, { body: { ...credentials, categories, show } })
const all = () => app.db.select().from(channels).orderBy(channels.name)

describe('importing channels refuses', () => {
  test.each([
    [
      'wrong credentials, at their field',
      'nobody',
      400,
      { issues: [{ path: 'iptvPassword', message: expect.stringContaining('invalid') }] },
    ],
    ['a panel that fails', 'failing', 503, { code: 'panel_provider_error' }],
    ['a redirect', 'redirect', 503, { code: 'panel_bad_response' }],
  ])('%s', async (_, iptvUsername, status, more) => {
    await expect(preview({ ...credentials, iptvUsername })).rejects.toMatchObject({ status, ...more })
    expect(fake.canaryHits()).toBe(0)
  })

  test('without a panel, and explains where to set one', async () => {
    const bare = await buildApp()
    const { client } = await bare.signInAdmin()
    await expect(client.call(previewChannelImport, { body: credentials })).rejects.toMatchObject({
      status: 409,
      code: 'no_panel',
    })
    await bare.close()
  })

  test('to show more channels than one import may show', async () => {
    fake.watch.streams = Array.from({ length: 1_001 }, (_, i) => stream(i + 1, `Channel ${i}`, '5'))
    await expect(add({ news: '5' }, true)).rejects.toMatchObject({ status: 400, issues: [{ path: 'show' }] })
    expect(await all()).toEqual([])
  })
})

test('a preview counts what would be added, mapped and skipped, suggests categories, and changes nothing', async () => {
  await app.db.insert(channels).values({ name: 'comets', category: 'sports', logo: 'mark:comets' })
  const { categories, radio, unnamed, separators, renamed } = await preview()
  expect([radio, unnamed, separators, renamed]).toEqual([1, 1, { count: 0, names: [] }, { count: 0, examples: [] }])
  expect(categories).toEqual([
    {
      id: '5',
      name: 'UK | News',
      counts: { add: 1, map: 0, known: 0, double: 1 },
      names: ['Harbor News'],
      suggested: 'news',
    },
    { id: '6', name: 'NBA Teams', counts: { add: 0, map: 1, known: 0, double: 0 }, names: [], suggested: 'nba_teams' },
    {
      id: '7',
      name: 'Adult 18+',
      counts: { add: 1, map: 0, known: 0, double: 0 },
      names: ['<b>Late</b> house'],
      suggested: null,
    },
    {
      id: 'none',
      name: 'Without a category',
      counts: { add: 1, map: 0, known: 0, double: 0 },
      names: ['Nowhere'],
      suggested: null,
    },
  ])
  expect(sumOf(categories, { 5: 'news', 6: 'nba_teams', 7: null })).toEqual({
    add: 1,
    map: 1,
    known: 0,
    double: 1,
    skipped: 2,
  })
  expect(await all()).toHaveLength(1)
})

test('chosen channels are added hidden and with drawn marks, existing channels are matched by name, and a second import adds none', async () => {
  await app.db.insert(channels).values({ name: 'comets', category: 'sports', logo: '/logos/comets.png' })
  expect(await add({ news: '5', nba_teams: '6' })).toEqual({
    counts: { add: 1, map: 1, known: 0, double: 1 },
    skipped: 4,
  })
  expect(await all()).toMatchObject([
    { name: 'Harbor News', category: 'news', logo: 'mark:Harbor News', panelStream: '1', hidden: true },
    { name: 'comets', category: 'sports', logo: '/logos/comets.png', panelStream: '4', hidden: false },
  ])
  const [note] = await app.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.action, 'channel.import'))
    .orderBy(desc(auditLog.id))
    .limit(1)
  expect(note).toMatchObject({ actorId: admin.user.id, after: { added: 1, mapped: 1, hidden: true } })
  const notes = async () => (await app.db.select().from(auditLog)).length
  const before = await notes()
  expect(await add({ news: '5', nba_teams: '6' })).toEqual({
    counts: { add: 0, map: 0, known: 2, double: 1 },
    skipped: 4,
  })
  expect([(await all()).length, await notes()]).toEqual([2, before])
  for (const text of [JSON.stringify(await app.db.select().from(auditLog)), app.logs.join()])
    expect(text).not.toContain(linePassword)
})

test('names are cleaned and separators skipped, and the preview shows both', async () => {
  fake.watch.streams = [
    stream(1, '##### KIDS #####', '5'),
    stream(2, 'TNT Sports 1 ᴴᴰ', '5'),
    stream(3, 'US: ABC News Live', '5'),
    stream(4, 'UK | TNT Sports 1', '5'),
    stream(5, 'Plain', '5'),
  ]
  expect(await preview()).toMatchObject({
    categories: [
      { counts: { add: 3, map: 0, known: 0, double: 1 }, names: ['TNT Sports 1', 'ABC News Live', 'Plain'] },
    ],
    separators: { count: 1, names: ['##### KIDS #####'] },
    renamed: {
      count: 2,
      examples: [
        { from: 'TNT Sports 1 ᴴᴰ', to: 'TNT Sports 1' },
        { from: 'US: ABC News Live', to: 'ABC News Live' },
      ],
    },
  })
  expect(await all()).toEqual([])
  expect(await add({ news: '5' })).toEqual({ counts: { add: 3, map: 0, known: 0, double: 1 }, skipped: 1 })
  expect((await all()).map(({ name }) => name)).toEqual(['ABC News Live', 'Plain', 'TNT Sports 1'])
})

describe('an endless list', () => {
  test('of channels is refused with the limit, and not read completely', async () => {
    const sent = fake.endlessList('get_live_streams', (n) => stream(n, `Channel ${n}`, '5'), 500_000)
    for (const ask of [() => preview(), () => add({ news: '5' })])
      await expect(ask()).rejects.toMatchObject({
        status: 409,
        code: 'too_many_channels',
        message: expect.stringContaining('At most 100,000 can be read'),
      })
    sent.stop()
    // Each of the two requests reads slightly more than the limit, not the whole list.
    expect(sent.rows()).toBeLessThan(400_000)
    expect(await all()).toEqual([])
  })

  test('of categories is refused with the limit', async () => {
    fake.watch.categories = Array.from({ length: 2_001 }, (_, n) => ({
      category_id: String(n),
      category_name: `Category ${n}`,
    }))
    await expect(preview()).rejects.toMatchObject({ status: 409, message: expect.stringContaining('At most 2,000') })
  })

  test('of chosen channels is refused with the limit per import', async () => {
    fake.watch.streams = Array.from({ length: 25_001 }, (_, i) => stream(i + 1, `Channel ${i}`, '5'))
    await expect(add({ news: '5' })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'categories', message: expect.stringContaining('at most 25,000 channels') }],
    })
    expect(await all()).toEqual([])
  })

  test('does not block the event loop while it is read and added', async () => {
    fake.watch.streams = Array.from({ length: 20_000 }, (_, i) => stream(i + 1, `Channel number ${i} of many`, '5'))
    let turns = 0
    let isRunning = true
    const count = (): void => {
      turns++
      if (isRunning) setImmediate(count)
    }
    count()
    await add({ news: '5' })
    isRunning = false
    // 20,000 rows are processed five times in chunks of at most 1,000.
    expect(turns).toBeGreaterThan(60)
  })
})

test('two concurrent imports add each channel once', async () => {
  fake.watch.streams = Array.from({ length: 200 }, (_, i) => stream(i + 1, `Channel ${i}`, '5'))
  const both = await Promise.all([add({ news: '5' }, true), add({ kids: '5' }, true)])
  expect(both.map(({ counts }) => counts.add).toSorted()).toEqual([0, 200])
  expect(await app.client().call(listChannels, {})).toHaveLength(200)
})

test('25,000 channels are previewed and added', async () => {
  fake.watch.streams = Array.from({ length: 25_000 }, (_, i) =>
    stream(i + 1, `Channel number ${i} of many`, i % 2 ? '5' : 6),
  )
  const started = performance.now()
  const { categories } = await preview()
  expect(categories.map(({ counts }) => counts.add)).toEqual([12_500, 12_500])
  expect((await add({ news: '5', nba_teams: '6' })).counts.add).toBe(25_000)
  expect((await add({ news: '5', nba_teams: '6' })).counts.known).toBe(25_000)
  expect(performance.now() - started).toBeLessThan(15_000)
})

test.each([
  ['VIP | NFL Sunday', 'nfl_teams'],
  ['Football: Premier League', 'soccer'],
  ['Sports HD', 'sports'],
  ['24/7 Movies', 'movies'],
  ['For Adults', null],
  ['Package 12', null],
])('for a category called %s, %s is suggested', (name, category) => {
  expect(suggestCategory(name)).toBe(category)
})

test('an import stores the guide id and the archive of each stream, and updates what has changed', async () => {
  fake.watch.streams = [
    stream(1, 'Harbor News', '5', { epg_channel_id: 'harbor.example', tv_archive: 1, tv_archive_duration: '3' }),
    stream(2, 'Bay News', '5', { epg_channel_id: null, tv_archive: 0 }),
    stream(3, 'Cove News', '5', { epg_channel_id: 'x'.repeat(300), tv_archive: '1', tv_archive_duration: 9_999 }),
  ]
  const stored = () =>
    app.db
      .select({ name: channels.name, epgId: channelStreams.epgId, archiveDays: channelStreams.archiveDays })
      .from(channelStreams)
      .innerJoin(channels, eq(channels.id, channelStreams.channelId))
      .orderBy(channels.id)
  await add({ news: '5' })
  expect(await stored()).toEqual([
    { name: 'Harbor News', epgId: 'harbor.example', archiveDays: 3 },
    { name: 'Bay News', epgId: '', archiveDays: 0 },
    { name: 'Cove News', epgId: '', archiveDays: 366 },
  ])
  fake.watch.streams[0] = stream(1, 'Harbor News', '5', { epg_channel_id: 'harbor.us' })
  await add({ news: '5' })
  expect((await stored())[0]).toEqual({ name: 'Harbor News', epgId: 'harbor.us', archiveDays: 0 })
})
