// Packets of MPEG transport streams: reading them, and changing them as encoders and bad networks do.
export const videoPid = 0x100
export const audioPid = 0x101
export const mapPid = 0x1000
export const packetBytes = 188

export const pidOf = (packet: Buffer): number => packet.readUInt16BE(1) & 0x1fff
export const packetsOf = (bytes: Buffer): Buffer[] =>
  Array.from({ length: bytes.length / packetBytes }, (_, n) => bytes.subarray(n * packetBytes, (n + 1) * packetBytes))

/** Replaces each packet with what `change` returns for a copy of it: one packet, several, or none. */
export const changePackets = (bytes: Buffer, change: (packet: Buffer, n: number) => Buffer | Buffer[]): Buffer =>
  Buffer.concat(packetsOf(Buffer.from(bytes)).flatMap(change))
export const setPid = (packet: Buffer, pid: number): Buffer => {
  packet.writeUInt16BE((packet.readUInt16BE(1) & 0xe000) | pid, 1)
  return packet
}
export const packetOf = (pid: number): Buffer =>
  Buffer.concat([Buffer.from([0x47, pid >> 8, pid & 0xff, 0x10]), Buffer.alloc(184, 0xff)])

/** Adds `ticks` (of 90 kHz) to the times of a packet that starts a frame. Returns other packets unchanged. */
export function shiftTimes(packet: Buffer, ticks: number): Buffer {
  if (!(packet[1]! & 0x40) || packet[3]! < 0x10) return packet
  const at = packet[3]! & 0x20 ? 5 + packet[4]! : 4
  if (at + 19 > packet.length || packet.readUIntBE(at, 3) !== 1) return packet
  const places = packet[at + 7]! & 0x40 ? [at + 9, at + 14] : packet[at + 7]! & 0x80 ? [at + 9] : []
  for (const from of places) {
    const time =
      BigInt((packet[from]! >> 1) & 7) * 2n ** 30n +
      BigInt(packet.readUInt16BE(from + 1) >> 1) * 2n ** 15n +
      BigInt(packet.readUInt16BE(from + 3) >> 1)
    const next = (time + BigInt(ticks)) % 2n ** 33n
    packet[from] = (packet[from]! & 0xf1) | (Number(next >> 30n) << 1)
    packet.writeUInt16BE((Number((next >> 15n) & 0x7fffn) << 1) | 1, from + 1)
    packet.writeUInt16BE((Number(next & 0x7fffn) << 1) | 1, from + 3)
  }
  return packet
}

/** Returns the checksum that ends a table (CRC-32/MPEG-2). */
function checksum(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  return crc >>> 0
}
/** Returns a packet with a changed table. `change` gets the table without its checksum and returns the new table, also without it. */
export function withTable(packet: Buffer, change: (table: Buffer) => Buffer): Buffer {
  const length = packet.readUInt16BE(6) & 0xfff
  const table = change(Buffer.from(packet.subarray(5, 8 + length - 4)))
  table.writeUInt16BE(0xb000 | (table.length + 4 - 3), 1)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(checksum(table))
  return Buffer.concat([packet.subarray(0, 5), table, sum, Buffer.alloc(packetBytes, 0xff)]).subarray(0, packetBytes)
}
export const withPids = (bytes: Buffer, by: number): Buffer =>
  changePackets(bytes, (packet) => {
    const pid = pidOf(packet)
    if (pid === videoPid || pid === audioPid) return setPid(packet, pid + by)
    if (pid !== mapPid) return packet
    return withTable(packet, (table) => {
      table.writeUInt16BE(0xe000 | (videoPid + by), 8)
      table.writeUInt16BE(0xe000 | (videoPid + by), 13)
      table.writeUInt16BE(0xe000 | (audioPid + by), 18)
      return table
    })
  })
export const withoutPid = (bytes: Buffer, without: number): Buffer =>
  changePackets(bytes, (packet) => (pidOf(packet) === without ? [] : packet))
export const firstHalf = (bytes: Buffer): number => Math.floor(bytes.length / 2 / packetBytes) * packetBytes
/** The same stream with 192-byte packets, which begin with a time. */
export const withTimes = (bytes: Buffer): Buffer =>
  Buffer.concat(packetsOf(bytes).flatMap((packet) => [Buffer.from([0x12, 0x34, 0x56, 0x78]), packet]))
