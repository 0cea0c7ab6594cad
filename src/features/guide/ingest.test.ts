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
const thisHour = Math.floor(Date.now() / hour) * hour
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
/** The stored programs as start and end, in minutes after `thisHour`, and title. */
const storedMinutes = async () =>
  (await stored()).map(({ startsAt, endsAt, title }) => [
    (startsAt - thisHour) / 60_000,
    (endsAt - thisHour) / 60_000,
    title,
  ])
const programAt = (start: number, stop: number | null, title: string, more = '', channel = 'harbor.example') =>
  `<programme start="${xmltvTime(thisHour + start * 60_000)}" ${stop === null ? '' : `stop="${xmltvTime(thisHour + stop * 60_000)}"`} channel="${channel}"><title>${title}</title>${more}</programme>`

const both = [
  xmltvChannel('harbor.example', 'Harbor'),
  xmltvChannel('bay.example', 'Bay'),
  xmltvChannel('other.example', 'Other'),
]
const twoDays = xmltvFile(...both, hourly(['harbor.example', 'bay.example', 'other.example'], thisHour, 48))

test('programs are stored for channels of the lineup; for other channels only the name is stored', async () => {
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
  expect(rows[0]).toEqual({ channel: 'bay.example', startsAt: thisHour, endsAt: thisHour + hour, title: 'Hour 0' })
  expect((await world.app.db.select().from(guideChannels)).map(({ name }) => name).toSorted()).toEqual([
    'Bay',
    'Harbor',
    'Other',
  ])
})

test('reading the same file again writes no row', async () => {
  await readFile(twoDays)
  const versions = async () =>
    (await world.app.db.execute(sql`select xmin::text, xmax::text, ctid::text from guide_programs order by ctid`)).rows
  const before = await versions()
  expect(await readFile(twoDays)).toMatchObject({ kept: 96, written: 0, removed: 0, matched: 0 })
  expect(await versions()).toEqual(before)
})

test('features and ratings are stored, and only a program whose features changed is written again', async () => {
  const more = '<video><quality>HDTV</quality></video><subtitles/><rating><value>TV\\14</value></rating>'
  const fileWith = (added: string) =>
    xmltvFile(...both, programAt(0, 60, 'A', `${more}${added}`), programAt(60, 120, 'B'))
  await readFile(fileWith(''))
  const { title, features, rating } = guidePrograms
  const rows = () => world.app.db.select({ title, features, rating }).from(guidePrograms).orderBy(asc(title))
  expect(await rows()).toEqual([
    { title: 'A', features: 2 + 8, rating: 'TV\\14' },
    { title: 'B', features: 0, rating: '' },
  ])
  expect(await readFile(fileWith(''))).toMatchObject({ written: 0, removed: 0 })
  expect(await readFile(fileWith('<live/>'))).toMatchObject({ written: 1, removed: 0 })
  expect(await rows()).toMatchObject([{ features: 1 + 2 + 8 }, { features: 0 }])
})

