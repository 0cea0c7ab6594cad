import { randomUUID } from 'node:crypto'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { Refusal } from './errors.ts'
import { limits } from './limits.ts'

/** argon2id: memory in KiB, passes, lanes. */
export type HashCost = { memoryCost: number; timeCost: number; parallelism: number }
export type PasswordOptions = { cost: HashCost; atOnce: number; queue: number }

const defaults: PasswordOptions = { cost: { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }, ...limits.hashing }

/** Hashes and compares passwords, a few at a time; beyond the queue it throws 503 with Retry-After. */
export class Passwords {
  readonly #options: PasswordOptions
  readonly #dummy: Promise<string>
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(options: Partial<PasswordOptions> = {}) {
    this.#options = { ...defaults, ...options }
    this.#dummy = hash(randomUUID(), this.#options.cost)
  }

  /** The PHC text to store. */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(password, this.#options.cost))
  }

  /**
   * Whether the password is the stored one. Without a stored hash the same work is done and the answer is false, so that time
   * tells nothing. `beforeWork` runs when the turn has come; what it throws is thrown and no work is done.
   */
  verify(stored: string | undefined, password: string, beforeWork?: () => Promise<void>): Promise<boolean> {
    return this.#inTurn(async () => {
      await beforeWork?.()
      const matches = await verify(stored ?? (await this.#dummy), password)
      return stored !== undefined && matches
    })
  }

  /** Whether a stored hash was made at another cost than today's. */
  isOutdated(stored: string): boolean {
    const { memoryCost, timeCost, parallelism } = parseOptions(stored)
    const { cost } = this.#options
    return memoryCost !== cost.memoryCost || timeCost !== cost.timeCost || parallelism !== cost.parallelism
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#options.atOnce) this.#running++
    else if (this.#waiting.length < this.#options.queue) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else throw new Refusal(503, 'busy', 'We are very busy right now. Please try again in a moment.', { headers: { 'retry-after': '2' } })
    try {
      return await work()
    } finally {
      // The turn is handed over, not given back: nobody can slip in between.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
