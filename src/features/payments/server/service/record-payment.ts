import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { maskNumbers } from '#kit/untrusted-text.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { paymentCases, payments } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { PaymentRow } from '../../admin-contract.ts'
import type { typedPayment } from '../../admin-record-contract.ts'
import { payerKeyOf } from '../matching/names.ts'
import type { Evidence } from '../matching/types.ts'
import { removeRail, returnToShadow } from './automation/return-to-shadow.ts'
import { wasConfirmedByRule } from './automation/store-rule-result.ts'
import type { Payment } from './compare-payment.ts'
import { shareBook } from './lock-book.ts'
import { rematch } from './match-payment.ts'
import { paymentRowOf } from './read-payments.ts'
import { settleRefund } from './reversals/settle-refund.ts'

type Typed = z.output<typeof typedPayment>
/** A payment to be recorded. Amounts are in cents. */
export type NewPayment = Omit<
  typeof payments.$inferInsert,
  'payerKey' | 'fallbackKey' | 'occurrence' | 'createdAt' | 'withdrawnAt'
>

/**
 * Records a payment that an administrator entered, and compares it with the open invoices in the same transaction. A repeated request with the same request key
 * records the payment only once. Throws 400 for a time in the future, and 409 if the request key or the transaction number belongs to another payment.
 */
export async function recordTyped(db: Db, typed: Typed, { admin, requestId }: Actor): Promise<PaymentRow> {
  const hasTime = typed.paidAt.includes('T')
  const paidAt = hasTime ? new Date(typed.paidAt).toISOString() : null
  if (Date.parse(typed.paidAt) > Date.now() + 86_400_000)
    return invalid('paidAt', 'The payment date must not be in the future')
  const facts: NewPayment = {
    rail: typed.rail,
    source: 'typed',
    amount: typed.amount,
    paidAt,
    paidOn: typed.paidAt.slice(0, 10),
    payerName: maskNumbers(typed.payerName),
    payerHandle: typed.payerHandle,
    note: maskNumbers(typed.note),
    providerReference: typed.providerReference || null,
    recordedBy: admin.id,
    requestKey: typed.requestKey,
  }
  return inTransaction(db, async (tx) => {
    const known = await sameRequest(tx, typed, facts)
    if (known !== undefined) return paymentRowOf(tx, known)
    const payment = await insertPayment(tx, facts)
    if (!payment) {
      const again = await sameRequest(tx, typed, facts)
      if (again !== undefined) return paymentRowOf(tx, again)
      return conflict('known_payment', 'A payment with this transaction number is already recorded.')
    }
    await audit(tx, {
      actorId: admin.id,
      action: 'payment.record',
      targetType: 'payment',
      targetId: payment.id,
      after: { rail: payment.rail, amount: payment.amount, paidOn: payment.paidOn, source: payment.source },
      requestId,
    })
    return paymentRowOf(tx, payment.id)
  })
}

/** Returns the id of the payment that an earlier request with the same key recorded. Throws 409 if that payment is a different one. */
async function sameRequest(tx: Tx, { requestKey }: Typed, facts: NewPayment): Promise<number | undefined> {
  const [row] = await tx.select().from(payments).where(eq(payments.requestKey, requestKey))
  if (!row) return undefined
  if (row.amount !== facts.amount || row.rail !== facts.rail || row.note !== facts.note)
    return conflict('request_used', 'This request was already used for another payment. Please reload the page.')
  return row.id
}

/**
 * Inserts a payment with its case, and compares the payment with the open invoices. Identical payments of a day without a transaction number are numbered,
 * because two identical reports are two payments. `source` is the evidence of an email or event. Returns undefined if a payment with this transaction number or
 * request key already exists.
 */
export async function insertPayment(tx: Tx, facts: NewPayment, source?: Evidence): Promise<Payment | undefined> {
  const payerKey = payerKeyFor(facts)
  const fallbackKey = fallbackKeyOf(facts, payerKey)
  const occurrence = facts.providerReference
    ? 1
    : sql`(select coalesce(max(occurrence), 0) + 1 from payments where rail = ${facts.rail} and account = ${facts.account ?? ''}
        and direction = ${facts.direction ?? 'in'} and fallback_key = ${fallbackKey} and provider_reference is null and withdrawn_at is null)`
  await shareBook(tx)
  // Serializes the recording of identical payments, so that each gets its own number.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`payments.${facts.rail}.${fallbackKey}`}))`)
  const [payment] = await tx
    .insert(payments)
    .values({ ...facts, payerKey, fallbackKey, occurrence })
    .onConflictDoNothing()
    .returning()
  if (!payment) return undefined
  await suspendRule(tx, payment, source)
  const isReversal = payment.direction === 'reversal'
  const [known] = await tx
    .insert(paymentCases)
    .values({
      paymentId: payment.id,
      openCents: payment.amount,
      blockedBy: [],
      alike: identicalKeyOf(facts),
      ...(isReversal && { kind: 'reversal' as const, topInvoiceId: paidBy(payment.reversesId) }),
    })
    .returning()
  if (isReversal) await settleRefund(tx, payment)
  else await rematch(tx, payment, known!, source)
  await changed(tx, 'payment')
  return payment
}

/** SQL for the invoice that a payment was last allocated to; null if there is none. */
const paidBy = (paymentId: number | null) =>
  sql`(select invoice_id from payment_allocations where payment_id = ${paymentId}::bigint and invoice_id is not null order by id desc limit 1)`

/** Returns the key by which the payer is recognized; empty if the source names no payer. */
export const payerKeyFor = ({ payerHandle, payerName }: NewPayment): string =>
  payerKeyOf({ payerHandle: payerHandle || null, payerName: payerName || null }) ?? ''

/** Returns the rule to shadow mode if a payment that it confirmed is taken back, and turns it off for a rail whose emails have a new layout. */
async function suspendRule(
  tx: Tx,
  { direction, reversesId, rail }: Payment,
  source: Evidence | undefined,
): Promise<void> {
  if (direction === 'reversal' && reversesId && (await wasConfirmedByRule(tx, reversesId)))
    await returnToShadow(tx, 'The provider took back the money of an automatic confirmation')
  if (source?.auth === 'proven' && !source.templateKnown) await removeRail(tx, rail)
}

/** Returns a key that is the same for payments with the same rail, amount and currency. It groups payments from unknown senders. */
export const identicalKeyOf = ({ rail, amount, currency = 'USD' }: NewPayment): string =>
  `${rail} ${amount} ${currency}`

/** Returns the key that identifies a payment without a transaction number: its day, amount, payer and note. */
export const fallbackKeyOf = ({ paidOn, amount, note = '' }: NewPayment, payerKey: string): string =>
  [paidOn, amount, payerKey, createHash('sha256').update(note).digest('base64url').slice(0, 16)].join('|')
