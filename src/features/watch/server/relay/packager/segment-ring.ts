import { limits } from '#server/limits.ts'
import type { CutSegment } from './transport-cutter.ts'

type Entry = {
  sequence: number
  seconds: number
  isDiscontinuous: boolean
  /** When this part of a recording was broadcast, in milliseconds; undefined for a live stream. */
  at: number | undefined
  bytes: Buffer | undefined
}
const { packager: most } = limits.relay

/**
 * Stores the segments of one play. For a live stream, these are the newest segments, and earlier ones that the viewer has not read. More segments are stored
 * than listed, so that a player can still load a segment that was removed from the playlist after the player read it. For a recording, these are the segments
 * around the position of the viewer. Older segments are also listed, but without their bytes, because players jump ahead if their position is not listed.
 */
export class SegmentRing {
  readonly #isRecording: boolean
  #entries: Entry[] = []
  #bytes = 0
  #next: number
  #discontinuities = 0
  #read = 0
  isEnded = false
  /** The end of the newest segment of a recording, in milliseconds. */
  position: number

  constructor(startsAt: number | undefined) {
    this.#isRecording = startsAt !== undefined
    this.position = startsAt ?? 0
    // Sequence numbers start from the clock, so that another process that continues the play uses higher ones.
    this.#next = Math.floor(Date.now() / 1000)
    this.#read = this.#next - 1
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  /** Whether enough of a recording has been read ahead of the viewer. */
  get isFull(): boolean {
    const unread = this.#entries.filter(({ sequence }) => sequence > this.#read)
    return unread.length >= most.ahead || (this.#bytes >= most.ringBytes && unread.length > 1)
  }

  add({ bytes, seconds, isDiscontinuous }: CutSegment): void {
    const at = this.#isRecording ? this.position : undefined
    this.#entries.push({ sequence: this.#next++, seconds, isDiscontinuous, at, bytes })
    this.#bytes += bytes.length
    this.position += seconds * 1000
    this.#trim()
  }

  /** Advances the position of a recording past a part that is not kept. */
  skip(seconds: number): void {
    this.position += seconds * 1000
  }

  moveTo(position: number): void {
    this.position = position
  }

  end(): void {
    this.isEnded = true
  }

  /** The bytes of a segment; undefined if they are not kept. */
  read(sequence: number): Buffer | undefined {
    const entry = this.#entries.find((each) => each.sequence === sequence)
    if (!entry) return undefined
    this.#read = Math.max(this.#read, sequence)
    this.#trim()
    return entry.bytes
  }

  playlist(addressOf: (sequence: number) => string): string {
    const entries = this.#isRecording ? this.#entries : this.#entries.slice(-most.window)
    const skipped = this.#entries.slice(0, this.#entries.length - entries.length)
    const before = this.#discontinuities + skipped.filter(({ isDiscontinuous }) => isDiscontinuous).length
    return `${[
      '#EXTM3U',
      '#EXT-X-VERSION:3',
      `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(most.segmentSeconds, ...entries.map(({ seconds }) => seconds)))}`,
      `#EXT-X-MEDIA-SEQUENCE:${entries[0]!.sequence}`,
      `#EXT-X-DISCONTINUITY-SEQUENCE:${before}`,
      ...entries.flatMap(({ sequence, seconds, isDiscontinuous, at }) => [
        ...(isDiscontinuous ? ['#EXT-X-DISCONTINUITY'] : []),
        ...(at === undefined ? [] : [`#EXT-X-PROGRAM-DATE-TIME:${new Date(at).toISOString()}`]),
        `#EXTINF:${seconds.toFixed(3)},`,
        addressOf(sequence),
      ]),
      ...(this.isEnded ? ['#EXT-X-ENDLIST'] : []),
    ].join('\n')}\n`
  }

  #trim(): void {
    const isOld = ({ sequence }: Entry) => {
      const { length } = this.#entries
      if (this.#isRecording) return sequence < this.#read - most.listed
      return length > most.kept || (length > most.window + most.unlisted && sequence <= this.#read)
    }
    while (this.#entries.length > 1 && isOld(this.#entries[0]!)) this.#drop()
    while (!this.#isRecording && this.#bytes > most.ringBytes && this.#entries.length > 1) this.#drop()
    if (!this.#isRecording) return
    for (const entry of this.#entries)
      if (entry.bytes && entry.sequence < this.#read - most.behind) {
        this.#bytes -= entry.bytes.length
        entry.bytes = undefined
      }
  }

  #drop(): void {
    const { bytes, isDiscontinuous } = this.#entries.shift()!
    this.#bytes -= bytes?.length ?? 0
    if (isDiscontinuous) this.#discontinuities++
  }
}
