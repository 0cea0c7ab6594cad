import { createHash } from 'node:crypto'
import { Refusal } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { decodeText } from '#server/text-files/decode.ts'
import { headingOf, type Row, readTable, UnreadableTable } from '#server/text-files/table.ts'
import type { ImportMapping, SuggestedMapping } from '../../admin-contract.ts'
import { invoiceFields } from '../../invoice-rules.ts'
import { columnFields, type ImportKind } from '../../rules.ts'

export type TableFile = { columns: string[]; rows: Row[] }

const refuse = (code: string, message: string): never => {
  throw new Refusal(code === 'too_large' ? 413 : 400, code, message)
}

/** Reads a table whose first row contains the headings. Throws 400 or 413 with the reason for any other file, and 400 for too many rows. */
export function readTableFile(bytes: Uint8Array, kind: ImportKind): TableFile {
  if (bytes.length > limits.imports.bytes)
    refuse('too_large', 'The file is too large. Please use a file of at most 24 MB.')
  const text = decodeText(bytes)
  if (text.includes('\0') || text.startsWith('%PDF') || text.startsWith('PK'))
    refuse('binary', 'This is not a text file. Please export the table as CSV.')
  const [header, ...rows] = rowsOf(text, limits.imports.rows[kind])
  if (!header?.cells.some(Boolean)) return refuse('empty', 'The file is empty')
  if (header.cells.filter(Boolean).length < 2)
    refuse('no_table', 'The first row of the file must contain the column headings, separated by commas.')
  if (rows.length === 0) refuse('no_rows', 'The file has headings but no rows.')
  return { columns: header.cells.map((cell) => cell.slice(0, 100)), rows }
}

function rowsOf(text: string, most: number): Row[] {
  try {
    return readTable(text, most + 1)
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error
    return error.reason === 'too_many_rows'
      ? refuse('too_many_rows', `The file has more than ${most.toLocaleString('en-US')} rows. Please split it.`)
      : refuse('broken_quotes', 'The quotation marks of this table do not match.')
  }
}

/** Returns a hash of the kind and the headings, by which the stored mapping is found for another file with the same headings. */
export const signatureOf = (columns: string[], kind: ImportKind): Buffer =>
  createHash('sha256')
    .update(kind === 'customers' ? '' : `${kind}\0`)
    .update(columns.map(headingOf).join('\n'))
    .digest()

const fieldsOf = { customers: columnFields, invoices: invoiceFields }
const isIn = (columns: string[], column: unknown) => column === undefined || columns.includes(String(column))
/** Whether the table has every column that the mapping names. */
export const hasColumns = (mapping: Record<string, unknown>, columns: string[], kind: ImportKind): boolean =>
  fieldsOf[kind].every(({ field }) => isIn(columns, mapping[field]))

/**
 * Suggests the columns of an XUI or XC export of lines, whose username and password are those of the line. An email address is often only part of a
 * note. Returns null for any other table.
 */
function suggestForLines(columns: string[]): Partial<ImportMapping> | null {
  const has = (...names: string[]) => columns.find((column) => names.includes(headingOf(column).replaceAll(' ', '_')))
  const [lineUsername, linePassword, paidUntil] = [has('username'), has('password'), has('exp_date')]
  const connections = has('max_connections')
  if (!lineUsername || !linePassword || !paidUntil || !connections) return null
  const email = has('email', 'contact', 'admin_notes', 'reseller_notes')
  const line = { username: lineUsername, lineUsername, linePassword, paidUntil, connections, planMonths: 1 }
  return { ...line, ...(email && { email }), dateFormat: 'yyyy/MM/dd', decimal: '.' }
}

/** Suggests the columns from the headings, and the format of dates and amounts from the first rows. Each column is suggested at most once. */
export function suggestMapping({ columns, rows }: TableFile, kind: ImportKind): SuggestedMapping {
  const ofLines = kind === 'customers' ? suggestForLines(columns) : null
  if (ofLines) return ofLines
  const chosen: Record<string, string> = {}
  for (const { field, suggests } of fieldsOf[kind]) {
    const used = Object.values(chosen)
    const column = columns.find((heading) => !used.includes(heading) && suggests.test(headingOf(heading)))
    if (column) chosen[field] = column
  }
  const { number, invoiceId, ...others } = chosen
  const cells = (column: string | undefined) => {
    const at = column === undefined ? -1 : columns.indexOf(column)
    return rows.slice(0, 200).map((row) => row.cells[at] ?? '')
  }
  return {
    ...others,
    // If a table has an id column but no number column, the id is the number.
    ...(number ? { number, ...(invoiceId && { invoiceId }) } : invoiceId && { number: invoiceId }),
    dateFormat: dateFormatOf(cells(chosen.paidUntil ?? chosen.issuedOn)),
    decimal: decimalOf(cells(chosen.credit ?? chosen.amount)),
  }
}

function dateFormatOf(cells: string[]): ImportMapping['dateFormat'] {
  if (cells.some((cell) => /^\d{4}\D/.test(cell))) return 'yyyy/MM/dd'
  const isDayFirst = cells.some((cell) => Number(/^(\d{1,2})\D/.exec(cell)?.[1] ?? 0) > 12 || /^\d{1,2}\.\d/.test(cell))
  return isDayFirst ? 'dd/MM/yyyy' : 'MM/dd/yyyy'
}
const decimalOf = (cells: string[]): '.' | ',' => (cells.some((cell) => /\d,\d{1,2}$/.test(cell)) ? ',' : '.')
