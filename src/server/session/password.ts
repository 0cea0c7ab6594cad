import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import { busy } from '../errors.ts'
import { limits } from '../limits.ts'
import { isBcrypt, isImported, noPassword, originalHash } from './imported-hash.ts'

/** Parameters of argon2id: memory in KiB, passes, lanes. */
export type HashCost = { memoryCost: number; timeCost: number; parallelism: number }
/** A rate-limited attempt. It is counted before the password is compared, and forgiven if the password was correct. */
export type Attempt = { count: () => Promise<void>; forgive: () => Promise<void> }
export type PasswordOptions = { cost: HashCost; atOnce: number; queue: number }

const defaults: PasswordOptions = { cost: { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }, ...limits.hashing }

/**
 * Returns how many hashes each of `processes` processes may compute in parallel. Together they use at most half of the cores, so that other
 * requests get CPU time.
 */
export function hashesAtOnce(processes: number, cores = availableParallelism()): number {
  const total = Math.min(limits.hashing.atOnce, Math.floor(cores / 2))
  return Math.max(1, Math.floor(total / processes))
}

/** Hashes and compares passwords, at most `atOnce` in parallel. Throws 503 with Retry-After when the queue is full. */
export class Passwords {
  readonly #options: PasswordOptions
  readonly #dummy: Promise<string>
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(options: Partial<PasswordOptions> = {}) {
    this.#options = { ...defaults, ...options }
    this.#dummy = hash(randomUUID(), this.#options.cost)
  }

  /** Returns the hash to store, in PHC format. */
  hash(password: string): Promise<string> {
    return this.#queued(() => hash(password, this.#options.cost))
  }

  /**
   * Returns whether the password matches the stored hash. Without a stored hash, or for an account without a password, it does the same work
   * and returns false, so that the response time reveals nothing. An imported hash takes a different time: see `equalizeLoginTime`.
   * `attempt` is counted after queueing (if that throws, nothing is compared) and forgiven before the slot is released, so that at most
   * `atOnce` correct passwords count as failures at any time.
   */
  verify(stored: string | undefined, password: string, attempt?: Attempt): Promise<boolean> {
    return this.#queued(async () => {
      await attempt?.count()
      const known = stored === noPassword ? undefined : stored
      const matches = (await compare(known ?? (await this.#dummy), password)) && known !== undefined
      if (matches) await attempt?.forgive()
      return matches
    })
  }

  /** Whether a stored hash was imported, or computed with cost parameters that differ from the current ones. */
  isOutdated(stored: string): boolean {
    if (isImported(stored)) return true
    const { memoryCost, timeCost, parallelism } = parseOptions(stored)
    const { cost } = this.#options
    return memoryCost !== cost.memoryCost || timeCost !== cost.timeCost || parallelism !== cost.parallelism
  }

  async #queued<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#options.atOnce) this.#running++
    else if (this.#waiting.length < this.#options.queue)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else throw busy()
    try {
      return await work()
    } finally {
      // The slot passes directly to the next waiting call, so `#running` stays the same.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}

function compare(stored: string, password: string): Promise<boolean> {
  const original = originalHash(stored)
  return isBcrypt(original) ? verifyBcrypt(password, original) : verify(original, password)
}
