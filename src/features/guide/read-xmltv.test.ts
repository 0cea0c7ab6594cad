import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { xmltvChannel, xmltvFile, xmltvProgram } from '../../../test/harness/xmltv.ts'
import { featureTexts } from './feature-rules.ts'
import type { GuideFailure } from './server/ingest/guide-failure.ts'
import { type XmltvChannel, type XmltvProgram, XmltvReader } from './server/ingest/read-xmltv.ts'
import { decode, unpack } from './server/ingest/unpack.ts'
import { offsetsOf } from './time-rules.ts'

const startsAt = Date.UTC(2026, 10, 25, 20)
const program = (title: string, more = '') => xmltvProgram({ channel: 'a', startsAt, title, more })

/** Reads a file in pieces of `size` characters. */
function read(file: string, size = file.length) {
  const [channels, programs]: [XmltvChannel[], XmltvProgram[]] = [[], []]
  const reader = new XmltvReader({
    offsetAt: offsetsOf('UTC'),
    from: startsAt / 1_000 - 86_400,
    until: startsAt / 1_000 + 86_400,
    onChannel: (channel) => void channels.push(channel),
    isWanted: (channel) => channel !== 'unwanted',
    onProgram: (each) => void programs.push(each),
  })
  for (let at = 0; at < file.length; at += size) reader.push(file.slice(at, at + size))
  reader.end()
  return { channels, programs, isComplete: reader.isComplete, read: reader.programs }
}
const titles = (file: string) => read(file).programs.map(({ title }) => title)
const failureOf = (file: string) => {
  try {
    read(file, 65_536)
  } catch (error) {
    return (error as GuideFailure).code
  }
  return undefined
}

test.each([1, 7, 64, 10_000])('a file in pieces of %i characters is read with every field', (size) => {
  const more = [
    '<title lang="de">Nachrichten</title>',
    '<sub-title>Part &amp; parcel</sub-title>',
    '<desc>First.\n Second.</desc>',
    '<category>News</category><category>Talk</category>',
    '<episode-num system="onscreen">S09E09</episode-num>',
    '<episode-num system="xmltv_ns">1.4.0/1</episode-num>',
    '<credits><actor>Anna</actor></credits><new/>',
    '<video><present>yes</present><aspect>16:9</aspect><quality>HDTV</quality></video>',
    '<audio><stereo>dolby digital</stereo></audio><subtitles type="teletext"><language>English</language></subtitles>',
    '<subtitles type="deaf-signed" /><rating system="TVPG"><value>TV-14</value></rating><rating><value>12</value></rating><live/>',
  ].join('')
  const { channels, programs, isComplete } = read(
    xmltvFile(xmltvChannel('a', 'Harbor &quot;News&quot;'), program('Evening <![CDATA[<News>]]>', more)),
    size,
  )
  expect(channels).toEqual([{ id: 'a', name: 'Harbor "News"' }])
  expect(isComplete).toBe(true)
  expect(programs).toEqual([
    {
      channel: 'a',
      startsAt: startsAt / 1_000,
      endsAt: startsAt / 1_000 + 3_600,
      title: 'Evening <News>',
      subtitle: 'Part & parcel',
      description: 'First. Second.',
      category: 'News',
      season: 2,
      episode: 5,
      isNew: true,
      features: 1 + 2 + 8 + 16 + 64,
      rating: 'TV-14',
    },
  ])
  expect(featureTexts(programs[0]!.features, programs[0]!.rating)).toEqual([
    'Live',
    'TV-14',
    'HD',
    'Subtitles',
    'Sign language',
    'Surround sound',
  ])
})

