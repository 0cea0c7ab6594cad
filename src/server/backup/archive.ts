import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import * as z from 'zod/mini'

// A backup is gzipped text: a line about the whole, of every table a COPY as psql would take it, a line about the contents, and a digest of all
// that. Only the last line makes it whole.
const headMark = '-- sauce backup '
const endMark = '-- contents '
const sealMark = '-- sha256 '
/** What ends the rows of a table. */
export const endOfRows = '\\.\n'

const headSchema = z.object({
  format: z.literal(1),
  takenAt: z.string(),
  server: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string(), appliedAt: z.string() })),
  /** The names of the keys that open what is sealed in it. The keys themselves are not in a backup. */
  keys: z.array(z.string()),
})
const contentsSchema = z.object({
  tables: z.record(z.string(), z.object({ rows: z.number(), sha256: z.string() })),
  /** The last number each sequence gave, null before its first one. */
  sequences: z.record(z.string(), z.nullable(z.string())),
})
export type Head = z.infer<typeof headSchema>
export type Contents = z.infer<typeof contentsSchema>
export type Manifest = Head & Contents

/** The first line. */
export const headLine = (head: Head): string => `${headMark}${JSON.stringify(head)}\n`
/** The line after the last table. */
export const contentsLine = (contents: Contents): string => `${endMark}${JSON.stringify(contents)}\n`
/** The last line: the digest of all before it. */
export const sealLine = (hash: Hash): string => `${sealMark}${hash.digest('hex')}\n`
/** A name as SQL writes it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
/** The line before a table's rows: the statement that takes them. */
export const copyLine = (table: string, columns: string[]): string => `COPY ${quoted(table)} (${columns.map(quoted).join(', ')}) FROM stdin;\n`

/** Why a file cannot be restored. Nothing was touched. */
export class NotWhole extends Error {
  override name = 'NotWhole'
}

/** Takes the rows of one table as they stand in the file, in pieces. */
export type Sink = { write: (piece: Buffer) => Promise<void>; end: () => Promise<void> }
type Reading = {
  onHead?: (head: Head) => void
  /** Whoever wants the rows of a table answers where they go. `copy` is the statement that takes them. */
  onTable?: (table: string, copy: string) => Sink | Promise<Sink>
}

/** Reads a backup to its end. Throws NotWhole when it is none, cut off, or differs anywhere from what was written. */
export async function readArchive(path: string, { onHead, onTable }: Reading = {}): Promise<Manifest> {
  const source = pipeline(createReadStream(path), createGunzip(), () => {})
  const hash = createHash('sha256')
  const seen = new Map<string, { sha256: string }>()
  let head: Head | undefined
  let contents: Contents | undefined
  let rest: Buffer = Buffer.alloc(0)
  let isWhole = false
  let table: { name: string; hash: Hash; sink: Sink | undefined; isAtLineStart: boolean } | undefined

  const line = async (text: string): Promise<void> => {
    if (isWhole) throw new NotWhole('The file goes on after its end.')
    if (text.startsWith(sealMark) && contents) {
      if (text !== sealLine(hash)) throw new NotWhole('The file was changed: its digest is another one.')
      isWhole = true
      return
    }
    hash.update(text)
    if (!head) {
      if (!text.startsWith(headMark)) throw new NotWhole('The file is no backup of this product.')
      head = parsed(headSchema, text.slice(headMark.length))
      onHead?.(head)
    } else if (text.startsWith(endMark)) contents = parsed(contentsSchema, text.slice(endMark.length))
    else {
      const name = /^COPY "((?:[^"]|"")+)" \(.*\) FROM stdin;\n$/.exec(text)?.[1]?.replaceAll('""', '"')
      if (!name || contents || seen.has(name)) throw new NotWhole('The file holds something that no backup holds.')
      table = { name, hash: createHash('sha256'), sink: await onTable?.(name, text.slice(0, -2)), isAtLineStart: true }
    }
  }

  /** Hands on what surely belongs to the table and keeps what may be the beginning of its end. */
  const rows = async (into: NonNullable<typeof table>): Promise<boolean> => {
    const isOver = into.isAtLineStart && rest.subarray(0, endOfRows.length).toString() === endOfRows
    const found = isOver ? -1 : rest.indexOf(`\n${endOfRows}`)
    const isEnd = isOver || found >= 0
    const length = isEnd ? found + 1 : rest.length - endOfRows.length
    if (length <= 0 && !isEnd) return false
    const piece = rest.subarray(0, length)
    hash.update(piece)
    into.hash.update(piece)
    if (piece.length > 0) {
      into.isAtLineStart = piece.at(-1) === 10
      await into.sink?.write(piece)
    }
    rest = rest.subarray(length)
    if (!isEnd) return false
    hash.update(endOfRows)
    rest = rest.subarray(endOfRows.length)
    await into.sink?.end()
    seen.set(into.name, { sha256: into.hash.digest('hex') })
    table = undefined
    return true
  }

  const lines = async (): Promise<boolean> => {
    const end = rest.indexOf(10)
    if (end < 0) return false
    const text = rest.subarray(0, end + 1).toString('utf8')
    rest = rest.subarray(end + 1)
    await line(text)
    return true
  }

  try {
    for await (const chunk of source) {
      rest = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer])
      while (table ? await rows(table) : await lines());
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw new NotWhole('The file is cut off.')
    if (code?.startsWith('Z_')) throw new NotWhole('The file is damaged, or no backup of this product.')
    throw error
  }
  if (!isWhole || !head || !contents) throw new NotWhole('The file is cut off.')
  for (const [name, { sha256 }] of Object.entries(contents.tables))
    if (seen.get(name)?.sha256 !== sha256) throw new NotWhole(`The rows of ${name} are not those that were written.`)
  return { ...head, ...contents }
}

function parsed<T>(schema: z.ZodMiniType<T>, text: string): T {
  try {
    return z.parse(schema, JSON.parse(text))
  } catch {
    throw new NotWhole('The file speaks of itself in a way this release does not know: restore it with the release that wrote it.')
  }
}
