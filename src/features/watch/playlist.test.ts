import { describe, expect, test } from 'vitest'
import { type Playlist, rewritePlaylist } from './server/relay/playlist.ts'

const rewrite = (uri: string, kind: string) =>
  uri.startsWith('bad:') ? undefined : `/stream/p/${kind}-${encodeURIComponent(uri)}`
const read = (lines: string[], mayBeMaster = true) =>
  rewritePlaylist(['#EXTM3U', ...lines].join('\n'), { mayBeMaster, rewrite })
const textOf = (playlist: Playlist) => (playlist.ok ? playlist.text : playlist.reason)
const segment = ['#EXTINF:4.0,', 'a.ts']

describe('a playlist is refused', () => {
  test.each<[string, string[], string]>([
    ['without segments', [], 'bad_stream'],
    ['with a duration that is not a number', ['#EXTINF:long,', 'a.ts'], 'bad_stream'],
    ['with a line that is too long', [`#${'x'.repeat(9_000)}`, ...segment], 'bad_stream'],
    ['with too many lines', [...segment, ...Array.from({ length: 20_001 }, () => '#')], 'bad_stream'],
    [
      'with too many variants',
      Array.from({ length: 21 }, (_, n) => [`#EXT-X-STREAM-INF:BANDWIDTH=${n + 1}`, `${n}.m3u8`]).flat(),
      'bad_stream',
    ],
    ['that is encrypted for a DRM system', ['#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x"', ...segment], 'protected'],
    [
      'with a key in another format',
      ['#EXT-X-KEY:METHOD=AES-128,URI="k",KEYFORMAT="com.apple.streamingkeydelivery"', ...segment],
      'protected',
    ],
    [
      'with a session key of a DRM system',
      ['#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES-CTR,URI="data:x"', '#EXT-X-STREAM-INF:BANDWIDTH=1', 'v.m3u8'],
      'protected',
    ],
    ['with a key that must not be called', ['#EXT-X-KEY:METHOD=AES-128,URI="bad:key"', ...segment], 'bad_stream'],
  ])('%s', (_, lines, reason) => {
    expect(read(lines)).toEqual({ ok: false, reason })
  })

  test('that is an HTML page, or that belongs to a variant and lists variants itself', () => {
    expect(rewritePlaylist('<html>', { mayBeMaster: true, rewrite }).ok).toBe(false)
    expect(rewritePlaylist('#EXTM3U8', { mayBeMaster: true, rewrite }).ok).toBe(false)
    expect(read(['#EXT-X-STREAM-INF:BANDWIDTH=1', 'v.m3u8'], false)).toEqual({ ok: false, reason: 'bad_stream' })
  })
})

test('every address is replaced by an address on this site, whatever its tag', () => {
  const text = textOf(
    read([
      '#EXT-X-TARGETDURATION:4',
      '#EXT-X-MAP:URI="init.mp4",BYTERANGE="700@0"',
      '#EXT-X-KEY:METHOD=AES-128,URI="http://u:p@panel/key",IV=0x1',
      '#EXTINF:4,',
      'http://panel/1.ts?token=t',
    ]),
  )
  expect(text).toBe(
    `${['#EXTM3U', '#EXT-X-TARGETDURATION:4', '#EXT-X-MAP:BYTERANGE="700@0",URI="/stream/p/segment-init.mp4"', '#EXT-X-KEY:METHOD=AES-128,IV=0x1,URI="/stream/p/key-http%3A%2F%2Fu%3Ap%40panel%2Fkey"', '#EXTINF:4,', '/stream/p/cipher-http%3A%2F%2Fpanel%2F1.ts%3Ftoken%3Dt'].join('\n')}\n`,
  )
  const master = textOf(
    read([
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",URI="audio.m3u8"',
      '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.42c015,mp4a.40.2",AUDIO="a",X-PATH="http://panel/x"',
      'video.m3u8',
    ]),
  )
  expect(master).toContain('#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",URI="/stream/p/media-audio.m3u8"')
  expect(master).toContain(
    '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.42c015,mp4a.40.2",AUDIO="a"\n/stream/p/media-video.m3u8',
  )
})

test('comments, titles, unknown tags and values that look like addresses are removed', () => {
  const text = textOf(
    read([
      '# http://line:secret@panel/',
      '#EXT-X-DATERANGE:ID="x",X-ASSET-URI="http://secret"',
      '#EXT-X-PREFETCH:http://secret/1.ts',
      '#EXT-X-PART:DURATION=1,URI="http://secret/p.ts"',
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="http://secret",URI="s.m3u8"',
      '#EXT-X-PROGRAM-DATE-TIME:http://secret',
      '#EXTINF:4.5,http://line:secret@panel/',
      'a.ts',
      'orphan.ts',
    ]),
  )
  expect(text).not.toMatch(/secret|orphan/)
  expect(text).toContain('#EXTINF:4.5,\n/stream/p/segment-a.ts')
})

test('an address that must not be called is removed with its tags; the key of the next segment stays', () => {
  const playlist = read(['#EXT-X-KEY:METHOD=AES-128,URI="k"', '#EXTINF:4,', 'bad:x', '#EXTINF:4,', 'b.ts'])
  expect(playlist).toMatchObject({ ok: true, skipped: 1 })
  expect(textOf(playlist)).toBe(
    '#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="/stream/p/key-k"\n#EXTINF:4,\n/stream/p/cipher-b.ts\n',
  )
})

test('the discontinuity sequence number stays small, because players count up to it', () => {
  expect(textOf(read(['#EXT-X-DISCONTINUITY-SEQUENCE:149630441', ...segment]))).toContain('SEQUENCE:441\n')
})

test('rewritten playlists of random lines never contain an address of another site', () => {
  const pieces = [
    '#EXTINF:',
    '#EXT-X-KEY:',
    'METHOD=',
    'AES-128',
    'URI="',
    '"',
    'http://evil.example/',
    ',',
    '\r',
    '\n',
    '\u2028',
    '4',
    '#EXT-X-STREAM-INF:',
    '#EXT-X-MAP:',
    '#EXT-X-MEDIA:',
    'NAME=',
    'file:///',
    ' ',
    '\u0000',
    '#',
  ]
  let seed = 7
  const random = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % most
  }
  for (let n = 0; n < 3_000; n++) {
    const text = `#EXTM3U\n${Array.from({ length: random(40) }, () => pieces[random(pieces.length)]).join('')}`
    const playlist = rewritePlaylist(text, { mayBeMaster: n % 2 === 0, rewrite })
    if (playlist.ok) expect(playlist.text).not.toMatch(/evil\.example\/|file:\/\//)
  }
})
