import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { Db } from './db/connect.ts'
import { sealedColumns } from './secrets/sealed-columns.ts'

/** What must hold whatever happened. */
export type Invariant = {
  promise: string
  /** Finds the rows that break it. */
  broken: SQL
  /** The triggers, constraints and unique indexes that hold it even against code that forgets it. */
  heldBy?: string[]
}
export type InvariantResult = { promise: string; heldBy: string[]; broken: unknown[] }
/** How many rows there are of what is only ever added to. */
export type Tally = Record<string, number>

/** Whatever lies in a sealed column, and what is written once: true in every room. */
export const serverInvariants: Invariant[] = [
  ...Object.values(sealedColumns).map(({ table, column, id }) => ({
    promise: `what ${getTableName(table)}.${column.name} keeps is sealed`,
    broken: sql`SELECT ${id} AS id FROM ${table} WHERE ${column} IS NOT NULL AND ${column} !~ '^v[0-9]+:'`,
  })),
  {
    promise: 'a session belongs to somebody, and so does whoever looks through it',
    broken: sql`SELECT s.id FROM sessions s LEFT JOIN users u ON u.id = s.user_id LEFT JOIN users a ON a.id = s.impersonated_by WHERE u.id IS NULL OR (s.impersonated_by IS NOT NULL AND a.id IS NULL)`,
    heldBy: ['sessions_user_id_fkey'],
  },
  {
    promise: 'a mail was sent once, at its moment, or not yet',
    broken: sql`SELECT id FROM mails WHERE (status = 'sent') <> (sent_at IS NOT NULL)`,
    heldBy: ['mails_dedupe_key_key'],
  },
]

const onlyAddedTo = {
  credit_transactions: sql`SELECT count(*)::int AS rows FROM credit_transactions`,
  audit_log: sql`SELECT count(*)::int AS rows FROM audit_log`,
  credit_notes: sql`SELECT count(*)::int AS rows FROM credit_notes`,
}
const appendOnly = Object.keys(onlyAddedTo).map((table) => `${table}_append_only`)

/**
 * Asks the database for every promise; each comes back with the rows that break it. `since` is the tally of an earlier check: what is only
 * ever added to has not become less meanwhile.
 */
export async function runInvariants(
  db: Db,
  promises: Invariant[],
  since: Tally = {},
): Promise<{ promises: InvariantResult[]; tally: Tally }> {
  const tally: Tally = {}
  for (const [table, count] of Object.entries(onlyAddedTo))
    tally[table] = (await db.execute<{ rows: number }>(count)).rows[0]!.rows
  const fewer = Object.entries(since).filter(([table, rows]) => (tally[table] ?? 0) < rows)
  const kept: InvariantResult[] = [
    {
      promise: 'ledger, audit log and credit notes never lose a row',
      heldBy: appendOnly,
      broken: fewer.map(([table, rows]) => ({ table, before: rows, now: tally[table] })),
    },
  ]
  for (const { promise, broken, heldBy = [] } of promises)
    kept.push({ promise, heldBy, broken: (await db.execute(broken)).rows })
  const names = kept.flatMap(({ heldBy }) => heldBy)
  kept.push({
    promise: 'what holds promises in the database is in force',
    heldBy: [],
    broken: (await db.execute(missing(names))).rows,
  })
  return { promises: kept, tally }
}

const missing = (names: string[]) => sql`
  SELECT name FROM unnest(${sql.param(`{${names.join(',')}}`)}::text[]) name
  WHERE NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = name AND tgenabled IN ('O', 'A'))
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conname = name AND convalidated)
    AND NOT EXISTS (SELECT FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE relname = name AND indisunique AND indisvalid)`
