import { type Columns, columnsOf, findHeader, hasLongField, type Row } from '#server/text-files/table.ts'
import { dayIn, signedCents } from '#server/text-files/values.ts'
import { paymentLine, type Statement, type StatementLine, skipped, unreadable } from './statement.ts'
import { instantIn } from './values.ts'

type RowReader = (row: Row, cell: Columns) => StatementLine | null

/** Reads the rows below the header; a row that gives null is no line of the account. */
export const readRows = (rows: Row[], header: number, read: RowReader): StatementLine[] => {
  const cell = columnsOf(rows[header]!)
  return rows.slice(header + 1).flatMap((row) => {
    if (hasLongField(row)) return unreadable(row.line, 'too_long')
    return read(row, cell) ?? []
  })
}

/** Cash App: `2026-11-19 09:02:11 EST`, `Received P2P` is money in. Its ids are not those of the mails. */
export function readCashApp(rows: Row[]): Statement | null {
  const header = findHeader(rows, [['Transaction ID'], ['Transaction Type'], ['Amount'], ['Name of sender/receiver']])
  if (header < 0) return null
  const lines = readRows(rows, header, (row, cell) => {
    const id = cell(row, 'Transaction ID')
    const amount = signedCents(cell(row, 'Amount'))
    if (!id && !cell(row, 'Amount')) return null
    if (amount === null) return unreadable(row.line, 'amount')
    const sent = { rail: 'cashapp' as const, cents: -amount, currency: cell(row, 'Currency') || 'USD' }
    if (amount < 0 && /^(sent p2p|p2p sent)$/i.test(cell(row, 'Transaction Type')))
      return skipped(row.line, 'outgoing', {
        ...sent,
        recipient: cell(row, 'Name of sender/receiver'),
        reference: id || null,
      })
    if (!/^(received p2p|p2p received|cash in p2p)$/i.test(cell(row, 'Transaction Type')))
      return skipped(row.line, amount < 0 ? 'outgoing' : 'not_money_in')
    const status = cell(row, 'Status')
    if (/fail|cancel|declin|refund|revers|expired/i.test(status)) return skipped(row.line, 'not_completed')
    if (amount <= 0) return skipped(row.line, 'outgoing')
    const [, date, time, zone] = /^(\S+) (\S+) ?(.*)$/.exec(cell(row, 'Date')) ?? []
    const day = dayIn(date ?? '', date?.includes('/') ? 'MM/dd/yyyy' : 'yyyy-MM-dd')
    const paidAt = day && instantIn(day, time ?? '', zone || 'UTC')
    if (!paidAt) return unreadable(row.line, 'date')
    const fee = Math.abs(signedCents(cell(row, 'Fee')) ?? 0)
    return paymentLine(row.line, {
      rail: 'cashapp',
      amount,
      currency: cell(row, 'Currency') || 'USD',
      fee: fee || null,
      final: !/pending|hold|waiting/i.test(status),
      paidAt,
      payerName: cell(row, 'Name of sender/receiver'),
      note: cell(row, 'Notes'),
      providerReference: id || null,
    })
  })
  return { format: 'csv:cashapp', account: null, lines }
}

/** What a row of money that went out says; undefined unless it is a completed payment to a person. */
function sentByVenmo(cell: Columns, row: Row, cents: number, reference: string) {
  const isSent = /^payment$/i.test(cell(row, 'Type')) && /^complete$/i.test(cell(row, 'Status')) && cents > 0
  return isSent ? { rail: 'venmo' as const, cents, currency: 'USD', recipient: cell(row, 'To'), reference } : undefined
}

/** Venmo: the account's handle above the header, rows without id are balances and notices, times are UTC. */
export function readVenmo(rows: Row[]): Statement | null {
  const header = findHeader(rows, [['ID'], ['Datetime'], ['Type'], ['Status'], ['Amount (total)']])
  if (header < 0) return null
  const title = rows
    .slice(0, header)
    .flatMap(({ cells }) => cells)
    .join(' ')
  const lines = readRows(rows, header, (row, cell) => {
    const id = cell(row, 'ID').replace(/[^0-9A-Za-z]/g, '')
    if (!id) return null
    const amount = signedCents(cell(row, 'Amount (total)'))
    if (amount === null) return unreadable(row.line, 'amount')
    if (amount <= 0) return skipped(row.line, 'outgoing', sentByVenmo(cell, row, -amount, id))
    const [type, status] = [cell(row, 'Type').toLowerCase(), cell(row, 'Status').toLowerCase()]
    if (type !== 'payment' && type !== 'charge') return skipped(row.line, 'not_money_in')
    if (type === 'charge' && status !== 'complete') return skipped(row.line, 'request')
    if (status !== 'complete' && status !== 'pending' && status !== 'held') return skipped(row.line, 'not_completed')
    const [date = '', time = ''] = cell(row, 'Datetime').replace(/Z$/, '').split(/[T ]/)
    const day = dayIn(date, date.includes('/') ? 'MM/dd/yyyy' : 'yyyy-MM-dd')
    const paidAt = day && instantIn(day, time.replace(/\.\d+$/, ''), 'UTC')
    if (!paidAt) return unreadable(row.line, 'date')
    const fee = Math.abs(signedCents(cell(row, 'Amount (fee)')) ?? 0)
    return paymentLine(row.line, {
      rail: 'venmo',
      amount,
      currency: 'USD',
      fee: fee || null,
      final: status === 'complete',
      paidAt,
      // Who was charged pays; who pays is the sender.
      payerName: cell(row, type === 'charge' ? 'To' : 'From'),
      note: cell(row, 'Note'),
      providerReference: id,
    })
  })
  return { format: 'csv:venmo', account: /\((@[^)\s]+)\)/.exec(title)?.[1] ?? null, lines }
}
