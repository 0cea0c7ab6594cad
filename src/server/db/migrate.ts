import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { isUnavailable } from './connect.ts'

/** A file of the folder; `checksum` is of its text. */
export type Migration = { name: string; sql: string; checksum: string }
/** A migration that a database has. */
export type Applied = { name: string; checksum: string }

const patienceMs = 30_000
// Any number will do, as long as every release takes the same one.
/** The advisory lock of whoever changes the schema. */
export const migrationLock = 7_283_460_917
/** What was applied, and when. */
export const migrationsTable =
  'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())'
const ownTransaction = /^\s*(begin|commit|rollback)(\s+(work|transaction))?\s*;/im
const fileName = /^(\d{4})-[a-z0-9]+(-[a-z0-9]+)*\.sql$/

/**
 * Brings the database up to date with `folder` (NNNN-what-changed.sql, forward only), all of it in one transaction, and returns
 * the names it applied. Apps that start at once wait for each other. Throws when an applied file was changed, is missing, would have to be
 * slipped in before one that is applied already, or fails; nothing is changed then, and the release before still starts.
 * A server that is not there yet is waited for, half a minute.
 */
export async function migrate(pool: pg.Pool, folder: string, log?: Pick<Logger, 'warn'>): Promise<string[]> {
  const migrations = readMigrations(folder)
  const client = await firstConnection(pool, log)
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    // Without the question a role that owns nothing could not even find that nothing is pending.
    const { rows: found } = await client.query(`select to_regclass('migrations') is not null as there`)
    if (!found[0].there) await client.query(migrationsTable)
    const { rows: applied } = await client.query<Applied>('select name, checksum from migrations order by name')
    const pending = pendingOf(migrations, applied)
    await client.query('begin')
    for (const migration of pending) await applyMigration(client, migration)
    await client.query('commit')
    return pending.map(({ name }) => name)
  } finally {
    // Ending the session is what surely gives the lock back.
    client.release(true)
  }
}

/** The migrations of a folder in their order. Throws on names and contents that are not allowed. */
export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  names.forEach((name, index) => {
    if (!fileName.test(name)) throw new Error(`Migration ${name} must be called like 0001-what-changed.sql`)
    if (index > 0 && name.slice(0, 4) === names[index - 1]!.slice(0, 4))
      throw new Error(`Migrations ${names[index - 1]} and ${name} have the same number`)
  })
  return names.map((name) => {
    // A checkout may turn line ends; that changes nothing.
    const sql = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n')
    if (ownTransaction.test(sql))
      throw new Error(`Migration ${name} must not begin or end a transaction: it runs in one`)
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
}

/** What a database with `applied` lacks. Throws when it has what the folder does not know, or knows differently, or when one would come late. */
export function pendingOf(migrations: Migration[], applied: Applied[]): Migration[] {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, checksum } of applied) {
    const file = byName.get(name)
    if (!file)
      throw new Error(
        `The database has migration ${name}, which this release does not know: it was migrated by a newer one, or the file was removed.`,
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
      `Migration ${late.name} comes before ${last}, which is applied already. Give it the next free number.`,
    )
  return pending
}

/** Applies one migration and notes it, in the transaction that is open. Throws with file and line. What it left to be checked is checked at its end. */
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
  const deadline = performance.now() + patienceMs
  for (let said = false; ; said = true) {
    try {
      return await pool.connect()
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > deadline) throw error
      if (!said) log?.warn({ message: (error as Error).message }, 'waiting for the database')
      await sleep(250)
    }
  }
}
