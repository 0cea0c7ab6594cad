import { limits } from '#server/limits.ts'

const hourMs = 3_600_000

/** Slows down reading when a mailbox is flooded: after `perHour` emails within an hour, one email every `slowMs`. */
export class Pace {
  readonly #read: number[] = []

  /** Returns how many ms to wait before the next email is read, and counts that email. `now` is a timestamp in ms. */
  next(now: number): number {
    const { perHour, slowMs } = limits.mailbox
    while (this.#read.length > 0 && this.#read[0]! <= now - hourMs) this.#read.shift()
    const wait = this.#read.length < perHour ? 0 : slowMs
    this.#read.push(now + wait)
    return wait
  }
}

/** Permits at max `max` events within an hour. */
export class HourlyLimit {
  readonly #max: number
  readonly #taken: number[] = []

  constructor(max: number) {
    this.#max = max
  }

  /** Returns whether one more event is permitted, and counts it if so. `now` is a timestamp in ms. */
  take(now: number): boolean {
    while (this.#taken.length > 0 && this.#taken[0]! <= now - hourMs) this.#taken.shift()
    if (this.#taken.length >= this.#max) return false
    this.#taken.push(now)
    return true
  }
}
