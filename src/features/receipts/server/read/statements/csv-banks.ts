import { findHeader, hasLongField, headingOf, likelyHeader, type Row } from '#server/text-files/table.ts'
import { parseDay, signedCents } from '#server/text-files/values.ts'
import { readRows } from './csv-apps.ts'
import { isPayout, readDescription } from './descriptions.ts'
import {
  type ColumnMapping,
  paymentRow,
  type Statement,
  type StatementRow,
  skipped,
  UnreadableStatement,
  unreadable,
} from './statement.ts'

type BankRow = { line: number; date: string; description: string; amount: string }

/** Reads a row of an American bank: the date has the month first, the amount is in dollars, and everything else is in the description. */
function readBankRow({ line, date, description, amount }: BankRow): StatementRow {
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
  return paymentRow(line, { ...described, amount: cents, currency: 'USD', paidOn })
}

/** Chase: the newest row is first, rows have one cell more than the header, and Zelle payments have no memo. */
export function readChase(rows: Row[]): Statement | null {
  const header = findHeader(rows, [['Details'], ['Posting Date'], ['Description'], ['Amount']])
  if (header < 0) return null
  const statementRows = readRows(rows, header, (row, cell) =>
    readBankRow({
      line: row.line,
      date: cell(row, 'Posting Date'),
      description: cell(row, 'Description'),
      amount: cell(row, 'Amount'),
    }),
  )
  return { format: 'csv:chase', account: null, rows: statementRows }
}

/** Bank of America: a summary is above the header, and balance rows have no amount. */
export function readBankOfAmerica(rows: Row[]): Statement | null {
  const header = findHeader(rows, [['Date'], ['Description'], ['Amount'], ['Running Bal.']])
  if (header < 0) return null
  const statementRows = readRows(rows, header, (row, cell) => {
    const description = cell(row, 'Description')
    if (/^(beginning|ending) balance as of/i.test(description)) return null
    return readBankRow({ line: row.line, date: cell(row, 'Date'), description, amount: cell(row, 'Amount') })
  })
  return { format: 'csv:bofa', account: null, rows: statementRows }
}

/** Wells Fargo: no header. The columns are date, amount, an asterisk, check number and description. */
export function readWellsFargo(rows: Row[]): Statement | null {
  const isTransaction = ({ cells }: Row) =>
    /^\d{1,2}\/\d{1,2}\/\d{4}$/.test(cells[0] ?? '') && cells[2] === '*' && cells.length >= 5
  if (!rows[0] || !isTransaction(rows[0])) return null
  const statementRows = rows.map((row) => {
    const [date = '', amount = '', , , description = ''] = row.cells
    if (hasLongField(row)) return unreadable(row.line, 'too_long')
    return isTransaction(row)
      ? readBankRow({ line: row.line, date, description, amount })
      : unreadable(row.line, 'columns')
  })
  return { format: 'csv:wellsfargo', account: null, rows: statementRows }
}

/**
 * Reads any other table, with the columns that an administrator chose. Throws `UnreadableStatement` with the headings of the table if `mapping` is null or does
 * not fit.
 */
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
  const statementRows = readRows(rows, header, (row, cell) => {
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
    return paymentRow(row.line, {
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
  return { format: 'csv:mapped', account: null, rows: statementRows }
}

/** Returns the cents of a row in a table with one column for each direction: positive for incoming money, negative for outgoing money. */
function creditOrDebit(credit: string, debit: string, decimal: '.' | ','): number | null {
  const [into, out] = [signedCents(credit, decimal), signedCents(debit, decimal)]
  if (into !== null && into !== 0) return Math.abs(into)
  return out === null ? into : -Math.abs(out)
}
