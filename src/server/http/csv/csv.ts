type Value = string | number | boolean | null
/** The columns of a CSV file: each heading with a function that returns the cell value of a row. */
export type CsvColumns<Row> = Record<string, (row: Row) => Value>

/** The keys of the fields that a CSV cell can show unchanged. */
type PlainKey<Row> = { [Key in keyof Row]-?: Row[Key] extends Value ? Key : never }[keyof Row]

/**
 * Returns the columns of a CSV file in the given order. A key selects a field of the row and its heading in `headings`; a pair
 * contains a heading and computes the value. The declared type of the result determines `Row`.
 */
export function csvColumns<Row, Headings extends Record<string, string>>(
  headings: Headings,
  columns: readonly (
    | (keyof Headings & PlainKey<Row>)
    | readonly [heading: string, value: (row: NoInfer<Row>) => Value]
  )[],
): CsvColumns<Row> {
  return Object.fromEntries(
    columns.map((column) =>
      typeof column === 'object' ? column : [headings[column], (row: Row) => row[column] as Value],
    ),
  )
}

// Without the byte order mark, spreadsheet programs guess the encoding.
const byteOrderMark = '\uFEFF'

/**
 * Yields CSV (RFC 4180) with a heading line, one string per batch. Every cell is quoted. A cell that starts like a formula gets a leading apostrophe, because
 * spreadsheets would run it. Some programs split cells at semicolons, tabs and line breaks, so text that starts like a formula after one of these gets an
 * apostrophe too. If reading fails, calls `onError`, then rethrows.
 */
export async function* csvText<Row>(
  batches: AsyncIterable<Row[]>,
  columns: CsvColumns<Row>,
  onError: (error: Error) => void,
): AsyncGenerator<string> {
  const cellValues = Object.values(columns)
  yield byteOrderMark + lineOf(Object.keys(columns))
  try {
    for await (const rows of batches) yield rows.map((row) => lineOf(cellValues.map((value) => value(row)))).join('')
  } catch (error) {
    onError(error as Error)
    throw error
  }
}

const lineOf = (values: Value[]): string => `${values.map(cellOf).join(',')}\r\n`

// East Asian versions of spreadsheet programs also treat the full-width forms as operators.
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/
const separator = /([;\t\r\n])/
const plainNumber = /^[+-]?\d+(\.\d+)?$/

function cellOf(value: Value): string {
  const text = value === null ? '' : String(value)
  const parts = text.split(separator).map((part) => (formula.test(part) && !plainNumber.test(part) ? `'${part}` : part))
  // A cell that starts with a separator would be split into an empty cell and the rest.
  const safe = `${parts.length > 1 && parts[0] === '' ? "'" : ''}${parts.join('')}`
  return `"${safe.replaceAll('"', '""')}"`
}
