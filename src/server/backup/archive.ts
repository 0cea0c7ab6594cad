import { createHash, createHmac, type Hash, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import * as z from 'zod/mini'
import { backupKey, keyName } from '../secrets/keys.ts'

// A backup is gzipped text: a line about the whole, of every table a COPY as psql would take it, a line about the contents, and a digest of all
// that with the name of a key and the tag it gives the digest. Only the last line makes it whole. Files of format 1 have a digest alone.
const headMark = '-- sauce backup '
const endMark = '-- contents '
const sealMark = '-- sha256 '
/** What ends the rows of a table. */
export const endOfRows = '\\.\n'

const headSchema = z.object({
  format: z.union([z.literal(1), z.literal(2)]),
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
/** `signedBy`: the name of the key that authenticates the file, null in a file of format 1. `authentic`: that key is at hand, and the file is as it wrote it. */
export type Manifest = Head & Contents & { signedBy: string | null; authentic: boolean }

/** The first line. */
export const headLine = (head: Head): string => `${headMark}${JSON.stringify(head)}\n`
/** The line after the last table. */
export const contentsLine = (contents: Contents): string => `${endMark}${JSON.stringify(contents)}\n`
/** The last line: the digest of all before it, and the signature that proves that its author had this key. */
export function sealLine(hash: Hash, key: Buffer): string {
  const digest = hash.digest('hex')
  return `${sealMark}${digest} ${keyName(key)} ${tagOf(digest, key)}\n`
}
const tagOf = (digest: string, key: Buffer): string => createHmac('sha256', backupKey(key)).update(digest).digest('hex')
/** A name as SQL writes it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
/** The line before a table's rows: the statement that takes them. */
export const copyLine = (table: string, columns: string[]): string =>
  `COPY ${quoted(table)} (${columns.map(quoted).join(', ')}) FROM stdin;\n`

/** Why a file cannot be restored. Nothing was touched. */
export class NotWhole extends Error {
  override name = 'NotWhole'
}

/** Takes the rows of one table as they stand in the file, in pieces. */
export type Sink = { write: (piece: Buffer) => Promise<void>; end: () => Promise<void> }
type Reading = {
  onHead?: (head: Head) => void
  /** Returns where the rows of a table go. `line` is how the file announces them; it is compared, never run. */
  onTable?: (table: string, line: string) => Sink | Promise<Sink>
}

/** Reads a backup to its end. `keys` may authenticate it. Throws NotWhole when it is none, cut off, or differs anywhere from what was written. */
export async function readArchive(
  path: string,
  keys: readonly Buffer[],
  { onHead, onTable }: Reading = {},
): Promise<Manifest> {
  const source = pipeline(createReadStream(path), createGunzip(), () => {})
  const hash = createHash('sha256')
  const seen = new Map<string, { sha256: string }>()
  let head: Head | undefined
  let contents: Contents | undefined
  let rest: Buffer = Buffer.alloc(0)
  let seal: { signedBy: string | null; authentic: boolean } | undefined
  let table: { name: string; hash: Hash; sink: Sink | undefined; isAtLineStart: boolean } | undefined

  const line = async (text: string): Promise<void> => {
    if (seal) throw new NotWhole('The file goes on after its end.')
    if (text.startsWith(sealMark) && head && contents) {
      seal = sealOf(text.slice(sealMark.length, -1), head.format, hash.digest('hex'), keys)
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
      table = { name, hash: createHash('sha256'), sink: await onTable?.(name, text), isAtLineStart: true }
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
    const reason = unreadable(path, code)
    throw reason ? new NotWhole(reason) : error
  }
  if (!seal || !head || !contents) throw new NotWhole('The file is cut off.')
  for (const [name, { sha256 }] of Object.entries(contents.tables))
    if (seen.get(name)?.sha256 !== sha256) throw new NotWhole(`The rows of ${name} are not those that were written.`)
  return { ...head, ...contents, ...seal }
}

function unreadable(path: string, code: string | undefined): string | undefined {
  if (code === 'ENOENT' || code === 'ENOTDIR') return `There is no file ${path}.`
  if (code === 'EISDIR') return `${path} is a folder, not a backup file.`
  if (code === 'EACCES' || code === 'EPERM')
    return `${path} cannot be read by this account (user id ${process.getuid?.() ?? 'unknown'}): ${code}.`
  return undefined
}

function sealOf(
  said: string,
  format: Head['format'],
  digest: string,
  keys: readonly Buffer[],
): Pick<Manifest, 'signedBy' | 'authentic'> {
  const [saidDigest, signedBy, tag, ...more] = said.split(' ')
  if (saidDigest !== digest || more.length > 0) throw new NotWhole('The file was changed: its digest is another one.')
  if (format === 1) return { signedBy: null, authentic: false }
  if (!signedBy || !/^[0-9a-f]{64}$/.test(tag ?? ''))
    throw new NotWhole('The file was changed: what authenticates it is missing.')
  const key = keys.find((candidate) => keyName(candidate) === signedBy)
  if (key && !timingSafeEqual(Buffer.from(tagOf(digest, key)), Buffer.from(tag!)))
    throw new NotWhole('The file was changed by someone without its key.')
  return { signedBy, authentic: key !== undefined }
}

function parsed<T>(schema: z.ZodMiniType<T>, text: string): T {
  try {
    return z.parse(schema, JSON.parse(text))
  } catch {
    throw new NotWhole(
      'The file speaks of itself in a way this release does not know: restore it with the release that wrote it.',
    )
  }
}
