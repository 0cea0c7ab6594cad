import {
  associationPacket,
  type Codecs,
  firstProgram,
  hasKeyFrame,
  type ProgramMap,
  programMap,
  sectionLength,
  timeOf,
} from './transport-tables.ts'

/** A part of a transport stream that begins with its tables and, if it has a picture, with a key frame. */
export type CutSegment = { bytes: Buffer; seconds: number; isDiscontinuous: boolean }
type Options = {
  onSegment: (segment: CutSegment) => void
  /** Called for each program map that differs from the previous one. */
  onCodecs?: (codecs: Codecs) => void
  /** The minimum length of a segment, in seconds. A segment ends at the next key frame. */
  seconds: number
  /** A segment of at least this many bytes ends without waiting for a key frame. */
  mostBytes: number
}

const packetBytes = 188
const syncByte = 0x47
const ticksPerSecond = 90_000
const wrap = 2 ** 33
/** How much shorter than `seconds` a segment may be, because decoding times vary. In seconds. */
const tolerance = 0.25
const longestJump = 60
const shortestJump = -1

/**
 * Cuts a running MPEG transport stream into HLS segments. It accepts chunks of any size and packets of 188 or 192 bytes, finds the packets again after damaged
 * bytes, and marks a discontinuity where the time jumps or the program map changes.
 */
