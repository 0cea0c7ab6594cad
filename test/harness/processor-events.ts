// Events in the shapes that Stripe and BTCPay Server document, signed as they sign them. All ids are invented.
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let count = 0
/** Returns an id in the format of Stripe: a prefix, followed by letters and digits. */
export const stripeId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}${++count}`
const seconds = () => Math.floor(Date.now() / 1000)

type Fields = Record<string, unknown>
/** Creates a Stripe event with this object. */
export const stripeEventOf = <Of extends Fields>(type: string, object: Of, more: Fields = {}) => ({
  data: { object },
  ...envelope(type),
  ...more,
})
const envelope = (type: string) => ({
  id: stripeId('evt'),
  object: 'event',
  api_version: '2026-01-28.clover',
  created: seconds(),
  livemode: true,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
})

/** A completed checkout of $30.00 for an order. */
export const checkoutSession = (order: string | null, more: Fields = {}) => ({
  id: stripeId('cs_live'),
  object: 'checkout.session',
  amount_subtotal: 3_000,
  amount_total: 3_000,
  client_reference_id: order,
  created: seconds() - 60,
  currency: 'usd',
  customer: null,
  customer_details: { address: { country: 'US' }, email: 'dana@mail.example', name: 'Dana Whitfield', phone: null },
  livemode: true,
  metadata: {},
  mode: 'payment',
  payment_status: 'paid',
  status: 'complete',
  ...more,
  payment_intent: stripeId('pi'),
})
export const paidCheckout = (order: string | null, more: Fields = {}) =>
  stripeEventOf('checkout.session.completed', checkoutSession(order, more))

export const stripeRefund = (paymentIntent: string, amount = 3_000, more: Fields = {}) => ({
  object: 'refund',
  amount,
  balance_transaction: stripeId('txn'),
  charge: stripeId('ch'),
  created: seconds(),
  currency: 'usd',
  payment_intent: paymentIntent,
  reason: 'requested_by_customer',
  status: 'succeeded',
  ...more,
  id: stripeId('re'),
})
export const stripeDispute = (paymentIntent: string, more: Fields = {}) => ({
  object: 'dispute',
  amount: 3_000,
  charge: stripeId('ch'),
  created: seconds(),
  currency: 'usd',
  payment_intent: paymentIntent,
  reason: 'fraudulent',
  status: 'needs_response',
  ...more,
  id: stripeId('dp'),
})

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')
/** Returns the Stripe-Signature header of a body. While a secret is being replaced, Stripe signs with both secrets. */
export function stripeSignature(body: string, secrets: string[], at = seconds()): string {
  return [`t=${at}`, ...secrets.map((secret) => `v1=${hmac(secret, `${at}.${body}`)}`), `v0=${'0'.repeat(64)}`].join()
}
export const btcpaySignature = (body: string, secret: string): string => `sha256=${hmac(secret, body)}`

/** Creates a BTCPay Server event about an invoice. A redelivery has a different `deliveryId`. */
export function btcpayEventOf(type: string, invoiceId: string, more: Fields = {}) {
  const deliveryId = stripeId('d')
  return {
    ...{ deliveryId, webhookId: 'hook1', originalDeliveryId: deliveryId, isRedelivery: false },
    ...{ type, timestamp: seconds(), storeId, invoiceId, metadata: {} },
    ...more,
  }
}
export const storeId = 'Store1'
export const apiKey = 'btcpay-api-key-of-the-test'

export type FakeBtcpay = {
  url: string
  /** The invoices by id, as the API returns them. `broken` answers 500. */
  invoices: Map<string, Fields | 'broken'>
  /** The payment methods of an invoice that was overpaid. */
  methods: Map<string, Fields[]>
  addInvoice: (order: string, more?: Fields) => string
  close: () => Promise<void>
}
/** Starts a server with the part of BTCPay Server's API that the product uses. */
export async function fakeBtcpay(): Promise<FakeBtcpay> {
  const invoices: FakeBtcpay['invoices'] = new Map()
  const methods: FakeBtcpay['methods'] = new Map()
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (request.headers.authorization !== `token ${apiKey}`) return answer(401, { code: 'unauthenticated' })
    const [, store, id, isMethods] =
      /^\/api\/v1\/stores\/(\w+)\/invoices(?:\/(\w+)(\/payment-methods)?)?(?:\?.*)?$/.exec(request.url ?? '') ?? []
    if (store !== storeId) return answer(404, { code: 'store-not-found' })
    if (!id) return answer(200, [])
    const invoice = invoices.get(id)
    if (invoice === 'broken') return answer(500, { code: 'broken' })
    if (!invoice) return answer(404, { code: 'invoice-not-found' })
    return answer(200, isMethods ? (methods.get(id) ?? []) : invoice)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    invoices,
    methods,
    addInvoice: (order, more = {}) => {
      const id = stripeId('Inv').replaceAll('_', '')
      invoices.set(id, {
        ...{ id, storeId, amount: '30.00', currency: 'USD', type: 'Standard', status: 'Settled' },
        ...{ additionalStatus: 'None', metadata: { orderId: order, buyerName: 'Dana Whitfield' } },
        ...more,
      })
      return id
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