test.each([
  ['', []],
  ['<video><quality>SDTV</quality></video><audio><stereo>mono</stereo></audio>', []],
  ['<video><colour>yes</colour><aspect>16:9</aspect></video><audio><present>yes</present></audio>', []],
  ['<video><quality>1080i</quality></video><audio><stereo>stereo</stereo></audio>', ['HD', 'Stereo']],
  ['<video><quality>UHD 2160p</quality></video><audio><stereo>bilingual</stereo></audio>', ['4K', 'Two languages']],
  ['<video><quality>HD', ['HD']],
  ['<subtitles/>', ['Subtitles']],
  ['<subtitles type="deaf-signed"/>', ['Sign language']],
  [`<rating><value> ${'A'.repeat(30)}\n</value></rating>`, ['A'.repeat(20)]],
  ['<rating><value>\u202eA\u0007</value></rating><rating/>', ['A']],
])('%s is read as features', (more, expected) => {
  const [read1] = read(xmltvFile(program('A', more))).programs
  expect(featureTexts(read1!.features, read1!.rating)).toEqual(expected)
})

describe('damaged markup does not affect other programs', () => {
  test.each([
    ['an unescaped ampersand', program('Tom & Jerry'), ['Before', 'Tom & Jerry', 'After']],
    ['a lone angle bracket', program('5 < 6'), ['Before', '5 < 6', 'After']],
    ['an unknown entity', program('Caf&eacute;'), ['Before', 'Caf&eacute;', 'After']],
    [
      'a title that is not closed',
      '<programme start="20261125200000 +0000" channel="a"><title>Open</programme>',
      ['Before', 'Open', 'After'],
    ],
    [
      'a program that is not closed',
      '<programme start="20261125200000 +0000" channel="a"><title>Open</title>',
      ['Before', 'Open', 'After'],
    ],
    ['elements closed in the wrong order', program('Order', '<desc><i>a</desc></i>'), ['Before', 'Order', 'After']],
    ['an end without a start', '</desc></title>', ['Before', 'After']],
    ['an empty title', program(' '), ['Before', 'After']],
    [
      'a program without a channel',
      '<programme start="20261125200000 +0000"><title>Lost</title></programme>',
      ['Before', 'After'],
    ],
    ['a comment and a processing instruction', '<!-- <programme> --><?php echo 1 ?>', ['Before', 'After']],
  ])('%s', (_, part, expected) => {
    expect(titles(xmltvFile(program('Before'), part, program('After')))).toEqual(expected)
  })
})

describe('a program is left out', () => {
  test.each([
    ['that starts too early', '<programme start="20261120200000 +0000" channel="a"><title>x</title></programme>'],
    ['that starts too late', '<programme start="20261220200000 +0000" channel="a"><title>x</title></programme>'],
    [
      'that ends before it starts',
      '<programme start="20261125200000 +0000" stop="20261125190000 +0000" channel="a"><title>x</title></programme>',
    ],
    [
      'that ends when it starts',
      '<programme start="20261125200000 +0000" stop="20261125200000 +0000" channel="a"><title>x</title></programme>',
    ],
    [
      'whose end is unreadable',
      '<programme start="20261125200000 +0000" stop="later" channel="a"><title>x</title></programme>',
    ],
    ['whose start is unreadable', '<programme start="20261125200000 CEST" channel="a"><title>x</title></programme>'],
    [
      'of a channel that is not wanted',
      '<programme start="20261125200000 +0000" channel="unwanted"><title>x</title></programme>',
    ],
  ])('%s', (_, part) => {
    expect(read(xmltvFile(part))).toMatchObject({ programs: [], read: 1 })
  })
})

test('a truncated file is read as far as it goes, and reported as incomplete', () => {
  const whole = xmltvFile(program('One'), program('Two'))
  const cut = read(whole.slice(0, whole.indexOf('Two')))
  expect(cut.programs.map(({ title }) => title)).toEqual(['One'])
  expect(cut.isComplete).toBe(false)
})

test('texts are cut at their limits and contain no control or direction characters', () => {
  const long = 'é'.repeat(5_000)
  const { programs } = read(
    xmltvFile(program(`A\u202e\u0007 ${long}`, `<desc>${'🙂'.repeat(3_000)}</desc><category>${long}</category>`)),
  )
  const { title, description, category } = programs[0]!
  expect([title.length, description.length, category.length]).toEqual([200, 2_000, 100])
  expect(title).not.toMatch(/\u202e|\p{Cc}/u)
  expect(description.isWellFormed()).toBe(true)
})

