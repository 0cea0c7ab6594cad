import { is, SQL } from 'drizzle-orm'
import { getTableConfig, type PgColumn, PgDialect, PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import * as tables from './tables.ts'

type Found = {
  table: string
  column: string
  type: string
  notNull: boolean
  default: string | null
  identity: boolean
  generated: boolean
  primary: boolean
}

// Tables that no drizzle query uses: applied migrations, rate limits, list counters, the search texts of users and the rollups of business figures.
const insightTables = ['insight_marks', 'insight_events', 'insight_days', 'insight_months']
const notDescribed = ['migrations', 'rate_limits', 'row_counts', 'row_changes', 'user_search', ...insightTables]
// Tables with few rows that refer to accounts: what administrators set, start or publish.
const fewRows = new Set([
  'announcements',
  'brand_versions',
  'import_mappings',
  'import_runs',
  'incident_updates',
  'incidents',
  'payment_automation',
  'payment_processor_secrets',
  'settings',
  'statement_files',
  'statement_mappings',
  'subscription_moves',
  'time_gifts',
  'watching',
])
const described = Object.values(tables).flatMap((table) => (is(table, PgTable) ? [getTableConfig(table)] : []))

describe('the migrated database', () => {
  let database: TestDatabase
  let found: Found[]
  let checks: { table: string; definition: string }[]

  beforeAll(async () => {
    database = await createTestDatabase()
    found = (await database.pool.query<Found>(columnsOfDatabase)).rows
    checks = (await database.pool.query<{ table: string; definition: string }>(checksOfDatabase)).rows
  })
  afterAll(() => database.close())

  test('has exactly the tables and columns of tables.ts', () => {
    const inDatabase = found
      .filter(({ table, generated }) => !notDescribed.includes(table) && !generated)
      .map(({ table, column }) => `${table}.${column}`)
    const inTables = described.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
    expect(inTables.length).toBeGreaterThan(100)
    expect(inTables.toSorted()).toEqual(inDatabase.toSorted())
  })

  test.each(described.map(({ name, columns }) => ({ name, columns })))(
    'has the types, keys and defaults of tables.ts in the columns of $name',
    ({ name, columns }) => {
      const real = found.filter(({ table, generated }) => table === name && !generated)
      expect(Object.fromEntries(columns.map((column) => [column.name, shapeOf(column)]))).toEqual(
        Object.fromEntries(
          real.map(({ column, table: _, generated: _generated, ...shape }) => [
            column,
            { ...shape, default: plain(shape.default) },
          ]),
        ),
      )
    },
  )

  test('has an index on every reference to an account in a growing table, because deleting an account searches it', async () => {
    const { rows } = await database.pool.query<{ name: string }>(referencesWithoutIndex)
    const tables = new Set(rows.map(({ name }) => name.split('.')[0]!))
    expect(rows.map(({ name }) => name).filter((name) => !fewRows.has(name.split('.')[0]!))).toEqual([])
    expect([...fewRows].filter((name) => !tables.has(name))).toEqual([])
  })

  test('allows exactly the values that tables.ts lists for each enumerated column', () => {
    const enumerated = described.flatMap(({ name, columns }) =>
      columns.filter((column) => column.enumValues?.length).map((column) => ({ name, column })),
    )
    expect(enumerated.length).toBeGreaterThan(10)
    for (const { name, column } of enumerated) {
      const allowed = checks
        .filter(({ table, definition }) => table === name && definition.startsWith(`CHECK ((${column.name} = ANY `))
        .map(({ definition }) => valuesIn(definition))
      expect(allowed, `${name}.${column.name}`).toEqual([column.enumValues?.toSorted()])
    }
  })
})

function shapeOf(column: PgColumn): Omit<Found, 'table' | 'column' | 'generated'> {
  return {
    type: column.getSQLType().replace('timestamptz', 'timestamp with time zone'),
    notNull: column.notNull,
    default: defaultOf(column),
    identity: column.generatedIdentity !== undefined,
    primary: column.primary,
  }
}

function defaultOf({ default: value }: PgColumn): string | null {
  if (value === undefined) return null
  return is(value, SQL) ? new PgDialect().sqlToQuery(value).sql : String(value)
}

/** Returns the value in a default such as `'user'::text`. */
const plain = (expression: string | null): string | null => expression?.replace(/^'(.*)'::text$/, '$1') ?? null
const valuesIn = (definition: string): string[] =>
  [...definition.matchAll(/'([^']+)'::text/g)].map(([, value]) => value!).toSorted()

const columnsOfDatabase = `
  select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "notNull",
    case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as "default",
    a.attidentity <> '' as identity, a.attgenerated <> '' as generated,
    coalesce(a.attnum = any (i.indkey), false) as primary
  from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
  where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`

const checksOfDatabase = `
  select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as definition from pg_constraint
  where contype = 'c' and connamespace = 'public'::regnamespace`

const referencesWithoutIndex = `
  select c.conrelid::regclass::text || '.' || a.attname as name
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confrelid = 'users'::regclass and c.connamespace = current_schema()::regnamespace
    and not exists (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = a.attnum)
  order by name`
