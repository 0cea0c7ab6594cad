// Transport streams as panels send them: the test streams with changes that encoders, satellite feeds and bad networks cause.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StreamMode } from './fake-streams.ts'
import {
  audioPid,
  changePackets,
  firstHalf,
  mapPid,
  packetBytes,
  packetOf,
  packetsOf,
  pidOf,
  shiftTimes,
  withoutPid,
  withPids,
  withTable,
  withTimes,
} from './transport-packets.ts'

const file = (name: string) => readFileSync(join(import.meta.dirname, '../stream', name))
/** The test stream: twelve seconds with picture and sound. */
export const news = Buffer.concat([0, 1, 2, 3, 4, 5].map((n) => file(`part-${n}.mpegts`)))

export type TransportVariant = {
  name: string
  bytes: Buffer
  seconds: number
  /**
   * What the browser must play: picture and sound, or only one of them; `codec` if it cannot play the codec; `any` if decoders may refuse the damaged stream.
   */
  shows: 'both' | 'picture' | 'sound' | 'codec' | 'any'
  /** How the stream is sent. */
  sent?: { burst?: number; waitMs?: number; stopAfter?: number }
}
const variant = (name: string, bytes: Buffer, others: Partial<TransportVariant> = {}): TransportVariant => ({
  ...{ name, bytes, seconds: 12, shows: 'both' },
  ...others,
})
const every = (count: number, change: (packet: Buffer) => Buffer | Buffer[]) => (packet: Buffer, n: number) =>
  n % count === count - 1 ? change(packet) : packet

