import { gzipSync } from 'node:zlib'
import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { channelGuides, channels, guideChannels, guidePrograms, guideSources } from '#server/db/tables.ts'
import { type GuideSourcesWorld, guideSourcesWorld } from '../../../test/harness/guide-sources.ts'
import { hourly, xmltvChannel, xmltvFile, xmltvProgram, xmltvTime } from '../../../test/harness/xmltv.ts'
import { type Ingested, ingest } from './server/ingest/ingest.ts'
import { removeOldPrograms } from './server/jobs.ts'

let world: GuideSourcesWorld
beforeAll(async () => {
  world = await guideSourcesWorld()
})
afterAll(() => world.close())

const hour = 3_600_000
const today = Math.floor(Date.now() / hour) * hour
let sourceId = 0
beforeEach(async () => {
  await world.app.db.delete(guideSources)
  await world.app.db.delete(channels)
  await world.addChannel('Harbor News', { epgId: 'harbor.example' })
  await world.addChannel('Bay Sports', { epgId: 'bay.example' })
  sourceId = await world.addSource('/guide.xml')
})

/** Reads a file without a worker thread. */
const readFile = (body: string | Buffer, zone = 'UTC', etag: string | null = null) => {
  world.server.answers['/guide.xml'] = { body, headers: etag === null ? {} : { etag } }
  return ingest({
    sourceId,
    zone,
    connection: world.connection,
    file: {
      kind: 'address',
      address: `${world.server.url}/guide.xml`,
      etag,
      lastModified: null,
      userAgent: 'Sauce',
      allowPrivate: true,
      ownHosts: [],
    },
  }) as Promise<Ingested>
}
const stored = async () =>
  (
    await world.app.db
      .select({
        channel: guideChannels.xmltvId,
        startsAt: guidePrograms.startsAt,
        endsAt: guidePrograms.endsAt,
        title: guidePrograms.title,
      })
      .from(guidePrograms)
      .innerJoin(guideChannels, eq(guideChannels.id, guidePrograms.guideChannelId))
      .orderBy(asc(guideChannels.xmltvId), asc(guidePrograms.startsAt))
  ).map((row) => ({ ...row, startsAt: Date.parse(row.startsAt), endsAt: Date.parse(row.endsAt) }))
/** Starts and ends in minutes from now, and titles. */
const minutes = async () =>
  (await stored()).map(({ startsAt, endsAt, title }) => [(startsAt - today) / 60_000, (endsAt - today) / 60_000, title])
const at = (start: number, stop: number | null, title: string, more = '', channel = 'harbor.example') =>
  `<programme start="${xmltvTime(today + start * 60_000)}" ${stop === null ? '' : `stop="${xmltvTime(today + stop * 60_000)}"`} channel="${channel}"><title>${title}</title>${more}</programme>`

const both = [
  xmltvChannel('harbor.example', 'Harbor'),
  xmltvChannel('bay.example', 'Bay'),
  xmltvChannel('other.example', 'Other'),
]
const twoDays = xmltvFile(...both, hourly(['harbor.example', 'bay.example', 'other.example'], today, 48))

test('a file is read: channels of the lineup get their programs, others only a name', async () => {
  expect(await readFile(gzipSync(twoDays))).toMatchObject({
    programs: 144,
    kept: 96,
    written: 96,
    removed: 0,
    matched: 2,
    isComplete: true,
  })
  const rows = await stored()
  expect(rows).toHaveLength(96)
  expect(rows[0]).toEqual({ channel: 'bay.example', startsAt: today, endsAt: today + hour, title: 'Hour 0' })
  expect((await world.app.db.select().from(guideChannels)).map(({ name }) => name).toSorted()).toEqual([
    'Bay',
    'Harbor',
    'Other',
  ])
})

test('the same file again writes no row', async () => {
  await readFile(twoDays)
  const versions = async () =>
    (await world.app.db.execute(sql`select xmin::text, xmax::text, ctid::text from guide_programs order by ctid`)).rows
  const before = await versions()
  expect(await readFile(twoDays)).toMatchObject({ kept: 96, written: 0, removed: 0, matched: 0 })
  expect(await versions()).toEqual(before)
})

