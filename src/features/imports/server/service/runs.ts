import { and, desc, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { importRows, importRuns, plans, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { ImportRow, ImportRun } from '../../admin-contract.ts'
import { type Verdict, verdicts } from '../../rules.ts'

type Counted = Pick<ImportRun, 'counts' | 'totals' | 'emailed'>
const zeroCounts = (): Counted => ({
  counts: Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as ImportRun['counts'],
  totals: { credit: 0, subscriptions: 0, lines: 0, invoiced: 0 },
  emailed: 0,
})

/** Returns the latest 20 runs, newest first. */
export const listRuns = (db: Db): Promise<ImportRun[]> => readRuns(db, undefined)

/** Returns a run with its counts. Throws 404. */
export async function readRun(db: Db | Tx, id: number): Promise<ImportRun> {
  const [run] = await readRuns(db, eq(importRuns.id, id))
  return run ?? notFound('Import not found')
}

async function readRuns(db: Db | Tx, where: SQL | undefined): Promise<ImportRun[]> {
  const rows = await db
    .select({
      id: importRuns.id,
      name: importRuns.name,
      kind: importRuns.kind,
      state: importRuns.state,
      by: users.username,
      at: importRuns.createdAt,
      appliedAt: importRuns.appliedAt,
      undoneAt: importRuns.undoneAt,
      emailsSince: importRuns.emailsSince,
    })
    .from(importRuns)
    .innerJoin(users, eq(users.id, importRuns.createdBy))
    .where(where)
    .orderBy(desc(importRuns.id))
    .limit(20)
  const counted = await countRows(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((run) => ({ ...run, ...(counted.get(run.id) ?? zeroCounts()) }))
}

async function countRows(db: Db | Tx, runIds: number[]): Promise<Map<number, Counted>> {
  const { rows } = await db.execute<{
    run: number
    verdict: Verdict
    count: number
    credit: number
    subscriptions: number
    lines: number
    invoiced: number
    emailed: number
  }>(sql`
    select run_id as run, verdict, count(*)::int as count, sum(credit)::float8 as credit, count(paid_until)::int as subscriptions,
      count(line_username)::int as lines, coalesce(sum(invoice_cents), 0)::float8 as invoiced, count(emailed_at)::int as emailed
    from import_rows where run_id = any(${sql.param(runIds)}::int[]) group by run_id, verdict`)
  const counted = new Map<number, Counted>()
  for (const { run, verdict, count, credit, subscriptions, lines, invoiced, emailed } of rows) {
    const { counts, totals, emailed: others } = counted.get(run) ?? zeroCounts()
    counts[verdict] = count
    if (verdict !== 'refused' && verdict !== 'exists') {
      totals.credit += credit
      totals.subscriptions += subscriptions
      totals.lines += lines
      totals.invoiced += invoiced
    }
    counted.set(run, { counts, totals, emailed: others + emailed })
  }
  return counted
}

/** Returns the next rows of a run after the file row `after`, with the names of their plans. Throws 404 for an unknown run. */
export async function listRows(
  db: Db,
  runId: number,
  { verdict, after = 0 }: { verdict?: Verdict | undefined; after?: number | undefined },
): Promise<{ rows: ImportRow[]; more: boolean }> {
  const [run] = await db.select({ kind: importRuns.kind }).from(importRuns).where(eq(importRuns.id, runId))
  if (!run) return notFound('Import not found')
  const rows = await db
    .select({
      line: importRows.line,
      verdict: importRows.verdict,
      reason: importRows.reason,
      username: importRows.username,
      email: importRows.email,
      credit: importRows.credit,
      plan: plans.name,
      paidUntil: importRows.paidUntil,
      lineUsername: importRows.lineUsername,
      userId: importRows.userId,
      otherId: importRows.otherId,
      ...(run.kind === 'invoices' && {
        invoice: {
          number: importRows.invoiceNumber,
          issuedOn: importRows.invoiceDate,
          amount: importRows.invoiceCents,
          status: importRows.invoiceStatus,
        },
      }),
    })
    .from(importRows)
    .leftJoin(plans, eq(plans.id, importRows.planId))
    .where(
      and(
        eq(importRows.runId, runId),
        gt(importRows.line, after),
        verdict === undefined ? undefined : eq(importRows.verdict, verdict),
      ),
    )
    .orderBy(importRows.line)
    .limit(limits.imports.shownRows + 1)
  const shown = rows.slice(0, limits.imports.shownRows).map((row) => ({ invoice: null, ...row }))
  return { rows: shown, more: rows.length > limits.imports.shownRows }
}
