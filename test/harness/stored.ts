import type { Pool } from 'pg'

/** What counts requests and visits changes with every request. */
const counters = ['rate_limits', 'row_counts']

const statements = new WeakMap<Pool, Map<string, string>>()

/** The number of rows and a hash of them, whatever their order, by table; what differs between two of them has been written to. */
export async function stored(pool: Pool, { except = [] }: { except?: string[] } = {}): Promise<Record<string, string>> {
  const known = statements.get(pool) ?? new Map<string, string>()
  statements.set(pool, known)
  const key = except.join()
  const text = known.get(key) ?? (await statementFor(pool, [...counters, ...except]))
  known.set(key, text)
  const { rows } = await pool.query<{ name: string; hash: string }>({ name: `stored ${key}`, text })
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
