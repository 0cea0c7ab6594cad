/** Limits how many units can be taken under each name at the same time. Every operation takes constant time. */
export class Quota {
  readonly #taken = new Map<string, number>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The number of names under which at least one unit is taken. */
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

  /** Gives one unit back. A name without units uses no memory. */
  release(name: string): void {
    const taken = this.#taken.get(name) ?? 0
    if (taken > 1) this.#taken.set(name, taken - 1)
    else this.#taken.delete(name)
  }
}
