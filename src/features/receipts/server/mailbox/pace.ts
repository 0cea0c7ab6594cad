import { limits } from '#server/limits.ts'

const hourMs = 3_600_000

/** Slows down reading when a mailbox is flooded: after `perHour` emails within an hour, one email every `slowMs`. */
export class Pace {
  readonly #read: number[] = []

  /** The ms to wait before the next email is read at `now`, in ms. Counts that email. */
  next(now: number): number {
    const { perHour, slowMs } = limits.mailbox
    while (this.#read.length > 0 && this.#read[0]! <= now - hourMs) this.#read.shift()
    const wait = this.#read.length < perHour ? 0 : slowMs
    this.#read.push(now + wait)
    return wait
  }
}

/** Permits a number of events within an hour. */
export class HourlyLimit {
  readonly #most: number
  readonly #taken: number[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** Whether one more is permitted at `now`, in ms. If so, counts it. */
  take(now: number): boolean {
    while (this.#taken.length > 0 && this.#taken[0]! <= now - hourMs) this.#taken.shift()
    if (this.#taken.length >= this.#most) return false
    this.#taken.push(now)
    return true
  }
}
