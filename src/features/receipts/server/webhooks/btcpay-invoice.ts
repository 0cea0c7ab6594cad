import type { EventFacts } from '#server/db/tables.ts'
import { Outbound, OutboundFailure } from '#server/outbound/outbound.ts'
import { type EventReading, fieldsOf, idOf, isAmount, payerTextOf, textOf } from './read-event.ts'

/** How to access the invoices of a store at BTCPay Server. */
export type BtcpayStore = {
  address: string
  storeId: string
  key: string | null
  allowPrivate: boolean
  userAgent: string
}
/** The result of reading an invoice. `isRetryable` is true if a later attempt may succeed. */
type Answer = Pick<EventReading, 'outcome' | 'reason' | 'facts'> & { isRetryable?: boolean }
const without = (reason: string, isRetryable = false): Answer => ({
  outcome: isRetryable ? 'waiting' : 'review',
  reason,
  facts: null,
  isRetryable,
})

/**
 * Reads an invoice from the server after an event reported it as settled, because the event contains no amount. The server returns the current state, so a
 * repeated or delayed event cannot settle an invoice twice or wrongly.
 */
export async function fetchInvoice(store: BtcpayStore, invoiceId: string, at: Date): Promise<Answer> {
  if (!store.key || !store.address) return without('no_key', true)
  const answer = await requestStore(store, `invoices/${invoiceId}`)
  if (typeof answer === 'string') return without(answer, answer !== 'invoice_unknown')
  const invoice = fieldsOf(answer)
  if (invoice.id !== invoiceId || invoice.storeId !== store.storeId) return without('invoice_unknown')
  if (invoice.status !== 'Settled') return without('not_settled', true)
  if (invoice.additionalStatus === 'Marked') return without('marked')
  const currency = String(invoice.currency)
  let amount = centsOf(invoice.amount)
  if (invoice.additionalStatus === 'PaidOver') {
    const methods = await requestStore(store, `invoices/${invoiceId}/payment-methods`)
    if (typeof methods === 'string') return without(methods, true)
    amount = Math.max(paidCents(methods), amount ?? 0)
  }
  if (!isAmount(amount) || !/^[A-Z]{3}$/.test(currency)) return without('amount')
  return { outcome: 'payment', reason: null, facts: factsOf(invoice, amount, currency, at) }
}

function factsOf(invoice: Record<string, unknown>, amount: number, currency: string, at: Date): EventFacts {
  const metadata = fieldsOf(invoice.metadata)
  return {
    rail: 'crypto',
    direction: 'in',
    amount,
    currency,
    paidAt: at.toISOString(),
    payerName: payerTextOf(metadata.buyerName, 200),
    payerHandle: textOf(metadata.buyerEmail, 120),
    note: payerTextOf(metadata.orderId, 500),
    providerReference: idOf(invoice.id)!,
    reversesReference: null,
  }
}

/** Converts a decimal string such as `31.49` to cents; null if it is not a decimal string or contains fractions of a cent. */
function centsOf(value: unknown): number | null {
  const [, whole, part = ''] = /^(\d{1,9})(?:\.(\d{1,18}))?$/.exec(String(value)) ?? []
  if (whole === undefined || /[1-9]/.test(part.slice(2))) return null
  return Number(whole) * 100 + Number(part.slice(0, 2).padEnd(2, '0'))
}

/**
 * Returns the total that was paid with all payment methods, in cents of the invoice's currency. Each method reports this total in its own currency, with its
 * rate, so the largest value is used.
 */
function paidCents(methods: unknown): number {
  const totals = (Array.isArray(methods) ? methods : []).map((method) => {
    const { totalPaid, rate } = fieldsOf(method)
    return Number(totalPaid) * Number(rate)
  })
  return Math.round(Math.max(0, ...totals.filter(Number.isFinite)) * 100)
}

/** Checks whether the invoices of a store can be read. Returns null, or the reason if they cannot. */
export async function testStore(store: BtcpayStore): Promise<string | null> {
  const answer = await requestStore(store, 'invoices', { take: '1' })
  return typeof answer === 'string' ? answer : null
}

/** Returns the parsed response, or a reason code if there is none. */
async function requestStore(
  { address, storeId, key, allowPrivate, userAgent }: BtcpayStore,
  path: string,
  query?: Record<string, string>,
): Promise<unknown> {
  if (!allowPrivate && !address.toLowerCase().startsWith('https:')) return 'unreachable'
  const server = new Outbound({ base: address, allowPrivate, userAgent })
  try {
    const { status, body } = await server.send({
      file: `api/v1/stores/${storeId}/${path}`,
      headers: { authorization: `token ${key}` },
      ...(query && { query }),
    })
    if (status === 401 || status === 403) return 'refused_key'
    if (status === 404) return 'invoice_unknown'
    if (status !== 200) return 'unreachable'
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? parsed : 'unreachable'
  } catch (error) {
    if (error instanceof OutboundFailure || error instanceof SyntaxError) return 'unreachable'
    throw error
  }
}
