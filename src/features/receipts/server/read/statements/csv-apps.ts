import { type Columns, columnsOf, findHeader, hasLongField, type Row } from '#server/text-files/table.ts'
import { parseDay, signedCents } from '#server/text-files/values.ts'
import { paymentRow, type Statement, type StatementRow, skipped, unreadable } from './statement.ts'
import { instantIn } from './values.ts'

type RowReader = (row: Row, cell: Columns) => StatementRow | null

/** Reads the rows below the header. If `read` returns null for a row, it is left out, because it is not a transaction of the account. */
export const readRows = (rows: Row[], header: number, read: RowReader): StatementRow[] => {
  const cell = columnsOf(rows[header]!)
  return rows.slice(header + 1).flatMap((row) => {
    if (hasLongField(row)) return unreadable(row.line, 'too_long')
    return read(row, cell) ?? []
  })
}

/** Matches Cash App statuses of money that was not transferred or was returned. */
const undone = /fail|cancel|declin|refund|revers|expired/i

/** Cash App: times look like `2026-11-19 09:02:11 EST`, and incoming money has the type `Received P2P`. The transaction ids differ from those in emails. */
export function readCashApp(rows: Row[]): Statement | null {
  const header = findHeader(rows, [['Transaction ID'], ['Transaction Type'], ['Amount'], ['Name of sender/receiver']])
  if (header < 0) return null
  const statementRows = readRows(rows, header, (row, cell) => {
    const id = cell(row, 'Transaction ID')
    const amount = signedCents(cell(row, 'Amount'))
    if (!id && !cell(row, 'Amount')) return null
    if (amount === null) return unreadable(row.line, 'amount')
    const status = cell(row, 'Status')
    const [, date, time, zone] = /^(\S+) (\S+) ?(.*)$/.exec(cell(row, 'Date')) ?? []
    const at = instantOf(date, time, zone || 'UTC')
    const isFinal = !/pending|hold|waiting/i.test(status)
    const currency = cell(row, 'Currency') || 'USD'
    const name = cell(row, 'Name of sender/receiver')
    if (amount < 0 && /^(sent p2p|p2p sent)$/i.test(cell(row, 'Transaction Type'))) {
      const sent = { rail: 'cashapp' as const, cents: -amount, currency, recipient: name, reference: id || null }
      return skipped(row.line, 'outgoing', at && isFinal && !undone.test(status) ? { ...sent, at } : undefined)
    }
    if (!/^(received p2p|p2p received|cash in p2p)$/i.test(cell(row, 'Transaction Type')))
      return skipped(row.line, amount < 0 ? 'outgoing' : 'not_money_in')
    if (undone.test(status)) return skipped(row.line, 'not_completed')
    if (amount <= 0) return skipped(row.line, 'outgoing')
    if (!at) return unreadable(row.line, 'date')
    const fee = Math.abs(signedCents(cell(row, 'Fee')) ?? 0)
    return paymentRow(row.line, {
      rail: 'cashapp',
      amount,
      currency,
      fee: fee || null,
      final: isFinal,
      paidAt: at,
      payerName: name,
      note: cell(row, 'Notes'),
      providerReference: id || null,
    })
  })
  return { format: 'csv:cashapp', account: null, rows: statementRows }
}

/** Returns the instant of a day and a time as ISO 8601; null if they are invalid. */
function instantOf(date = '', time = '', zone: string): string | null {
  const day = parseDay(date, date.includes('/') ? 'MM/dd/yyyy' : 'yyyy-MM-dd')
  return day && instantIn(day, time, zone)
}

/** Returns the outgoing payment in a Venmo row; undefined unless it is a completed payment to a person. */
function sentByVenmo(cell: Columns, row: Row, cents: number, reference: string, at: string | null) {
  const isSent = /^payment$/i.test(cell(row, 'Type')) && /^complete$/i.test(cell(row, 'Status')) && cents > 0
  return isSent && at
    ? { rail: 'venmo' as const, cents, currency: 'USD', recipient: cell(row, 'To'), reference, at }
    : undefined
}

/** Venmo: the account's handle is above the header, rows without an id are balances and notices, and times are in UTC. */
export function readVenmo(rows: Row[]): Statement | null {
  const header = findHeader(rows, [['ID'], ['Datetime'], ['Type'], ['Status'], ['Amount (total)']])
  if (header < 0) return null
  const title = rows
    .slice(0, header)
    .flatMap(({ cells }) => cells)
    .join(' ')
  const statementRows = readRows(rows, header, (row, cell) => {
    const id = cell(row, 'ID').replace(/[^0-9A-Za-z]/g, '')
    if (!id) return null
    const amount = signedCents(cell(row, 'Amount (total)'))
    if (amount === null) return unreadable(row.line, 'amount')
    const [date, time = ''] = cell(row, 'Datetime').replace(/Z$/, '').split(/[T ]/)
    const paidAt = instantOf(date, time.replace(/\.\d+$/, ''), 'UTC')
    if (amount <= 0) return skipped(row.line, 'outgoing', sentByVenmo(cell, row, -amount, id, paidAt))
    const [type, status] = [cell(row, 'Type').toLowerCase(), cell(row, 'Status').toLowerCase()]
    if (type !== 'payment' && type !== 'charge') return skipped(row.line, 'not_money_in')
    if (type === 'charge' && status !== 'complete') return skipped(row.line, 'request')
    if (status !== 'complete' && status !== 'pending' && status !== 'held') return skipped(row.line, 'not_completed')
    if (!paidAt) return unreadable(row.line, 'date')
    const fee = Math.abs(signedCents(cell(row, 'Amount (fee)')) ?? 0)
    return paymentRow(row.line, {
      rail: 'venmo',
      amount,
      currency: 'USD',
      fee: fee || null,
      final: status === 'complete',
      paidAt,
      // A charge is paid by its recipient, a payment by its sender.
      payerName: cell(row, type === 'charge' ? 'To' : 'From'),
      note: cell(row, 'Note'),
      providerReference: id,
    })
  })
  return { format: 'csv:venmo', account: /\((@[^)\s]+)\)/.exec(title)?.[1] ?? null, rows: statementRows }
}
