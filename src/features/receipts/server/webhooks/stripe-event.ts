import type { EventFacts } from '#server/db/tables.ts'
import { type EventReading, fieldsOf, idOf, isAmount, parseEvent, payerTextOf, textOf, timeOf } from './read-event.ts'

type Fields = Record<string, unknown>
type EventReport = Pick<EventReading, 'outcome' | 'reason' | 'facts'>
const without = (outcome: 'ignored' | 'review', reason: string): EventReport => ({ outcome, reason, facts: null })

/** Parses a Stripe event. Each event is read independently of others, so their order does not matter. Returns null if the body is not an event. */
export function readStripeEvent(raw: Uint8Array): EventReading | null {
  const event = parseEvent(raw)
  const eventId = idOf(event?.id)
  const type = textOf(event?.type, 100)
  const at = timeOf(event?.created)
  if (event?.object !== 'event' || !eventId || !type || !at || typeof event.livemode !== 'boolean') return null
  const object = fieldsOf(fieldsOf(event.data).object)
  const subject = idOf(object.id) ?? ''
  const report: EventReport = event.livemode
    ? reportOf(type, object, at)
    : { outcome: 'test', reason: null, facts: null }
  return { eventId, type, subject, at, ...report }
}

function reportOf(type: string, object: Fields, at: Date): EventReport {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return paymentOf(object, at)
    case 'refund.created':
    case 'refund.updated':
      return object.status === 'succeeded' ? reversalOf(object, at) : without('ignored', 'refund_pending')
    case 'charge.dispute.created':
    case 'charge.dispute.funds_withdrawn':
      return String(object.status).startsWith('warning_') ? without('ignored', 'inquiry') : reversalOf(object, at)
    case 'charge.dispute.funds_reinstated':
      return without('review', 'reinstated')
    default:
      return without('ignored', 'unknown_event')
  }
}

/** Reads a paid checkout. The order number is in `client_reference_id` or in the metadata, which are set when the payment link is created or opened. */
function paymentOf(session: Fields, at: Date): EventReport {
  if (session.payment_status === 'unpaid') return without('ignored', 'unpaid')
  if (session.payment_status === 'no_payment_required') return without('ignored', 'no_money')
  const reference = idOf(session.payment_intent) ?? idOf(session.id)
  if (session.payment_status !== 'paid' || !reference) return without('review', 'unreadable')
  const customer = fieldsOf(session.customer_details)
  const metadata = fieldsOf(session.metadata)
  return moneyOf(session.amount_total, session.currency, {
    direction: 'in',
    paidAt: at.toISOString(),
    payerName: payerTextOf(customer.name, 200),
    payerHandle: textOf(customer.email, 120),
    note: payerTextOf(session.client_reference_id, 500) ?? payerTextOf(metadata.invoice ?? metadata.order, 500),
    providerReference: reference,
    reversesReference: null,
  })
}

/** Reads a refund or dispute. Its own id is the provider reference, so that several events about it count as one reversal. */
function reversalOf(object: Fields, at: Date): EventReport {
  const reference = idOf(object.id)
  if (!reference) return without('review', 'unreadable')
  return moneyOf(object.amount, object.currency, {
    direction: 'reversal',
    paidAt: at.toISOString(),
    payerName: null,
    payerHandle: null,
    note: payerTextOf(object.reason, 500),
    providerReference: reference,
    reversesReference: idOf(object.payment_intent) ?? idOf(object.charge),
  })
}

function moneyOf(
  amount: unknown,
  currency: unknown,
  rest: Omit<EventFacts, 'rail' | 'amount' | 'currency'>,
): EventReport {
  const code = typeof currency === 'string' ? currency.toUpperCase() : ''
  if (!isAmount(amount) || !/^[A-Z]{3}$/.test(code)) return without('review', 'amount')
  const outcome = rest.direction === 'in' ? 'payment' : 'reversal'
  return { outcome, reason: null, facts: { rail: 'card', amount, currency: code, ...rest } }
}
