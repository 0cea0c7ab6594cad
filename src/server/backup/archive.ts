import { createHash, createHmac, type Hash, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import * as z from 'zod/mini'
import { backupKey, keyName } from '../secrets/keys.ts'

// A backup is gzipped text: a head line, a COPY block for each table as psql accepts it, a contents line, and a seal line with the SHA-256 of
// everything before it, the name of a key and the HMAC of the digest with that key. A file without the seal line is incomplete. In format 1
// the seal line has the digest only.
const headMark = '-- sauce backup '
const endMark = '-- contents '
const sealMark = '-- sha256 '
/** The line that ends the rows of a table. */
export const endOfRows = '\\.\n'

const headSchema = z.object({
  format: z.union([z.literal(1), z.literal(2)]),
  takenAt: z.string(),
  server: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string(), appliedAt: z.string() })),
  /** The names of the keys that decrypt the sealed values in the backup. A backup never contains the keys themselves. */
  keys: z.array(z.string()),
})
const contentsSchema = z.object({
  tables: z.record(z.string(), z.object({ rows: z.number(), sha256: z.string() })),
  /** The last value of each sequence; null if it was never used. */
  sequences: z.record(z.string(), z.nullable(z.string())),
})
export type BackupHead = z.infer<typeof headSchema>
export type Contents = z.infer<typeof contentsSchema>
/** `signedBy`: the name of the key that signed the file, null in format 1. `authentic`: that key is available and the signature is valid. */
export type Manifest = BackupHead & Contents & { signedBy: string | null; authentic: boolean }

/** Returns the first line of a backup. */
export const headLine = (head: BackupHead): string => `${headMark}${JSON.stringify(head)}\n`
/** Returns the line after the last table. */
export const contentsLine = (contents: Contents): string => `${endMark}${JSON.stringify(contents)}\n`
/** Returns the last line: the digest of everything before the line, and the HMAC of the digest with this key. */
export function sealLine(hash: Hash, key: Buffer): string {
  const digest = hash.digest('hex')
  return `${sealMark}${digest} ${keyName(key)} ${tagOf(digest, key)}\n`
}
const tagOf = (digest: string, key: Buffer): string => createHmac('sha256', backupKey(key)).update(digest).digest('hex')
/** Quotes an SQL identifier. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
/** Returns the line before the rows of a table: the COPY statement that loads them. */
export const copyLine = (table: string, columns: string[]): string =>
  `COPY ${quoted(table)} (${columns.map(quoted).join(', ')}) FROM stdin;\n`

/** Thrown if a file is not a valid backup. Nothing was changed. */
export class InvalidBackup extends Error {
  override name = 'InvalidBackup'
}

/** Receives the rows of one table in COPY text format, in chunks of any size. */
export type TableSink = { write: (piece: Buffer) => Promise<void>; end: () => Promise<void> }
type ReadOptions = {
  onHead?: (head: BackupHead) => void
  /** Returns the sink for the rows of a table. `line` is the COPY statement in the file; it is only compared, never executed. */
  onTable?: (table: string, line: string) => TableSink | Promise<TableSink>
}

/**
 * Reads and verifies a whole backup; `keys` are the keys that may have signed it. Throws InvalidBackup if the file is not a backup, or is truncated or
 * modified.
 */
export async function readArchive(
  path: string,
  keys: readonly Buffer[],
  { onHead, onTable }: ReadOptions = {},
): Promise<Manifest> {
  const source = pipeline(createReadStream(path), createGunzip(), () => {})
  const hash = createHash('sha256')
  const seen = new Map<string, { sha256: string }>()
  let head: BackupHead | undefined
  let contents: Contents | undefined
  let rest: Buffer = Buffer.alloc(0)
  let seal: { signedBy: string | null; authentic: boolean } | undefined
  let table: { name: string; hash: Hash; sink: TableSink | undefined; isAtLineStart: boolean } | undefined

  const line = async (text: string): Promise<void> => {
    if (seal) throw new InvalidBackup('The file has data after its last line.')
    if (text.startsWith(sealMark) && head && contents) {
      seal = verifySeal(text.slice(sealMark.length, -1), head.format, hash.digest('hex'), keys)
      return
    }
    hash.update(text)
    if (!head) {
      if (!text.startsWith(headMark)) throw new InvalidBackup('The file is not a backup of this product.')
      head = parse(headSchema, text.slice(headMark.length))
      onHead?.(head)
    } else if (text.startsWith(endMark)) contents = parse(contentsSchema, text.slice(endMark.length))
    else {
      const name = /^COPY "((?:[^"]|"")+)" \(.*\) FROM stdin;\n$/.exec(text)?.[1]?.replaceAll('""', '"')
      if (!name || contents || seen.has(name)) throw new InvalidBackup('The file contains unexpected data.')
      table = { name, hash: createHash('sha256'), sink: await onTable?.(name, text), isAtLineStart: true }
    }
  }

  /** Passes on the bytes that are certainly rows, and keeps the bytes that may be the beginning of the end marker. Returns whether the table has ended. */
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
    if (code === 'Z_BUF_ERROR') throw new InvalidBackup('The file is truncated.')
    if (code?.startsWith('Z_')) throw new InvalidBackup('The file is damaged or not a backup of this product.')
    const reason = readErrorText(path, code)
    throw reason ? new InvalidBackup(reason) : error
  }
  if (!seal || !head || !contents) throw new InvalidBackup('The file is truncated.')
  for (const [name, { sha256 }] of Object.entries(contents.tables))
    if (seen.get(name)?.sha256 !== sha256) throw new InvalidBackup(`The rows of ${name} were modified.`)
  return { ...head, ...contents, ...seal }
}

/** Returns why the operating system cannot read a backup file, as a sentence for operators; undefined for error codes that are not about the file. */
export function readErrorText(path: string, code: string | undefined): string | undefined {
  if (code === 'ENOENT' || code === 'ENOTDIR') return `There is no file ${path}.`
  if (code === 'EISDIR') return `${path} is a folder, not a backup file.`
  if (code === 'EACCES' || code === 'EPERM')
    return `${path} cannot be read by this account (user id ${process.getuid?.() ?? 'unknown'}): ${code}.`
  return undefined
}

function verifySeal(
  sealText: string,
  format: BackupHead['format'],
  digest: string,
  keys: readonly Buffer[],
): Pick<Manifest, 'signedBy' | 'authentic'> {
  const [writtenDigest, signedBy, tag, ...more] = sealText.split(' ')
  if (writtenDigest !== digest || more.length > 0)
    throw new InvalidBackup('The file was modified: its digest does not match.')
  if (format === 1) return { signedBy: null, authentic: false }
  if (!signedBy || !/^[0-9a-f]{64}$/.test(tag ?? ''))
    throw new InvalidBackup('The file was modified: its signature is missing.')
  const key = keys.find((candidate) => keyName(candidate) === signedBy)
  if (key && !timingSafeEqual(Buffer.from(tagOf(digest, key)), Buffer.from(tag!)))
    throw new InvalidBackup('The file was modified: its signature is invalid.')
  return { signedBy, authentic: key !== undefined }
}

function parse<T>(schema: z.ZodMiniType<T>, text: string): T {
  try {
    return z.parse(schema, JSON.parse(text))
  } catch {
    throw new InvalidBackup(
      'This release cannot read the format of this file. Restore it with the release that wrote it.',
    )
  }
}
