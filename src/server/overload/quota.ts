/** So many places for each, by name. Counted as they are taken and given back: asking takes no longer the more there are. */
export class Quota {
  readonly #taken = new Map<string, number>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  /** How many names have a place. */
  get size(): number {
    return this.#taken.size
  }

  /** Takes a place when there is one left. */
  take(name: string): boolean {
    const taken = this.#taken.get(name) ?? 0
    if (taken >= this.#most) return false
    this.#taken.set(name, taken + 1)
    return true
  }

  /** Gives back a place that was taken; nothing is kept of a name that has none. */
  giveBack(name: string): void {
    const taken = this.#taken.get(name) ?? 0
    if (taken > 1) this.#taken.set(name, taken - 1)
    else this.#taken.delete(name)
  }
}
