/** Limits how many units each name holds at the same time. Every operation takes constant time. */
export class Quota {
  readonly #taken = new Map<string, number>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  /** How many names hold at least one unit. */
  get size(): number {
    return this.#taken.size
  }

  /** Takes one unit. Returns false if the name has reached its limit. */
  take(name: string): boolean {
    const taken = this.#taken.get(name) ?? 0
    if (taken >= this.#limit) return false
    this.#taken.set(name, taken + 1)
    return true
  }

  /** Returns one unit. A name without units takes no memory. */
  release(name: string): void {
    const taken = this.#taken.get(name) ?? 0
    if (taken > 1) this.#taken.set(name, taken - 1)
    else this.#taken.delete(name)
  }
}
