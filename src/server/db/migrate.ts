import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { isUnavailable } from './connect.ts'

/** One SQL file; `checksum` is the SHA-256 of its text. */
export type Migration = { name: string; sql: string; checksum: string }
/** A migration that was applied to a database. */
export type Applied = { name: string; checksum: string }

const serverWaitMs = 30_000
/** The advisory lock of every process that changes the schema. Any number will do, as long as every release uses the same one. */
export const migrationLock = 7_283_460_917
/** Creates the table of the applied migrations. */
export const migrationsTable =
  'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())'
const ownTransaction = /^\s*(begin|commit|rollback)(\s+(work|transaction))?\s*;/im
const words = '[a-z0-9]+(?:-[a-z0-9]+)*'
const fileName = new RegExp(`^(\\d{4}-${words})(?:\\.sql|/\\d{2}-${words}\\.sql)$`)
/** The subfolder of the migrations that the baseline replaced. */
const historyFolder = 'history'

/**
 * Brings the database up to date with `folder` (see `readMigrations`; forward only) in one transaction, and returns the names of the applied files. Processes
 * that start at the same time wait for each other. Waits up to 30 s for a server that does not accept connections yet. Throws when an applied file was changed
 * or is missing, when a pending file comes before an applied one, or when a file fails; the database is unchanged then, and the previous release still starts.
 */
export async function migrate(pool: pg.Pool, folder: string, log?: Pick<Logger, 'warn'>): Promise<string[]> {
  const client = await firstConnection(pool, log)
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    // `create table if not exists` needs the right to create tables even when the table exists, and the app's role may not have it.
    const { rows: found } = await client.query(`select to_regclass('migrations') is not null as there`)
    if (!found[0].there) await client.query(migrationsTable)
    const { rows: applied } = await client.query<Applied>('select name, checksum from migrations order by name')
    const pending = pendingOf(migrationsFor(folder, applied), applied)
    await client.query('begin')
    for (const migration of pending) await applyMigration(client, migration)
    await client.query('commit')
    return pending.map(({ name }) => name)
  } finally {
    // Ends the session, which releases the lock in every case.
    client.release(true)
  }
}

/**
 * Returns the migrations for a database in which `applied` were applied. A database that was created with the files of `history` gets those and then the files
 * with higher numbers: the baseline creates the same schema as the whole history (docs/decisions/049-schema-baseline.md).
 */
export function migrationsFor(folder: string, applied: Applied[]): Migration[] {
  const current = readMigrations(folder)
  const historyPath = join(folder, historyFolder)
  const history = existsSync(historyPath) ? readMigrations(historyPath) : []
  const isOfHistory = applied.some(({ name }) => history.some((migration) => migration.name === name))
  if (!isOfHistory) return current
  const last = numberOf(history.at(-1)!.name)
  return [...history, ...current.filter(({ name }) => numberOf(name) > last)]
}

/**
 * Reads the migrations of a folder in their order: files NNNN-what-changed.sql, and folders NNNN-what-changed with the files NN-part.sql. `history` is not
 * read. Throws on names and contents that are not allowed.
 */
export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql') && !name.startsWith(`${historyFolder}/`))
    .sort()
  names.forEach((name, index) => {
    const migration = fileName.exec(name)?.[1]
    if (!migration) throw new Error(`Migration ${name} must be called like 0001-what-changed.sql`)
    const previous = names[index - 1] ?? ''
    if (numberOf(previous) === numberOf(name) && !previous.startsWith(`${migration}/`))
      throw new Error(`Migrations ${previous} and ${name} have the same number`)
  })
  return names.map((name) => {
    // Git may convert line endings on checkout; that is not a change.
    const sql = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n')
    if (ownTransaction.test(sql))
      throw new Error(`Migration ${name} must not begin or end a transaction: it runs in one`)
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
}

const numberOf = (name: string): string => name.slice(0, 4)

/** Returns the migrations that are not in `applied`. Throws when an applied one is unknown or differs, or when a pending one comes before an applied one. */
export function pendingOf(migrations: Migration[], applied: Applied[]): Migration[] {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, checksum } of applied) {
    const file = byName.get(name)
    if (!file)
      throw new Error(
        `The database has migration ${name}, which is not part of this release: it was migrated by a newer one, or the file was removed.`,
      )
    if (file.checksum !== checksum)
      throw new Error(
        `Migration ${name} was changed after it was applied. Restore it and put the change into a new file.`,
      )
  }
  const last = applied.at(-1)?.name ?? ''
  const pending = migrations.filter(({ name }) => !applied.some((done) => done.name === name))
  const late = pending.find(({ name }) => name < last)
  if (late)
    throw new Error(
      `Migration ${late.name} comes before ${last}, which has already been applied. Give it the next free number.`,
    )
  return pending
}

/** Applies one migration and records it, in the open transaction. Checks deferred constraints at its end. Throws with the file and the line that failed. */
export async function applyMigration(client: pg.ClientBase, { name, sql, checksum }: Migration): Promise<void> {
  await client.query(sql).catch((cause: Error & { position?: string }) => {
    const line = cause.position ? ` in line ${sql.slice(0, Number(cause.position)).split('\n').length}` : ''
    throw new Error(`Migration ${name} failed${line}, and nothing was changed: ${cause.message}`, { cause })
  })
  // A table cannot be altered while deferred checks of its rows are pending.
  await client.query('set constraints all immediate; set constraints all deferred')
  await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
}

async function firstConnection(pool: pg.Pool, log?: Pick<Logger, 'warn'>): Promise<pg.PoolClient> {
  const deadline = performance.now() + serverWaitMs
  for (let isLogged = false; ; isLogged = true) {
    try {
      return await pool.connect()
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > deadline) throw error
      if (!isLogged) log?.warn({ message: (error as Error).message }, 'waiting for the database')
      await sleep(250)
    }
  }
}