test('only programs that differ are written, and those that the file no longer has are removed within its time', async () => {
  await readFile(twoDays)
  const later = xmltvFile(
    ...both,
    hourly(['harbor.example', 'bay.example'], today + 2 * hour, 40)
      .replace('Hour 0<', 'Changed<')
      .replace(/<programme[^>]*><title>Hour 5<.*\n/, ''),
  )
  const read = await readFile(later)
  expect(read.written).toBeGreaterThan(0)
  expect(read.removed).toBe(1)
  const rows = (await stored()).filter(({ channel }) => channel === 'harbor.example')
  expect(rows.slice(0, 3).map(({ title }) => title)).toEqual(['Hour 0', 'Hour 1', 'Changed'])
  expect(rows).toHaveLength(47)
  expect(rows.at(-1)).toMatchObject({ title: 'Hour 47' })
})

test('a file that is cut off adds programs and removes none', async () => {
  await readFile(twoDays)
  const file = xmltvFile(...both, hourly(['bay.example'], today, 96), hourly(['harbor.example'], today, 48))
  const read = await readFile(
    file
      .slice(0, file.indexOf('harbor.example" ><') - 200)
      .slice(0, file.lastIndexOf('channel="harbor.example"') - 4_000),
  )
  expect(read).toMatchObject({ isComplete: false, removed: 0, written: 48 })
  expect(await stored()).toHaveLength(48 + 96)
})

test('a file with under half of the upcoming programs changes nothing', async () => {
  await readFile(twoDays)
  const before = await stored()
  await expect(readFile(xmltvFile(...both, hourly(['harbor.example'], today, 20)))).rejects.toMatchObject({
    name: 'FarFewer',
  })
  expect(await stored()).toEqual(before)
  expect(await world.app.db.select().from(guideChannels)).toHaveLength(3)
})

describe('times are cleaned', () => {
  const cases: [string, string[], (number | string)[][]][] = [
    [
      'a gap stays a gap',
      [at(0, 30, 'A'), at(60, 90, 'B')],
      [
        [0, 30, 'A'],
        [60, 90, 'B'],
      ],
    ],
    [
      'an overlap ends when the next one starts',
      [at(0, 45, 'A'), at(30, 60, 'B')],
      [
        [0, 30, 'A'],
        [30, 60, 'B'],
      ],
    ],
    [
      'one within another ends it',
      [at(0, 120, 'A'), at(30, 60, 'B')],
      [
        [0, 30, 'A'],
        [30, 60, 'B'],
      ],
    ],
    [
      'without an end, the next start',
      [at(0, null, 'A'), at(20, 60, 'B')],
      [
        [0, 20, 'A'],
        [20, 60, 'B'],
      ],
    ],
    ['without an end and a next one, half an hour', [at(0, null, 'A')], [[0, 30, 'A']]],
    ['over a day is cut', [at(0, 60 * 30, 'A')], [[0, 60 * 24, 'A']]],
    ['an end before its start is left out', [at(60, 30, 'A'), at(90, 120, 'B')], [[90, 120, 'B']]],
    ['twice the same', [at(0, 60, 'A'), at(0, 60, 'A')], [[0, 60, 'A']]],
    [
      'the same start: the later end and the longer text',
      [at(0, 30, 'A', '<desc>Long text</desc>'), at(0, 60, 'B', '<desc>x</desc>')],
      [[0, 60, 'A']],
    ],
    ['the same start, once without an end', [at(0, null, 'A'), at(0, 60, 'A longer')], [[0, 60, 'A longer']]],
    [
      'out of order',
      [at(60, 90, 'B'), at(0, 60, 'A')],
      [
        [0, 60, 'A'],
        [60, 90, 'B'],
      ],
    ],
    [
      'too far ahead or too long ago is left out',
      [at(-60 * 24 * 3, 0, 'Old'), at(0, 60, 'A'), at(60 * 24 * 16, 60 * 24 * 16 + 30, 'Far')],
      [[0, 60, 'A']],
    ],
  ]
  test.each(cases)('%s', async (_, programs, expected) => {
    await readFile(xmltvFile(...programs))
    expect(await minutes()).toEqual(expected)
  })

  test('times without a zone are in the zone of the source', async () => {
    const local = new Date(today + 2 * hour).toISOString().replaceAll(/\D/g, '').slice(0, 14)
    await readFile(
      xmltvFile(`<programme start="${local}" channel="harbor.example"><title>A</title></programme>`),
      'Etc/GMT-2',
    )
    expect(await minutes()).toEqual([[0, 30, 'A']])
  })

  test('a program that began before the file ends when its first one starts', async () => {
    await readFile(xmltvFile(at(0, 120, 'A')))
    await readFile(xmltvFile(at(60, 120, 'B')))
    expect(await minutes()).toEqual([
      [0, 60, 'A'],
      [60, 120, 'B'],
    ])
  })
})

