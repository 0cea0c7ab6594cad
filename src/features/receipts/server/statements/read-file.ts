import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { parseJson } from '#kit/parse-json.ts'
import type { Db } from '#server/db/connect.ts'
import { statementMappings } from '#server/db/tables.ts'
import { invalid, Refusal } from '#server/errors.ts'
import { headingOf } from '#server/text-files/table.ts'
import { type ColumnMapping, columnMapping } from '../../admin-contract.ts'
import { readStatement } from '../read/statements/read-statement.ts'
import { type Statement, type UnreadableFileReason, UnreadableStatement } from '../read/statements/statement.ts'

/** The headings and first rows of a table whose format is not known. */
export type UnknownTable = { columns: string[]; sample: string[][] }
/** A parsed statement. For a table of unknown format, `table` has its headings and `mapping` the columns that were used. */
export type ReadFile = { statement: Statement; table: UnknownTable | null; mapping: ColumnMapping | null }

/**
 * Reads a statement. The columns of a table of unknown format are taken from `typed` (JSON), otherwise from the last booking of a file with the same headings.
 * If there is neither, only the headings are returned. Throws 400 or 413 with the reason if the file cannot be read.
 */
export async function readFile(
  db: Db,
  bytes: Uint8Array,
  typed: string | undefined,
): Promise<ReadFile | { statement: null; table: UnknownTable }> {
  const chosen = typed === undefined ? null : parsedMapping(typed)
  const first = attempt(bytes, null)
  if (first.statement) return { statement: first.statement, table: null, mapping: null }
  const { table } = first
  const mapping = chosen ?? (await rememberedMapping(db, table.columns))
  if (!mapping) return { statement: null, table }
  const { statement } = attempt(bytes, mapping)
  return statement ? { statement, table, mapping } : { statement: null, table }
}

function attempt(bytes: Uint8Array, mapping: ColumnMapping | null) {
  try {
    return { statement: readStatement(bytes, mapping as Parameters<typeof readStatement>[1]), table: null }
  } catch (error) {
    if (!(error instanceof UnreadableStatement)) throw error
    if (error.reason === 'unknown_columns' && error.columns.length > 1)
      return {
        statement: null,
        table: { columns: error.columns.map(cut), sample: error.sample.map((row) => row.map(cut)) },
      }
    throw new Refusal(error.reason === 'too_large' ? 413 : 400, error.reason, unreadableFileTexts[error.reason])
  }
}
const cut = (cell: string) => cell.slice(0, 100)

const unreadableFileTexts: Record<UnreadableFileReason, string> = {
  empty: 'The file is empty',
  too_large: 'The file is too large. Please use a file of at most 5 MB, for example one that covers a shorter period.',
  too_many_rows: 'The file has more than 50,000 rows. Please use a file that covers a shorter period.',
  binary: 'This is not a text file. Please download the statement as CSV, OFX, QFX, CAMT.053 or MT940.',
  doctype: 'The file contains a document type declaration, which no bank statement has.',
  broken_xml: 'The file is not valid XML.',
  no_statement: 'The XML file is not a CAMT.053 statement.',
  broken_quotes: 'The quotation marks of this table do not match.',
  unknown_columns: 'The file is neither a table nor a statement in a known format.',
}

function parsedMapping(typed: string): ColumnMapping {
  const parsed = z.safeParse(columnMapping, parseJson(typed))
  return parsed.success
    ? parsed.data
    : invalid('mapping', parsed.error.issues[0]?.message ?? 'Please choose the columns', 'invalid_mapping')
}

/** Returns a hash of the headings. Tables with the same headings have the same hash. */
export const signatureOf = (columns: string[]): Buffer =>
  createHash('sha256').update(columns.map(headingOf).join('\n')).digest()

async function rememberedMapping(db: Db, columns: string[]): Promise<ColumnMapping | null> {
  const [row] = await db
    .select({ mapping: statementMappings.mapping })
    .from(statementMappings)
    .where(eq(statementMappings.signature, signatureOf(columns)))
  const parsed = row && z.safeParse(columnMapping, row.mapping)
  return parsed?.success ? parsed.data : null
}
