import type pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { sequencesOf, tablesOf } from '#server/backup/contents.ts'
import { type Applied, applyMigration, migrate, migrationsTable, readMigrations } from '#server/db/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { expectInvariants } from '../harness/invariants.ts'
import { loadRelease, migrateTo, migrations } from '../harness/old-release.ts'
import { dumpSchema } from '../harness/schema-dump.ts'

/** The last migration of the history that the baseline replaces. */
const last = '0042'

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ empty: true, max: 2 })
  onTestFinished(database.close)
  return database
}

test('the baseline creates the same schema as the history it replaces', async () => {
  const schemaAndContents = async (make: (client: pg.PoolClient) => Promise<void>) => {
    const client = await (await emptyDatabase()).pool.connect()
    await make(client)
    const found = { schema: await dumpSchema(client), contents: await contentsOf(client) }
    client.release()
    return found
  }
  const history = await schemaAndContents((client) => migrateTo(last, client))
  const baseline = await schemaAndContents(async (client) => {
    await client.query(migrationsTable)
    for (const migration of readMigrations(migrations).filter(({ name }) => name.startsWith(`${last}-`)))
      await applyMigration(client, migration)
  })
  expect(history.schema.match(/^relation .* kind=r/gm)).toHaveLength(42)
  expect(history.schema.match(/^trigger /gm)!.length).toBeGreaterThan(40)
  expect(baseline.schema).toBe(history.schema)
  expect(baseline.contents).toEqual(history.contents)
})

// Written by the release with migration 0042: the customers of release-0033.jsonl after their conversion, and at least one row in every other table.
test('a database of the release before the baseline keeps every row and sequence', async () => {
  const { pool, db } = await emptyDatabase()
  const client = await pool.connect()
  const recorded = await loadRelease<{ now: string; migrations: Applied[] }>(last, client, { verbatim: true })
  const { rows: applied } = await client.query<Applied>('select name, checksum from migrations order by name')
  expect(applied, 'a migration in history/ was changed').toEqual(recorded.migrations)
  const before = await contentsOf(client)
  expect(Object.entries(before.tables).filter(([, rows]) => rows.length === 0)).toEqual([])
  const pending = await migrate(pool, migrations)
  expect(pending).toEqual(readMigrations(migrations).flatMap(({ name }) => (name.slice(0, 4) > last ? [name] : [])))
  const after = await contentsOf(client)
  expect(Object.keys(before.tables).filter((name) => !after.tables[name])).toEqual([])
  for (const [name, rows] of Object.entries(before.tables)) {
    // Later migrations may add tables and columns, and move a column to another table.
    const columns = Object.keys(after.tables[name]![0] ?? {}).filter((column) => column in rows[0]!)
    const shared = (all: Row[]) =>
      all
        // Tickets are created for the inquiries and reports of earlier releases, and counted.
        .filter((row) => !(name === 'row_changes' && row.list === 'tickets'))
        .map((row) => JSON.stringify(columns.map((column) => row[column])))
        .sort()
    expect(shared(after.tables[name]!), name).toEqual(shared(rows))
  }
  expect(after.sequences).toMatchObject(before.sequences)
  client.release()
  await expectInvariants(db)
})

type Row = Record<string, unknown>
/** Returns every row of every table and the last value of every sequence. */
async function contentsOf(client: pg.ClientBase) {
  const tables: Record<string, Row[]> = {}
  for (const { name, columns } of await tablesOf(client)) {
    // These columns hold the time of insertion.
    const comparedColumns = columns
      .filter((column) => !(name === 'line_panel' && /until$/.test(column)))
      .map((column) => `"${column}"`)
    const { rows } = await client.query<{ row: Row }>(
      `select to_jsonb(row) as row from (select ${comparedColumns} from ${name}) as row order by row::text`,
    )
    tables[name] = rows.map(({ row }) => row)
  }
  return { tables, sequences: await sequencesOf(client) }
}
