import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { applyMigration, migrationLock, migrationsFor, migrationsTable, pendingOf } from '../db/migrate.ts'
import { listenerName } from '../live/notify.ts'
import { type KeySource, keyName, secretKey } from '../secrets/keys.ts'
import { copyLine, type Head, type Manifest, NotWhole, quoted, readArchive, type Sink } from './archive.ts'
import { plainText, sequencesOf, type Table, tablesOf } from './contents.ts'
import { rowsOf } from './write-backup.ts'

type Restore = {
  pool: pg.Pool
  config: KeySource
  file: string
  /** The folder of this release's migrations. */
  migrations: string
  /** What is in the database goes. */
  replace?: boolean
  /** Do without what the missing key has sealed. */
  withoutKey?: boolean
  /** Take a file that nothing proves to be ours: one of an earlier release, or one whose key is lost. */
  unverified?: boolean
}
export type Restored = Manifest & { migrated: string[] }

/**
 * Puts a backup into a database, all of it in one transaction or nothing, and brings it up to this release. Before anything is touched the
 * whole file is read, compared with its digests and authenticated. Throws, with nothing changed, for a file that is not whole, that nothing
 * proves to be ours (unless `unverified`) or of a newer release, for a
 * key that does not belong to it, for a database that is not empty, and while an app is running on it. What was restored belongs to no
 * installation until an administrator declares one live.
 */
export async function restoreBackup({
  pool,
  config,
  file,
  migrations,
  replace = false,
  withoutKey = false,
  unverified = false,
}: Restore): Promise<Restored> {
  const keys = keysOf(config)
  const manifest = await readArchive(file, keys, {
    onHead: (head) => {
      if (!withoutKey) refuseWrongKey(config, head, keys)
    },
  })
  if (!manifest.authentic && !unverified) refuseUnverified(manifest)
  const known = migrationsFor(migrations, manifest.migrations)
  const pending = pendingOf(known, manifest.migrations)
  const client = await pool.connect()
  try {
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0')
    await client.query('BEGIN')
    await client.query(plainText)
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
    await refuseRunningApps(client)
    await clear(client, replace)
    await client.query(migrationsTable)
    for (const { name, appliedAt } of manifest.migrations) {
      await applyMigration(client, known.find((migration) => migration.name === name)!)
      await client.query('UPDATE migrations SET applied_at = $1 WHERE name = $2', [appliedAt, name])
    }
    await load(client, file, keys, manifest)
    for (const migration of pending) await applyMigration(client, migration)
    await client.query(
      `UPDATE installation SET place = NULL, address = NULL, live_since = NULL, restored_at = now(), other_address = NULL, other_opened_at = NULL, backed_up_at = NULL`,
    )
    await client.query(
      `INSERT INTO audit_log (action, target_type, target_id, after, request_id) VALUES ('backup.restore', 'database', 'all', $1, $2)`,
      [{ takenAt: manifest.takenAt }, `cli:${process.pid}`],
    )
    await client.query('COMMIT')
    await client.query('ANALYZE')
    return { ...manifest, migrated: pending.map(({ name }) => name) }
  } finally {
    // Whatever is not committed ends with the session.
    client.release(true)
  }
}

/** The keys that are here; none is made. */
function keysOf(config: KeySource): Buffer[] {
  const isThere = config.secretKey !== undefined || existsSync(join(config.dataDir, 'secret.key'))
  if (!isThere) return []
  const { current, others } = secretKey(config)
  return [current, ...others]
}

/** At once, before the file is read on. */
function refuseWrongKey(config: KeySource, { keys }: Head, here: Buffer[]): void {
  if (keys.length === 0) return
  if (here.length === 0)
    throw new Error(
      `There is no key here. Put the secret.key that belongs to this backup (${keys.join(', ')}) into ${config.dataDir}, or set SECRET_KEY.`,
    )
  const names = here.map(keyName)
  const missing = keys.filter((key) => !names.includes(key))
  if (missing.length > 0)
    throw new Error(
      `The secrets in this backup were sealed by the key ${missing.join(' and ')}; the key here is ${names[0]}. Nothing was touched. Bring the right one (secret.key, SECRET_KEY, or SECRET_KEY_OTHER beside a new one), or restore --without-key and do without those secrets.`,
    )
}