describe('a file is rejected', () => {
  test.each([
    ['that is a web page', '<!doctype html><html><body>Login</body></html>', 'web_page'],
    ['that is JSON', '{"user_info":{"auth":0}}', 'not_xmltv'],
    ['that is empty', '', 'not_xmltv'],
    ['with another root', '<rss><channel/></rss>', 'not_xmltv'],
    ['that nests too deeply', `<tv>${'<a>'.repeat(1_000_000)}`, 'too_deep'],
    [
      'with too many channels',
      `<tv>${Array.from({ length: 50_001 }, (_, n) => `<channel id="${n}"/>`).join('')}`,
      'too_many',
    ],
    ['with a tag without an end', `<tv><a b="${'x'.repeat(3_000_000)}`, 'too_deep'],
    [
      'with too many attributes in a tag',
      `<tv><a ${Array.from({ length: 100 }, (_, n) => `b${n}="1"`).join(' ')}>`,
      'not_xmltv',
    ],
  ])('%s', (_, file, code) => {
    expect(failureOf(file)).toBe(code)
  })

  test('entities declared in a document type are not expanded', () => {
    const bomb = '<!DOCTYPE tv [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]>'
    expect(titles(`${bomb}<tv>${program('&b;')}</tv>`)).toEqual(['&b;'])
  })
})

const chunks = async function* (bytes: Buffer, size = 1_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const unpacked = async (bytes: Buffer, limits?: { packedBytes: number; unpackedBytes: number }, size?: number) => {
  let text = ''
  for await (const piece of decode(unpack(chunks(bytes, size), limits))) text += piece
  return text
}

describe('unpacking', () => {
  const text = xmltvFile(program('Zürich '.repeat(2_000)))
  test.each([
    ['plain', Buffer.from(text), 1_000],
    ['gzip', gzipSync(text), 1_000],
    ['gzip byte by byte', gzipSync(text), 1],
    ['gzip within gzip', gzipSync(gzipSync(text)), 1_000],
    ['one byte', Buffer.from('x'), 1],
  ])('%s', async (_, bytes, size) => {
    expect(await unpacked(bytes, undefined, size)).toBe(bytes.length === 1 ? 'x' : text)
  })

  test.each([
    ['Latin-1', 'ISO-8859-1', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><tv>é</tv>', 'latin1')],
    ['UTF-16', '', Buffer.from('\ufeff<tv>é</tv>', 'utf16le')],
    ['an unknown encoding as UTF-8', '', Buffer.from('<?xml version="1.0" encoding="klingon"?><tv>é</tv>')],
  ])('%s is decoded', async (_, __, bytes) => {
    expect(await unpacked(bytes)).toContain('<tv>é</tv>')
  })

  test.each([
    ['a file that unpacks to more than the limit', gzipSync(Buffer.alloc(50_000_000)), 'too_large'],
    ['a packed file over the limit', Buffer.alloc(2_000_000), 'too_large'],
    ['gzip that is cut off', gzipSync(text).subarray(0, 100), 'unpacked'],
    ['gzip that is damaged', Buffer.concat([gzipSync(text).subarray(0, 60), Buffer.alloc(200, 7)]), 'unpacked'],
    ['a ZIP archive', Buffer.from('PK\u0003\u0004rest of it'), 'archive'],
    ['gzip within gzip within gzip', gzipSync(gzipSync(gzipSync(text))), 'archive'],
  ])('%s is refused', async (_, bytes, code) => {
    const limited = unpacked(bytes, { packedBytes: 1_000_000, unpackedBytes: 10_000_000 })
    await expect(limited).rejects.toMatchObject({ name: 'GuideFailure', code })
  })
})
