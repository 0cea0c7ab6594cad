import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listPayments } from '#features/payments/admin-contract.ts'
import { paymentAutomation, paymentEvents, payments } from '#server/db/tables.ts'
import { apiKey, btcpayEventOf, storeId, stripeId } from '../../../test/harness/processor-events.ts'
import { type WebhookWorld, webhookWorld } from '../../../test/harness/webhook-world.ts'
import { testBtcpay } from './admin-processor-contract.ts'
import { forgetEvents, retryEvents } from './server/webhooks/settle-event.ts'

let world: WebhookWorld
let app: WebhookWorld['app']
let admin: WebhookWorld['admin']
beforeAll(async () => {
  world = await webhookWorld()
  ;({ app, admin } = world)
  await world.turnOn()
})
afterAll(() => world.close())
const ok = { status: 200, body: { received: true } }

describe('an event of BTCPay Server', () => {
  beforeEach(() => app.db.update(paymentAutomation).set({ mode: 'off' }))

  test('becomes one payment of the amount that the server reports, even when it is delivered again', async () => {
    const order = await world.ordered()
    const id = world.btcpay.addInvoice(order.invoiceNumber)
    const event = btcpayEventOf('InvoiceSettled', id, { manuallyMarked: false, overPaid: false })
    expect(await world.fromBtcpay(event)).toEqual(ok)
    const again = { ...event, deliveryId: stripeId('d'), isRedelivery: true }
    expect(await world.fromBtcpay(again)).toEqual(ok)
    const [payment, ...more] = await world.bookedAs(id)
    expect(more).toEqual([])
    expect(payment).toMatchObject({ rail: 'crypto', source: 'event', amount: 3_000, note: order.invoiceNumber })
    const { rows } = await admin.client.call(listPayments, { query: {} })
    expect(rows.find((row) => row.id === payment!.id)).toMatchObject({ kind: 'exact', ready: true })
  })

  test('about an overpaid invoice becomes a payment of the amount paid', async () => {
    const id = world.btcpay.addInvoice((await world.ordered()).invoiceNumber, { additionalStatus: 'PaidOver' })
    world.btcpay.methods.set(id, [
      { paymentMethodId: 'BTC-CHAIN', rate: '60000', totalPaid: '0.00055', paymentMethodPaid: '0.00055' },
      { paymentMethodId: 'BTC-LN', rate: '60000', totalPaid: '0.00055', paymentMethodPaid: '0' },
    ])
    await world.fromBtcpay(btcpayEventOf('InvoiceSettled', id, { overPaid: true }))
    expect(await world.bookedAs(id)).toMatchObject([{ amount: 3_300 }])
  })

  test('waits while the server does not answer or confirm, and is left for review after a day', async () => {
    const id = world.btcpay.addInvoice((await world.ordered()).invoiceNumber)
    const invoice = world.btcpay.invoices.get(id)!
    const event = btcpayEventOf('InvoiceSettled', id)
    const retry = () => retryEvents({ db: app.db, config: app.context.config })
    world.btcpay.invoices.set(id, 'broken')
    expect(await world.fromBtcpay(event)).toEqual(ok)
    expect(await world.eventOf(event.deliveryId)).toMatchObject({ outcome: 'waiting', reason: 'unreachable' })
    world.btcpay.invoices.set(id, { ...(invoice as object), status: 'Processing' })
    expect(await retry()).toBe(0)
    expect(await world.eventOf(event.deliveryId)).toMatchObject({ outcome: 'waiting', reason: 'not_settled' })
    const old = new Date(Date.now() - 25 * 3_600_000).toISOString()
    await app.db.update(paymentEvents).set({ receivedAt: old }).where(eq(paymentEvents.eventId, event.deliveryId))
    expect(await retry()).toBe(1)
    expect(await world.eventOf(event.deliveryId)).toMatchObject({ outcome: 'review', reason: 'not_settled' })
    expect(await world.bookedAs(id)).toEqual([])

    const later = btcpayEventOf('InvoiceSettled', id)
    await world.fromBtcpay(later)
    world.btcpay.invoices.set(id, invoice)
    expect(await Promise.all([retry(), retry()])).toContain(1)
    expect(await world.bookedAs(id)).toHaveLength(1)
  })

  test('is not a payment if it is a test, or if its invoice is unknown, of another store, marked as paid by hand or in bitcoin', async () => {
    const order = (await world.ordered()).invoiceNumber
    const before = await app.db.$count(payments)
    const cases = [
      [btcpayEventOf('InvoiceSettled', world.btcpay.addInvoice(order), { storeId: 'Other' }), 'ignored', 'other_store'],
      [btcpayEventOf('InvoiceSettled', '__test__1__test__', { originalDeliveryId: '__test__1__test__' }), 'test', null],
      [
        btcpayEventOf('InvoiceSettled', world.btcpay.addInvoice(order, { additionalStatus: 'Marked' })),
        'review',
        'marked',
      ],
      [
        btcpayEventOf('InvoiceSettled', world.btcpay.addInvoice(order, { amount: '0.00053', currency: 'BTC' })),
        'review',
        'amount',
      ],
      [btcpayEventOf('InvoiceSettled', 'Nowhere'), 'review', 'invoice_unknown'],
      [btcpayEventOf('InvoiceExpiredPaidPartial', world.btcpay.addInvoice(order)), 'review', 'partial'],
      [btcpayEventOf('InvoicePaidAfterExpiration', world.btcpay.addInvoice(order)), 'review', 'late'],
      [btcpayEventOf('InvoiceInvalid', world.btcpay.addInvoice(order)), 'ignored', 'unpaid_invoice'],
      [btcpayEventOf('InvoiceCreated', world.btcpay.addInvoice(order)), 'ignored', 'unknown_event'],
    ] as const
    for (const [event, outcome, reason] of cases) {
      expect(await world.fromBtcpay(event)).toEqual(ok)
      const id = event.originalDeliveryId
      expect(await world.eventOf(id), `${event.type} ${reason}`).toMatchObject({ outcome, reason })
    }
    expect(await app.db.$count(payments)).toBe(before)
    await app.db.update(paymentEvents).set({ receivedAt: new Date(0).toISOString() })
    expect(await forgetEvents(app.db)).toBe(4)
    expect(await world.eventOf(cases[2][0].originalDeliveryId)).toBeDefined()
  })
})

test('a connection test to BTCPay Server reports what is wrong', async () => {
  const connect = (changes: object = {}) =>
    admin.client.call(testBtcpay, { body: { address: world.btcpay.url, storeId, apiKey: '', ...changes } })
  expect(await connect()).toEqual({ ok: true, message: 'Connected. The invoices of the store can be read.' })
  expect(await connect({ apiKey: 'wrong' })).toMatchObject({
    ok: false,
    message: expect.stringMatching(/refused the API key/),
  })
  expect(await connect({ storeId: 'Other' })).toMatchObject({
    ok: false,
    message: expect.stringMatching(/no such store/),
  })
  expect(await connect({ address: 'http://127.0.0.1:1', apiKey })).toMatchObject({
    ok: false,
    message: expect.stringMatching(/cannot be reached/),
  })
  expect(await connect({ address: 'http://127.0.0.1:1' })).toMatchObject({
    ok: false,
    message: expect.stringMatching(/enter the address/),
  })
})