function refuseUnverified({ signedBy }: Manifest): never {
  const why =
    signedBy === null
      ? 'This file is of an earlier release and carries nothing that proves who wrote it.'
      : `This file was written with the key ${signedBy}, which is not here, so nothing proves that it is unchanged. Bring that key (secret.key, SECRET_KEY, or SECRET_KEY_OTHER beside a new one).`
  throw new Error(
    `${why} Nothing was touched. Only if you are sure that the file is yours, restore it with --unverified.`,
  )
}

async function refuseRunningApps(client: pg.ClientBase): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
    [listenerName],
  )
  if (rowCount)
    throw new Error(
      `${rowCount} ${rowCount === 1 ? 'app is' : 'apps are'} running on this database. Stop every process first.`,
    )
}

async function clear(client: pg.ClientBase, replace: boolean): Promise<void> {
  const notOfExtension = (catalog: string) =>
    `NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = '${catalog}'::regclass AND d.objid = o.oid AND d.deptype = 'e')`
  const { rows } = await client.query<{ drop: string }>(`
    SELECT format('DROP TABLE IF EXISTS %s CASCADE', o.oid::regclass) AS drop FROM pg_class o
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND ${notOfExtension('pg_class')}
    UNION ALL SELECT 'DROP SCHEMA jobs CASCADE' FROM pg_namespace WHERE nspname = 'jobs'
    UNION ALL SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', o.oid::regprocedure) FROM pg_proc o
    WHERE pronamespace = 'public'::regnamespace AND ${notOfExtension('pg_proc')}`)
  if (rows.length > 0 && !replace)
    throw new Error(
      'The database is not empty, and nothing was touched. --replace puts the backup in the place of everything in it.',
    )
  for (const { drop } of rows) await client.query(drop)
}

/** Rows as they were: nothing refers to anything and no trigger runs until all are there. */
async function load(
  client: pg.ClientBase,
  file: string,
  keys: readonly Buffer[],
  { tables: wanted, sequences }: Manifest,
): Promise<void> {
  const tables = await tablesOf(client)
  const names = tables.map(({ name }) => name)
  if (String(names) !== String(Object.keys(wanted).sort()))
    throw new Error(`The backup holds other tables than its migrations make: ${Object.keys(wanted)} and ${names}`)
  const { rows: references } = await client.query<{ drop: string; add: string }>(`
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0 ORDER BY conrelid, conname`)
  for (const { drop } of references) await client.query(drop)
  for (const name of names) await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`)
  // Migrations may have brought rows of their own.
  await client.query(`TRUNCATE ${names.map(quoted).join(', ')}`)
  await readArchive(file, keys, {
    onTable: (name, line) => {
      const table = tables.find((each) => each.name === name)
      if (!table || line !== copyLine(name, table.columns))
        throw new NotWhole(`The file holds other columns of ${name} than its migrations make; nothing was changed.`)
      return intoTable(client, table)
    },
  })
  for (const table of tables) await compare(client, table, wanted)
  for (const name of names) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`)
  for (const { add } of references) await client.query(add)
  await goOnCounting(client, sequences)
}

/** The statement is made of the names in our own database, never of what a file says. */
function intoTable(client: pg.ClientBase, { name, columns }: Table): Sink {
  const stream = client.query(copyFrom(`COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) FROM stdin`))
  const done = finished(stream)
  // Whoever writes next or ends hears of it.
  done.catch(() => {})
  return {
    write: async (piece) => {
      if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), done])
    },
    end: async () => {
      stream.end()
      await done
    },
  }
}

/** What lies in the table now says the same as what was written down. */
async function compare(client: pg.ClientBase, table: Table, wanted: Manifest['tables']): Promise<void> {
  const { rows, sha256 } = await rowsOf(client, table, async (piece, hash) => void hash.update(piece))
  if (rows !== wanted[table.name]!.rows || sha256 !== wanted[table.name]!.sha256)
    throw new Error(`The rows of ${table.name} came out differently; nothing was changed.`)
}

async function goOnCounting(client: pg.ClientBase, wanted: Manifest['sequences']): Promise<void> {
  const there = await sequencesOf(client)
  if (String(Object.keys(there)) !== String(Object.keys(wanted).sort()))
    throw new Error('The backup holds other sequences than its migrations make; nothing was changed.')
  for (const [name, last] of Object.entries(wanted))
    if (last === null) await client.query(`ALTER SEQUENCE ${quoted(name)} RESTART`)
    else await client.query('SELECT setval($1::regclass, $2)', [quoted(name), last])
}
