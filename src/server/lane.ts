import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from './limits.ts'

export type LaneSize = { atOnce: number; queue: number; patienceMs: number }
type Asked = { request: IncomingMessage; response: ServerResponse }
type Waiting = Asked & { since: number; start: () => void; refuse: () => void }

/**
 * So many requests at once; the next ones wait. A burst has half a second to be worked off; when somebody has been waiting
 * for that long without a break, it is no burst, and who does not come on soon is refused while they still have use for it.
 */
export class Lane {
  readonly #size: LaneSize
  readonly #queue: Waiting[] = []
  #busySince = 0
  #sweep: NodeJS.Timeout | undefined
  running = 0
  /** How many were refused so far. */
  shed = 0

  constructor(size: LaneSize) {
    this.#size = size
  }

  get waiting(): number {
    return this.#queue.length
  }

  /** Whether a request would begin at once. */
  get isFree(): boolean {
    return this.running < this.#size.atOnce && this.#queue.length === 0
  }

  /** Calls `start` now or in its turn, or `refuse`; neither for somebody who is gone before. */
  enter(asked: Asked, start: () => void, refuse: () => void): void {
    if (this.isFree) this.#begin({ ...asked, start })
    else if (this.#queue.length < this.#size.queue) this.#wait({ ...asked, start, refuse, since: performance.now() })
    else {
      this.shed++
      refuse()
    }
  }

  #wait(waiting: Waiting): void {
    if (this.#queue.length === 0) this.#busySince = waiting.since
    this.#queue.push(waiting)
    this.#sweep ??= setInterval(() => this.#refuseLate(), limits.admission.sweepMs)
  }

  #begin({ request, response, start }: Omit<Waiting, 'since' | 'refuse'>): void {
    this.running++
    let isCounted = true
    let isOver = false
    const leave = () => {
      if (isOver) return
      isOver = true
      if (isCounted) this.#leave()
    }
    // `finish` is when all was handed over; how long a reader takes for it is no work of ours.
    response.once('finish', leave).once('close', leave)
    // A body that is still under way waits for its sender, not for us: a hundred slow senders must not be what we are busy with.
    if (hasBody(request))
      setImmediate(() => {
        if (request.complete || isOver) return
        isCounted = false
        this.#leave()
        request.once('end', () => {
          if (isOver) return
          isCounted = true
          this.running++
        })
      })
    start()
  }

  #leave(): void {
    this.running--
    while (this.running < this.#size.atOnce) {
      const next = this.#queue.shift()
      if (!next) break
      if (!next.response.destroyed) this.#begin(next)
    }
    if (this.#queue.length === 0) this.#rest()
  }

  #refuseLate(): void {
    const { burstMs } = limits.admission
    const now = performance.now()
    const patience = Math.max(this.#size.patienceMs, now - this.#busySince < burstMs ? burstMs : 0)
    while (this.#queue.length > 0 && now - this.#queue[0]!.since > patience) {
      this.shed++
      this.#queue.shift()!.refuse()
    }
    if (this.#queue.length === 0) this.#rest()
  }

  #rest(): void {
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
