import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type FakePanel, linePassword, startFakePanel } from '../../../test/harness/fake-panel.ts'
import { XtreamPlayer } from './server/xtream/player-client.ts'

const folder = join(import.meta.dirname, '../../../test/xtream')
type Expected = {
  count?: number
  outcome?: string
  archive?: boolean[]
}
type FixtureResponse = { status: number; body?: unknown; bodyText?: string }
const read = (name: string) =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')) as FixtureResponse & { expect: Expected }

let currentFixture: FixtureResponse = { status: 200 }
let receivedQuery = new URLSearchParams()
const server = createServer((request, response) => {
  receivedQuery = new URL(request.url ?? '', 'http://panel').searchParams
  response
    .writeHead(currentFixture.status, { 'content-type': 'application/json' })
    .end(currentFixture.bodyText ?? JSON.stringify(currentFixture.body))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => void server.close())
const config = { allowPrivate: true, userAgent: 'test', neverExpires: [] }
const playerWith = () =>
  new XtreamPlayer(
    { ...config, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    { username: 'a b&c', password: 'p#+é/' },
  )

const fixtures = readdirSync(folder).filter((name) => !name.startsWith('prov-'))
test('every kind of fixture is covered', () => {
  const kinds = fixtures.map((name) => /^(categories|list|live-streams)/.exec(name)?.[0])
  const counts = Object.groupBy(kinds, (kind) => String(kind))
  expect(Object.entries(counts).map(([kind, all]) => [kind, all?.length])).toEqual([
    ['categories', 2],
    ['list', 1],
    ['live-streams', 5],
  ])
})

test.each(fixtures)('%s is parsed as expected', async (name) => {
  const { expect: expected, ...response } = read(name)
  currentFixture = response
  expect(Object.keys(expected).length).toBeGreaterThan(0)
  if (name.startsWith('categories-')) {
    const result = await playerWith().categories()
    expect(result.ok && result.value).toHaveLength(expected.count!)
    return
  }
  expect(name).toMatch(/^(live-streams|list)-/)
  const result = await playerWith().streams()
  if (expected.outcome) expect(result).toMatchObject({ ok: false, outcome: expected.outcome })
  if (expected.count !== undefined) expect(result.ok && result.value).toHaveLength(expected.count)
  if (expected.archive)
    expect(result.ok && result.value.map(({ archiveDays }) => archiveDays > 0)).toEqual(expected.archive)
})

describe('the player API', () => {
  test('gets credentials and parameters unchanged, whatever characters they contain', async () => {
    currentFixture = { status: 200, body: [] }
    await playerWith().streams('7&action=x')
    expect(Object.fromEntries(receivedQuery)).toEqual({
      username: 'a b&c',
      password: 'p#+é/',
      action: 'get_live_streams',
      category_id: '7&action=x',
    })
  })

  test.each<[string, FixtureResponse, object]>([
    ['an empty body', { status: 200, bodyText: '' }, { ok: false, outcome: 'bad_response' }],
    ['null', { status: 200, bodyText: 'null' }, { ok: true, value: [] }],
    [
      'an object with numeric keys',
      {
        status: 200,
        body: { 0: { category_id: 3, category_name: null }, 2: { category_id: '5', category_name: 'B' } },
      },
      {
        ok: true,
        value: [
          { id: '3', name: '' },
          { id: '5', name: 'B' },
        ],
      },
    ],
    ['an HTML page', { status: 200, bodyText: '<html></html>' }, { ok: false, outcome: 'not_xtream' }],
    ['a refusal', { status: 403, bodyText: '' }, { ok: false, outcome: 'blocked' }],
    ['a server error', { status: 500, body: [] }, { ok: false, outcome: 'provider_error' }],
    [
      'a login response instead of a list',
      { status: 200, body: { user_info: { auth: 1, status: 'Active' } } },
      { ok: false, outcome: 'bad_response' },
    ],
  ])('that responds with %s gives the expected result', async (_, response, expected) => {
    currentFixture = response
    expect(await playerWith().categories()).toMatchObject(expected)
  })

  test('may send any channel name: it is shortened to one line without control characters', async () => {
    currentFixture = {
      status: 200,
      body: [
        { stream_id: 1, name: ` <b>A</b>\u202e\n${'x'.repeat(400)}` },
        { name: 'no number' },
        { stream_id: '2', name: null, stream_type: 'radio_streams', tv_archive: '1' },
      ],
    }
    const result = await playerWith().streams()
    expect(
      result.ok &&
        result.value.map(({ name, kind, archiveDays }) => [name.slice(0, 10), name.length, kind, archiveDays]),
    ).toEqual([
      ['<b>A</b> x', 120, 'live', 0],
      ['', 0, 'radio', 1],
    ])
  })
})

describe('a failing panel', () => {
  let fake: FakePanel
  afterAll(() => fake.close())
  test('is abandoned within the time limit, and no redirect is followed', async () => {
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
      const player = new XtreamPlayer(
        { ...config, url: fake.url },
        { username, password: linePassword },
        { listMs: 400 },
      )
      const started = performance.now()
      expect(await player.streams(), username).toMatchObject({ ok: false })
      expect(performance.now() - started, username).toBeLessThan(5_000)
    }
    expect(fake.canaryHits()).toBe(0)
  })
})
