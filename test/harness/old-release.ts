import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { applyMigration, migrationsTable, readMigrations } from '#server/db/migrate.ts'

/** The migrations of this release. */
export const migrations = join(import.meta.dirname, '../../migrations')
const history = join(migrations, 'history')

/** Creates the schema of the release whose last migration was `last`, such as `0033`, in an empty database, as that release did. */
export async function migrateTo(last: string, client: pg.ClientBase): Promise<void> {
  await client.query(migrationsTable)
  for (const migration of readMigrations(history).filter(({ name }) => name.slice(0, 4) <= last))
    await applyMigration(client, migration)
}

/**
 * Creates a database as the release whose last migration was `last` left it: its schema and the rows in
 * `test/upgrade/release-<last>.jsonl`, one per line. Every date moves as if the rows had been written just now, and
 * triggers run. With `verbatim` rows are inserted unchanged and without triggers, for a file that also contains the
 * rows that triggers write. Returns the time to which the dates were moved, and the first line of the file.
 */
export async function loadRelease<Header extends { now: string }>(
  last: string,
  client: pg.ClientBase,
  { verbatim = false } = {},
): Promise<Header & { loadedAt: string }> {
  await migrateTo(last, client)
  const [first, ...lines] = readFileSync(join(import.meta.dirname, `../upgrade/release-${last}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
  const header = JSON.parse(first!) as Header
  const loadedAt = new Date().toISOString()
  const offsetMs = Date.parse(loadedAt) - Date.parse(header.now)
  const moved = (line: string) =>
    verbatim
      ? line
      : line.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g, (instant) =>
          new Date(Date.parse(instant) + offsetMs).toISOString(),
        )
  const { rows: own } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations'`,
  )
  const inAll = async (change: string) => {
    for (const { name } of own) await client.query(`ALTER TABLE ${name} ${change}`)
  }
  if (verbatim) {
    await inAll('DISABLE TRIGGER USER')
    // The migrations insert rows of their own.
    await client.query(`TRUNCATE ${own.map(({ name }) => name).join(', ')}`)
  }
  for (const line of lines) {
    const { table, row } = JSON.parse(moved(line)) as { table: string; row: Record<string, unknown> }
    const columns = Object.keys(row).map((name) => `"${name}"`)
    await client.query(
      `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM jsonb_populate_record(null::${table}, $1)`,
      [JSON.stringify(row)],
    )
  }
  if (verbatim) await inAll('ENABLE TRIGGER USER')
  const { rows: identities } = await client.query<{ name: string; column: string }>(
    `select attrelid::regclass::text as name, attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
     where attidentity <> '' and c.relnamespace = 'public'::regnamespace`,
  )
  for (const { name, column } of identities)
    await client.query(
      `SELECT setval(pg_get_serial_sequence('${name}', '${column}'), max(${column})) FROM ${name} HAVING max(${column}) IS NOT NULL`,
    )
  return { ...header, loadedAt }
}
