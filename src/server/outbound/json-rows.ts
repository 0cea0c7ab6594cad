const quote = 34
const backslash = 92
const opening = new Set([91, 123])
const closing = new Set([93, 125])
const colon = 58
const spaces = new Set([9, 10, 13, 32, 0xfeff])

type Options = {
  /** Called with each object of the list as soon as it is complete. */
  onRow: (row: Record<string, unknown>) => void
  /** The maximum length of one object, in characters. A longer object makes the list invalid. */
  rowLength?: number
}

/**
 * Incremental parser for a JSON list of objects, so that a long list is not parsed in one event-loop turn. The list may also be an object
 * with numeric keys, as PHP encodes lists with gaps. Elements that are not objects are skipped.
 */
export class JsonRows {
  readonly #onRow: Options['onRow']
  readonly #rowLength: number
  #root = 0
  #depth = 0
  #isInString = false
  #isEscaped = false
  #isComplete = false
  #isInvalid = false
  /** The start of an incomplete object, or of an incomplete string that may be a key. */
  #buffered = ''
  #key = ''

  constructor({ onRow, rowLength = 64 * 1024 }: Options) {
    this.#onRow = onRow
    this.#rowLength = rowLength
  }

  /** Whether the input so far cannot be the beginning of a valid list. */
  get isInvalid(): boolean {
    return this.#isInvalid
  }

  /** Whether the list is complete. */
  get isComplete(): boolean {
    return this.#isComplete && !this.#isInvalid
  }

  /** Reads the next chunk, which may start and end anywhere. */
  push(chunk: string): void {
    // The index from which this chunk must be buffered; -1 if none of it must be buffered.
    let from = this.#depth > 1 || (this.#depth === 1 && this.#isInString) ? 0 : -1
    for (let at = 0; at < chunk.length && !this.#isInvalid; at++) {
      const code = chunk.charCodeAt(at)
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (code === backslash) this.#isEscaped = true
        else if (code === quote) {
          this.#isInString = false
          if (this.#depth === 1) {
            this.#key = this.#buffered + chunk.slice(from, at)
            this.#buffered = ''
            from = -1
          }
        }
      } else if (spaces.has(code)) continue
      else if (this.#isComplete || (this.#depth === 0 && !opening.has(code))) this.#isInvalid = true
      else if (code === quote) {
        this.#isInString = true
        if (this.#depth === 1) from = at + 1
      } else if (opening.has(code)) {
        if (this.#depth === 0) this.#root = code
        else if (this.#depth === 1) from = at
        this.#depth++
      } else if (closing.has(code)) {
        this.#depth--
        if (this.#depth === 1) {
          this.#row(this.#buffered + chunk.slice(from, at + 1))
          this.#buffered = ''
          from = -1
        } else if (this.#depth === 0) this.#isComplete = true
      } else if (code === colon && this.#depth === 1) this.#isInvalid ||= this.#root === 91 || !/^\d+$/.test(this.#key)
    }
    if (from >= 0) this.#buffered += chunk.slice(from)
    if (this.#buffered.length > this.#rowLength) this.#isInvalid = true
  }

  #row(text: string): void {
    try {
      const row: unknown = JSON.parse(text)
      if (typeof row === 'object' && row !== null && !Array.isArray(row)) this.#onRow(row as Record<string, unknown>)
    } catch {
      this.#isInvalid = true
    }
  }
}