describe('a reading in the worker thread', () => {
  test('stores what was read and when the next one is due', async () => {
    world.server.answers['/guide.xml'] = { body: gzipSync(twoDays), headers: { etag: '"1"' } }
    expect(await world.read()).toBe(1)
    const source = await world.source(sourceId)
    expect(source).toMatchObject({ state: 'read', note: '', programs: 144, etag: '"1"', heldUntil: null })
    const hours = (Date.parse(source.nextAt!) - Date.now()) / hour
    expect(hours).toBeGreaterThan(10.9)
    expect(hours).toBeLessThan(13.1)
    expect(await world.read()).toBe(0)
  })

  test('asks for changes only while programs are stored', async () => {
    world.server.answers['/guide.xml'] = { body: twoDays, headers: { etag: '"1"' } }
    const again = async () => {
      await world.app.db.update(guideSources).set({ nextAt: new Date(0).toISOString() })
      await world.read()
      return world.server.requests.at(-1)!.headers['if-none-match']
    }
    expect(await again()).toBeUndefined()
    expect(await again()).toBe('"1"')
    expect(await world.source(sourceId)).toMatchObject({ state: 'read', programs: 144 })
    // As after a restore: programs are not in backups.
    await world.app.db.delete(guidePrograms)
    expect(await again()).toBeUndefined()
    expect(await stored()).toHaveLength(96)
  })

  test('a process that ended in the middle leaves no source behind', async () => {
    world.server.answers['/guide.xml'] = { body: twoDays }
    const hold = (until: Date) =>
      world.app.db.update(guideSources).set({ state: 'reading', nextAt: null, heldUntil: until.toISOString() })
    await hold(new Date(Date.now() + 60_000))
    expect(await world.read()).toBe(0)
    await hold(new Date(Date.now() - 1_000))
    expect(await world.read()).toBe(1)
    expect(await stored()).toHaveLength(96)
  })

  test.each([
    ['a web page', { body: '<html><body>Log in</body></html>' }, 'a web page, not'],
    ['a refusal', { status: 403, body: twoDays }, 'refused access'],
    ['a missing file', { status: 404 }, 'no file'],
    ['a failing server', { status: 502 }, 'an error'],
    [
      'a redirect to a private address',
      { status: 302, headers: { location: 'http://192.168.1.1/guide.xml' } },
      'redirects',
    ],
    ['deep nesting', { body: `<tv>${'<a>'.repeat(200_000)}` }, 'nested too deeply'],
    ['damaged gzip', { body: gzipSync(twoDays).subarray(0, 200) }, 'damaged'],
    ['no program', { body: xmltvFile(...both) }, 'no programs'],
    ['under half of the programs', { body: xmltvFile(...both, hourly(['bay.example'], today, 10)) }, 'under half'],
  ])('of %s changes nothing and says so', async (_, answer, note) => {
    await readFile(twoDays)
    const before = await stored()
    world.server.answers['/guide.xml'] = answer
    await world.read()
    const source = await world.source(sourceId)
    expect(source).toMatchObject({ state: 'failed', readAt: null })
    expect(source.note).toContain(note)
    expect(source.note).not.toContain('127.0.0.1')
    expect(Date.parse(source.nextAt!)).toBeGreaterThan(Date.now() + hour / 2)
    expect(await stored()).toEqual(before)
  })
})

test('programs older than the longest archive and a day are removed', async () => {
  const old = (days: number) =>
    xmltvProgram({ channel: 'harbor.example', startsAt: today - days * 24 * hour, title: `${days} days ago` })
  await world.addChannel('Archive', { epgId: 'archive.example', archiveDays: 3 })
  await readFile(xmltvFile(old(5), old(3), old(0)))
  expect((await stored()).map(({ title }) => title)).toEqual(['3 days ago', '0 days ago'])
  await world.app.db.delete(channels).where(eq(channels.name, 'Archive'))
  expect(await removeOldPrograms(world.app.db)).toBe(1)
  expect((await stored()).map(({ title }) => title)).toEqual(['0 days ago'])
})

test('a channel that the file no longer has is removed, unless it was matched by hand', async () => {
  await readFile(twoDays)
  await world.app.db
    .update(channelGuides)
    .set({ matched: 'hand' })
    .where(sql`${channelGuides.guideChannelId} = (select id from guide_channels where xmltv_id = 'bay.example')`)
  await readFile(xmltvFile(xmltvChannel('harbor.example', 'Harbor'), hourly(['harbor.example'], today, 60)))
  expect((await world.app.db.select().from(guideChannels)).map(({ name }) => name).toSorted()).toEqual([
    'Bay',
    'Harbor',
  ])
})
