import { sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Tx } from '#server/db/connect.ts'
import { plans } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { type KeyOrRing, seal } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { ImportMapping } from '../../admin-contract.ts'
import { planFinder } from '../read/find-plan.ts'
import { customerReader, type ParsedCustomer } from '../read/read-customer.ts'
import type { TableFile } from '../read/read-table-file.ts'
import { withoutRepeats } from '../read/without-repeats.ts'
import { markKnown } from './mark-known.ts'

/** Stores the rows of a customer file with their verdicts. Dates are checked relative to `now`. */
export async function storeCustomerRows(
  tx: Tx,
  key: KeyOrRing,
  { id: runId, now }: { id: number; now: Instant },
  { columns, rows }: TableFile,
  mapping: ImportMapping,
): Promise<void> {
  const read = withoutRepeats(customerReader(columns, mapping, planFinder(await tx.select().from(plans)), now))
  for (let at = 0; at < rows.length; at += limits.imports.insertBatch)
    await insertRows(tx, key, runId, rows.slice(at, at + limits.imports.insertBatch).map(read))
  await markKnown(tx, sql`r.run_id = ${runId}`)
}

async function insertRows(tx: Tx, key: KeyOrRing, runId: number, customers: ParsedCustomer[]): Promise<void> {
  const rows = customers.map(({ passwordHash, linePassword, ...customer }) => {
    const rowKey = `${runId}:${customer.line}`
    const isRefused = customer.reason !== null
    return {
      ...customer,
      rowKey,
      verdict: isRefused ? 'refused' : 'create',
      passwordHash: isRefused ? null : passwordHash,
      linePassword:
        linePassword && !isRefused ? seal(key, linePassword, sealedColumns.importedLinePassword.context(rowKey)) : null,
    }
  })
  await tx.execute(sql`
    insert into import_rows (row_key, run_id, line, verdict, reason, username, email, full_name, password_hash, credit, plan_id, paid_until,
      line_username, line_password, other_id)
    select "rowKey", ${runId}, line, verdict, reason, username, email, "fullName", "passwordHash", credit, "planId", "paidUntil", "lineUsername",
      "linePassword", "otherId"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row("rowKey" text, line int, verdict text, reason text, username text, email text,
      "fullName" text, "passwordHash" text, credit int, "planId" int, "paidUntil" timestamptz, "lineUsername" text, "linePassword" text, "otherId" text)`)
}
