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
import { currentOf, type Key, keyName } from '../secrets/keys.ts'
import { sealedColumns } from '../secrets/sealed-columns.ts'
import {
  type Contents,
  contentsLine,
  copyLine,
  endOfRows,
  type Head,
  headLine,
  type Manifest,
  quoted,
  readArchive,
  sealLine,
} from './archive.ts'
import { plainText, sequencesOf, type Table, tablesOf } from './contents.ts'

type Backup = { pool: pg.Pool; key: Key; file: string }

/**
 * Writes everything a database holds at one moment into a new file that only its owner can read, while the app runs on, and reads it
 * back. A migration waits until it is done. Throws when the file exists already; what was written of it until then is removed.
 */
export async function writeBackup({ pool, key, file }: Backup): Promise<Manifest & { bytes: number }> {
  if (existsSync(file)) throw new Error(`${file} exists already; a backup never replaces a file.`)
  mkdirSync(dirname(file), { recursive: true })
  const unfinished = `${file}.${process.pid}.part`
  const client = await pool.connect()
  try {
    const gzip = createGzip()
    const written = pipeline(gzip, createWriteStream(unfinished, { mode: 0o600, flags: 'wx', flush: true }))
    await Promise.all([written, dump(client, key, gzip).catch((error: Error) => void gzip.destroy(error))])
    const manifest = await readArchive(unfinished, [currentOf(key)])
    // A link fails where a rename would replace what came in the meantime.
    linkSync(unfinished, file)
    const folder = openSync(dirname(file), 'r')
    fsyncSync(folder)
    closeSync(folder)
    await noteBackup(client)
    return { ...manifest, bytes: statSync(file).size }
  } finally {
    rmSync(unfinished, { force: true })
    client.release(true)
  }
}

/** For `sauce_last_backup_timestamp_seconds`. A database of an earlier release has no place for it. */
async function noteBackup(client: pg.PoolClient): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_attribute WHERE attrelid = to_regclass('installation') AND attname = 'backed_up_at'`,
  )
  if (rowCount) await client.query('UPDATE installation SET backed_up_at = now()')
}

async function dump(client: pg.PoolClient, key: Key, gzip: Gzip): Promise<void> {
  const hash = createHash('sha256')
  const put = async (text: string | Buffer, ...hashes: Hash[]) => {
    for (const each of [hash, ...hashes]) each.update(text)
    if (!gzip.write(text)) await once(gzip, 'drain')
  }
  await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0')
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await client.query(plainText)
  // Before anything is read, for what is read then is how things were at that moment.
  await client.query('LOCK TABLE migrations IN SHARE MODE')
  const tables = await tablesOf(client)
  await put(headLine(await headOf(client, key, tables)))
  const contents: Contents = { tables: {}, sequences: {} }
  for (const table of tables) {
    await put(copyLine(table.name, table.columns))
    contents.tables[table.name] = await rowsOf(client, table, put)
    await put(endOfRows)
  }
  // After the rows: a sequence is ahead of what was seen, never behind.
  contents.sequences = await sequencesOf(client)
  await put(contentsLine(contents))
  await client.query('COMMIT')
  gzip.end(sealLine(hash, currentOf(key)))
}

/** Hands on the rows of a table as COPY says them; answers how many there were and their digest. */
export async function rowsOf(
  client: pg.ClientBase,
  { name, columns }: Table,
  put: (piece: Buffer, hash: Hash) => Promise<void>,
): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256')
  const stream = client.query(copyTo(`COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) TO STDOUT`))
  for await (const piece of stream) await put(piece as Buffer, hash)
  return { rows: stream.rowCount, sha256: hash.digest('hex') }
}

async function headOf(client: pg.ClientBase, key: Key, tables: Table[]): Promise<Head> {
  const { rows: about } = await client.query<{ now: string; server: string }>(
    `SELECT to_json(now())#>>'{}' AS now, current_setting('server_version') AS server`,
  )
  const { rows: migrations } = await client.query<Head['migrations'][number]>(
    `SELECT name, checksum, to_json(applied_at)#>>'{}' AS "appliedAt" FROM migrations ORDER BY name`,
  )
  return {
    format: 2,
    takenAt: about[0]!.now,
    server: about[0]!.server,
    migrations,
    keys: await keysOf(client, key, tables),
  }
}

/** The names of all keys that stored values were sealed by; what was sealed before keys had names counts as the current one's. */
async function keysOf(client: pg.ClientBase, key: Key, tables: Table[]): Promise<string[]> {
  const names = new Set<string>()
  for (const { table, column } of Object.values(sealedColumns)) {
    // Before an upgrade the database may not have it yet.
    if (!tables.find(({ name }) => name === getTableName(table))?.columns.includes(column.name)) continue
    const [from, name] = [quoted(getTableName(table)), quoted(column.name)]
    const { rows } = await client.query<{ name: string | null }>(
      `SELECT DISTINCT substring(${name} from '^v2:([0-9a-f]{12}):') AS name FROM ${from} WHERE ${name} IS NOT NULL`,
    )
    for (const row of rows) names.add(row.name ?? keyName(currentOf(key)))
  }
  return [...names].sort()
}
