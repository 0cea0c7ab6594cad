import { findHeader, hasLongField, headingOf, likelyHeader, type Row } from '#server/text-files/table.ts'
import { parseDay, signedCents } from '#server/text-files/values.ts'
import { readRows } from './csv-apps.ts'
import { isPayout, readDescription } from './descriptions.ts'
import {
  type ColumnMapping,
  paymentLine,
  type Statement,
  type StatementLine,
  skipped,
  UnreadableStatement,
  unreadable,
} from './statement.ts'

type BankLine = { line: number; date: string; description: string; amount: string }

/** A line of an American bank: month first, dollars, everything else in the description. */
function readBankLine({ line, date, description, amount }: BankLine): StatementLine {
  const cents = signedCents(amount, '.')
  if (cents === null) return unreadable(line, 'amount')
  if (cents <= 0) return skipped(line, 'outgoing')
  if (isPayout(description)) return skipped(line, 'payout')
  const paidOn = parseDay(date, /^\d{4}-/.test(date) ? 'yyyy-MM-dd' : 'MM/dd/yyyy')
  if (!paidOn) return unreadable(line, 'date')
  const described = readDescription(description) ?? {
    rail: 'bank',
    payerName: null,
    providerReference: null,
    note: description,
  }
  return paymentLine(line, { ...described, amount: cents, currency: 'USD', paidOn })
}

/** Chase: newest first, rows with one cell more than the header, no memo of Zelle payments. */
export function readChase(rows: Row[]): Statement | null {
  const header = findHeader(rows, [['Details'], ['Posting Date'], ['Description'], ['Amount']])
  if (header < 0) return null
  const lines = readRows(rows, header, (row, cell) =>
    readBankLine({
      line: row.line,
      date: cell(row, 'Posting Date'),
      description: cell(row, 'Description'),
      amount: cell(row, 'Amount'),
    }),
  )
  return { format: 'csv:chase', account: null, lines }
}

/** Bank of America: a summary above the header; balance rows have no amount. */
export function readBankOfAmerica(rows: Row[]): Statement | null {
  const header = findHeader(rows, [['Date'], ['Description'], ['Amount'], ['Running Bal.']])
  if (header < 0) return null
  const lines = readRows(rows, header, (row, cell) => {
    const description = cell(row, 'Description')
    if (/^(beginning|ending) balance as of/i.test(description)) return null
    return readBankLine({ line: row.line, date: cell(row, 'Date'), description, amount: cell(row, 'Amount') })
  })
  return { format: 'csv:bofa', account: null, lines }
}

/** Wells Fargo: no header; date, amount, a star, a check number, a description. */
export function readWellsFargo(rows: Row[]): Statement | null {
  const isLine = ({ cells }: Row) =>
    /^\d{1,2}\/\d{1,2}\/\d{4}$/.test(cells[0] ?? '') && cells[2] === '*' && cells.length >= 5
  if (!rows[0] || !isLine(rows[0])) return null
  const lines = rows.map((row) => {
    const [date = '', amount = '', , , description = ''] = row.cells
    if (hasLongField(row)) return unreadable(row.line, 'too_long')
    return isLine(row) ? readBankLine({ line: row.line, date, description, amount }) : unreadable(row.line, 'columns')
  })
  return { format: 'csv:wellsfargo', account: null, lines }
}

/** Any other table, with columns that an administrator named. Throws `UnreadableStatement` with the headings if they do not fit. */
export function readMapped(rows: Row[], mapping: ColumnMapping | null): Statement {
  const wanted = mapping && [mapping.date, mapping.amount ?? mapping.credit ?? '']
  const header = wanted
    ? findHeader(
        rows,
        wanted.map((name) => [name]),
      )
    : -1
  if (!mapping || header < 0) {
    const likely = likelyHeader(rows)
    const sample = rows.slice(likely + 1, likely + 4).map(({ cells }) => cells)
    throw new UnreadableStatement('unknown_columns', rows[likely]?.cells ?? [], sample)
  }
  const width = rows[header]!.cells.filter(headingOf).length
  const lines = readRows(rows, header, (row, cell) => {
    const value = (name: string | undefined) => (name ? cell(row, name) : '')
    if (row.cells.filter(Boolean).length < 2) return null
    if (row.cells.length < Math.min(width, 2)) return unreadable(row.line, 'columns')
    const amount = mapping.amount
      ? signedCents(value(mapping.amount), mapping.decimal)
      : creditOrDebit(value(mapping.credit), value(mapping.debit), mapping.decimal)
    if (amount === null) return unreadable(row.line, 'amount')
    if (amount <= 0) return skipped(row.line, 'outgoing')
    const paidOn = parseDay(value(mapping.date), mapping.dateFormat)
    if (!paidOn) return unreadable(row.line, 'date')
    const currency = value(mapping.currency).toUpperCase() || 'USD'
    if (!/^[A-Z]{3}$/.test(currency)) return unreadable(row.line, 'currency')
    const text = value(mapping.note)
    const described = mapping.name ? null : readDescription(text)
    return paymentLine(row.line, {
      rail: 'bank',
      payerName: value(mapping.name),
      note: text,
      providerReference: value(mapping.reference) || null,
      ...described,
      amount,
      currency,
      paidOn,
    })
  })
  return { format: 'csv:mapped', account: null, lines }
}

/** The amount of a table with a column for each direction: positive in, negative out. */
function creditOrDebit(credit: string, debit: string, decimal: '.' | ','): number | null {
  const [into, out] = [signedCents(credit, decimal), signedCents(debit, decimal)]
  if (into !== null && into !== 0) return Math.abs(into)
  return out === null ? into : -Math.abs(out)
}
