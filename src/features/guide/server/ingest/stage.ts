import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { XmltvProgram } from './read-xmltv.ts'

/** SQL that creates the temporary table for the programs of a file. `n` is the number of the channel; `s` and `e` are start and end in seconds since 1970. */
const stageTable = `create temporary table guide_stage (n integer, s integer, e integer, title text, subtitle text, description text,
  category text, season smallint, episode smallint, is_new boolean, features smallint, rating text)`

/** The maximum size of a character of a JavaScript string in UTF-8. */
const maxBytesPerChar = 3

/**
 * Writes programs to a temporary table with COPY. `add` buffers them; call `flush` after each piece of the file, so that the buffer stays small. They
 * are buffered as bytes: strings would keep pieces of the file in memory, and copying those pieces was half of the garbage collector's work.
 */
export class Stage {
  /** The number of buffered bytes. */
  bytes = 0
  #buffer = Buffer.allocUnsafe(1024 * 1024)
  readonly #client: pg.Client

  constructor(client: pg.Client) {
    this.#client = client
  }

  async create(): Promise<void> {
    await this.#client.query(stageTable)
  }

  add(n: number, program: XmltvProgram): void {
    const { startsAt, endsAt, title, subtitle, description, category, season, episode, isNew, features } = program
    const texts = `${escaped(title)}\t${escaped(subtitle)}\t${escaped(description)}\t${escaped(category)}`
    const numbers = `${season ?? '\\N'}\t${episode ?? '\\N'}\t${isNew ? 't' : 'f'}\t${features}`
    const line = `${n}\t${startsAt}\t${endsAt ?? '\\N'}\t${texts}\t${numbers}\t${escaped(program.rating)}\n`
    if (this.bytes + line.length * maxBytesPerChar > this.#buffer.length)
      this.#buffer = Buffer.concat([this.#buffer], 2 * this.#buffer.length)
    this.bytes += this.#buffer.write(line, this.bytes)
  }

  /** Writes the buffered programs. Each call is a separate COPY, so that the same connection can read an upload in between. */
  async flush(): Promise<void> {
    if (this.bytes === 0) return
    const stream = this.#client.query(copyFrom('copy guide_stage from stdin'))
    stream.end(this.#buffer.subarray(0, this.bytes))
    // Once the stream has finished, the server has read everything, so the buffer can be reused.
    await finished(stream)
    this.bytes = 0
  }
}

// The texts have no control characters, so only the backslash needs escaping.
const escaped = (text: string): string => (text.includes('\\') ? text.replaceAll('\\', '\\\\') : text)
