import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { applyMigration, migrationLock, migrationsFor, migrationsTable, pendingOf } from '../db/migrate.ts'
import { listenerName } from '../live/notify.ts'
import { type KeySource, keyName, secretKey } from '../secrets/keys.ts'
import {
  type BackupHead,
  copyLine,
  InvalidBackup,
  type Manifest,
  quoted,
  readArchive,
  type TableSink,
} from './archive.ts'
import { canonicalOutput, sequencesOf, type Table, tablesOf } from './contents.ts'
import { copyRows } from './write-backup.ts'

type Restore = {
  pool: pg.Pool
  config: KeySource
  file: string
  /** The folder of this release's migrations. */
  migrations: string
  /** Delete the current contents of the database first. */
  replace?: boolean
  /** Restore even if a key is missing. The values that it sealed stay unreadable. */
  withoutKey?: boolean
  /** Accept a file that cannot be authenticated: of format 1, or signed with a lost key. */
  unverified?: boolean
}
export type Restored = Manifest & { migrated: string[] }

/**
 * Restores a backup in one transaction and applies the migrations of this release. First reads and verifies the whole file. Throws, with
 * nothing changed, if the file is invalid, not authenticated (unless `unverified`) or of a newer release, if its keys are missing (unless
 * `withoutKey`), if the database is not empty (unless `replace`), or while an app uses the database. Afterwards no installation owns the
 * database until an administrator declares one live.
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
  const keys = availableKeys(config)
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
    await client.query(canonicalOutput)
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
    await refuseRunningApps(client)
    await dropEverything(client, replace)
    await client.query(migrationsTable)
    for (const { name, appliedAt } of manifest.migrations) {
      await applyMigration(client, known.find((migration) => migration.name === name)!)
      await client.query('UPDATE migrations SET applied_at = $1 WHERE name = $2', [appliedAt, name])
    }
    await loadRows(client, file, keys, manifest)
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
    // Ends the session, which rolls back an uncommitted transaction.
    client.release(true)
  }
}

/** Returns the available keys. Does not create a key. */
function availableKeys(config: KeySource): Buffer[] {
  const isThere = config.secretKey !== undefined || existsSync(join(config.dataDir, 'secret.key'))
  if (!isThere) return []
  const { current, others } = secretKey(config)
  return [current, ...others]
}

/** Called for the head line, so that a missing key is reported before the whole file is read. */
function refuseWrongKey(config: KeySource, { keys }: BackupHead, here: Buffer[]): void {
  if (keys.length === 0) return
  if (here.length === 0)
    throw new Error(
      `No key found. Put the secret.key of this backup (${keys.join(', ')}) into ${config.dataDir}, or set SECRET_KEY.`,
    )
  const names = here.map(keyName)
  const missing = keys.filter((key) => !names.includes(key))
  if (missing.length > 0)
    throw new Error(
      `The secrets in this backup are encrypted with the key ${missing.join(' and ')}; the current key is ${names[0]}. Nothing was changed. Provide the right key (secret.key, SECRET_KEY, or SECRET_KEY_OTHER in addition to a new one), or restore with --without-key and lose those secrets.`,
    )
}

function refuseUnverified({ signedBy }: Manifest): never {
  const why =
    signedBy === null
      ? 'This file was written by an earlier release and has no signature.'
      : `This file is signed with the key ${signedBy}, which is not available, so it cannot be authenticated. Provide that key (secret.key, SECRET_KEY, or SECRET_KEY_OTHER in addition to a new one).`
  throw new Error(`${why} Nothing was changed. If you are sure that the file is yours, restore it with --unverified.`)
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

async function dropEverything(client: pg.ClientBase, replace: boolean): Promise<void> {
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
      'The database is not empty. Nothing was changed. Use --replace to replace everything in it with the backup.',
    )
  for (const { drop } of rows) await client.query(drop)
}

/** Loads the rows without foreign keys and triggers, which are restored after all rows are loaded. */
async function loadRows(
  client: pg.ClientBase,
  file: string,
  keys: readonly Buffer[],
  { tables: expected, sequences }: Manifest,
): Promise<void> {
  const tables = await tablesOf(client)
  const names = tables.map(({ name }) => name)
  if (String(names) !== String(Object.keys(expected).sort()))
    throw new Error(
      `The tables in the backup differ from those of its migrations: ${Object.keys(expected)} and ${names}`,
    )
  const { rows: references } = await client.query<{ drop: string; add: string }>(`
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0 ORDER BY conrelid, conname`)
  for (const { drop } of references) await client.query(drop)
  for (const name of names) await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`)
  // Migrations may have inserted rows.
  await client.query(`TRUNCATE ${names.map(quoted).join(', ')}`)
  await readArchive(file, keys, {
    onTable: (name, line) => {
      const table = tables.find((each) => each.name === name)
      if (!table || line !== copyLine(name, table.columns))
        throw new InvalidBackup(
          `The columns of ${name} in the file differ from those of its migrations. Nothing was changed.`,
        )
      return copyInto(client, table)
    },
  })
  for (const table of tables) await verifyTable(client, table, expected)
  for (const name of names) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`)
  for (const { add } of references) await client.query(add)
  await restoreSequences(client, sequences)
}

/** Builds the COPY statement from the names in the database, never from the file. */
function copyInto(client: pg.ClientBase, { name, columns }: Table): TableSink {
  const stream = client.query(copyFrom(`COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) FROM stdin`))
  const done = finished(stream)
  // Prevents an unhandled rejection; `write` and `end` report the error.
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

/** Throws if the rows now in the table differ from those in the backup. */
async function verifyTable(client: pg.ClientBase, table: Table, expected: Manifest['tables']): Promise<void> {
  const { rows, sha256 } = await copyRows(client, table, async (piece, hash) => void hash.update(piece))
  if (rows !== expected[table.name]!.rows || sha256 !== expected[table.name]!.sha256)
    throw new Error(`The restored rows of ${table.name} differ from the backup. Nothing was changed.`)
}

async function restoreSequences(client: pg.ClientBase, expected: Manifest['sequences']): Promise<void> {
  const there = await sequencesOf(client)
  if (String(Object.keys(there)) !== String(Object.keys(expected).sort()))
    throw new Error('The sequences in the backup differ from those of its migrations. Nothing was changed.')
  for (const [name, last] of Object.entries(expected))
    if (last === null) await client.query(`ALTER SEQUENCE ${quoted(name)} RESTART`)
    else await client.query('SELECT setval($1::regclass, $2)', [quoted(name), last])
}
