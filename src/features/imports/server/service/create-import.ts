import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Output } from '#kit/endpoint.ts'
import { parseJson } from '#kit/parse-json.ts'
import { withoutControlCharacters } from '#kit/text.ts'
import { audit } from '#server/audit.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { importMappings, importRuns, plans } from '#server/db/tables.ts'
import { invalid } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import { type Key, seal, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { type createImport as endpoint, type ImportMapping, importMapping } from '../../admin-contract.ts'
import { planFinder } from '../read/find-plan.ts'
import { customerReader, type ReadCustomer } from '../read/read-customer.ts'
import { hasColumns, readTableFile, signatureOf, suggestMapping, type TableFile } from '../read/read-table-file.ts'
import { withoutRepeats } from '../read/without-repeats.ts'
import { markKnown } from './mark-known.ts'
import { readRun } from './runs.ts'

/** Who imports: an administrator, by a request or by the command line. */
export type Importer = { adminId: number; requestId: string }
type Upload = { name: string; mapping?: string | undefined; bytes: Uint8Array }
type Outcome = Output<typeof endpoint>

/**
 * Reads a file of customers and stores what applying it would do with each row; no account is changed. If no mapping is given or stored for these
 * headings, returns the headings and a suggested mapping instead. Throws 400 or 413 with the reason for a file that cannot be read.
 */
export async function createImport(
  { db, config }: { db: Db; config: Config },
  { name, mapping: typed, bytes }: Upload,
  importer: Importer,
): Promise<Outcome> {
  const file = readTableFile(bytes)
  const { columns, rows } = file
  const chosen = typed === undefined ? null : parsedMapping(typed, columns)
  const mapping = chosen ?? (await rememberedMapping(db, columns))
  if (!mapping)
    return {
      state: 'columns',
      columns,
      sample: rows.slice(0, 5).map(({ cells }) => columns.map((_, at) => (cells[at] ?? '').slice(0, 100))),
      suggested: suggestMapping(file),
    }
  const run = await inTransaction(db, async (tx) => {
    const runId = await storeRun(tx, secretKey(config), { name, file, mapping }, importer)
    if (chosen) await rememberMapping(tx, columns, chosen, importer.adminId)
    const stored = await readRun(tx, runId)
    await audit(tx, {
      actorId: importer.adminId,
      action: 'import.check',
      targetType: 'import',
      targetId: runId,
      after: { file: stored.name, ...stored.counts },
      requestId: importer.requestId,
    })
    await changed(tx, 'user')
    return stored
  })
  return { state: 'checked', run }
}

async function storeRun(
  tx: Tx,
  key: Key,
  { name, file: { columns, rows }, mapping }: { name: string; file: TableFile; mapping: ImportMapping },
  { adminId }: Importer,
): Promise<number> {
  const [run] = await tx
    .insert(importRuns)
    .values({ name: withoutControlCharacters(name).slice(0, 200) || 'customers', mapping, createdBy: adminId })
    .returning({ id: importRuns.id, now: importRuns.createdAt })
  const read = withoutRepeats(customerReader(columns, mapping, planFinder(await tx.select().from(plans)), run!.now))
  for (let at = 0; at < rows.length; at += limits.imports.insertedAtOnce)
    await insertRows(tx, key, run!.id, rows.slice(at, at + limits.imports.insertedAtOnce).map(read))
  await markKnown(tx, sql`r.run_id = ${run!.id}`)
  return run!.id
}

async function insertRows(tx: Tx, key: Key, runId: number, customers: ReadCustomer[]): Promise<void> {
  const rows = customers.map(({ passwordHash, linePassword, ...customer }) => {
    const rowKey = `${runId}:${customer.line}`
    const isRefused = customer.reason !== null
    return {
      ...customer,
      rowKey,
      verdict: isRefused ? 'refused' : 'create',
      passwordHash: isRefused ? null : passwordHash,
      linePassword:
        linePassword && !isRefused ? seal(key, linePassword, sealedColumns.importedLinePassword.place(rowKey)) : null,
    }
  })
  await tx.execute(sql`
    insert into import_rows (row_key, run_id, line, verdict, reason, username, email, full_name, password_hash, credit, plan_id, paid_until,
      line_username, line_password)
    select "rowKey", ${runId}, line, verdict, reason, username, email, "fullName", "passwordHash", credit, "planId", "paidUntil", "lineUsername",
      "linePassword"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row("rowKey" text, line int, verdict text, reason text, username text, email text,
      "fullName" text, "passwordHash" text, credit int, "planId" int, "paidUntil" timestamptz, "lineUsername" text, "linePassword" text)`)
}

function parsedMapping(typed: string, columns: string[]): ImportMapping {
  const parsed = z.safeParse(importMapping, parseJson(typed))
  if (!parsed.success)
    return invalid('mapping', parsed.error.issues[0]?.message ?? 'Please choose the columns', 'invalid_mapping')
  return hasColumns(parsed.data, columns)
    ? parsed.data
    : invalid('mapping', 'The file has no such columns. Please choose them again.', 'invalid_mapping')
}

async function rememberedMapping(db: Db, columns: string[]): Promise<ImportMapping | null> {
  const [row] = await db
    .select({ mapping: importMappings.mapping })
    .from(importMappings)
    .where(eq(importMappings.signature, signatureOf(columns)))
  const parsed = row && z.safeParse(importMapping, row.mapping)
  return parsed?.success && hasColumns(parsed.data, columns) ? parsed.data : null
}

async function rememberMapping(tx: Tx, columns: string[], mapping: ImportMapping, savedBy: number): Promise<void> {
  await tx
    .insert(importMappings)
    .values({ signature: signatureOf(columns), mapping, savedBy })
    .onConflictDoUpdate({ target: importMappings.signature, set: { mapping, savedBy, savedAt: sql`now()` } })
}
