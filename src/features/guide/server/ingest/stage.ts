import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { XmltvProgram } from './read-xmltv.ts'

/** The temporary table for the programs of a file. `n` is the number of the channel; `s` and `e` are start and end in seconds since 1970. */
const stageTable = `create temporary table guide_stage (n integer, s integer, e integer, title text, subtitle text, description text,
  category text, season smallint, episode smallint, is_new boolean)`

/** Writes programs to a temporary table with COPY. `add` buffers them; call `flush` after each piece of the file, so that the buffer stays small. */
export class Stage {
  #lines: string[] = []
  readonly #client: pg.Client

  constructor(client: pg.Client) {
    this.#client = client
  }

  async create(): Promise<void> {
    await this.#client.query(stageTable)
  }

  add(n: number, program: XmltvProgram): void {
    const { startsAt, endsAt, title, subtitle, description, category, season, episode, isNew } = program
    const texts = `${escaped(title)}\t${escaped(subtitle)}\t${escaped(description)}\t${escaped(category)}`
    this.#lines.push(
      `${n}\t${startsAt}\t${endsAt ?? '\\N'}\t${texts}\t${season ?? '\\N'}\t${episode ?? '\\N'}\t${isNew ? 't' : 'f'}\n`,
    )
  }

  /** The number of buffered programs. */
  get length(): number {
    return this.#lines.length
  }

  /** Writes the buffered programs. Each call is a separate COPY, so that the same connection can read an upload in between. */
  async flush(): Promise<void> {
    if (this.#lines.length === 0) return
    const stream = this.#client.query(copyFrom('copy guide_stage from stdin'))
    const done = finished(stream)
    // Prevents an unhandled rejection; it is awaited below.
    done.catch(() => {})
    const lines = this.#lines
    this.#lines = []
    for (let at = 0; at < lines.length; at += 500)
      if (!stream.write(lines.slice(at, at + 500).join(''))) await Promise.race([once(stream, 'drain'), done])
    stream.end()
    await done
  }
}

// The texts have no control characters, so only the escape character itself needs escaping.
const escaped = (text: string): string => (text.includes('\\') ? text.replaceAll('\\', '\\\\') : text)
