import type { PaymentFacts } from '#features/payments/server/matching/types.ts'
import { compareGroup, groupsOf } from '#features/payments/server/service/compare-payments.ts'
import type { NewPayment } from '#features/payments/server/service/record-payment.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { joinPayments } from '../read/identity.ts'
import type { CheckedRow } from './check-rows.ts'
import { type KnownPayment, knownPayments } from './known-payments.ts'

/** Days are determined in UTC, as for typed payments. */
const timeZone = 'UTC'

/**
 * A payment row. `known` is the recorded payment that the row reports, null if there is none. `isRepeated` is true if an earlier row has the same transaction
 * number.
 */
export type JoinedRow = {
  line: number
  facts: PaymentFacts
  key: string
  known: KnownPayment | null
  isRepeated: boolean
}

/** Finds out which payment rows are already in the book. Returns the payment rows in their order; other rows are left out. */
export async function joinWithBook(db: Db | Tx, format: string, rows: CheckedRow[]): Promise<JoinedRow[]> {
  const payments = rows.flatMap((each) =>
    each.facts && !each.skipped ? [{ line: each.line, facts: each.facts, source: format }] : [],
  )
  const book = await knownPayments(
    db,
    payments.map(({ facts }) => facts),
  )
  const known = new Map(book.map((each): [unknown, KnownPayment] => [each, each]))
  const seen = new Set<string>()
  return joinPayments(payments, book, timeZone).map(({ booked, receipt }, at) => {
    const isRepeated = seen.has(receipt.key)
    seen.add(receipt.key)
    const { line, facts } = payments[at]!
    return { line, facts, key: receipt.key, known: known.get(booked) ?? null, isRepeated }
  })
}

/** If the accounts are also used privately, leaves out the new rows that have nothing to do with an order. */
export async function withoutPrivate(tx: Tx, rows: JoinedRow[]): Promise<JoinedRow[]> {
  if (!(await settings.read(tx, 'paymentDesk')).isPrivateAccount) return rows
  const kept = new Set(rows.filter((row) => !isNewRow(row)))
  for (const group of groupsOf(rows.filter(isNewRow))) {
    const compared = await compareGroup(
      tx,
      group.map(({ facts }) => newPaymentOf(facts)),
    )
    group.forEach((row, at) => void (compared[at]!.isRelated && kept.add(row)))
  }
  return rows.filter((row) => kept.has(row))
}

/** Converts facts to the form in which the book stores a new payment. */
export const newPaymentOf = (facts: PaymentFacts): NewPayment & { source: 'statement' } => ({
  source: 'statement',
  ...{ rail: facts.rail, direction: facts.direction, amount: facts.amount, currency: facts.currency },
  fee: Math.min(facts.fee ?? 0, facts.amount),
  paidAt: facts.paidAt,
  paidOn: facts.paidOn ?? facts.paidAt!.slice(0, 10),
  payerName: facts.payerName ?? '',
  payerHandle: facts.payerHandle ?? '',
  note: facts.note ?? '',
  providerReference: facts.providerReference,
})

/** Whether a row is a new payment: it is not in the book, and no earlier row has the same transaction number. */
export const isNewRow = ({ known, isRepeated }: JoinedRow): boolean => !known && !isRepeated

/** Returns the sum of the incoming payments in cents. Reversals are not counted. */
export const incomingCents = (rows: JoinedRow[]): number =>
  rows.reduce((sum, { facts }) => (facts.direction === 'in' ? sum + facts.amount : sum), 0)
