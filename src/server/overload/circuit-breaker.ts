import { limits } from '../limits.ts'

/** Thrown while the breaker is open. The call was not made. */
export class CircuitOpenError extends Error {
  override name = 'BreakerOpen'
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super('The remote server failed too often: calls are suspended for a while')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

type Options = { failures?: number; restMs?: number; now?: () => number }

/**
 * Circuit breaker for calls to a remote server: after `failures` consecutive failures it rejects every call for `restMs`, then lets one
 * trial call through. Success closes the breaker, failure opens it for another `restMs`.
 */
export class CircuitBreaker {
  readonly #maxFailures: number
  readonly #restMs: number
  readonly #now: () => number
  #failures = 0
  #openUntil: number | undefined
  /** How many times the breaker has opened. The result of a call is not counted if the breaker has opened since the call started. */
  #timesOpened = 0

  constructor({
    failures = limits.breaker.failures,
    restMs = limits.breaker.restMs,
    now = () => performance.now(),
  }: Options = {}) {
    this.#maxFailures = failures
    this.#restMs = restMs
    this.#now = now
  }

  /** Runs `work`. A rejection counts as a failure, and so does a result for which `hasFailed` returns true. Throws CircuitOpenError while open. */
  async run<T>(work: () => Promise<T>, hasFailed: (result: T) => boolean): Promise<T> {
    this.#admit()
    const timesOpened = this.#timesOpened
    let failed = true
    try {
      const result = await work()
      failed = hasFailed(result)
      return result
    } finally {
      if (timesOpened === this.#timesOpened) this.#count(failed)
    }
  }

  #admit(): void {
    if (this.#openUntil === undefined) return
    const restMs = this.#openUntil - this.#now()
    if (restMs > 0) throw new CircuitOpenError(Math.ceil(restMs / 1000))
    // This call is the trial: others are rejected until it settles.
    this.#open()
    this.#failures = this.#maxFailures - 1
  }

  #count(failed: boolean): void {
    this.#failures = failed ? this.#failures + 1 : 0
    if (!failed) this.#openUntil = undefined
    else if (this.#failures >= this.#maxFailures) this.#open()
  }

  #open(): void {
    this.#openUntil = this.#now() + this.#restMs
    this.#timesOpened++
  }
}
