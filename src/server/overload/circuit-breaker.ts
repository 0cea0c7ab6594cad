import { limits } from '../limits.ts'

/** The breaker is open: nothing was asked. */
export class CircuitOpenError extends Error {
  override name = 'BreakerOpen'
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super('The other side failed too often and is left alone for a while')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

type Options = { failures?: number; restMs?: number; now?: () => number }

/**
 * Leaves a failing partner alone: after `failures` failures in a row nothing is asked for `restMs`, then one call tries.
 * Its success closes the breaker, its failure begins the next rest.
 */
export class CircuitBreaker {
  readonly #most: number
  readonly #restMs: number
  readonly #now: () => number
  #failures = 0
  #openUntil: number | undefined
  /** Calls of an earlier round no longer count: what they ask about is over. */
  #round = 0

  constructor({
    failures = limits.breaker.failures,
    restMs = limits.breaker.restMs,
    now = () => performance.now(),
  }: Options = {}) {
    this.#most = failures
    this.#restMs = restMs
    this.#now = now
  }

  /** Does the work; a rejection counts as a failure, and so does a result that `hasFailed` says so of. Throws BreakerOpen. */
  async run<T>(work: () => Promise<T>, hasFailed: (result: T) => boolean): Promise<T> {
    this.#admit()
    const round = this.#round
    let failed = true
    try {
      const result = await work()
      failed = hasFailed(result)
      return result
    } finally {
      if (round === this.#round) this.#count(failed)
    }
  }

  #admit(): void {
    if (this.#openUntil === undefined) return
    const restMs = this.#openUntil - this.#now()
    if (restMs > 0) throw new CircuitOpenError(Math.ceil(restMs / 1000))
    // This call is the trial: the others go on resting until it has an answer.
    this.#rest()
    this.#failures = this.#most - 1
  }

  #count(failed: boolean): void {
    this.#failures = failed ? this.#failures + 1 : 0
    if (!failed) this.#openUntil = undefined
    else if (this.#failures >= this.#most) this.#rest()
  }

  #rest(): void {
    this.#openUntil = this.#now() + this.#restMs
    this.#round++
  }
}
