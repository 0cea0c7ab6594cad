import { tooMany } from '../errors.ts'
import type { RateLimitStore, Usage } from './rate-limit-store.ts'

const maxBlocked = 10_000

/** One rate limit: at most `calls` calls for each key in a window of `seconds`. The window begins with the first call. */
export class RateLimiter {
  readonly calls: number
  readonly #store: RateLimitStore
  readonly #name: string
  readonly #windowMs: number
  /**
   * When the window of each used-up key ends. Remembered so that a flood of refused calls does not query the database. Undefined for limits whose counts can
   * also be reduced.
   */
  readonly #blocked: Map<string, number> | undefined

  constructor(
    store: RateLimitStore,
    name: string,
    limit: { calls: number; seconds: number },
    rememberBlocked: boolean,
  ) {
    this.#store = store
    this.#name = name
    this.calls = limit.calls
    this.#windowMs = limit.seconds * 1_000
    this.#blocked = rememberBlocked ? new Map() : undefined
  }

  /** Counts a call. Throws 429 with the time until the window ends when more than `calls` are used. */
  async take(key: string): Promise<Usage> {
    const blockedMs = (this.#blocked?.get(key) ?? 0) - performance.now()
    if (blockedMs > 0) tooMany(blockedMs / 1000)
    this.#blocked?.delete(key)
    const usage = await this.add(key)
    if (usage.calls <= this.calls) return usage
    // A count from this process alone is not remembered, because it no longer applies once the database is available again.
    if (this.#blocked && !usage.isLocal) {
      if (this.#blocked.size >= maxBlocked) this.#blocked.clear()
      this.#blocked.set(key, performance.now() + usage.msLeft)
    }
    return tooMany(usage.msLeft / 1000)
  }

  /** Counts calls, or subtracts them if `calls` is negative. Never throws 429. */
  add(key: string, calls = 1): Promise<Usage> {
    return this.#store.add(`${this.#name}:${key}`, calls, this.#windowMs)
  }

  /** Returns the usage of a key; undefined without an open window. */
  read(key: string): Promise<Usage | undefined> {
    return this.#store.read(`${this.#name}:${key}`)
  }

  async forget(key: string): Promise<void> {
    this.#blocked?.delete(key)
    await this.#store.forget(`${this.#name}:${key}`)
  }
}
