import { sql } from 'drizzle-orm'
import { noCurrency } from '#features/payments/rules.ts'
import type { Evidence, PaymentFacts } from '#features/payments/server/matching/types.ts'
import { comparePayment } from '#features/payments/server/service/compare-payment.ts'
import { lockBook } from '#features/payments/server/service/lock-book.ts'
import { insertPayment, type NewPayment } from '#features/payments/server/service/record-payment.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Tx } from '#server/db/connect.ts'
import { type BookedPayment, dayOfPayment, joinPayments } from './read/identity.ts'

const timeZone = 'UTC'
/** The maximum amount of a payment in cents. */
export const maxCents = 100_000_000

/** A payment in the book, and the transaction number that the email or event gives it. */
type Recorded = { id: number; reference: string | null }

/**
 * Finds the payments of an email or event in the book, or adds them with their match. The result has one entry per payment. An email, an event, a statement and
 * a typed entry about the same payment count as one payment. Two emails without a provider's number count as two payments. Leaves out payments to a private
 * account that have nothing to do with an order.
 */
export async function bookPayments(
  tx: Tx,
  source: 'mail' | 'event',
  payments: PaymentFacts[],
  evidence: Evidence,
): Promise<Recorded[]> {
  await lockBook(tx)
  const known = new Map<BookedPayment, number>()
  for (const facts of payments) for (const { booked, id } of await sameMoney(tx, facts)) known.set(booked, id)
  const joined = joinPayments(
    payments.map((facts) => ({ facts: stored(facts), source })),
    [...known.keys()],
    timeZone,
  )
  const found: Recorded[] = []
  for (const [at, { booked }] of joined.entries()) {
    const reference = stored(payments[at]!).providerReference
    if (booked) found.push({ id: known.get(booked)!, reference })
    else if (source === 'event' || !(await isPrivate(tx, payments[at]!, evidence)))
      found.push({ id: await add(tx, source, payments[at]!, evidence), reference })
  }
  return found
}

/** Whether a payment must not be recorded, because the account is also used privately and nothing connects the payment with an order or a customer. */
async function isPrivate(tx: Tx, facts: PaymentFacts, evidence: Evidence): Promise<boolean> {
  if (!(await settings.read(tx, 'paymentDesk')).isPrivateAccount) return false
  if (facts.direction === 'reversal') return (await reversedBy(tx, facts)) === null
  const { payerName, payerHandle, note, fee, ...rest } = stored(facts)
  const texts = { payerName: payerName ?? '', payerHandle: payerHandle ?? '', note: note ?? '' }
  const payment = { ...rest, ...texts, fee: fee ?? 0, paidOn: dayOf(facts) }
  return !(await comparePayment(tx, payment, facts.amount, evidence)).isRelated
}

type Row = Omit<PaymentFacts, 'reversesReference'> & { id: number; mailed: (string | null)[]; hasEvent: boolean }
/** The payments in the book that may be this one: those with the same transaction number, and those of the same rail, direction and amount within four days. */
async function sameMoney(tx: Tx, facts: PaymentFacts): Promise<{ booked: BookedPayment; id: number }[]> {
  const { rail, amount, direction, providerReference } = stored(facts)
  const { rows } = await tx.execute<Row>(sql`
    select p.id::int, p.rail, p.direction, p.amount, p.fee, p.currency, p.final, p.paid_at as "paidAt", p.paid_on::text as "paidOn",
      nullif(p.payer_name, '') as "payerName", nullif(p.payer_handle, '') as "payerHandle", nullif(p.note, '') as note,
      p.provider_reference as "providerReference", array(select l.reference from payment_mail_links l where l.payment_id = p.id) as mailed,
      exists (select from payment_event_links l where l.payment_id = p.id) as "hasEvent"
    from payments p where p.rail = ${rail} and p.direction = ${direction} and p.withdrawn_at is null and (
      p.provider_reference = ${providerReference} or p.id in (select payment_id from payment_mail_links where reference = ${providerReference})
      or (p.amount = ${amount} and p.paid_on between ${dayOf(facts)}::date - 4 and ${dayOf(facts)}::date + 4))
    order by p.id limit 500`)
  return rows.map(({ id, mailed, hasEvent, paidAt, paidOn, ...row }) => ({
    id,
    booked: {
      facts: {
        ...row,
        paidAt: paidAt && new Date(paidAt).toISOString(),
        paidOn: paidAt ? null : paidOn,
        reversesReference: null,
      },
      receipts: [
        // The number in an email may differ from the number in the statement that recorded the payment.
        ...mailed.map((reference) => ({
          source: 'mail',
          key: reference ? `${row.rail} ${row.direction} ${reference}` : `mail ${id}`,
        })),
        ...(hasEvent ? [{ source: 'event', key: `event ${id}` }] : []),
      ],
    },
  }))
}

const dayOf = (facts: PaymentFacts): string => dayOfPayment(facts, timeZone) || new Date().toISOString().slice(0, 10)

/** Returns the facts as they are stored: strings are cut to their limits, and `noCurrency` replaces the currency if the email names none. */
const stored = (facts: PaymentFacts): PaymentFacts => ({
  ...facts,
  currency: /^[A-Z]{3}$/.test(facts.currency) ? facts.currency : noCurrency,
  payerName: cut(facts.payerName, 200),
  payerHandle: cut(facts.payerHandle, 120),
  note: cut(facts.note, 500),
  providerReference: cut(facts.providerReference, 120),
})

function cut(text: string | null, most: number): string | null {
  const clean = [...(text ?? '').toWellFormed().replaceAll('\0', '')].slice(0, most).join('')
  return clean.trim() || null
}

async function add(tx: Tx, source: 'mail' | 'event', facts: PaymentFacts, evidence: Evidence): Promise<number> {
  const { payerName, payerHandle, note, providerReference, ...rest } = stored(facts)
  const row: NewPayment = {
    rail: rest.rail,
    direction: rest.direction,
    source,
    amount: rest.amount,
    fee: rest.fee ?? 0,
    currency: rest.currency,
    final: rest.final,
    paidAt: rest.paidAt,
    paidOn: dayOf(facts),
    payerName: payerName ?? '',
    payerHandle: payerHandle ?? '',
    note: note ?? '',
    providerReference,
    reversesId: await reversedBy(tx, facts),
  }
  const payment = await insertPayment(tx, row, evidence)
  // This cannot happen: the book is locked, and a payment with this transaction number would have been found.
  if (!payment) throw new Error('the payment was recorded by another transaction')
  return payment.id
}

/** Returns the id of the payment that a reversal takes back, or null if it is not in the book. */
export async function reversedBy(
  tx: Tx,
  { direction, rail, reversesReference }: Pick<PaymentFacts, 'direction' | 'rail' | 'reversesReference'>,
): Promise<number | null> {
  if (direction !== 'reversal' || !reversesReference) return null
  const { rows } = await tx.execute<{ id: number }>(sql`
    select id::int from payments where rail = ${rail} and direction = 'in' and withdrawn_at is null and provider_reference = ${reversesReference} order by id limit 1`)
  return rows[0]?.id ?? null
}
