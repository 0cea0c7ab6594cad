import type { Pool } from 'pg'

/** The tables of counters, which every request changes. They are not compared. */
export const counters = ['rate_limits', 'row_counts']

const statements = new WeakMap<Pool, Map<string, string>>()

/** Returns for each table, except `counters` and `except`, the number of rows and a hash of them. If the value of a table changed, rows were written. */
export async function tableHashes(
  pool: Pool,
  { except = [] }: { except?: string[] } = {},
): Promise<Record<string, string>> {
  const known = statements.get(pool) ?? new Map<string, string>()
  statements.set(pool, known)
  const key = except.join()
  const text = known.get(key) ?? (await statementFor(pool, [...counters, ...except]))
  known.set(key, text)
  const { rows } = await pool.query<{ name: string; hash: string }>({ name: `table_hashes ${key}`, text })
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
}

async function statementFor(pool: Pool, except: string[]): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL ($1)",
    [except],
  )
  return tables
    .map(
      ({ name }) =>
        `SELECT '${name}' AS name, concat(count(*), ' ', sum(hashtextextended(t::text, 0))) AS hash FROM ${name} t`,
    )
    .join(' UNION ALL ')
}
