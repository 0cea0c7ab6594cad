const quote = 34
const backslash = 92
const opening = new Set([91, 123])
const closing = new Set([93, 125])
const colon = 58
const spaces = new Set([9, 10, 13, 32, 0xfeff])

type Options = {
  /** Gets each object of the list as soon as it is whole. */
  onRow: (row: Record<string, unknown>) => void
  /** Characters of one object; more make the list unreadable. */
  rowLength?: number
}

/**
 * Reads a JSON list of objects piece by piece, so that no long list is ever parsed in one turn of the event loop. A list may also be an object
 * whose keys are numbers, as PHP writes lists with gaps. What is in the list and is no object is left out.
 */
export class JsonRows {
  readonly #onRow: Options['onRow']
  readonly #rowLength: number
  #root = 0
  #depth = 0
  #isText = false
  #isEscaped = false
  #isDone = false
  #isOther = false
  /** The beginning of an unfinished object, or of an unfinished text that may be a key. */
  #kept = ''
  #key = ''

  constructor({ onRow, rowLength = 64 * 1024 }: Options) {
    this.#onRow = onRow
    this.#rowLength = rowLength
  }

  /** Whether what was read so far is no list: something else, or broken. */
  get isOther(): boolean {
    return this.#isOther
  }

  /** Whether the whole list has been read. */
  get isDone(): boolean {
    return this.#isDone && !this.#isOther
  }

  /** Reads the next piece; an object may be cut anywhere. */
  push(piece: string): void {
    // Where what has to be kept begins in this piece; -1 while nothing has to be.
    let from = this.#depth > 1 || (this.#depth === 1 && this.#isText) ? 0 : -1
    for (let at = 0; at < piece.length && !this.#isOther; at++) {
      const code = piece.charCodeAt(at)
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (code === backslash) this.#isEscaped = true
        else if (code === quote) {
          this.#isText = false
          if (this.#depth === 1) {
            this.#key = this.#kept + piece.slice(from, at)
            this.#kept = ''
            from = -1
          }
        }
      } else if (spaces.has(code)) continue
      else if (this.#isDone || (this.#depth === 0 && !opening.has(code))) this.#isOther = true
      else if (code === quote) {
        this.#isText = true
        if (this.#depth === 1) from = at + 1
      } else if (opening.has(code)) {
        if (this.#depth === 0) this.#root = code
        else if (this.#depth === 1) from = at
        this.#depth++
      } else if (closing.has(code)) {
        this.#depth--
        if (this.#depth === 1) {
          this.#row(this.#kept + piece.slice(from, at + 1))
          this.#kept = ''
          from = -1
        } else if (this.#depth === 0) this.#isDone = true
      } else if (code === colon && this.#depth === 1) this.#isOther ||= this.#root === 91 || !/^\d+$/.test(this.#key)
    }
    if (from >= 0) this.#kept += piece.slice(from)
    if (this.#kept.length > this.#rowLength) this.#isOther = true
  }

  #row(text: string): void {
    try {
      const row: unknown = JSON.parse(text)
      if (typeof row === 'object' && row !== null && !Array.isArray(row)) this.#onRow(row as Record<string, unknown>)
    } catch {
      this.#isOther = true
    }
  }
}
