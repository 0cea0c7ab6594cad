import { createHash } from 'node:crypto'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { conflict } from '#server/errors.ts'
import type { Statement } from '../read/statements/statement.ts'
import { type CheckedRow, checkRows } from './check-rows.ts'
import { type ReadFile, readFile, type UnknownTable } from './read-file.ts'

export type Upload = { bytes: Uint8Array; name: string; mapping?: string | undefined }
export type ReadUpload = ReadFile & { sha256: Buffer; checked: CheckedRow[] }

/** Reads an uploaded statement and checks its rows. Throws 400, 409 or 413 with the reason if that fails. */
export async function readUpload(
  db: Db,
  { bytes, mapping }: Upload,
): Promise<ReadUpload | { statement: null; table: UnknownTable }> {
  const sha256 = createHash('sha256').update(bytes).digest()
  const key = `${sha256.toString('base64')} ${mapping ?? ''}`
  const known = latest?.key === key ? latest.file : undefined
  const file = known ?? (await readFile(db, bytes, mapping))
  if (!file.statement) return file
  await refuseOtherAccount(db, file.statement)
  const upload = known ?? { ...file, sha256, checked: checkRows(file.statement, new Date()) }
  cacheUpload(key, upload)
  return upload
}

/** The latest file that was read, so that booking a file right after its preview does not read it again. It is kept for two minutes. */
let latest: { key: string; file: ReadUpload } | undefined
let dropTimer: NodeJS.Timeout | undefined
const cacheMs = 120_000

function cacheUpload(key: string, file: ReadUpload): void {
  latest = { key, file }
  clearTimeout(dropTimer)
  dropTimer = setTimeout(() => {
    latest = undefined
  }, cacheMs).unref()
}

/** Throws 409 `other_account` for a statement of a Venmo account other than the one that customers pay. */
async function refuseOtherAccount(db: Db, { format, account }: Statement): Promise<void> {
  if (format !== 'csv:venmo' || !account) return
  const { venmoHandle } = await settings.read(db, 'payments')
  const plain = (handle: string) => handle.replace(/^@/, '').toLowerCase()
  if (venmoHandle && plain(venmoHandle) !== plain(account))
    conflict('other_account', `This statement belongs to ${account}, but customers pay ${venmoHandle}.`)
}
