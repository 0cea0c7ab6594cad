import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  createWriteStream,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, type Gzip } from 'node:zlib'
import { getTableName } from 'drizzle-orm'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { currentOf, type KeyOrRing, keyName } from '../secrets/keys.ts'
import { sealedColumns } from '../secrets/sealed-columns.ts'
import {
  type BackupHead,
  type Contents,
  contentsLine,
  copyLine,
  endOfRows,
  headLine,
  type Manifest,
  quoted,
  readArchive,
  sealLine,
} from './archive.ts'
import { canonicalOutput, sequencesOf, type Table, tablesOf } from './contents.ts'

type Backup = { pool: pg.Pool; key: KeyOrRing; file: string }

/**
 * Writes a consistent snapshot of the database into a new file readable only by its owner, then reads and verifies it. The app keeps
 * running; migrations wait. Throws if the file exists; an incomplete file is removed.
 */
export async function writeBackup({ pool, key, file }: Backup): Promise<Manifest & { bytes: number }> {
  if (existsSync(file)) throw new Error(`${file} already exists. A backup never overwrites a file.`)
  mkdirSync(dirname(file), { recursive: true })
  const unfinished = `${file}.${process.pid}.part`
  const client = await pool.connect()
  try {
    const gzip = createGzip()
    const written = pipeline(gzip, createWriteStream(unfinished, { mode: 0o600, flags: 'wx', flush: true }))
    await Promise.all([written, dump(client, key, gzip).catch((error: Error) => void gzip.destroy(error))])
    const manifest = await readArchive(unfinished, [currentOf(key)])
    // A rename would overwrite a file created since the check above; a link fails.
    linkSync(unfinished, file)
    const folder = openSync(dirname(file), 'r')
    fsyncSync(folder)
    closeSync(folder)
    await recordBackup(client)
    return { ...manifest, bytes: statSync(file).size }
  } finally {
    rmSync(unfinished, { force: true })
    client.release(true)
  }
}

/** Records the time of the backup for the metric `sauce_last_backup_timestamp_seconds`. A database of an earlier release has no column for it. */
async function recordBackup(client: pg.PoolClient): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_attribute WHERE attrelid = to_regclass('installation') AND attname = 'backed_up_at'`,
  )
  if (rowCount) await client.query('UPDATE installation SET backed_up_at = now()')
}

async function dump(client: pg.PoolClient, key: KeyOrRing, gzip: Gzip): Promise<void> {
  const hash = createHash('sha256')
  const put = async (text: string | Buffer, ...hashes: Hash[]) => {
    for (const each of [hash, ...hashes]) each.update(text)
    if (!gzip.write(text)) await once(gzip, 'drain')
  }
  await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0')
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await client.query(canonicalOutput)
  // The first statement takes the snapshot, so the lock must be acquired with it.
  await client.query('LOCK TABLE migrations IN SHARE MODE')
  const tables = await tablesOf(client)
  await put(headLine(await headOf(client, key, tables)))
  const contents: Contents = { tables: {}, sequences: {} }
  for (const table of tables) {
    await put(copyLine(table.name, table.columns))
    contents.tables[table.name] = await copyRows(client, table, put)
    await put(endOfRows)
  }
  // After the rows, so that sequences are never behind the ids in the rows.
  contents.sequences = await sequencesOf(client)
  await put(contentsLine(contents))
  await client.query('COMMIT')
  gzip.end(sealLine(hash, currentOf(key)))
}

/** Passes the rows of a table in COPY text format to `put`. Returns their number and digest. */
export async function copyRows(
  client: pg.ClientBase,
  { name, columns }: Table,
  put: (piece: Buffer, hash: Hash) => Promise<void>,
): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256')
  const stream = client.query(copyTo(`COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) TO STDOUT`))
  for await (const piece of stream) await put(piece as Buffer, hash)
  // The stream ends with the last row. The row count may arrive in a later packet; it has arrived once the next
  // statement is answered.
  await client.query('')
  return { rows: stream.rowCount, sha256: hash.digest('hex') }
}

async function headOf(client: pg.ClientBase, key: KeyOrRing, tables: Table[]): Promise<BackupHead> {
  const { rows: about } = await client.query<{ now: string; server: string }>(
    `SELECT to_json(now())#>>'{}' AS now, current_setting('server_version') AS server`,
  )
  const { rows: migrations } = await client.query<BackupHead['migrations'][number]>(
    `SELECT name, checksum, to_json(applied_at)#>>'{}' AS "appliedAt" FROM migrations ORDER BY name`,
  )
  return {
    format: 2,
    takenAt: about[0]!.now,
    server: about[0]!.server,
    migrations,
    keys: await keyNamesIn(client, key, tables),
  }
}

/** Returns the names of all keys that sealed stored values. Values sealed before keys had names are attributed to the current key. */
async function keyNamesIn(client: pg.ClientBase, key: KeyOrRing, tables: Table[]): Promise<string[]> {
  const names = new Set<string>()
  for (const { table, column } of Object.values(sealedColumns)) {
    // A database of an earlier release may lack the column.
    if (!tables.find(({ name }) => name === getTableName(table))?.columns.includes(column.name)) continue
    const [from, name] = [quoted(getTableName(table)), quoted(column.name)]
    const { rows } = await client.query<{ name: string | null }>(
      `SELECT DISTINCT substring(${name} from '^v2:([0-9a-f]{12}):') AS name FROM ${from} WHERE ${name} IS NOT NULL`,
    )
    for (const row of rows) names.add(row.name ?? keyName(currentOf(key)))
  }
  return [...names].sort()
}