export class TransportCutter {
  readonly #options: Options
  /** Bytes of an incomplete packet. */
  #rest: Buffer = Buffer.alloc(0)
  /** Bytes from one packet to the next; 0 while that is unknown. */
  #stride = 0
  #pat: Buffer | undefined
  #pmtPid = -1
  #pmt: Buffer[] = []
  #pmtSection: Buffer = Buffer.alloc(0)
  #reading: { packets: Buffer[]; section: Buffer } | undefined
  #map: ProgramMap | undefined
  #segment: Buffer = Buffer.allocUnsafe(256 * 1024)
  #used = 0
  #startedAt: number | undefined
  #lastAt = 0
  #isDiscontinuous = false
  /** Bytes since the last packet. More than a few mean that this is not a transport stream. */
  unreadable = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Reads the next bytes. */
  push(chunk: Buffer): void {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    for (;;) {
      if (this.#stride === 0) {
        const found = this.#synchronize(data, at)
        if (found === undefined) {
          const kept = Math.max(at, data.length - 3 * 192)
          this.unreadable += kept - at
          at = kept
          break
        }
        this.unreadable += found - at
        at = found
      }
      if (data.length - at < this.#stride) break
      const from = at + this.#stride - packetBytes
      if (data[from] !== syncByte) {
        this.#stride = 0
        continue
      }
      this.unreadable = 0
      this.#packet(data.subarray(from, from + packetBytes))
      at += this.#stride
    }
    this.#rest = Buffer.from(data.subarray(at))
  }

  /** Prepares for bytes of another connection: the current segment is dropped, and the next one is discontinuous. */
  restart(): void {
    this.#rest = Buffer.alloc(0)
    this.#stride = 0
    this.#startedAt = undefined
    this.#used = 0
    this.#isDiscontinuous = true
  }

  /** Emits the current segment. */
  end(): void {
    if (this.#startedAt !== undefined) this.#close(this.#lastAt)
  }

  /** The position of the next packet, and the distance between packets, where three packets follow each other. */
  #synchronize(data: Buffer, from: number): number | undefined {
    for (let at = from; at + 2 * 192 < data.length; at++)
      for (const stride of [packetBytes, 192]) {
        const sync = at + stride - packetBytes
        if (data[sync] === syncByte && data[sync + stride] === syncByte && data[sync + 2 * stride] === syncByte) {
          this.#stride = stride
          return at
        }
      }
    return undefined
  }

  #packet(packet: Buffer): void {
    const pid = packet.readUInt16BE(1) & 0x1fff
    const isStart = (packet[1]! & 0x40) !== 0
    const control = packet[3]! & 0x30
    const hasField = (control & 0x20) !== 0
    const isRandomAccess = hasField && packet[4]! > 0 && (packet[5]! & 0x40) !== 0
    const payload = control & 0x10 ? Math.min(packetBytes, hasField ? 5 + packet[4]! : 4) : packetBytes
    if (pid === 0x1fff) return
    if (pid === 0) this.#readPat(packet, isStart, payload)
    else if (pid === this.#pmtPid) this.#readPmt(packet, isStart, payload)
    if (!this.#map || pid === 0 || pid === this.#pmtPid) return
    if (isStart && pid === (this.#map.videoPid ?? this.#map.audioPid))
      this.#startOfFrame(packet, payload, isRandomAccess)
    if (this.#startedAt !== undefined && !this.#isRepeated(packet)) this.#append(packet)
  }

  /** Whether a packet is the same as the previous one. Broadcasts may repeat packets, and players would decode them twice. */
  #isRepeated(packet: Buffer): boolean {
    const last = this.#used - packetBytes
    const segment = this.#segment
    if (last < 0 || segment[last + 3] !== packet[3] || segment[last + 2] !== packet[2]) return false
    return packet.equals(segment.subarray(last, this.#used))
  }

  #readPat(packet: Buffer, isStart: boolean, payload: number): void {
    if (!isStart || payload >= packetBytes) return
    const section = packet.subarray(payload + 1 + packet[payload]!)
    const program = section.length > 12 ? firstProgram(section) : undefined
    if (!program) return
    if (program.pid !== this.#pmtPid || !this.#pat) this.#pat = associationPacket(program)
    this.#pmtPid = program.pid
  }

  #readPmt(packet: Buffer, isStart: boolean, payload: number): void {
    if (payload >= packetBytes) return
    const bytes = isStart ? packet.subarray(payload + 1 + packet[payload]!) : packet.subarray(payload)
    if (isStart) this.#reading = { packets: [], section: Buffer.alloc(0) }
    const reading = this.#reading
    if (!reading || reading.packets.length > 8) return
    reading.packets.push(Buffer.from(packet))
    reading.section = Buffer.concat([reading.section, bytes])
    const length = 3 + sectionLength(reading.section)
    if (reading.section.length < Math.max(16, length)) return
    this.#reading = undefined
    const section = reading.section.subarray(0, length)
    const map = programMap(section)
    if (!map || (map.videoPid === null && map.audioPid === null)) return
    if (!section.equals(this.#pmtSection)) {
      if (this.#startedAt !== undefined) this.#breakOff()
      this.#map = map
      this.#pmtSection = Buffer.from(section)
      this.#options.onCodecs?.(map.codecs)
    }
    this.#pmt = reading.packets
  }

  #startOfFrame(packet: Buffer, payload: number, isRandomAccess: boolean): void {
    const { videoPid, videoType } = this.#map!
    const time = timeOf(packet, payload)
    if (time === undefined) return
    const isKey = videoPid === null || isRandomAccess || hasKeyFrame(packet.subarray(payload), videoType)
    if (this.#startedAt !== undefined) {
      const jump = difference(time, this.#lastAt)
      const length = difference(time, this.#startedAt)
      if (jump < shortestJump || jump > longestJump) this.#breakOff()
      else if ((isKey && length >= this.#options.seconds - tolerance) || this.#used >= this.#options.mostBytes) {
        this.#close(time)
        this.#begin(time)
      }
    }
    if (this.#startedAt === undefined && isKey) this.#begin(time)
    if (this.#startedAt !== undefined && difference(time, this.#lastAt) > 0) this.#lastAt = time
  }

  /** Ends the current segment early: the next one begins with a key frame and is discontinuous. */
  #breakOff(): void {
    this.#close(this.#lastAt)
    this.#isDiscontinuous = true
  }

  #begin(time: number): void {
    this.#startedAt = time
    this.#lastAt = time
    this.#used = 0
    for (const packet of [...(this.#pat ? [this.#pat] : []), ...this.#pmt]) this.#append(packet)
  }

  #close(time: number): void {
    const seconds = difference(time, this.#startedAt!)
    const isDiscontinuous = this.#isDiscontinuous
    this.#startedAt = undefined
    if (seconds <= 0) return
    this.#isDiscontinuous = false
    this.#options.onSegment({ bytes: Buffer.from(this.#segment.subarray(0, this.#used)), seconds, isDiscontinuous })
  }

  #append(packet: Buffer): void {
    if (this.#used + packetBytes > this.#segment.length) {
      const larger = Buffer.allocUnsafe(2 * this.#segment.length)
      this.#segment.copy(larger, 0, 0, this.#used)
      this.#segment = larger
    }
    this.#used += packet.copy(this.#segment, this.#used)
  }
}

/** Returns the seconds between two timestamps. Timestamps have 33 bits and wrap around to 0. */
function difference(time: number, from: number): number {
  const ticks = (time - from + wrap) % wrap
  return (ticks >= wrap / 2 ? ticks - wrap : ticks) / ticksPerSecond
}
