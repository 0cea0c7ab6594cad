import { limits } from '#server/limits.ts'
import type { Traffic } from '../traffic.ts'
import { StreamFailure } from '../upstream-reason.ts'
import { Packager, type PackagerOptions } from './packager.ts'

type Running = { generation: number; packager: Packager }

/** The streams that this process cuts into segments, one for each play. */
export class PackagedStreams {
  readonly #traffic: Traffic
  readonly #maxBytes: number
  readonly #running = new Map<string, Running>()

  /** `maxBytes`: the memory limit for all segments together. */
  constructor(traffic: Traffic, maxBytes: number) {
    this.#traffic = traffic
    this.#maxBytes = maxBytes
  }

  /** How many more streams fit into the memory limit. */
  get slotsLeft(): number {
    for (const [id, { packager }] of this.#running) if (packager.isClosed) this.#running.delete(id)
    return Math.floor(this.#maxBytes / limits.relay.packager.ringBytes) - this.#running.size
  }

  /**
   * Starts to cut the stream of a play into segments. The packager stops when the play ends or changes its channel. Throws StreamFailure with `relay_full`, and
   * with `closed` if the play has changed its channel.
   */
  start(id: string, generation: number, options: PackagerOptions): Packager {
    const held = this.#traffic.hold(id, generation)
    const refuse = (failure: StreamFailure): never => {
      held.end()
      options.source.close()
      throw failure
    }
    if (held.signal.aborted) refuse(new StreamFailure('closed', 'another channel'))
    this.#running.get(id)?.packager.close()
    if (this.slotsLeft < 1) refuse(new StreamFailure('relay_full', 'memory'))
    const packager = new Packager(options)
    held.signal.addEventListener('abort', () => packager.close(), { once: true })
    packager.onClose = () => {
      held.end()
      if (this.#running.get(id)?.packager === packager) this.#running.delete(id)
    }
    this.#running.set(id, { generation, packager })
    return packager
  }

  /** Returns the running stream of this generation of a play; undefined if this process has none. */
  find(id: string, generation: number): Packager | undefined {
    const running = this.#running.get(id)
    return running && running.generation === generation && !running.packager.isClosed ? running.packager : undefined
  }
}
