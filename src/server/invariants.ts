import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { Db } from './db/connect.ts'
import { sealedColumns } from './secrets/sealed-columns.ts'

/** A condition that the data always satisfies. */
export type Invariant = {
  statement: string
  /** Selects the rows that violate the invariant. */
  broken: SQL
  /** The triggers, constraints and unique indexes that enforce the invariant in the database. */
  enforcedBy?: string[]
}
export type InvariantResult = { statement: string; enforcedBy: string[]; broken: unknown[] }
/** The number of rows in each append-only table. */
export type RowCounts = Record<string, number>

/** Invariants that belong to no single feature. */
export const serverInvariants: Invariant[] = [
  ...Object.values(sealedColumns).map(({ table, column, id }) => ({
    statement: `every value in ${getTableName(table)}.${column.name} is encrypted`,
    broken: sql`SELECT ${id} AS id FROM ${table} WHERE ${column} IS NOT NULL AND ${column} !~ '^v[0-9]+:'`,
  })),
  {
    statement: 'every session belongs to a user, and every view-as-customer session to an administrator',
    broken: sql`SELECT s.id FROM sessions s LEFT JOIN users u ON u.id = s.user_id LEFT JOIN users a ON a.id = s.impersonated_by WHERE u.id IS NULL OR (s.impersonated_by IS NOT NULL AND a.id IS NULL)`,
    enforcedBy: ['sessions_user_id_fkey'],
  },
  {
    statement: 'an email has a sending time if and only if it was sent',
    broken: sql`SELECT id FROM mails WHERE (status = 'sent') <> (sent_at IS NOT NULL)`,
    enforcedBy: ['mails_dedupe_key_key'],
  },
]

const appendOnlyTables = {
  credit_transactions: sql`SELECT count(*)::int AS rows FROM credit_transactions`,
  audit_log: sql`SELECT count(*)::int AS rows FROM audit_log`,
  credit_notes: sql`SELECT count(*)::int AS rows FROM credit_notes`,
  payments: sql`SELECT count(*)::int AS rows FROM payments`,
  payment_decisions: sql`SELECT count(*)::int AS rows FROM payment_decisions`,
  payment_allocations: sql`SELECT count(*)::int AS rows FROM payment_allocations`,
}
const appendOnly = Object.keys(appendOnlyTables).map((table) => `${table}_append_only`)

/**
 * Checks all invariants and returns each with the rows that violate it. `since` contains the row counts of an earlier check, to verify that no append-only
 * table has lost rows since then.
 */
export async function runInvariants(
  db: Db,
  invariants: Invariant[],
  since: RowCounts = {},
): Promise<{ results: InvariantResult[]; tally: RowCounts }> {
  const tally: RowCounts = {}
  for (const [table, count] of Object.entries(appendOnlyTables))
    tally[table] = (await db.execute<{ rows: number }>(count)).rows[0]!.rows
  const fewer = Object.entries(since).filter(([table, rows]) => (tally[table] ?? 0) < rows)
  const results: InvariantResult[] = [
    {
      statement: 'ledger, audit log, credit notes and payments never lose rows',
      enforcedBy: appendOnly,
      broken: fewer.map(([table, rows]) => ({ table, before: rows, now: tally[table] })),
    },
  ]
  for (const { statement, broken, enforcedBy = [] } of invariants)
    results.push({ statement, enforcedBy, broken: (await db.execute(broken)).rows })
  const names = results.flatMap(({ enforcedBy }) => enforcedBy)
  results.push({
    statement: 'all triggers, constraints and indexes that enforce invariants exist and are enabled',
    enforcedBy: [],
    broken: (await db.execute(missingConstraints(names))).rows,
  })
  return { results, tally }
}

const missingConstraints = (names: string[]) => sql`
  SELECT name FROM unnest(${sql.param(`{${names.join(',')}}`)}::text[]) name
  WHERE NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = name AND tgenabled IN ('O', 'A'))
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conname = name AND convalidated)
    AND NOT EXISTS (SELECT FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE relname = name AND indisunique AND indisvalid)`
