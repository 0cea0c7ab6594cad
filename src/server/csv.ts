type Value = string | number | boolean | null
/** The columns of a file: heading and what stands below it. */
export type Cells<Row> = Record<string, (row: Row) => Value>

// Programs that open such files guess the encoding unless this stands first.
const byteOrderMark = '\uFEFF'

/**
 * CSV as RFC 4180 has it, a piece a batch, with a heading line. Spreadsheets would run a text that begins like a formula: it gets an
 * apostrophe in front. `onBreak` hears of an error, after which the text ends short.
 */
export async function* csvText<Row>(batches: AsyncIterable<Row[]>, cells: Cells<Row>, onBreak: (error: Error) => void): AsyncGenerator<string> {
  const columns = Object.values(cells)
  yield byteOrderMark + lineOf(Object.keys(cells))
  try {
    for await (const rows of batches) yield rows.map((row) => lineOf(columns.map((column) => column(row)))).join('')
  } catch (error) {
    onBreak(error as Error)
    throw error
  }
}

const lineOf = (values: Value[]): string => `${values.map(cellOf).join(',')}\r\n`

const formula = /^[=+\-@\t\r\n]/
const plainNumber = /^[+-]?\d+(\.\d+)?$/

function cellOf(value: Value): string {
  if (value === null) return ''
  const text = String(value)
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
