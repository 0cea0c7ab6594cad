import type { PaymentFacts } from '#features/payments/server/matching/types.ts'
import type { SentMoney } from '#features/payments/server/service/reversals/settle-sent.ts'
import { payerText, plainText } from '../payer-text.ts'

export type SkipReason =
  | 'outgoing'
  | 'pending'
  | 'request'
  | 'payout'
  | 'not_completed'
  | 'reversed_debit'
  | 'not_money_in'
export type UnreadableRowReason = 'amount' | 'date' | 'currency' | 'columns' | 'quotes' | 'too_long' | 'structure'

/**
 * One row of a statement, that is one transaction. `line` is the number of its line in the file, from 1 (in CAMT.053 the number of the entry).
 * `accountReference` is the bank's own transaction id of a row that also has the provider's reference.
 */
export type StatementRow =
  | { kind: 'payment'; line: number; facts: PaymentFacts; accountReference: string | null }
  | { kind: 'skipped'; line: number; reason: SkipReason; sent?: SentMoney }
  | { kind: 'unreadable'; line: number; reason: UnreadableRowReason }

export type StatementFormat =
  | 'csv:cashapp'
  | 'csv:venmo'
  | 'csv:paypal'
  | 'csv:chase'
  | 'csv:bofa'
  | 'csv:wellsfargo'
  | 'csv:mapped'
  | 'ofx'
  | 'camt.053'
  | 'mt940'

/** `account` is the handle or email address of the account, if the file contains it; otherwise null. */
export type Statement = { format: StatementFormat; account: string | null; rows: StatementRow[] }

/**
 * The heading of each field's column, and the formats of dates (`dd.MM.yyyy`) and amounts (decimal sign). Amounts are in one column, or in a credit and a debit
 * column.
 */
export type ColumnMapping = {
  date: string
  name?: string
  note?: string
  amount?: string
  credit?: string
  debit?: string
  currency?: string
  reference?: string
  dateFormat: string
  decimal: '.' | ','
}

export type UnreadableFileReason =
  | 'empty'
  | 'too_large'
  | 'binary'
  | 'doctype'
  | 'broken_xml'
  | 'no_statement'
  | 'broken_quotes'
  | 'too_many_rows'
  | 'unknown_columns'

/** Thrown if a file cannot be read at all. For a table of unknown format, `columns` are its headings and `sample` the first rows below them. */
export class UnreadableStatement extends Error {
  readonly reason: UnreadableFileReason
  readonly columns: string[]
  readonly sample: string[][]
  constructor(reason: UnreadableFileReason, columns: string[] = [], sample: string[][] = []) {
    super(reason)
    this.reason = reason
    this.columns = columns
    this.sample = sample
  }
}

type RowFields = Partial<PaymentFacts> & Pick<PaymentFacts, 'rail' | 'amount' | 'currency'>

/** Creates a payment row, with defaults for the fields that the statement does not contain. */
export function paymentRow(line: number, fields: RowFields, accountReference: string | null = null): StatementRow {
  const facts: PaymentFacts = {
    direction: 'in',
    fee: null,
    final: true,
    paidAt: null,
    paidOn: null,
    providerReference: null,
    reversesReference: null,
    ...fields,
    payerName: payerText(fields.payerName),
    payerHandle: plainText(fields.payerHandle),
    note: payerText(fields.note),
  }
  return { kind: 'payment', line, facts, accountReference }
}

/** Creates a row that is not an incoming payment. `sent` is the money that the row reports as sent to a person. */
export const skipped = (line: number, reason: SkipReason, sent?: SentMoney): StatementRow => ({
  ...{ kind: 'skipped', line, reason },
  ...(sent && { sent }),
})
export const unreadable = (line: number, reason: UnreadableRowReason): StatementRow => ({
  kind: 'unreadable',
  line,
  reason,
})
