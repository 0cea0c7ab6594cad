// Damaged playlists and transport streams cause no exception, and no address of another server is passed on.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TransportCutter } from '#features/watch/server/relay/packager/transport-cutter.ts'
import { rewritePlaylist } from '#features/watch/server/relay/playlist.ts'
import { isFullSize, roundCount } from '../harness/scale.ts'

const playlists = roundCount('FUZZED_PLAYLISTS', { short: 2_000, full: 50_000 })
const streams = roundCount('FUZZED_STREAMS', { short: 500, full: 50_000 })
const seed = Number(process.env.FUZZ_SEED ?? 11)
/** The limit for the 99th percentile of the processor time of one playlist or stream, in milliseconds. Checked at full size only. */
const limitMs = 5
const timeout = 1_200_000

const master = `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="http://u:p@panel.example/en.m3u8?t=1"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Deutsch",LANGUAGE="de",URI="//panel.example/de.m3u8"
#EXT-X-SESSION-DATA:DATA-ID="x",URI="http://panel.example/data.json"
#EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS="avc1.42c015,mp4a.40.2",AUDIO="a",SUBTITLES="s",RESOLUTION=320x180
http://panel.example/live/user/secret/1.m3u8
#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="http://panel.example/frames.m3u8"
`
const media = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:4
#EXT-X-MEDIA-SEQUENCE:812
#EXT-X-PROGRAM-DATE-TIME:2026-11-25T20:15:00.000Z
#EXT-X-MAP:URI="http://panel.example/init.mp4",BYTERANGE="700@0"
#EXT-X-KEY:METHOD=AES-128,URI="https://panel.example/key?token=secret",IV=0x1
#EXTINF:4.0,http://panel.example/title
http://panel.example/1.ts?token=secret
#EXT-X-DISCONTINUITY
#EXTINF:3.96,
../2.ts
#EXT-X-DATERANGE:ID="ad",X-URL="http://ads.example/"
#EXT-X-PART:DURATION=1,URI="http://panel.example/part.mp4"
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="http://panel.example/next.mp4"
#EXTINF:4,
http://panel.example/3.ts
`
const pieces = [
  ...['\n', '\r', '\r\n', '"', '""', ',', '=', ':', '#', '#EXT', '#EXTM3U', '#EXTINF:', '#EXT-X-KEY:', '#EXT-X-MEDIA:'],
  ...['URI="', 'http://evil.example/x', '//evil.example/x', 'javascript:alert(1)', 'data:,x', 'file:///etc/passwd'],
  ...[
    '\0',
    '\u2028',
    '\ufeff',
    ' ',
    '\t',
    '9'.repeat(60),
    '{$x}',
    '#EXT-X-DEFINE:NAME="x",VALUE="http://evil.example"',
  ],
  ...['#EXT-X-STREAM-INF:BANDWIDTH=1\n', '#EXT-X-I-FRAME-STREAM-INF:URI="http://evil.example/i"\n'],
]
/** From 0 to 1, evenly: `fc.double` gives mostly numbers close to 0. */
const place = fc.nat(999_999).map((part) => part / 1_000_000)
const mutation = fc.record({
  at: place,
  remove: fc.nat(80),
  insert: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 8 })),
  times: fc.constantFrom(1, 1, 1, 2, 300),
})
const mutated = (text: string, changes: { at: number; remove: number; insert: string; times: number }[]): string =>
  changes.reduce((result, { at, remove, insert, times }) => {
    const from = Math.floor(at * result.length)
    return result.slice(0, from) + insert.repeat(times) + result.slice(from + remove)
  }, text)

/**
 * Collects the processor time of each call. A call over the limit is repeated twice, and its fastest run counts: garbage collection, whose time grows with the
 * number of calls, and other processes only add time, while a slow input is slow each time.
 */
class Times {
  readonly #ms: number[] = []
  measure<T>(work: () => T): T {
    const [result, first] = timed(work)
    this.#ms.push(first > limitMs ? Math.min(first, timed(work)[1], timed(work)[1]) : first)
    return result
  }
  /** Returns the 99th percentile in milliseconds, without the first fifth of the calls, in which the code is compiled. To be called once. */
  p99(): number {
    this.#ms.splice(0, Math.floor(this.#ms.length / 5))
    return this.#ms.sort((a, b) => a - b)[Math.ceil(this.#ms.length * 0.99) - 1]!
  }
}

function timed<T>(work: () => T): [result: T, ms: number] {
  const started = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(started)
  return [result, (user + system) / 1_000]
}

/** Returns what a player would open: every line that is not a tag, and the URI attribute of every tag. */
const addressesIn = (text: string): string[] =>
  text.split('\n').flatMap((line) => {
    if (line === '') return []
    if (!line.startsWith('#')) return [line]
    const attributes = line.slice(line.indexOf(':') + 1).matchAll(/([^=,]+)=("[^"]*"|[^",]*)(?:,|$)/g)
    return [...attributes].flatMap(([, name, value]) => (name === 'URI' ? [value!.replaceAll('"', '')] : []))
  })

it(`${playlists} damaged playlists are refused, or contain addresses of this site only`, { timeout }, () => {
  const times = new Times()
  const tally = { ok: 0, refused: 0 }
  fc.assert(
    fc.property(
      fc.constantFrom(master, media),
      fc.array(mutation, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      (text, changes, mayBeMaster) => {
        const damaged = mutated(text, changes)
        const playlist = times.measure(() =>
          rewritePlaylist(damaged, {
            mayBeMaster,
            rewrite: (uri, kind) => `/stream/p/${kind}-${encodeURIComponent(uri)}`,
          }),
        )
        if (!playlist.ok) {
          tally.refused++
          return
        }
        tally.ok++
        for (const address of addressesIn(playlist.text))
          expect(address).toMatch(/^\/stream\/p\/[a-z]+-[\w.~!*'()%-]*$/)
        // Not even in a comment, a name or an unknown tag.
        expect(playlist.text).not.toContain('//')
      },
    ),
    { numRuns: playlists, seed },
  )
  const p99 = times.p99()
  console.log(`${tally.ok} playlists passed on, ${tally.refused} refused, 99th percentile ${p99.toFixed(2)} ms`)
  expect(Math.min(tally.ok, tally.refused)).toBeGreaterThan(playlists / 50)
  if (isFullSize) expect(p99).toBeLessThan(limitMs)
})

const file = (name: string) => readFileSync(join(import.meta.dirname, '../stream', name)).subarray(0, 60_000)
const recordings = ['part-0.mpegts', 'ac3.mpegts', 'hevc.mpegts', 'sound.mpegts', 'open-gop.m2ts'].map(file)
const mostBytes = 40_000

it(`${streams} damaged transport streams give segments of whole packets, within their limits`, { timeout }, () => {
  const times = new Times()
  let segments = 0
  const damage = fc.record({
    at: place,
    kind: fc.constantFrom('byte', 'remove', 'insert', 'repeat', 'zero'),
    length: fc.integer({ min: 1, max: 3_000 }),
    value: fc.nat(255),
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...recordings),
      fc.array(damage, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 188, max: 16_000 }),
      (recording, damages, chunk) => {
        let bytes = Buffer.from(recording)
        for (const { at, kind, length, value } of damages) {
          const from = Math.floor(at * bytes.length)
          const [before, after] = [bytes.subarray(0, from), bytes.subarray(from)]
          if (kind === 'byte' && after.length > 0) bytes[from] = value
          if (kind === 'zero') bytes.fill(0, from, Math.min(bytes.length, from + length))
          if (kind === 'remove') bytes = Buffer.concat([before, after.subarray(length)])
          if (kind === 'insert') bytes = Buffer.concat([before, Buffer.alloc(length, value), after])
          if (kind === 'repeat') bytes = Buffer.concat([before, after.subarray(0, length), after])
        }
        const found = times.measure(() => {
          const found: { bytes: Buffer; seconds: number }[] = []
          const cutter = new TransportCutter({ onSegment: (segment) => found.push(segment), seconds: 1, mostBytes })
          for (let at = 0; at < bytes.length; at += chunk) cutter.push(bytes.subarray(at, at + chunk))
          cutter.end()
          return found
        })
        segments += found.length
        for (const segment of found) {
          expect(segment.bytes.length % 188).toBe(0)
          expect(segment.bytes.length).toBeLessThanOrEqual(mostBytes + 60_000)
          expect(segment.seconds).toBeGreaterThanOrEqual(0)
          expect(Number.isFinite(segment.seconds)).toBe(true)
        }
      },
    ),
    { numRuns: streams, seed },
  )
  const p99 = times.p99()
  console.log(`${segments} segments, 99th percentile ${p99.toFixed(2)} ms a stream`)
  expect(segments).toBeGreaterThan(streams / 2)
  if (isFullSize) expect(p99).toBeLessThan(limitMs)
})
