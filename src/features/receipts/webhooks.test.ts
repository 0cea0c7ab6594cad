import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decidePayment, getPayment, listPayments } from '#features/payments/admin-contract.ts'
import { recordPayment } from '#features/payments/admin-record-contract.ts'
import type { PaymentAction } from '#features/payments/rules.ts'
import { auditLog, mails, paymentAutomation, paymentEventLinks, paymentEvents, payments } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import {
  apiKey,
  btcpayEventOf,
  btcpaySignature,
  checkoutSession,
  paidCheckout,
  storeId,
  stripeDispute,
  stripeEventOf,
  stripeId,
  stripeRefund,
  stripeSignature,
} from '../../../test/harness/processor-events.ts'
import {
  btcpaySecret,
  processorBody,
  stripeSecret,
  type WebhookWorld,
  webhookWorld,
} from '../../../test/harness/webhook-world.ts'
import {
  addProcessorSecret,
  listPaymentEvents,
  removeProcessorSecret,
  reviewPaymentEvent,
  updateProcessor,
} from './admin-processor-contract.ts'
import { retryEvents } from './server/webhooks/settle-event.ts'

let world: WebhookWorld
let app: WebhookWorld['app']
let admin: WebhookWorld['admin']
beforeAll(async () => {
  world = await webhookWorld()
  ;({ app, admin } = world)
})
afterAll(() => world.close())
const ok = { status: 200, body: { received: true } }
const everything = async () =>
  Promise.all([app.db.$count(paymentEvents), app.db.$count(payments), app.db.$count(auditLog)])

describe('a request that is refused changes nothing', () => {
  test('while the processor is off, every request gets the response for an unknown path', async () => {
    expect(await world.stripe(paidCheckout(null))).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await world.fromBtcpay(btcpayEventOf('InvoiceSettled', 'x'))).toMatchObject({ status: 404 })
    await expect(world.save('stripe')).rejects.toMatchObject({ status: 400, issues: [{ path: 'enabled' }] })
    await world.addSecret('stripe', stripeSecret)
    expect(await world.stripe(paidCheckout(null))).toMatchObject({ status: 404 })
    await world.save('stripe')
    await world.addSecret('btcpay', btcpaySecret)
    await world.save('btcpay', { address: world.btcpay.url, storeId, apiKey })
  })

  const event = JSON.stringify(paidCheckout('ORD-7F3K2G'))
  const now = () => Math.floor(Date.now() / 1000)
  const signed = (more: string[] = []) => [stripeSignature(event, [stripeSecret]), ...more].join()
  test.each<[string, () => string | null, number, string]>([
    ['no signature', () => null, 401, 'not_signed'],
    ['an empty signature', () => '', 401, 'not_signed'],
    ['a signature without a time', () => `v1=${'a'.repeat(64)}`, 401, 'not_signed'],
    ['a signature of an unknown scheme only', () => signed().replace('v1=', 'v0='), 401, 'not_signed'],
    ['two times', () => signed([`t=${now()}`]), 401, 'not_signed'],
    ['a signature made with another secret', () => stripeSignature(event, ['whsec_other']), 401, 'bad_signature'],
    ['a signature of another body', () => stripeSignature(`${event} `, [stripeSecret]), 401, 'bad_signature'],
    [
      'a time that differs from the signed one',
      () => signed().replace(/t=\d+/, `t=${now() + 1}`),
      401,
      'bad_signature',
    ],
    ['a truncated signature', () => signed().replace(/(v1=.{32}).{32}/, '$1'), 401, 'bad_signature'],
    ['an old signature', () => stripeSignature(event, [stripeSecret], now() - 301), 401, 'old_signature'],
    ['a signature from the future', () => stripeSignature(event, [stripeSecret], now() + 301), 401, 'old_signature'],
  ])('Stripe with %s', async (_, header, status, code) => {
    const before = await everything()
    const signature = header()
    const headers: Record<string, string> = signature === null ? {} : { 'stripe-signature': signature }
    expect(await world.deliver('stripe', event, headers)).toMatchObject({ status, body: { code } })
    expect(await everything()).toEqual(before)
    expect((await world.state('stripe')).refused).toMatchObject({ refusal: expect.any(String) })
  })

  test.each<[string, Record<string, string>]>([
    ['no signature', {}],
    ['another algorithm', { 'btcpay-sig': `sha1=${'a'.repeat(40)}` }],
    ['a signature made with another secret', { 'btcpay-sig': btcpaySignature(event, 'another secret') }],
    ['a Stripe signature', { 'stripe-signature': signed() }],
  ])('BTCPay Server with %s', async (_, headers) => {
    const before = await everything()
    expect(await world.deliver('btcpay', event, headers)).toMatchObject({ status: 401 })
    expect(await everything()).toEqual(before)
  })

  test('a body that is too large, empty, not JSON or not an event, and a request from a page of this site', async () => {
    const before = await everything()
    const post = (raw: string, more = {}) =>
      world.deliver('stripe', raw, { 'stripe-signature': stripeSignature(raw, [stripeSecret]), ...more })
    const large = JSON.stringify(paidCheckout('x'.repeat(limits.event.bytes)))
    expect(await post(large)).toMatchObject({ status: 413, body: { code: 'too_large' } })
    expect(await post('')).toMatchObject({ status: 400 })
    for (const raw of [
      '{',
      '[]',
      'null',
      '{}',
      '{"object":"event","id":"evt_1"}',
      '{"id":{"$gt":""},"object":"event"}',
    ])
      expect(await post(raw), raw).toMatchObject({ status: 400, body: { code: 'malformed_event' } })
    expect(await post(event, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
    for (const headers of [{ origin: app.context.config.publicUrl }, { 'sec-fetch-site': 'same-origin' }])
      expect(await post(event, headers)).toMatchObject({ status: 403, body: { code: 'foreign_origin' } })
    expect(await everything()).toEqual(before)
  })

  test('a settings form with a secret that is too short, an address without TLS, or an old version', async () => {
    await expect(world.addSecret('stripe', 'short')).rejects.toMatchObject({ status: 400 })
    const { version } = await world.state('btcpay')
    const put = (changes: object) =>
      admin.client.call(updateProcessor, { params: { processor: 'btcpay' }, body: processorBody(version, changes) })
    const full = { address: world.btcpay.url, storeId, apiKey: '' }
    await expect(put({ ...full, address: 'ftp://pay.example' })).rejects.toMatchObject({ status: 400 })
    await expect(put({ ...full, storeId: '../users' })).rejects.toMatchObject({ status: 400 })
    await expect(put({ ...full, address: 'http://127.0.0.1:1' })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'apiKey', message: expect.stringMatching(/another server/) }],
    })
    await expect(
      admin.client.call(updateProcessor, { params: { processor: 'btcpay' }, body: processorBody(version - 1, full) }),
    ).rejects.toMatchObject({ status: 409, code: 'stale' })
    app.context.config.btcpayAllowPrivate = false
    await expect(put(full)).rejects.toMatchObject({ status: 400, issues: [{ path: 'address' }] })
    app.context.config.btcpayAllowPrivate = true
  })
})

