import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#server/limits.ts'
import { countBuffer } from '#server/outbound/count-buffer.ts'
import type { TransportSource } from '../open-source.ts'
import { StreamFailure } from '../upstream-reason.ts'
import { SegmentRing } from './segment-ring.ts'
import { TransportCutter } from './transport-cutter.ts'
import type { Codecs } from './transport-tables.ts'

const { packager: most } = limits.relay
/** A recording of a program: when the source begins, how much of the source is skipped, and when the program ends. In milliseconds. */
export type Recording = { startsAt: number; skipMs: number; endsAt: number }
export type PackagerOptions = {
  source: TransportSource
  recording: Recording | undefined
  /** Reopens the stream; a recording at the time `at`, in milliseconds. Throws StreamFailure. */
  reopen: (at: number) => Promise<{ source: TransportSource; recording: Recording | undefined }>
  onCodecs: (codecs: Codecs) => void
  onFailure: (failure: StreamFailure) => void
}

/**
 * Turns one transport stream into HLS for one play, and keeps a few segments in memory. A live stream that ends is reopened. A recording is read only as fast
 * as the viewer watches it. The packager stops if nothing is requested from it for `limits.relay.packager.idleMs`.
 */
export class Packager {
  readonly #options: PackagerOptions
  readonly #cutter: TransportCutter
  readonly #ring: SegmentRing
  readonly #waiting = new Set<() => void>()
  readonly #idle: NodeJS.Timeout
  #source: TransportSource
  #skipMs: number
  /** Bytes since the last segment. */
  #uncut = 0
  #endedAt: number[] = []
  #requestedAt = Date.now()
  isClosed = false
  onClose = () => {}
  failure: StreamFailure | undefined

  constructor(options: PackagerOptions) {
    this.#options = options
    this.#source = options.source
    this.#skipMs = options.recording?.skipMs ?? 0
    this.#ring = new SegmentRing(options.recording?.startsAt)
    this.#cutter = new TransportCutter({
      seconds: most.segmentSeconds,
      mostBytes: most.ringBytes,
      onCodecs: options.onCodecs,
      onSegment: (segment) => {
        this.#uncut = 0
        // The source of a recording starts at a full minute; the part before the requested time is skipped.
        if (this.#skipMs > 0) {
          this.#skipMs -= segment.seconds * 1000
          this.#ring.skip(segment.seconds)
          return
        }
        this.#ring.add(segment)
        this.#wake()
      },
    })
    this.#idle = setInterval(() => {
      if (Date.now() - this.#requestedAt > (this.#ring.isEnded ? most.endedMs : most.idleMs)) this.close()
    }, 1_000).unref()
    void this.#run()
  }

  /** Returns the playlist, with addresses from `addressOf`. Waits for the first segment. Throws StreamFailure. */
  async playlist(addressOf: (sequence: number) => string, signal: AbortSignal): Promise<string> {
    this.#requestedAt = Date.now()
    const until = this.#requestedAt + limits.relay.openMs
    while (this.#ring.isEmpty && !this.isClosed && !signal.aborted) {
      if (Date.now() >= until) throw new StreamFailure('channel_down', 'no segment')
      await this.#change(until - Date.now(), signal)
    }
    if (this.#ring.isEmpty) throw this.failure ?? new StreamFailure('channel_down', 'packager closed')
    return this.#ring.playlist(addressOf)
  }

  /** Returns a segment; undefined if it is not in memory. */
  segment(sequence: number): Buffer | undefined {
    this.#requestedAt = Date.now()
    const bytes = this.#ring.read(sequence)
    this.#wake()
    return bytes
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    clearInterval(this.#idle)
    this.#source.close()
    this.#wake()
    this.onClose()
  }

  async #run(): Promise<void> {
    try {
      while (!this.isClosed) {
        await this.#readSource()
        if (this.isClosed) return
        this.#cutter.end()
        if (this.#isOver()) {
          this.#ring.end()
          this.#wake()
          return
        }
        this.#countEnd()
        await this.#open()
      }
    } catch (error) {
      if (this.isClosed) return
      this.failure = error instanceof StreamFailure ? error : new StreamFailure('channel_down', 'stream cut off')
      this.close()
      this.#options.onFailure(this.failure)
    }
  }

  async #readSource(): Promise<void> {
    const { chunks, head, close } = this.#source
    for (let chunk: Buffer | undefined = head; chunk && !this.isClosed; ) {
      countBuffer(chunk.length)
      this.#cutter.push(chunk)
      this.#uncut += chunk.length
      if (this.#cutter.unreadable > most.unreadableBytes || this.#uncut > 2 * most.ringBytes)
        throw new StreamFailure('bad_stream', 'no transport stream')
      while (this.#options.recording && this.#ring.isFull && !this.isClosed) await this.#change()
      const silent = setTimeout(close, limits.relay.silenceMs)
      // A connection that fails is treated like one that ends.
      chunk = await chunks.next().then(
        ({ value }) => value,
        () => undefined,
      )
      clearTimeout(silent)
    }
    close()
  }

  /** Whether a recording has ended: at the end of its program, or at the present if the program is still running. */
  #isOver(): boolean {
    const { recording } = this.#options
    return recording !== undefined && this.#ring.position >= Math.min(recording.endsAt, Date.now() - most.archiveLagMs)
  }

  /** Throws if the stream has ended repeatedly. Then the panel plays a notice that the line has no free connection, or the channel is down. */
  #countEnd(): void {
    const now = Date.now()
    this.#endedAt = [...this.#endedAt.filter((at) => now - at < limits.relay.failureWindowMs), now]
    if (this.#endedAt.length < limits.relay.failures) return
    throw new StreamFailure(this.#options.recording ? 'archive_missing' : 'too_many', 'stream ends repeatedly')
  }

  async #open(): Promise<void> {
    const { source, recording } = await this.#reopened()
    if (this.isClosed) return source.close()
    this.#source = source
    this.#cutter.restart()
    if (recording) {
      this.#skipMs = recording.skipMs
      this.#ring.moveTo(recording.startsAt)
    }
  }

  /** Reopens the stream. Retries for a few seconds if the panel does not answer, because the viewer has that much buffered. */
  async #reopened(): Promise<Awaited<ReturnType<PackagerOptions['reopen']>>> {
    for (const waitMs of most.reopenWaitsMs) {
      try {
        return await this.#options.reopen(this.#ring.position)
      } catch (error) {
        const mayPass = error instanceof StreamFailure && /^(panel|channel)_down$/.test(error.reason)
        if (!mayPass) throw error
        await sleep(waitMs)
        // If the viewer left during the wait, another request would use a connection of the line for nothing.
        if (this.isClosed) throw error
      }
    }
    return this.#options.reopen(this.#ring.position)
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }

  #change(ms?: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(done, Math.max(1, ms))
      const waiting = this.#waiting
      function done() {
        clearTimeout(timer)
        waiting.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      waiting.add(done)
      signal?.addEventListener('abort', done, { once: true })
    })
  }
}
