import { decodeText } from '#server/text-files/decode.ts'
import { type Row, readTable, UnreadableTable } from '#server/text-files/table.ts'
import { readCamt } from './camt.ts'
import { readCashApp, readVenmo } from './csv-apps.ts'
import { readBankOfAmerica, readChase, readMapped, readWellsFargo } from './csv-banks.ts'
import { readPayPal } from './csv-paypal.ts'
import { readMt940 } from './mt940.ts'
import { readOfx } from './ofx.ts'
import { type ColumnMapping, type Statement, UnreadableStatement } from './statement.ts'

const maxBytes = 5_000_000
const maxRows = 50_000
const knownTables = [readCashApp, readVenmo, readPayPal, readChase, readBankOfAmerica, readWellsFargo]

/**
 * Reads a statement of any known format. `mapping` names the columns of a table of unknown format. Throws `UnreadableStatement` if the file as a whole cannot
 * be read: too large, no known format, broken quotes or XML, unknown columns.
 */
export function readStatement(bytes: Uint8Array, mapping: ColumnMapping | null = null): Statement {
  if (bytes.length > maxBytes) throw new UnreadableStatement('too_large')
  const text = decodeText(bytes)
  if (!text.trim()) throw new UnreadableStatement('empty')
  // The file is a spreadsheet, a PDF or an image.
  if (text.includes('\0') || text.startsWith('%PDF')) throw new UnreadableStatement('binary')
  const statement = readText(text, mapping)
  if (statement.rows.length > maxRows) throw new UnreadableStatement('too_many_rows')
  return statement
}

function readText(text: string, mapping: ColumnMapping | null): Statement {
  if (/<OFX>/i.test(text)) return readOfx(text)
  if (/^\s*<(\?xml|!DOCTYPE|\w*:?Document)/i.test(text)) return readCamt(text)
  if (/^:60[FM]:/m.test(text) || /^:61:/m.test(text)) return readMt940(text)
  const rows = rowsOf(text)
  for (const read of knownTables) {
    const statement = read(rows)
    if (statement) return statement
  }
  return readMapped(rows, mapping)
}

function rowsOf(text: string): Row[] {
  try {
    return readTable(text)
  } catch (error) {
    throw error instanceof UnreadableTable ? new UnreadableStatement(error.reason) : error
  }
}