describe('a Stripe event', () => {
  test('becomes one payment that matches its order exactly, even if it is delivered repeatedly and concurrently', async () => {
    const order = await world.ordered()
    const event = paidCheckout(order.invoiceNumber)
    const results = await Promise.all([world.stripe(event), world.stripe(event), world.stripe(event)])
    expect([...results, await world.stripe(event)]).toEqual([ok, ok, ok, ok])
    const [payment, ...more] = await world.bookedAs(event.data.object.payment_intent)
    expect(more).toEqual([])
    expect(payment).toMatchObject({
      ...{ rail: 'card', source: 'event', amount: 3_000, currency: 'USD', note: order.invoiceNumber },
      ...{ payerName: 'Dana Whitfield', payerHandle: 'dana@mail.example' },
    })
    const detail = await admin.client.call(getPayment, { params: { paymentId: payment!.id }, query: {} })
    expect(detail).toMatchObject({
      ...{ kind: 'exact', ready: true, invoiceNumber: order.invoiceNumber },
      events: [{ processor: 'stripe', eventId: event.id, type: 'checkout.session.completed' }],
      rules: { wouldConfirm: true },
    })
    expect(await world.statusOf(order.id)).toBe('pending')
  })

  test('becomes the evidence of a typed payment, and another event about the same payment changes nothing', async () => {
    const order = await world.ordered()
    const event = paidCheckout(order.invoiceNumber)
    const { id } = await admin.client.call(recordPayment, {
      body: {
        ...{
          requestKey: crypto.randomUUID(),
          rail: 'card',
          amount: 3_000,
          payerName: 'Dana Whitfield',
          payerHandle: '',
        },
        ...{ note: '', paidAt: new Date().toISOString(), providerReference: event.data.object.payment_intent },
      },
    })
    await world.stripe(event)
    await world.stripe({ ...event, id: stripeId('evt'), type: 'checkout.session.async_payment_succeeded' })
    expect(await world.bookedAs(event.data.object.payment_intent)).toHaveLength(1)
    const links = await app.db.select().from(paymentEventLinks).where(eq(paymentEventLinks.paymentId, id))
    expect(links).toHaveLength(2)
  })

  test('is confirmed without an administrator if the rule is on, but only if it is for the exact amount in dollars', async () => {
    await app.db
      .update(paymentAutomation)
      .set({ mode: 'on', rails: ['card', 'crypto'], perCustomerDay: 100, perDay: 100 })
    const order = await world.ordered()
    await world.stripe(paidCheckout(order.invoiceNumber))
    expect(await world.statusOf(order.id)).toBe('paid')
    const entries = await app.db.select().from(auditLog).where(eq(auditLog.action, 'payment.confirm_by_rule'))
    expect(entries).toMatchObject([{ actorId: null, after: { source: 'proven' } }])

    for (const changes of [{ currency: 'eur' }, { amount_total: 2_999 }, { client_reference_id: null }]) {
      const other = await world.ordered()
      const event = paidCheckout(other.invoiceNumber, changes)
      expect(await world.stripe(event)).toEqual(ok)
      expect(await world.bookedAs(event.data.object.payment_intent)).toHaveLength(1)
      expect(await world.statusOf(other.id), JSON.stringify(changes)).toBe('pending')
    }
    await app.db.update(paymentAutomation).set({ mode: 'off' })
  })

  test('in a foreign currency cannot be used for an order or as credit, not even by an administrator', async () => {
    const order = await world.ordered()
    const toDecide = async (wanted: string) =>
      (await admin.client.call(listPayments, { query: {} })).decide.sums.find(({ currency }) => currency === wanted)
        ?.cents
    const [dollars, euros] = [await toDecide('USD'), (await toDecide('EUR')) ?? 0]
    const event = paidCheckout(order.invoiceNumber, { currency: 'eur' })
    await world.stripe(event)
    const [{ id: paymentId } = { id: 0 }] = await world.bookedAs(event.data.object.payment_intent)
    const shown = await admin.client.call(getPayment, { params: { paymentId }, query: { invoiceId: order.id } })
    expect(shown).toMatchObject({ currency: 'EUR', ready: false })
    const amount = shown.candidates[0]?.evidence.find(({ about }) => about === 'amount')
    expect(amount).toMatchObject({ state: 'different', payment: 'EUR 30.00' })
    const decide = (action: PaymentAction) =>
      admin.client.call(decidePayment, {
        params: { paymentId },
        body: { action, version: shown.version, invoiceIds: [order.id] },
      })
    for (const action of ['confirm', 'link', 'hold', 'credit'] as const)
      await expect(decide(action), action).rejects.toMatchObject({ status: 409, code: 'currency' })
    expect(await world.statusOf(order.id)).toBe('pending')
    expect(await toDecide('USD')).toBe(dollars)
    expect(await toDecide('EUR')).toBe(euros + 3_000)
    expect(await decide('refund')).toMatchObject({ status: 'done' })
  })

  test('has no effect if it is a test, of an unknown kind, without money or about a pending payment', async () => {
    const order = await world.ordered()
    const before = await app.db.$count(payments)
    const events = [
      [{ ...paidCheckout(order.invoiceNumber), livemode: false }, 'test', null],
      [stripeEventOf('customer.created', { id: stripeId('cus') }), 'ignored', 'unknown_event'],
      [paidCheckout(order.invoiceNumber, { payment_status: 'unpaid' }), 'ignored', 'unpaid'],
      [paidCheckout(order.invoiceNumber, { payment_status: 'no_payment_required' }), 'ignored', 'no_money'],
      [stripeEventOf('refund.created', stripeRefund('pi_1', 100, { status: 'pending' })), 'ignored', 'refund_pending'],
      [
        stripeEventOf('charge.dispute.created', stripeDispute('pi_1', { status: 'warning_needs_response' })),
        ...['ignored', 'inquiry'],
      ],
      [paidCheckout(order.invoiceNumber, { amount_total: '3000' }), 'review', 'amount'],
      [paidCheckout(order.invoiceNumber, { amount_total: 100_000_001 }), 'review', 'amount'],
      [paidCheckout(order.invoiceNumber, { payment_status: 'new' }), 'review', 'unreadable'],
    ] as const
    for (const [event, outcome, reason] of events) {
      expect(await world.stripe(event), event.type).toEqual(ok)
      expect(await world.eventOf(event.id), event.type).toMatchObject({ outcome, reason })
    }
    expect(await app.db.$count(payments)).toBe(before)
    const { events: shown } = await world.state('stripe')
    expect(shown[0]).toMatchObject({ outcome: 'review', reason: 'unreadable' })
    const listed = await admin.client.call(listPaymentEvents, {})
    expect(listed).toHaveLength(3)
    for (const { id } of listed) await admin.client.call(reviewPaymentEvent, { params: { eventId: id } })
    expect(await admin.client.call(listPaymentEvents, {})).toEqual([])
  })

  test('about a refund or dispute takes money back once, even if it arrives before the event about its payment', async () => {
    const paid = paidCheckout((await world.ordered()).invoiceNumber)
    const { payment_intent: intent } = paid.data.object
    const refund = stripeRefund(intent, 1_000)
    const first = stripeEventOf('refund.created', refund)
    expect(await world.stripe(first)).toEqual(ok)
    expect(await world.eventOf(first.id)).toMatchObject({ outcome: 'waiting', reason: 'payment_unknown' })
    await world.stripe(paid)
    expect(await retryEvents({ db: app.db, config: app.context.config })).toBe(1)
    await world.stripe(stripeEventOf('refund.updated', refund))
    const dispute = stripeDispute(intent)
    await world.stripe(stripeEventOf('charge.dispute.created', dispute))
    await world.stripe(stripeEventOf('charge.dispute.funds_withdrawn', { ...dispute, status: 'under_review' }))
    const [payment] = await world.bookedAs(intent)
    const reversals = await app.db.select().from(payments).where(eq(payments.reversesId, payment!.id))
    expect(reversals).toMatchObject([
      { direction: 'reversal', amount: 1_000, providerReference: refund.id },
      { direction: 'reversal', amount: 3_000, providerReference: dispute.id },
    ])
    const foreign = stripeEventOf('refund.created', stripeRefund('pi_of_another_shop'))
    await world.stripe(foreign)
    await app.db
      .update(paymentEvents)
      .set({ receivedAt: new Date(Date.now() - 61 * 60_000).toISOString() })
      .where(eq(paymentEvents.eventId, foreign.id))
    await retryEvents({ db: app.db, config: app.context.config })
    expect(await world.eventOf(foreign.id)).toMatchObject({ outcome: 'reversal', reason: 'payment_unknown' })
  })
})

