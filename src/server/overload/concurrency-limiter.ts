import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '../limits.ts'

/**
 * At most `atOnce` requests run and `queue` more wait. A request waits up to `burstMs` during a burst and up to `patienceMs` during
 * sustained overload. A page waits at least `pagePatienceMs` in both cases.
 */
export type LimiterSize = {
  atOnce: number
  queue: number
  burstMs: number
  patienceMs: number
  pagePatienceMs?: number
}
/** The names of the limiters in `Admission`. */
export type LimiterName =
  | 'general'
  | 'files'
  | 'hashing'
  | 'logins'
  | 'administratorLogins'
  | 'outside'
  | 'uploads'
  | 'streams'
  | 'reserved'
/** A person waits longer for a page than a program waits for an API response. */
export type RequestKind = 'call' | 'page'
type Exchange = { request: IncomingMessage; response: ServerResponse }
/** Starts a request. Calling `release` frees the slot before the response is finished. */
type Start = (release: () => void) => void
type Waiting = Exchange & { since: number; start: Start; refuse: () => void }
const kinds: readonly RequestKind[] = ['call', 'page']

/** Weight of the latest request in the moving average of the time until a slot is freed. */
const smoothing = 0.2

/**
 * Runs at most `atOnce` requests; up to `queue` more wait. The burst budget of `burstMs` is spent while requests wait and refills while the queue is empty.
 * Once the budget is spent, the overload counts as sustained until the budget is full again: a request is then rejected immediately if its expected wait
 * exceeds half of its patience, and otherwise after it has waited for its whole patience.
 */
export class ConcurrencyLimiter {
  readonly #size: LimiterSize
  readonly #onRecovered: () => void
  readonly #queues: Record<RequestKind, Waiting[]> = { call: [], page: [] }
  /** The kind of the request that was started last. The other kind is next. */
  #lastStarted: RequestKind = 'call'
  #burstLeftMs: number
  #isBurst = true
  #sweptAt = 0
  /** When the last free slot was taken. `#averageSlotMs` is the moving average of the time until a slot is freed again. */
  #fullSince = 0
  #averageSlotMs = 0
  #sweep: NodeJS.Timeout | undefined
  running = 0
  /** How many requests were rejected since the process started. */
  rejected = 0

  /** `onRecovered` is called at the end of every sustained overload. */
  constructor(size: LimiterSize, onRecovered: () => void = () => {}) {
    this.#size = size
    this.#onRecovered = onRecovered
    this.#burstLeftMs = size.burstMs
  }

  get waiting(): number {
    return this.#queues.call.length + this.#queues.page.length
  }

  /** Whether a request would start immediately. */
  get isFree(): boolean {
    return this.running < this.#size.atOnce && this.waiting === 0
  }

  /**
   * Calls `start` now or after waiting, or calls `refuse`. Calls neither if the client disconnects while the request waits. Waiting pages and API calls
   * alternate.
   */
  enter(exchange: Exchange, start: Start, refuse: () => void, kind: RequestKind = 'call'): void {
    if (this.isFree) {
      this.#begin({ ...exchange, start })
      return
    }
    const since = performance.now()
    if (!this.#sweep) {
      this.#sweptAt = since
      this.#sweep = setInterval(() => this.#rejectExpired(), limits.admission.sweepMs)
    }
    if (this.#mayQueue(kind)) this.#queues[kind].push({ ...exchange, start, refuse, since })
    else {
      this.rejected++
      refuse()
    }
  }

  #mayQueue(kind: RequestKind): boolean {
    const own = this.#queues[kind].length
    const other = this.waiting - own
    // The kinds alternate, so a request of the other kind starts before each request of this kind.
    const ahead = own + Math.min(other, own + 1)
    return (
      this.waiting < this.#size.queue &&
      (this.#isBurst || (ahead + 1) * this.#averageSlotMs <= this.#patienceOf(kind) / 2)
    )
  }

  #patienceOf(kind: RequestKind): number {
    const { burstMs, patienceMs, pagePatienceMs = 0 } = this.#size
    const ofCall = this.#isBurst ? burstMs : patienceMs
    return kind === 'page' ? Math.max(ofCall, pagePatienceMs) : ofCall
  }

  #begin({ request, response, start }: Omit<Waiting, 'since' | 'refuse'>): void {
    this.#occupy()
    let isCounted = true
    let isOver = false
    const release = () => {
      if (isOver) return
      isOver = true
      response.off('finish', release).off('close', release)
      if (!isCounted) return
      this.#updateAverage()
      this.#release()
    }
    // `finish` fires when the response is handed to the kernel. The time a slow client takes to read it does not count.
    response.once('finish', release).once('close', release)
    // While a request body is still arriving, the request does not count: slow senders must not occupy the slots.
    if (hasBody(request))
      setImmediate(() => {
        if (request.complete || isOver) return
        isCounted = false
        this.#release()
        request.once('end', () => {
          if (isOver) return
          isCounted = true
          this.#occupy()
        })
      })
    start(release)
  }

  #occupy(): void {
    this.running++
    if (this.running >= this.#size.atOnce) this.#fullSince = performance.now()
  }

  /** Caps one sample at the patience: a single very slow request, for example during a database outage, must not distort the average. */
  #updateAverage(): void {
    if (this.running < this.#size.atOnce) return
    const tookMs = Math.min(performance.now() - this.#fullSince, this.#size.patienceMs)
    this.#averageSlotMs += smoothing * (tookMs - this.#averageSlotMs)
  }

  #release(): void {
    this.running--
    while (this.running < this.#size.atOnce) {
      const next = this.#dequeue()
      if (!next) break
      if (!next.response.destroyed) this.#begin(next)
    }
  }

  #dequeue(): Waiting | undefined {
    const turn: RequestKind = this.#lastStarted === 'call' ? 'page' : 'call'
    const kind = this.#queues[turn].length > 0 ? turn : this.#lastStarted
    const next = this.#queues[kind].shift()
    if (next) this.#lastStarted = kind
    return next
  }

  /** Refuses requests that have waited too long. */
  #rejectExpired(): void {
    const now = performance.now()
    this.#updateBurstBudget(now - this.#sweptAt)
    this.#sweptAt = now
    for (const kind of kinds) {
      const queue = this.#queues[kind]
      while (queue.length > 0 && now - queue[0]!.since > this.#patienceOf(kind)) {
        this.rejected++
        queue.shift()!.refuse()
      }
    }
    if (this.waiting > 0 || this.#burstLeftMs < this.#size.burstMs) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  /** Spends or refills the budget. While the queue is empty, one call refills at most one sweep interval, even after a long event-loop turn. */
  #updateBurstBudget(passedMs: number): void {
    const { burstMs } = this.#size
    const gained = this.waiting > 0 ? -passedMs : Math.min(passedMs, limits.admission.sweepMs)
    this.#burstLeftMs = Math.max(0, Math.min(burstMs, this.#burstLeftMs + gained))
    if (this.#burstLeftMs === 0) this.#isBurst = false
    else if (this.#burstLeftMs === burstMs && !this.#isBurst) {
      this.#isBurst = true
      this.#onRecovered()
    }
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