export const transportVariants: TransportVariant[] = [
  variant('plain', news),
  variant('from the middle of a packet', news.subarray(101)),
  variant('from the middle of a picture', news.subarray(90 * packetBytes)),
  variant('packets of 192 bytes', withTimes(news)),
  variant('packets of 192 bytes from the middle', withTimes(news).subarray(77)),
  variant(
    'no random access indicators',
    changePackets(news, (packet) => {
      if (packet[3]! & 0x20 && packet[4]! > 0) packet[5]! &= ~0x40
      return packet
    }),
  ),
  variant(
    'one lost packet in 200',
    changePackets(
      news,
      every(200, () => []),
    ),
  ),
  variant(
    'a damaged byte in every tenth packet',
    changePackets(
      news,
      every(10, (packet) => {
        packet[150]! ^= 0xff
        return packet
      }),
    ),
    { shows: 'any' },
  ),
  variant(
    'cut out bytes',
    Buffer.concat([news.subarray(0, 40_003), news.subarray(43_000, 120_005), news.subarray(121_000)]),
  ),
  variant(
    'foreign bytes between packets',
    Buffer.concat([news.subarray(0, 40_044), Buffer.alloc(777, 0x11), news.subarray(40_044)]),
  ),
  variant(
    'times that wrap around',
    changePackets(news, (packet) => shiftTimes(packet, 2 ** 33 - 5 * 90_000)),
  ),
  variant(
    'times after twenty hours',
    changePackets(news, (packet) => shiftTimes(packet, 20 * 3_600 * 90_000)),
  ),
  variant(
    'times that jump forward two minutes',
    changePackets(news, (packet, n) => (n * packetBytes < firstHalf(news) ? packet : shiftTimes(packet, 120 * 90_000))),
  ),
  variant(
    'times that jump back',
    Buffer.concat([news.subarray(0, firstHalf(news)), news.subarray(0, firstHalf(news))]),
  ),
  variant(
    'other PIDs in the second half',
    Buffer.concat([news.subarray(0, firstHalf(news)), withPids(news.subarray(firstHalf(news)), 0x40)]),
  ),
  variant(
    'tables at the beginning only',
    Buffer.concat([
      news.subarray(0, 3 * packetBytes),
      changePackets(news.subarray(3 * packetBytes), (packet) =>
        pidOf(packet) === 0 || pidOf(packet) === mapPid ? [] : packet,
      ),
    ]),
  ),
  variant(
    'tables after every twentieth packet',
    changePackets(
      news,
      every(20, (packet) => [packet, ...packetsOf(news).slice(1, 3)]),
    ),
  ),
  variant(
    'empty packets',
    changePackets(
      news,
      every(3, (packet) => [packet, packetOf(0x1fff)]),
    ),
  ),
  variant(
    'packets of other services',
    changePackets(
      news,
      every(3, (packet) => [packet, packetOf(0x300)]),
    ),
  ),
  variant(
    'packets of other services that are not listed, with errors',
    changePackets(
      news,
      every(5, (packet) => {
        const other = packetOf(0x301)
        other[1]! |= 0x80
        return [packet, other]
      }),
    ),
  ),
  variant(
    'wrong counters',
    changePackets(
      news,
      every(7, (packet) => {
        if (pidOf(packet) > 0x11) packet[3] = (packet[3]! & 0xf0) | ((packet[3]! + 5) & 0x0f)
        return packet
      }),
    ),
  ),
  variant(
    'packets that come twice',
    changePackets(
      news,
      every(10, (packet) => [packet, packet]),
    ),
  ),
  variant(
    'a network table before the program',
    changePackets(news, (packet) =>
      pidOf(packet) === 0
        ? withTable(packet, (table) =>
            Buffer.concat([table.subarray(0, 8), Buffer.from([0, 0, 0xe0, 0x10]), table.subarray(8)]),
          )
        : packet,
    ),
  ),
  variant(
    'a second program',
    changePackets(news, (packet) =>
      pidOf(packet) === 0
        ? withTable(packet, (table) => Buffer.concat([table, Buffer.from([0, 2, 0xf1, 0x11])]))
        : packet,
    ),
  ),
  variant(
    'subtitles and teletext',
    changePackets(news, (packet) =>
      pidOf(packet) === mapPid
        ? withTable(packet, (table) =>
            Buffer.concat([table, Buffer.from([6, 0xe2, 0, 0xf0, 2, 0x59, 0, 6, 0xe2, 1, 0xf0, 2, 0x56, 0])]),
          )
        : packet,
    ),
  ),
  variant(
    'picture only',
    withoutPid(
      changePackets(news, (packet) =>
        pidOf(packet) === mapPid ? withTable(packet, (table) => table.subarray(0, 17)) : packet,
      ),
      audioPid,
    ),
    { shows: 'picture' },
  ),
  variant('sound only', file('sound.mpegts'), { seconds: 6, shows: 'sound' }),
  variant('everything sent at once', news, { sent: { burst: 12 } }),
  variant('sent without a burst', news, { sent: { burst: 0 } }),
  variant('sent two seconds late', news, { sent: { waitMs: 2_000 } }),
  variant('ends after 25 seconds', news, { sent: { burst: 2, stopAfter: 25 } }),
  variant('Dolby Digital sound', file('ac3.mpegts'), { seconds: 6, shows: 'codec' }),
  variant('open groups of pictures and Dolby Digital sound', file('open-gop.m2ts'), { seconds: 8, shows: 'codec' }),
  variant('HEVC', file('hevc.mpegts'), { seconds: 6, shows: 'codec' }),
]

/** Sends a variant again and again: the first `burst` seconds (by default 4) immediately, the rest in real time. */
export const sending =
  ({
    bytes,
    seconds,
    sent: { burst = 4, waitMs = 0, stopAfter = Number.POSITIVE_INFINITY } = {},
  }: TransportVariant): StreamMode =>
  (response) => {
    response.writeHead(200, { 'content-type': 'video/mp2t' })
    const startedAt = Date.now() + waitMs - burst * 1_000
    const perMs = bytes.length / seconds / 1_000
    let sent = 0
    const send = () => {
      const due = Math.floor((Date.now() - startedAt) * perMs)
      while (sent < due && !response.destroyed) {
        const from = sent % bytes.length
        const part = bytes.subarray(from, Math.min(bytes.length, from + due - sent))
        response.write(part)
        sent += part.length
      }
      if (sent / perMs / 1_000 < stopAfter) return
      clearInterval(timer)
      response.end()
    }
    const timer = setInterval(send, 50)
    response.on('close', () => clearInterval(timer))
    send()
  }
