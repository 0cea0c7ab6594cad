import type { Pool } from 'pg'

/** Counters, which change with every request. */
const counters = ['rate_limits', 'row_counts']

/** Returns a hash of the rows of each table. A table whose hash changed was written to. */
export async function tableHashes(
  pool: Pool,
  { except = [] }: { except?: string[] } = {},
): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL ($1)",
    [[...counters, ...except]],
  )
  const parts = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS hash FROM ${name} t`,
  )
  const { rows } = await pool.query<{ name: string; hash: string }>(parts.join(' UNION ALL '))
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
}
