import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packetsOf, pidOf, shiftTimes } from '../../../test/harness/transport-packets.ts'
import { news, transportVariants } from '../../../test/harness/transport-variants.ts'
import { type CutSegment, TransportCutter } from './server/relay/packager/transport-cutter.ts'
import type { Codecs } from './server/relay/packager/transport-tables.ts'

const file = (name: string) => readFileSync(join(import.meta.dirname, '../../../test/stream', name))

function cut(bytes: Buffer, { size = 1_000, mostBytes = 12_000_000, seconds = 2 } = {}) {
  const segments: CutSegment[] = []
  const codecs: Codecs[] = []
  const cutter = new TransportCutter({
    onSegment: (segment) => segments.push(segment),
    onCodecs: (found) => codecs.push(found),
    seconds,
    mostBytes,
  })
  for (let at = 0; at < bytes.length; at += size) cutter.push(bytes.subarray(at, at + size))
  cutter.end()
  return { segments, codecs, cutter, lengths: segments.map((segment) => Math.round(segment.seconds * 10) / 10) }
}

test.each([1, 187, 188, 189, 4_096, 1_000_000])(
  'chunks of %i bytes are cut into segments of two seconds that begin with their tables',
  (size) => {
    const { segments, codecs, lengths } = cut(news, { size })
    expect(lengths.slice(0, 5)).toEqual([2, 2, 2, 2, 2])
    expect(lengths).toHaveLength(6)
    expect(codecs).toEqual([{ video: 'h264', audio: 'aac' }])
    for (const { bytes, isDiscontinuous } of segments) {
      expect(bytes.length % 188).toBe(0)
      expect(packetsOf(bytes).every((packet) => packet[0] === 0x47)).toBe(true)
      expect(pidOf(packetsOf(bytes)[0]!)).toBe(0)
      expect(isDiscontinuous).toBe(false)
    }
  },
)

test.each([
  ['ac3.mpegts', { video: 'h264', audio: 'ac3' }, 3],
  ['hevc.mpegts', { video: 'hevc', audio: 'aac' }, 3],
  ['sound.mpegts', { video: null, audio: 'aac' }, 4],
  ['open-gop.m2ts', { video: 'h264', audio: 'ac3' }, 4],
])('%s is cut and its codecs are detected', (name, codecs, count) => {
  const found = cut(file(name))
  expect(found.codecs).toEqual([codecs])
  expect(found.segments).toHaveLength(count)
  expect(found.lengths.slice(0, -1).every((seconds) => seconds >= 1.75 && seconds < 2.3)).toBe(true)
})

test.each(transportVariants)(
  'a stream with $name is cut into segments that begin with their tables',
  ({ bytes, shows }) => {
    const { segments } = cut(bytes, { size: 4_096 })
    const seconds = segments.reduce((sum, segment) => sum + segment.seconds, 0)
    expect(segments.length).toBeGreaterThan(2)
    expect(seconds).toBeGreaterThan(shows === 'sound' || shows === 'codec' ? 5 : 7)
    expect(seconds).toBeLessThan(13)
    for (const segment of segments) {
      expect(segment.bytes.length % 188).toBe(0)
      expect(packetsOf(segment.bytes).every((packet) => packet[0] === 0x47)).toBe(true)
      expect(pidOf(packetsOf(segment.bytes)[0]!)).toBe(0)
      expect(segment.seconds).toBeLessThan(6)
    }
  },
)

test('a repeated packet is kept once, and the program association table contains one program', () => {
  const of = (name: string) => cut(transportVariants.find((variant) => variant.name === name)!.bytes).segments
  const plain = of('plain')
  expect(of('packets that come twice').map(({ bytes }) => bytes.length)).toEqual(plain.map(({ bytes }) => bytes.length))
  for (const name of ['plain', 'a network table before the program', 'a second program'])
    for (const { bytes } of of(name)) expect(bytes.subarray(5, 21)).toEqual(news.subarray(188 + 5, 188 + 21))
})

test('a stream that starts over is marked as discontinuous there, and keeps its segments', () => {
  const { segments } = cut(Buffer.concat([news, news]))
  expect(segments.filter(({ isDiscontinuous }) => isDiscontinuous)).toHaveLength(1)
  expect(segments[6]?.isDiscontinuous).toBe(true)
})

test('a stream whose timestamps jump forward two minutes is discontinuous there', () => {
  const { bytes } = transportVariants.find(({ name }) => name === 'times that jump forward two minutes')!
  expect(cut(bytes).segments.filter(({ isDiscontinuous }) => isDiscontinuous)).toHaveLength(1)
})

test('a changed program map ends the segment, and the next one is discontinuous', () => {
  const { segments, codecs } = cut(Buffer.concat([file('ac3.mpegts'), file('hevc.mpegts')]))
  expect(codecs).toEqual([
    { video: 'h264', audio: 'ac3' },
    { video: 'hevc', audio: 'aac' },
  ])
  expect(segments.filter(({ isDiscontinuous }) => isDiscontinuous)).toHaveLength(1)
})

test('lost and damaged packets are skipped', () => {
  const damaged = Buffer.concat([
    news.subarray(188 * 40 + 7, 188 * 400),
    Buffer.alloc(500, 0x11),
    news.subarray(188 * 410 + 3),
  ])
  const { segments } = cut(damaged)
  expect(segments.length).toBeGreaterThan(3)
  for (const { bytes } of segments)
    expect(packetsOf(bytes).filter((packet) => packet[0] !== 0x47).length).toBeLessThan(3)
})

test('timestamps may wrap around', () => {
  const wrapped = Buffer.from(news)
  for (const packet of packetsOf(wrapped)) shiftTimes(packet, 2 ** 33 - 5 * 90_000)
  const { segments, lengths } = cut(wrapped)
  expect(lengths.slice(0, 5)).toEqual([2, 2, 2, 2, 2])
  expect(segments.some(({ isDiscontinuous }) => isDiscontinuous)).toBe(false)
})

test('a stream without key frames is cut by its size', () => {
  const withoutKeys = Buffer.concat(
    packetsOf(news).filter(
      (packet, n) => n < 3 || pidOf(packet) !== 0x100 || !(packet[3]! & 0x20 && packet[5]! & 0x40),
    ),
  )
  const first = packetsOf(news).find((packet) => pidOf(packet) === 0x100 && packet[5]! & 0x40)!
  const { segments } = cut(Buffer.concat([withoutKeys.subarray(0, 188 * 3), first, withoutKeys.subarray(188 * 3)]), {
    mostBytes: 30_000,
    seconds: 100,
  })
  expect(segments.length).toBeGreaterThan(4)
})

test('bytes that are not a transport stream are counted and produce no segments', () => {
  const { segments, cutter } = cut(Buffer.from('<html>'.repeat(5_000)))
  expect(segments).toEqual([])
  expect(cutter.unreadable).toBeGreaterThan(29_000)
})

test('random and changed bytes never cause an exception', () => {
  let seed = 7
  const random = () => {
    seed = (seed * 48_271) % (2 ** 31 - 1)
    return seed / 2 ** 31
  }
  for (let round = 0; round < 200; round++) {
    const changed = Buffer.from(news.subarray(0, 20_000))
    for (let n = 0; n < 50; n++) changed[Math.floor(random() * changed.length)] = Math.floor(random() * 256)
    cut(changed, { size: 1 + Math.floor(random() * 3_000) })
  }
})
