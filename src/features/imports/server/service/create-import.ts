import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Output } from '#kit/endpoint.ts'
import { parseJson } from '#kit/parse-json.ts'
import { withoutControlCharacters } from '#kit/text.ts'
import { audit } from '#server/audit.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { importMappings, importRuns } from '#server/db/tables.ts'
import { invalid } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { type KeyOrRing, secretKey } from '#server/secrets/keys.ts'
import {
  type createImport as endpoint,
  type ImportMapping,
  type InvoiceMapping,
  importMapping,
  invoiceMapping,
} from '../../admin-contract.ts'
import type { ImportKind } from '../../rules.ts'
import { hasColumns, readTableFile, signatureOf, suggestMapping, type TableFile } from '../read/read-table-file.ts'
import { readRun } from './runs.ts'
import { storeCustomerRows } from './store-customer-rows.ts'
import { storeInvoiceRows } from './store-invoice-rows.ts'

/** The administrator who runs the import, and the id of the request or of the command. */
export type Importer = { adminId: number; requestId: string }
type Upload = { name: string; kind?: ImportKind | undefined; mapping?: string | undefined; bytes: Uint8Array }
type Outcome = Output<typeof endpoint>

/**
 * Reads a file of customers or of their invoices and stores for each row what applying the import would do. No account is changed. If no mapping is
 * given or stored for these headings, returns the headings and a suggested mapping instead. Throws 400 or 413 with the reason for a file that cannot
 * be read.
 */
export async function createImport(
  { db, config }: { db: Db; config: Config },
  { name, kind = 'customers', mapping: typed, bytes }: Upload,
  importer: Importer,
): Promise<Outcome> {
  const file = readTableFile(bytes, kind)
  const { columns, rows } = file
  const chosen = typed === undefined ? null : parsedMapping(typed, columns, kind)
  const readAs = chosen ?? (await rememberedMapping(db, columns, kind))
  if (!readAs)
    return {
      state: 'columns',
      columns,
      sample: rows.slice(0, 5).map(({ cells }) => columns.map((_, at) => (cells[at] ?? '').slice(0, 100))),
      suggested: suggestMapping(file, kind),
    }
  const run = await inTransaction(db, async (tx) => {
    const runId = await storeRun(tx, secretKey(config), { name, file, readAs }, importer)
    if (chosen) await rememberMapping(tx, columns, chosen, importer.adminId)
    const stored = await readRun(tx, runId)
    await audit(tx, {
      actorId: importer.adminId,
      action: 'import.check',
      targetType: 'import',
      targetId: runId,
      after: { file: stored.name, kind, ...stored.counts },
      requestId: importer.requestId,
    })
    await changed(tx, 'user')
    return stored
  })
  return { state: 'checked', run }
}

async function storeRun(
  tx: Tx,
  key: KeyOrRing,
  { name, file, readAs }: { name: string; file: TableFile; readAs: ReadAs },
  { adminId }: Importer,
): Promise<number> {
  const { kind, mapping } = readAs
  const [run] = await tx
    .insert(importRuns)
    .values({ name: withoutControlCharacters(name).slice(0, 200) || kind, kind, mapping, createdBy: adminId })
    .returning({ id: importRuns.id, now: importRuns.createdAt })
  if (readAs.kind === 'invoices') await storeInvoiceRows(tx, run!, file, readAs.mapping)
  else await storeCustomerRows(tx, key, run!, file, readAs.mapping)
  return run!.id
}

const schemas = { customers: importMapping, invoices: invoiceMapping }
type ReadAs = { kind: 'customers'; mapping: ImportMapping } | { kind: 'invoices'; mapping: InvoiceMapping }

function parsedMapping(typed: string, columns: string[], kind: ImportKind): ReadAs {
  const parsed = z.safeParse(schemas[kind], parseJson(typed))
  if (!parsed.success)
    return invalid('mapping', parsed.error.issues[0]?.message ?? 'Please choose the columns', 'invalid_mapping')
  return hasColumns(parsed.data, columns, kind)
    ? ({ kind, mapping: parsed.data } as ReadAs)
    : invalid('mapping', 'The file has no such columns. Please choose them again.', 'invalid_mapping')
}

async function rememberedMapping(db: Db, columns: string[], kind: ImportKind): Promise<ReadAs | null> {
  const [row] = await db
    .select({ mapping: importMappings.mapping })
    .from(importMappings)
    .where(eq(importMappings.signature, signatureOf(columns, kind)))
  const parsed = row && z.safeParse(schemas[kind], row.mapping)
  return parsed?.success && hasColumns(parsed.data, columns, kind) ? ({ kind, mapping: parsed.data } as ReadAs) : null
}

async function rememberMapping(tx: Tx, columns: string[], { kind, mapping }: ReadAs, savedBy: number): Promise<void> {
  await tx
    .insert(importMappings)
    .values({ signature: signatureOf(columns, kind), mapping, savedBy })
    .onConflictDoUpdate({ target: importMappings.signature, set: { mapping, savedBy, savedAt: sql`now()` } })
}
