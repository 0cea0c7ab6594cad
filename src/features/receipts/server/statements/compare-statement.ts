import type { PaymentFacts } from '#features/payments/server/matching/types.ts'
import { compareGroup, groupsOf } from '#features/payments/server/service/compare-payments.ts'
import type { NewPayment } from '#features/payments/server/service/record-payment.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { joinPayments } from '../read/identity.ts'
import type { CheckedLine } from './check-lines.ts'
import { type KnownPayment, knownPayments } from './known-payments.ts'

/** The day of an instant is its day in UTC, as for typed payments. */
const timeZone = 'UTC'

/** A payment line with the recorded payment that it equals, null if it is new. `isRepeated`: an earlier new line has the same transaction number. */
export type JoinedLine = {
  line: number
  facts: PaymentFacts
  key: string
  known: KnownPayment | null
  isRepeated: boolean
}

/** Finds the payment lines that are already in the book. Keeps the order of the lines. */
export async function joinWithBook(db: Db | Tx, format: string, lines: CheckedLine[]): Promise<JoinedLine[]> {
  const payments = lines.flatMap((each) =>
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

/** The lines without new payments that have nothing to do with an order, if the accounts are also used privately. */
export async function withoutPrivate(tx: Tx, lines: JoinedLine[]): Promise<JoinedLine[]> {
  if (!(await settings.read(tx, 'paymentDesk')).isPrivateAccount) return lines
  const kept = new Set(lines.filter((line) => !isNewLine(line)))
  for (const group of groupsOf(lines.filter(isNewLine))) {
    const compared = await compareGroup(
      tx,
      group.map(({ facts }) => newPaymentOf(facts)),
    )
    group.forEach((line, at) => void (compared[at]!.isRelated && kept.add(line)))
  }
  return lines.filter((line) => kept.has(line))
}

/** The facts of a new payment as the book stores them. */
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

/** Whether a line is recorded: it is not in the book, and no earlier line has the same transaction number. */
export const isNewLine = ({ known, isRepeated }: JoinedLine): boolean => !known && !isRepeated

/** The cents of payments, without those that were taken back. */
export const incomingCents = (lines: JoinedLine[]): number =>
  lines.reduce((sum, { facts }) => (facts.direction === 'in' ? sum + facts.amount : sum), 0)
