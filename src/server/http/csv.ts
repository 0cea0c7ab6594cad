type Value = string | number | boolean | null
/** The columns of a file: heading and what stands below it. */
export type Cells<Row> = Record<string, (row: Row) => Value>

// Programs that open such files guess the encoding unless this stands first.
const byteOrderMark = '\uFEFF'

/**
 * CSV as RFC 4180 has it, one piece for each batch, with a heading line; every cell is quoted. Spreadsheets would run a text that begins like a
 * formula: it gets an apostrophe in front. Some split cells at semicolons, tabs and line breaks, so what follows these is treated alike. `onBreak` hears of an error, after which the text ends short.
 */
export async function* csvText<Row>(
  batches: AsyncIterable<Row[]>,
  cells: Cells<Row>,
  onBreak: (error: Error) => void,
): AsyncGenerator<string> {
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

// The wide forms count in East Asian versions.
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/
const separator = /([;\t\r\n])/
const plainNumber = /^[+-]?\d+(\.\d+)?$/

function cellOf(value: Value): string {
  const text = value === null ? '' : String(value)
  const parts = text.split(separator).map((part) => (formula.test(part) && !plainNumber.test(part) ? `'${part}` : part))
  // A cell that begins with a separator would begin with nothing.
  const safe = `${parts.length > 1 && parts[0] === '' ? "'" : ''}${parts.join('')}`
  return `"${safe.replaceAll('"', '""')}"`
}
