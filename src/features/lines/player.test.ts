import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type FakePanel, linePassword, startFakePanel } from '../../../test/harness/fake-panel.ts'
import { GuideTexts } from './server/player/guide.ts'
import { Player } from './server/player/player.ts'

const folder = join(import.meta.dirname, '../../../test/xtream')
type Expected = {
  count?: number
  outcome?: string
  archive?: boolean[]
  titles?: string[]
  firstStart?: number
  firstStop?: number
  byStream?: string[]
}
type Played = { status: number; body?: unknown; bodyText?: string }
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Played & { expect: Expected }

let played: Played = { status: 200 }
let asked = new URLSearchParams()
const server = createServer((request, response) => {
  asked = new URL(request.url ?? '', 'http://panel').searchParams
  response
    .writeHead(played.status, { 'content-type': 'application/json' })
    .end(played.bodyText ?? JSON.stringify(played.body))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => void server.close())
const config = { allowPrivate: true, userAgent: 'test', neverExpires: [] }
const playerWith = (options: object = {}) =>
  new Player(
    { ...config, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    { username: 'a b&c', password: 'p#+é/' },
    options,
  )
const seconds = (instant: string) => Date.parse(instant) / 1000

const fixtures = readdirSync(folder).filter((name) => !name.startsWith('prov-'))
test('no kind of answer is left out', () => {
  const kinds = fixtures.map((name) => /^(categories|list|live-streams|short-epg)/.exec(name)?.[0])
  const counts = Object.groupBy(kinds, (kind) => String(kind))
  expect(Object.entries(counts).map(([kind, all]) => [kind, all?.length])).toEqual([
    ['categories', 2],
    ['list', 1],
    ['live-streams', 5],
    ['short-epg', 7],
  ])
})

test.each(fixtures)('%s means what it should', async (name) => {
  const { expect: wanted, ...answer } = read(name)
  played = answer
  expect(Object.keys(wanted).length).toBeGreaterThan(0)
  if (name.startsWith('categories-')) {
    const heard = await playerWith().categories()
    expect(heard.ok && heard.told).toHaveLength(wanted.count!)
    return
  }
  if (/^(live-streams|list)-/.test(name)) {
    const heard = await playerWith().streams()
    if (wanted.outcome) expect(heard).toMatchObject({ ok: false, outcome: wanted.outcome })
    if (wanted.count !== undefined) expect(heard.ok && heard.told).toHaveLength(wanted.count)
    if (wanted.archive) expect(heard.ok && heard.told.map(({ archiveDays }) => archiveDays > 0)).toEqual(wanted.archive)
    return
  }
  expect(name).toMatch(/^(short-epg|data-table)-/)
  const heard = name.startsWith('short-epg') ? await playerWith().shortGuide('1') : await playerWith().catchUpGuide('1')
  const { programmes, byStream } = heard.ok ? heard.told : expect.fail(heard.message)
  if (wanted.titles) expect(programmes.map(({ title }) => title)).toEqual(wanted.titles)
  if (wanted.firstStart) expect(seconds(programmes[0]!.startsAt)).toBe(wanted.firstStart)
  if (wanted.firstStop) expect(seconds(programmes[0]!.endsAt)).toBe(wanted.firstStop)
  if (wanted.byStream) expect(Object.keys(byStream)).toEqual(wanted.byStream)
})

describe('the player API', () => {
  test('is asked with credentials as they are, whatever is in them', async () => {
    played = { status: 200, body: [] }
    await playerWith().streams('7&action=x')
    expect(Object.fromEntries(asked)).toEqual({
      username: 'a b&c',
      password: 'p#+é/',
      action: 'get_live_streams',
      category_id: '7&action=x',
    })
  })

  test.each<[string, Played, object]>([
    ['nothing at all', { status: 200, bodyText: '' }, { ok: false, outcome: 'bad_response' }],
    ['null', { status: 200, bodyText: 'null' }, { ok: true, told: [] }],
    [
      'an object keyed by places',
      {
        status: 200,
        body: { 0: { category_id: 3, category_name: null }, 2: { category_id: '5', category_name: 'B' } },
      },
      {
        ok: true,
        told: [
          { id: '3', name: '' },
          { id: '5', name: 'B' },
        ],
      },
    ],
    ['a page', { status: 200, bodyText: '<html></html>' }, { ok: false, outcome: 'not_xtream' }],
    ['a refusal', { status: 403, bodyText: '' }, { ok: false, outcome: 'blocked' }],
    ['its own failure', { status: 500, body: [] }, { ok: false, outcome: 'provider_error' }],
    [
      'a login that is in',
      { status: 200, body: { user_info: { auth: 1, status: 'Active' } } },
      { ok: false, outcome: 'bad_response' },
    ],
  ])('that answers %s is understood', async (_, answer, wanted) => {
    played = answer
    expect(await playerWith().categories()).toMatchObject(wanted)
  })

  test('may name a channel as it likes: one line without tricks', async () => {
    played = {
      status: 200,
      body: [
        { stream_id: 1, name: ` <b>A</b>\u202e\n${'x'.repeat(400)}` },
        { name: 'no number' },
        { stream_id: '2', name: null, stream_type: 'radio_streams', tv_archive: '1' },
      ],
    }
    const heard = await playerWith().streams()
    expect(
      heard.ok && heard.told.map(({ name, kind, archiveDays }) => [name.slice(0, 10), name.length, kind, archiveDays]),
    ).toEqual([
      ['<b>A</b> x', 120, 'live', 0],
      ['', 0, 'radio', 1],
    ])
  })
})

describe('the table of what was and will be on', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const past = {
    start: '2026-11-20 13:00:00',
    end: '2026-11-20 13:30:00',
    start_timestamp: '1795179600',
    stop_timestamp: '1795181400',
  }
  const row = {
    id: '9',
    epg_id: '5',
    title: base64('Évening news'),
    lang: 'en',
    description: base64('All of today'),
    channel_id: 'news.example',
    ...past,
  }
  const told = async (body: unknown) => {
    played = { status: 200, body }
    const heard = await playerWith().catchUpGuide('17')
    return heard.ok ? heard.told.programmes : heard
  }

  test.each<[string, object, object]>([
    ['classic: texts everywhere', { ...row, now_playing: 0, has_archive: 1 }, { hasArchive: true }],
    ['flags as text', { ...row, now_playing: '1', has_archive: '0' }, { hasArchive: false }],
    [
      'timestamps as numbers',
      { ...row, start_timestamp: 1_795_179_600, stop_timestamp: 1_795_181_400, has_archive: '1' },
      { hasArchive: true },
    ],
    ['an end that is unix time', { ...row, end: '1795181400', stop: past.end, has_archive: 1 }, { hasArchive: true }],
    [
      'dates two hours off, in its own zone',
      { ...row, start: '2026-11-20 15:00:00', end: '2026-11-20 15:30:00' },
      { hasArchive: false },
    ],
  ])('%s', async (_, listed, more) => {
    expect(await told({ epg_listings: [listed] })).toEqual([
      {
        id: '9',
        title: 'Évening news',
        description: 'All of today',
        startsAt: '2026-11-20T13:00:00.000Z',
        endsAt: '2026-11-20T13:30:00.000Z',
        hasArchive: false,
        ...more,
      },
    ])
    expect(Object.fromEntries(asked)).toMatchObject({ action: 'get_simple_data_table', stream_id: '17' })
  })

  test('a table with holes, without rows or that is no table at all', async () => {
    expect(await told({ epg_listings: { 0: row, 3: row } })).toHaveLength(2)
    expect(
      await told({
        epg_listings: [{ ...row, stop_timestamp: null }, { ...row, stop_timestamp: row.start_timestamp }, null, 'x'],
      }),
    ).toEqual([])
    for (const empty of [{ epg_listings: [] }, { epg_listings: null }, [], {}]) expect(await told(empty)).toEqual([])
    expect(await told({ user_info: { auth: 0 } })).toMatchObject({ ok: false, outcome: 'bad_credentials' })
    expect(await told([1, 2])).toMatchObject({ ok: false, outcome: 'bad_response' })
  })
})

describe('the texts of a guide', () => {
  const row = (title: string, description = '') => ({
    title,
    description,
    start_timestamp: '1795215600',
    stop_timestamp: 1795217400,
  })
  const titles = async (texts: GuideTexts, ...rows: object[]) => {
    played = { status: 200, body: { epg_listings: rows } }
    const heard = await playerWith({ texts }).shortGuide('1')
    return heard.ok ? heard.told.programmes.map(({ title }) => title) : heard
  }
  const base64 = (text: string) => Buffer.from(text).toString('base64')

  test('are plain where one of them cannot be anything else', async () => {
    expect(await titles(new GuideTexts(), row('Kids', 'Late film'), row('Film'))).toEqual(['Kids', 'Film'])
  })

  test('that could be both follow what the provider has shown before, or what the operator says', async () => {
    const plain = new GuideTexts()
    await titles(plain, row('Late film'))
    expect(await titles(plain, row('Kids'))).toEqual(['Kids'])
    const coded = new GuideTexts()
    await titles(coded, row(base64('News at nine'), base64('All of it')), row(base64('Weather')))
    expect(await titles(coded, row(base64('Film!')))).toEqual(['Film!'])
    expect(await titles(new GuideTexts('plain'), row('Kids'))).toEqual(['Kids'])
    expect(await titles(new GuideTexts('base64'), row(base64('Évening')))).toEqual(['Évening'])
  })

  test('without a beginning and an end after it are left out; garbage stays what it is', async () => {
    expect(
      await titles(
        new GuideTexts(),
        row('not base64 !!'),
        { title: 'x', start_timestamp: null, stop_timestamp: 5 },
        { ...row('y'), stop_timestamp: 1 },
      ),
    ).toEqual(['not base64 !!'])
  })

  test('of a provider that says nothing are an empty guide', async () => {
    played = { status: 200, bodyText: '' }
    expect(await playerWith().shortGuide('1')).toEqual({ ok: true, told: { programmes: [], byStream: {} } })
    expect(await playerWith().catchUpGuide('1')).toMatchObject({ ok: true })
  })
})

describe('a provider that does everything wrong', () => {
  let fake: FakePanel
  afterAll(() => fake.close())
  test('costs the time agreed on, and leads nobody astray', async () => {
    fake = await startFakePanel()
    for (const username of [
      'silent',
      'slow',
      'endless',
      'bomb',
      'reset',
      'redirect',
      'failing',
      'badjson',
      'html',
      'nobody',
    ]) {
      const player = new Player({ ...config, url: fake.url }, { username, password: linePassword }, { listMs: 400 })
      const started = performance.now()
      expect(await player.streams(), username).toMatchObject({ ok: false })
      expect(performance.now() - started, username).toBeLessThan(5_000)
    }
    expect(fake.canaryHits()).toBe(0)
  })
})