test('only programs that differ are written, and those missing from the file are removed within the time that it covers', async () => {
  await readFile(twoDays)
  const later = xmltvFile(
    ...both,
    hourly(['harbor.example', 'bay.example'], thisHour + 2 * hour, 40)
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

test('a truncated file adds programs and removes none', async () => {
  await readFile(twoDays)
  const file = xmltvFile(...both, hourly(['bay.example'], thisHour, 96), hourly(['harbor.example'], thisHour, 48))
  const read = await readFile(
    file
      .slice(0, file.indexOf('harbor.example" ><') - 200)
      .slice(0, file.lastIndexOf('channel="harbor.example"') - 4_000),
  )
  expect(read).toMatchObject({ isComplete: false, removed: 0, written: 48 })
  expect(await stored()).toHaveLength(48 + 96)
})

test('programs that a truncated file adds between stored ones do not overlap them', async () => {
  await readFile(xmltvFile(programAt(120, 180, 'A'), programAt(180, 240, 'B')))
  const cut = xmltvFile(programAt(150, 210, 'C'), programAt(240, 270, 'D')).replace(/D<[\s\S]*/, '')
  expect(await readFile(cut)).toMatchObject({ isComplete: false, removed: 0, kept: 1 })
  expect(await storedMinutes()).toEqual([
    [120, 150, 'A'],
    [150, 180, 'C'],
    [180, 240, 'B'],
  ])
})

test('a file with less than half of the upcoming programs changes nothing', async () => {
  await readFile(twoDays)
  const before = await stored()
  await expect(readFile(xmltvFile(...both, hourly(['harbor.example'], thisHour, 20)))).rejects.toMatchObject({
    name: 'FarFewerPrograms',
  })
  expect(await stored()).toEqual(before)
  expect(await world.app.db.select().from(guideChannels)).toHaveLength(3)
})

describe('while programs are cleaned', () => {
  const cases: [string, string[], (number | string)[][]][] = [
    [
      'a gap stays a gap',
      [programAt(0, 30, 'A'), programAt(60, 90, 'B')],
      [
        [0, 30, 'A'],
        [60, 90, 'B'],
      ],
    ],
    [
      'an overlapping program ends when the next one starts',
      [programAt(0, 45, 'A'), programAt(30, 60, 'B')],
      [
        [0, 30, 'A'],
        [30, 60, 'B'],
      ],
    ],
    [
      'a program ends when another one starts within it',
      [programAt(0, 120, 'A'), programAt(30, 60, 'B')],
      [
        [0, 30, 'A'],
        [30, 60, 'B'],
      ],
    ],
    [
      'a program without an end lasts until the next one starts',
      [programAt(0, null, 'A'), programAt(20, 60, 'B')],
      [
        [0, 20, 'A'],
        [20, 60, 'B'],
      ],
    ],
    ['a last program without an end lasts half an hour', [programAt(0, null, 'A')], [[0, 30, 'A']]],
    ['a program of more than a day is cut to 24 hours', [programAt(0, 60 * 30, 'A')], [[0, 60 * 24, 'A']]],
    [
      'a program that ends before it starts is left out',
      [programAt(60, 30, 'A'), programAt(90, 120, 'B')],
      [[90, 120, 'B']],
    ],
    ['a repeated program is stored once', [programAt(0, 60, 'A'), programAt(0, 60, 'A')], [[0, 60, 'A']]],
    [
      'of two programs with the same start, the later end and the longer text are kept',
      [programAt(0, 30, 'A', '<desc>Long text</desc>'), programAt(0, 60, 'B', '<desc>x</desc>')],
      [[0, 60, 'A']],
    ],
    [
      'of two programs with the same start, one may have no end',
      [programAt(0, null, 'A'), programAt(0, 60, 'A longer')],
      [[0, 60, 'A longer']],
    ],
    [
      'programs may be out of order',
      [programAt(60, 90, 'B'), programAt(0, 60, 'A')],
      [
        [0, 60, 'A'],
        [60, 90, 'B'],
      ],
    ],
    [
      'programs too far ahead or too long ago are left out',
      [programAt(-60 * 24 * 3, 0, 'Old'), programAt(0, 60, 'A'), programAt(60 * 24 * 16, 60 * 24 * 16 + 30, 'Far')],
      [[0, 60, 'A']],
    ],
  ]
  test.each(cases)('%s', async (_, programs, expected) => {
    await readFile(xmltvFile(...programs))
    expect(await storedMinutes()).toEqual(expected)
  })

  test('times without a zone are in the zone of the source', async () => {
    const local = new Date(thisHour + 2 * hour).toISOString().replaceAll(/\D/g, '').slice(0, 14)
    await readFile(
      xmltvFile(`<programme start="${local}" channel="harbor.example"><title>A</title></programme>`),
      'Etc/GMT-2',
    )
    expect(await storedMinutes()).toEqual([[0, 30, 'A']])
  })

  test('a stored program that started before the file begins ends when the first program of the file starts', async () => {
    await readFile(xmltvFile(programAt(0, 120, 'A')))
    await readFile(xmltvFile(programAt(60, 120, 'B')))
    expect(await storedMinutes()).toEqual([
      [0, 60, 'A'],
      [60, 120, 'B'],
    ])
  })
})

describe('reading in the worker thread', () => {
  test('stores the outcome and when the source is due again', async () => {
    world.server.answers['/guide.xml'] = { body: gzipSync(twoDays), headers: { etag: '"1"' } }
    expect(await world.read()).toBe(1)
    const source = await world.source(sourceId)
    expect(source).toMatchObject({ state: 'read', note: '', programs: 144, etag: '"1"', heldUntil: null })
    const hours = (Date.parse(source.nextAt!) - Date.now()) / hour
    expect(hours).toBeGreaterThan(10.9)
    expect(hours).toBeLessThan(13.1)
    expect(await world.read()).toBe(0)
  })

  test('sends a conditional request only while programs are stored', async () => {
    world.server.answers['/guide.xml'] = { body: twoDays, headers: { etag: '"1"' } }
    const again = async () => {
      await world.app.db.update(guideSources).set({ nextAt: new Date(0).toISOString() })
      await world.read()
      return world.server.requests.at(-1)!.headers['if-none-match']
    }
    expect(await again()).toBeUndefined()
    expect(await again()).toBe('"1"')
    expect(await world.source(sourceId)).toMatchObject({ state: 'read', programs: 144 })
    // Simulates a restore, because backups do not contain programs.
    await world.app.db.delete(guidePrograms)
    expect(await again()).toBeUndefined()
    expect(await stored()).toHaveLength(96)
  })

  test('a source is read again if the process ended while reading it', async () => {
    world.server.answers['/guide.xml'] = { body: twoDays }
    const claimUntil = (until: Date) =>
      world.app.db.update(guideSources).set({ state: 'reading', nextAt: null, heldUntil: until.toISOString() })
    await claimUntil(new Date(Date.now() + 60_000))
    expect(await world.read()).toBe(0)
    await claimUntil(new Date(Date.now() - 1_000))
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
    [
      'less than half of the programs',
      { body: xmltvFile(...both, hourly(['bay.example'], thisHour, 10)) },
      'less than half',
    ],
  ])('%s changes nothing and sets a note', async (_, answer, note) => {
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

test('programs are removed a day after they leave the longest archive', async () => {
  const old = (days: number) =>
    xmltvProgram({ channel: 'harbor.example', startsAt: thisHour - days * 24 * hour, title: `${days} days ago` })
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
  await readFile(xmltvFile(xmltvChannel('harbor.example', 'Harbor'), hourly(['harbor.example'], thisHour, 60)))
  expect((await world.app.db.select().from(guideChannels)).map(({ name }) => name).toSorted()).toEqual([
    'Bay',
    'Harbor',
  ])
})
