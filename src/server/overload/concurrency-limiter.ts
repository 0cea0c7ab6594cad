import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '../limits.ts'

/**
 * `atOnce` requests are worked on, `queue` more wait: for `burstMs` in a burst, and `patienceMs` when it is none. Pages may wait for
 * `pagePatienceMs` in either.
 */
export type LimiterSize = {
  atOnce: number
  queue: number
  burstMs: number
  patienceMs: number
  pagePatienceMs?: number
}
/** People wait for a page longer than a program waits for the answer to a call. */
export type RequestKind = 'call' | 'page'
type Asked = { request: IncomingMessage; response: ServerResponse }
/** Begins a request; `release` gives its slot back before its answer is finished. */
type Start = (release: () => void) => void
type Waiting = Asked & { since: number; start: Start; refuse: () => void }
const kinds: readonly RequestKind[] = ['call', 'page']

/** How much one request says about how long the next one will take. */
const weight = 0.2

/**
 * So many requests at once; the next ones wait. A burst has its time to be worked off, which time without anybody waiting gives
 * back. Once it is used up and until it is all there again, it is no burst: who would not come on within half of the lane's
 * patience is refused at once, and when that is over, who did not.
 */
export class ConcurrencyLimiter {
  readonly #size: LimiterSize
  readonly #calm: () => void
  readonly #queues: Record<RequestKind, Waiting[]> = { call: [], page: [] }
  /** The kind that was begun last: the other one is next. */
  #last: RequestKind = 'call'
  #burstLeftMs: number
  #isBurst = true
  #lookedAt = 0
  /** While every place is taken: since when, and how long it lately took until one was given back. */
  #fullSince = 0
  #paceMs = 0
  #sweep: NodeJS.Timeout | undefined
  running = 0
  /** How many were refused so far. */
  shed = 0

  /** `calm` hears of every end of what was no burst. */
  constructor(size: LimiterSize, calm: () => void = () => {}) {
    this.#size = size
    this.#calm = calm
    this.#burstLeftMs = size.burstMs
  }

  get waiting(): number {
    return this.#queues.call.length + this.#queues.page.length
  }

  /** Whether a request would begin at once. */
  get isFree(): boolean {
    return this.running < this.#size.atOnce && this.waiting === 0
  }

  /** Calls `start` now or in its turn, or `refuse`; neither for a client that is gone before. Waiting pages and calls take turns. */
  enter(asked: Asked, start: Start, refuse: () => void, kind: RequestKind = 'call'): void {
    if (this.isFree) {
      this.#begin({ ...asked, start })
      return
    }
    const since = performance.now()
    if (!this.#sweep) {
      this.#lookedAt = since
      this.#sweep = setInterval(() => this.#look(), limits.admission.sweepMs)
    }
    if (this.#hasRoom(kind)) this.#queues[kind].push({ ...asked, start, refuse, since })
    else {
      this.shed++
      refuse()
    }
  }

  #hasRoom(kind: RequestKind): boolean {
    const own = this.#queues[kind].length
    const other = this.waiting - own
    // One of the other kind is begun before each of this one.
    const ahead = own + Math.min(other, own + 1)
    return (
      this.waiting < this.#size.queue && (this.#isBurst || (ahead + 1) * this.#paceMs <= this.#patienceOf(kind) / 2)
    )
  }

  #patienceOf(kind: RequestKind): number {
    const { burstMs, patienceMs, pagePatienceMs = 0 } = this.#size
    const ofCall = this.#isBurst ? burstMs : patienceMs
    return kind === 'page' ? Math.max(ofCall, pagePatienceMs) : ofCall
  }

  #begin({ request, response, start }: Omit<Waiting, 'since' | 'refuse'>): void {
    this.#take()
    let isCounted = true
    let isOver = false
    const leave = () => {
      if (isOver) return
      isOver = true
      response.off('finish', leave).off('close', leave)
      if (!isCounted) return
      this.#learnPace()
      this.#leave()
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
          this.#take()
        })
      })
    start(leave)
  }

  #take(): void {
    this.running++
    if (this.running >= this.#size.atOnce) this.#fullSince = performance.now()
  }

  /** One that took very long says no more than that: what was slow, such as the database, may be well again. */
  #learnPace(): void {
    if (this.running < this.#size.atOnce) return
    const tookMs = Math.min(performance.now() - this.#fullSince, this.#size.patienceMs)
    this.#paceMs += weight * (tookMs - this.#paceMs)
  }

  #leave(): void {
    this.running--
    while (this.running < this.#size.atOnce) {
      const next = this.#next()
      if (!next) break
      if (!next.response.destroyed) this.#begin(next)
    }
  }

  #next(): Waiting | undefined {
    const turn: RequestKind = this.#last === 'call' ? 'page' : 'call'
    const kind = this.#queues[turn].length > 0 ? turn : this.#last
    const next = this.#queues[kind].shift()
    if (next) this.#last = kind
    return next
  }

  /** Refuses requests that have waited too long. */
  #look(): void {
    const now = performance.now()
    this.#spend(now - this.#lookedAt)
    this.#lookedAt = now
    for (const kind of kinds) {
      const queue = this.#queues[kind]
      while (queue.length > 0 && now - queue[0]!.since > this.#patienceOf(kind)) {
        this.shed++
        queue.shift()!.refuse()
      }
    }
    if (this.waiting > 0 || this.#burstLeftMs < this.#size.burstMs) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  /** A long turn of the event loop in which nobody waited is no rest: it counts as one look. */
  #spend(passedMs: number): void {
    const { burstMs } = this.#size
    const gained = this.waiting > 0 ? -passedMs : Math.min(passedMs, limits.admission.sweepMs)
    this.#burstLeftMs = Math.max(0, Math.min(burstMs, this.#burstLeftMs + gained))
    if (this.#burstLeftMs === 0) this.#isBurst = false
    else if (this.#burstLeftMs === burstMs && !this.#isBurst) {
      this.#isBurst = true
      this.#calm()
    }
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