describe('the secrets', () => {
  test('can overlap while one is replaced, are sealed and never shown, and each shows when it was last used', async () => {
    const next = 'whsec_second_secret_of_the_test'
    for (const [currentPassword, status] of [
      ['', 400],
      ['wrong', 403],
    ] as const)
      await expect(
        admin.client.call(addProcessorSecret, {
          params: { processor: 'stripe' },
          body: { secret: next, currentPassword },
        }),
      ).rejects.toMatchObject({ status })
    await world.addSecret('stripe', next)
    for (const secrets of [[stripeSecret], [next], ['whsec_unknown', next]])
      expect(await world.stripe(stripeEventOf('customer.created', { id: stripeId('cus') }), secrets)).toEqual(ok)
    const { secrets } = await world.state('stripe')
    expect(secrets).toMatchObject([
      { ending: 'test', lastUsedAt: expect.any(String) },
      { ending: 'test', lastUsedAt: expect.any(String) },
    ])
    const remove = (secretId: string) =>
      admin.client.call(removeProcessorSecret, { params: { processor: 'stripe', secretId } })
    await remove(secrets[0]!.id)
    expect(await world.stripe(paidCheckout(null))).toMatchObject({ status: 401, body: { code: 'bad_signature' } })
    await expect(remove(secrets[0]!.id)).rejects.toMatchObject({ status: 404 })
    await expect(remove(secrets[1]!.id)).rejects.toMatchObject({ status: 409, code: 'last_secret' })
    await world.addSecret('stripe', stripeSecret)
    const { rows } = await app.db.execute(
      'select sealed as text from payment_processor_secrets union all select after::text from audit_log union all select data::text from mails',
    )
    const all = JSON.stringify([rows, await world.state('stripe'), app.logs])
    for (const secret of [stripeSecret, next, btcpaySecret, apiKey]) expect(all).not.toContain(secret)
    const notices = await app.db.select().from(mails).where(eq(mails.template, 'admin_notice'))
    expect(notices.map(({ data }) => data.about)).toContain('Stripe: turned on')
  })
})

test('the metadata of a checkout can also name its order', async () => {
  const order = await world.ordered()
  const session = checkoutSession(null, { metadata: { invoice: order.invoiceNumber } })
  await world.stripe(stripeEventOf('checkout.session.completed', session))
  expect(await world.bookedAs(session.payment_intent)).toMatchObject([{ note: order.invoiceNumber }])
})
