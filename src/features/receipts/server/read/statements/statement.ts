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
export type UnreadableReason = 'amount' | 'date' | 'currency' | 'columns' | 'quotes' | 'too_long' | 'structure'

/**
 * One line of a statement. `line` is its number in the file, from 1. `accountReference` is the account's own number of a line that also has the
 * provider's reference.
 */
export type StatementLine =
  | { kind: 'payment'; line: number; facts: PaymentFacts; accountReference: string | null }
  | { kind: 'skipped'; line: number; reason: SkipReason; sent?: SentMoney }
  | { kind: 'unreadable'; line: number; reason: UnreadableReason }

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

/** `account` is what the file says about the account: a handle or an address. Null if it says nothing that can be compared. */
export type Statement = { format: StatementFormat; account: string | null; lines: StatementLine[] }

/** Columns by their heading, and how dates and amounts are written: `dd.MM.yyyy`, `,`. Amounts are one column, or credit and debit. */
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

export type FileReason =
  | 'empty'
  | 'too_large'
  | 'binary'
  | 'doctype'
  | 'broken_xml'
  | 'no_statement'
  | 'broken_quotes'
  | 'too_many_rows'
  | 'unknown_columns'

/** A file that cannot be read at all. For a table whose columns are not known: its headings, and the first rows below. */
export class UnreadableStatement extends Error {
  readonly reason: FileReason
  readonly columns: string[]
  readonly sample: string[][]
  constructor(reason: FileReason, columns: string[] = [], sample: string[][] = []) {
    super(reason)
    this.reason = reason
    this.columns = columns
    this.sample = sample
  }
}

type LineFields = Partial<PaymentFacts> & Pick<PaymentFacts, 'rail' | 'amount' | 'currency'>

/** A payment of a statement with defaults for what the line does not say. */
export function paymentLine(line: number, fields: LineFields, accountReference: string | null = null): StatementLine {
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

/** A line that is not a payment. `sent` is the money that it reports as sent to a person. */
export const skipped = (line: number, reason: SkipReason, sent?: SentMoney): StatementLine => ({
  ...{ kind: 'skipped', line, reason },
  ...(sent && { sent }),
})
export const unreadable = (line: number, reason: UnreadableReason): StatementLine => ({
  kind: 'unreadable',
  line,
  reason,
})
