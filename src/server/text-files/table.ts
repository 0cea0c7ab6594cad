import { parse } from 'csv-parse/sync'

/** Thrown if the table as a whole cannot be read. */
export class UnreadableTable extends Error {
  readonly reason: 'broken_quotes' | 'too_many_rows'
  constructor(reason: UnreadableTable['reason']) {
    super(reason)
    this.reason = reason
  }
}

export type Row = { line: number; cells: string[] }

const limits = { rows: 50_000, characters: 10_000 }

/** Parses CSV with any of the usual separators. Throws `UnreadableTable` for broken quotes, rows that are far too long, or too many rows. */
export function readTable(text: string, maxRows = limits.rows): Row[] {
  const delimiter = delimiterOf(text)
  try {
    const rows = parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: limits.characters * 40,
      // Without `info`, which keeps an object of counters for each record.
      on_record: (record, { lines }) =>
        ({ line: lines, cells: record.map((cell) => cell.trim()) }) satisfies Row as unknown as string[],
    }) as unknown as Row[]
    if (rows.length > maxRows) throw new UnreadableTable('too_many_rows')
    return rows
  } catch (error) {
    if (error instanceof UnreadableTable) throw error
    throw new UnreadableTable('broken_quotes')
  }
}

/** Whether a cell of the row has more than 10,000 characters, too many for a real value. */
export const hasLongField = ({ cells }: Row): boolean => cells.some((cell) => cell.length > limits.characters)

/**
 * Guesses the separator from the first 40 lines. Lines in which a separator occurs equally often form a group; the
 * separator with the most occurrences in one group wins.
 */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .split('\n', 40)
    .map((line) => line.replace(/"[^"]*"/g, ''))
  const counts = [',', ';', '\t', '|'].map((sign) => {
    const each = lines.map((line) => line.split(sign).length - 1).filter((count) => count > 0)
    // The lines grouped by their number of separators.
    const same = [...Map.groupBy(each, (count) => count).values()]
    const usual = Math.max(0, ...same.map((counted) => counted.length * counted[0]!))
    return { sign, usual }
  })
  return counts.reduce((best, next) => (next.usual > best.usual ? next : best)).sign
}

/**
 * Returns the index of the row, among the first 40, that looks most like headings: the row with the most cells that have letters and no digits. If
 * no row has at least two such cells, returns the index of the row with the most cells.
 */
export function likelyHeader(rows: Row[]): number {
  const first = rows.slice(0, 40)
  const words = ({ cells }: Row) => cells.filter((cell) => /\p{L}/u.test(cell) && !/\d/.test(cell)).length
  const best = (measure: (row: Row) => number) =>
    first.reduce((found, row, at) => (measure(row) > measure(first[found]!) ? at : found), 0)
  const header = best(words)
  return first[header] && words(first[header]) >= 2 ? header : best(({ cells }) => cells.length)
}

/** Normalizes a heading for comparison: lower case, without accents and punctuation. */
export const headingOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Returns a row's cell under the first heading of `names` that the table has. Returns an empty string if the table has none of them. */
export type Columns = (row: Row, ...names: string[]) => string

/** Returns a function that reads cells of a row by their headings in `header`. */
export function columnsOf(header: Row): Columns {
  const positions = new Map<string, number>()
  header.cells.forEach((cell, at) => {
    const heading = headingOf(cell)
    if (heading && !positions.has(heading)) positions.set(heading, at)
  })
  // Cached, because the same names are looked up in each row.
  const known = new Map<string, number | undefined>()
  const positionOf = (name: string): number | undefined => {
    if (!known.has(name)) known.set(name, positions.get(headingOf(name)))
    return known.get(name)
  }
  return (row, ...names) => {
    const position = names.map(positionOf).find((at) => at !== undefined)
    return position === undefined ? '' : (row.cells[position] ?? '')
  }
}

/** Returns the index of the first row, among the first 40, that has all these headings; -1 if none has. Each entry lists the possible names of one heading. */
export function findHeader(rows: Row[], headings: string[][]): number {
  return rows.slice(0, 40).findIndex(({ cells }) => {
    const has = new Set(cells.map(headingOf))
    return headings.every((names) => names.some((name) => has.has(headingOf(name))))
  })
}
