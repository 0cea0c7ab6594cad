/** The names that we use for the codecs in a program map. Null if there is no such stream or its codec is unknown. */
export type Codecs = { video: string | null; audio: string | null }
export type ProgramMap = { videoPid: number | null; videoType: number; audioPid: number | null; codecs: Codecs }

const videoTypes: Record<number, string> = { 1: 'mpeg1', 2: 'mpeg2', 16: 'mpeg4', 27: 'h264', 36: 'hevc' }
const audioTypes: Record<number, string> = {
  3: 'mp2',
  4: 'mp2',
  15: 'aac',
  17: 'aac',
  129: 'ac3',
  135: 'eac3',
}
/** Descriptors that name the codec of a private stream (type 6). */
const privateCodecs: Record<number, string> = { 106: 'ac3', 122: 'eac3', 124: 'aac' }

/** Returns the number and the PID of the first program in a program association section; undefined if the section has none. */
export function firstProgram(section: Buffer): { number: number; pid: number } | undefined {
  const end = Math.min(section.length, 3 + sectionLength(section)) - 4
  for (let at = 8; at + 4 <= end; at += 4) {
    const number = section.readUInt16BE(at)
    if (number !== 0) return { number, pid: section.readUInt16BE(at + 2) & 0x1fff }
  }
  return undefined
}

/**
 * Returns a packet with a program association table of only one program. Players use the first entry of the table, which on satellite feeds is the network
 * table.
 */
export function associationPacket({ number, pid }: { number: number; pid: number }): Buffer {
  const packet = Buffer.alloc(188, 0xff)
  const table = Buffer.from([0, 0xb0, 13, 0, 1, 0xc1, 0, 0, number >> 8, number & 0xff, 0xe0 | (pid >> 8), pid & 0xff])
  Buffer.from([0x47, 0x40, 0, 0x10, 0]).copy(packet)
  table.copy(packet, 5)
  packet.writeUInt32BE(checksum(table), 5 + table.length)
  return packet
}

/** Returns the checksum of an MPEG table: CRC-32/MPEG-2. */
function checksum(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  return crc >>> 0
}

/** Returns the number of bytes that follow the first three bytes of a section. */
export const sectionLength = (section: Buffer): number => (section.length < 3 ? 0 : section.readUInt16BE(1) & 0xfff)

/** Parses a program map section. Returns undefined if the section is another table or is cut off. Stops at an invalid length. */
export function programMap(section: Buffer): ProgramMap | undefined {
  if (section.length < 16 || section[0] !== 2) return undefined
  const end = Math.min(section.length, 3 + sectionLength(section)) - 4
  const map: ProgramMap = { videoPid: null, videoType: 0, audioPid: null, codecs: { video: null, audio: null } }
  let at = 12 + (section.readUInt16BE(10) & 0xfff)
  while (at + 5 <= end) {
    const type = section[at]!
    const pid = section.readUInt16BE(at + 1) & 0x1fff
    const length = section.readUInt16BE(at + 3) & 0xfff
    const audio = audioTypes[type] ?? (type === 6 ? privateAudio(section.subarray(at + 5, at + 5 + length)) : undefined)
    if (videoTypes[type] && map.videoPid === null)
      Object.assign(map, { videoPid: pid, videoType: type, codecs: { ...map.codecs, video: videoTypes[type] } })
    else if (audio && map.audioPid === null) Object.assign(map, { audioPid: pid, codecs: { ...map.codecs, audio } })
    at += 5 + length
  }
  return map
}

function privateAudio(descriptors: Buffer): string | undefined {
  for (let at = 0; at + 2 <= descriptors.length; at += 2 + descriptors[at + 1]!) {
    const tag = descriptors[at]!
    if (privateCodecs[tag]) return privateCodecs[tag]
    if (tag === 5 && descriptors.toString('latin1', at + 2, at + 6) === 'AC-3') return 'ac3'
  }
  return undefined
}

/**
 * Returns the decoding time in the header of a packetized elementary stream, or its presentation time if there is no decoding time. In ticks of 90 kHz;
 * undefined if the header has neither.
 */
export function timeOf(packet: Buffer, at: number): number | undefined {
  if (at + 14 > packet.length || packet.readUIntBE(at, 3) !== 1) return undefined
  const flags = packet[at + 7]!
  if (!(flags & 0x80)) return undefined
  const from = flags & 0x40 && at + 19 <= packet.length ? at + 14 : at + 9
  return (
    ((packet[from]! >> 1) & 7) * 2 ** 30 +
    packet[from + 1]! * 2 ** 22 +
    (packet[from + 2]! >> 1) * 2 ** 15 +
    packet[from + 3]! * 2 ** 7 +
    (packet[from + 4]! >> 1)
  )
}

/** Whether a key frame begins in these bytes, according to the types of their NAL units or start codes. */
export function hasKeyFrame(bytes: Buffer, videoType: number): boolean {
  for (let at = bytes.indexOf(start); at >= 0 && at + 3 < bytes.length; at = bytes.indexOf(start, at + 3)) {
    const unit = bytes[at + 3]!
    if (videoType === 0x1b && [5, 7].includes(unit & 0x1f)) return true
    const hevc = (unit >> 1) & 0x3f
    if (videoType === 0x24 && ((hevc >= 16 && hevc <= 21) || (hevc >= 32 && hevc <= 34))) return true
    if (videoType <= 2 && (unit === 0xb3 || unit === 0xb8)) return true
  }
  return false
}
const start = Buffer.from([0, 0, 1])
