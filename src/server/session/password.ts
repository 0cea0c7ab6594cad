import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { busy } from '../errors.ts'
import { limits } from '../limits.ts'

/** argon2id: memory in KiB, passes, lanes. */
export type HashCost = { memoryCost: number; timeCost: number; parallelism: number }
/** What compares a password may be counted, and forgiven when it was right. */
export type Attempt = { count: () => Promise<void>; forgive: () => Promise<void> }
export type PasswordOptions = { cost: HashCost; atOnce: number; queue: number }

const defaults: PasswordOptions = { cost: { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }, ...limits.hashing }

/** How many hashes one of so many processes on this machine makes at once: together at most half of its cores, so that everybody else is answered. */
export function hashesAtOnce(processes: number, cores = availableParallelism()): number {
  const most = Math.min(limits.hashing.atOnce, Math.floor(cores / 2))
  return Math.max(1, Math.floor(most / processes))
}

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
   * tells nothing. An `attempt` is counted when its turn has come (what that throws is thrown, and no work done) and forgiven
   * when the password was right, still in its turn: no more right ones than work at once can look like failures.
   */
  verify(stored: string | undefined, password: string, attempt?: Attempt): Promise<boolean> {
    return this.#inTurn(async () => {
      await attempt?.count()
      const matches = (await verify(stored ?? (await this.#dummy), password)) && stored !== undefined
      if (matches) await attempt?.forgive()
      return matches
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
    else if (this.#waiting.length < this.#options.queue)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else throw busy()
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
