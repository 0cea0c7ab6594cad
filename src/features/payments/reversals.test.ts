import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bookStatement, previewStatement } from '#features/receipts/admin-contract.ts'
import { adjustCredit } from '#features/referrals/admin-contract.ts'
import { getSetting, updateSetting } from '#features/settings/admin-contract.ts'
import { invoices, mails, payerIdentities, payments, users } from '#server/db/tables.ts'
import { paidCheckout, stripeDispute, stripeEventOf, stripeRefund } from '../../../test/harness/processor-events.ts'
import { tableHashes } from '../../../test/harness/table-hashes.ts'
import { type WebhookWorld, webhookWorld } from '../../../test/harness/webhook-world.ts'
import {
  decidePayment,
  getPayment,
  listPayments,
  type PaymentDecision,
  previewPayment,
  undoPayment,
} from './admin-contract.ts'

let world: WebhookWorld
let app: WebhookWorld['app']
let admin: WebhookWorld['admin']
beforeAll(async () => {
  world = await webhookWorld()
  ;({ app, admin } = world)
  await world.turnOn()
})
afterAll(() => world.close())

const detail = (paymentId: number, invoiceId?: number) =>
  admin.client.call(getPayment, { params: { paymentId }, query: invoiceId ? { invoiceId } : {} })
const decide = async (paymentId: number, decision: Omit<PaymentDecision, 'version'>) =>
  admin.client.call(decidePayment, {
    params: { paymentId },
    body: { version: (await detail(paymentId)).version, ...decision },
  })
const undo = async (paymentId: number) =>
  admin.client.call(undoPayment, { params: { paymentId }, body: { version: (await detail(paymentId)).version } })
const bookedAs = async (reference: string) => (await world.bookedAs(reference))[0]!.id
const creditOf = async (id: number) =>
  (await app.db.select({ credit: users.accountCredit }).from(users).where(eq(users.id, id)))[0]!.credit

/** Records a card payment from an event, and returns it with the order that it names. */
async function arrived(amount = 3_000) {
  const order = await world.ordered()
  const event = paidCheckout(order.invoiceNumber, {
    amount_total: amount,
    customer_details: { name: 'Dana Whitfield', email: `${order.user.username}@mail.example` },
  })
  await world.stripe(event)
  const intent = event.data.object.payment_intent
  return { order, intent, paymentId: await bookedAs(intent) }
}
async function confirmed(amount = 3_000) {
  const all = await arrived(amount)
  await decide(all.paymentId, {
    action: 'confirm',
    invoiceIds: [all.order.id],
    ...(amount > 3_000 && { rest: 'credit' as const }),
  })
  return all
}
/** Records a dispute of a payment, and returns the id of the reversal on the desk. */
async function disputed(intent: string, amount = 3_000) {
  const dispute = stripeDispute(intent, { amount })
  await world.stripe(stripeEventOf('charge.dispute.created', dispute))
  return bookedAs(dispute.id)
}

describe('taking back money of a payment', () => {
  test('is a case that names the payment, and refuses decisions for incoming payments', async () => {
    const { order, intent, paymentId } = await confirmed()
    const reversalId = await disputed(intent)
    const shown = await detail(reversalId)
    expect(shown).toMatchObject({ kind: 'reversal', status: 'open', ready: false, candidates: [], difference: null })
    expect(shown.reversed).toMatchObject([
      {
        paymentId,
        isNamed: true,
        openCents: 0,
        allocations: [{ target: 'invoice', invoiceNumber: order.invoiceNumber }],
      },
    ])
    for (const action of ['confirm', 'link', 'hold', 'credit', 'refund'] as const)
      await expect(decide(reversalId, { action, invoiceIds: [order.id] }), action).rejects.toMatchObject({
        code: 'not_possible',
      })
    await expect(decide(paymentId, { action: 'take_back' })).rejects.toMatchObject({ code: 'decided' })
    const { paymentId: incoming } = await arrived()
    await expect(decide(incoming, { action: 'bear' })).rejects.toMatchObject({ code: 'not_possible' })
    await expect(decide(reversalId, { action: 'take_back', reversesId: reversalId })).rejects.toMatchObject({
      code: 'no_payment',
    })
    const { decide: group } = await admin.client.call(listPayments, { query: {} })
    const rows = (await admin.client.call(listPayments, { query: {} })).rows.filter(({ ready }) => !ready)
    const incomingCents = rows.reduce((sum, row) => (row.kind === 'reversal' ? sum : sum + row.openCents), 0)
    expect(group.sums.reduce((sum, { cents }) => sum + cents, 0)).toBe(incomingCents)
  })

  test('reopens the invoice in one transaction, as its preview says, and undoing it pays the invoice again', async () => {
    const { order, intent, paymentId } = await confirmed()
    const reversalId = await disputed(intent)
    const before = await tableHashes(app.database.pool, { except: [] })
    const preview = await admin.client.call(previewPayment, {
      params: { paymentId: reversalId },
      body: { version: (await detail(reversalId)).version, action: 'take_back' },
    })
    expect(preview).toMatchObject({
      refusal: null,
      invoices: [{ invoiceNumber: order.invoiceNumber, isPaid: false, endsAfter: null }],
      emails: ['payment_reversed'],
    })
    expect(await tableHashes(app.database.pool, { except: [] })).toEqual(before)
    await decide(reversalId, { action: 'take_back' })
    expect(await world.statusOf(order.id)).toBe('pending')
    const taken = await detail(paymentId)
    expect(taken).toMatchObject({
      status: 'done',
      undoable: false,
      allocations: [{ target: 'taken_back', amount: 3_000 }],
    })
    await expect(undo(paymentId)).rejects.toMatchObject({ status: 409, code: 'later_decision' })
    const sent = await app.db.select().from(mails).where(eq(mails.userId, order.user.id))
    expect(sent.map(({ template }) => template)).toContain('payment_reversed')

    expect(await undo(reversalId)).toMatchObject({ status: 'open', openCents: 3_000 })
    expect(await world.statusOf(order.id)).toBe('paid')
    expect((await detail(paymentId)).allocations).toMatchObject([{ target: 'invoice', amount: 3_000 }])
    // After the undo, the confirmation can be undone, and the payment can be confirmed again.
    await undo(paymentId)
    expect(await world.statusOf(order.id)).toBe('pending')
    await decide(paymentId, { action: 'confirm', invoiceIds: [order.id] })
    await decide(reversalId, { action: 'take_back' })
    expect(await world.statusOf(order.id)).toBe('pending')
  })

  test('withdraws the credit of an overpayment, and is refused once it is spent', async () => {
    const { order, intent } = await confirmed(3_500)
    const reversalId = await disputed(intent, 3_500)
    const change = (amount: number) =>
      admin.client.call(adjustCredit, { params: { userId: order.user.id }, body: { amount, reason: 'Other reasons' } })
    await change(-400)
    await expect(decide(reversalId, { action: 'take_back' })).rejects.toMatchObject({ code: 'credit_spent' })
    expect(await world.statusOf(order.id)).toBe('paid')
    await change(400)
    await decide(reversalId, { action: 'take_back' })
    expect(await creditOf(order.user.id)).toBe(0)
    await undo(reversalId)
    expect(await creditOf(order.user.id)).toBe(500)
  })

  test('makes an accepted difference due again, until it is undone', async () => {
    const params = { section: 'payment-desk' as const }
    const { version, value } = await admin.client.call(getSetting, { params })
    await admin.client.call(updateSetting, { params, body: { version, value: { ...value, acceptedCents: 10 } } })
    const { order, intent, paymentId } = await arrived(2_990)
    await decide(paymentId, { action: 'confirm', short: 'accept', invoiceIds: [order.id], reason: 'Fees' })
    const reversalId = await disputed(intent, 2_990)
    const amount = async () =>
      (await app.db.select({ amount: invoices.amount }).from(invoices).where(eq(invoices.id, order.id)))[0]!.amount
    expect(await amount()).toBe(2_990)
    await decide(reversalId, { action: 'take_back' })
    expect([await world.statusOf(order.id), await amount()]).toEqual(['pending', 3_000])
    await undo(reversalId)
    expect([await world.statusOf(order.id), await amount()]).toEqual(['paid', 2_990])
    await undo(paymentId)
    expect([await world.statusOf(order.id), await amount()]).toEqual(['pending', 3_000])
  })

  test('in part is taken from the credit of exactly this amount and can be undone; the rest of the payment is not changed', async () => {
    const { order, intent, paymentId } = await confirmed(3_500)
    const reversalId = await disputed(intent, 500)
    expect(await creditOf(order.user.id)).toBe(500)
    await decide(reversalId, { action: 'take_back' })
    expect([await creditOf(order.user.id), await world.statusOf(order.id)]).toEqual([0, 'paid'])
    await expect(undo(paymentId)).rejects.toMatchObject({ code: 'later_decision' })
    await undo(reversalId)
    expect([await creditOf(order.user.id), await world.statusOf(order.id)]).toEqual([500, 'paid'])
    await undo(paymentId)
    expect([await creditOf(order.user.id), await world.statusOf(order.id)]).toEqual([0, 'pending'])
  })

  test('in part is taken from the open part if the payment is undecided', async () => {
    const { intent, paymentId } = await arrived()
    const reversalId = await disputed(intent, 1_200)
    await decide(reversalId, { action: 'take_back' })
    expect(await detail(paymentId)).toMatchObject({ status: 'open', openCents: 1_800 })
    await undo(reversalId)
    expect(await detail(paymentId)).toMatchObject({ status: 'open', openCents: 3_000 })
  })

  test('in any other part can only be absorbed as a loss, which marks the payer until each such decision is undone', async () => {
    const { order, intent, paymentId } = await confirmed()
    const reversalId = await disputed(intent, 1_000)
    await expect(decide(reversalId, { action: 'take_back' })).rejects.toMatchObject({ code: 'amount_differs' })
    const [{ payerKey } = { payerKey: '' }] = await app.db.select().from(payments).where(eq(payments.id, paymentId))
    const marks = async () =>
      (await app.db.select().from(payerIdentities).where(eq(payerIdentities.payerKey, payerKey))).map(
        ({ takenBack }) => takenBack,
      )
    expect(await marks()).toEqual([0])
    const borne = await decide(reversalId, { action: 'bear', reason: 'Fees' })
    expect(borne).toMatchObject({ status: 'done', decision: { action: 'bear' } })
    expect(await world.statusOf(order.id)).toBe('paid')
    expect(await marks()).toEqual([1])
    const anotherId = await disputed(intent, 500)
    await decide(anotherId, { action: 'bear' })
    await undo(reversalId)
    expect(await marks(), 'the other reversal stands').toEqual([1])
    await undo(anotherId)
    expect(await marks()).toEqual([0])
  })

  test('marks the payer, so that a further exact payment waits for an administrator', async () => {
    const { order, intent } = await confirmed()
    await decide(await disputed(intent), { action: 'bear' })
    const again = paidCheckout(order.invoiceNumber, {
      customer_details: { name: 'Dana Whitfield', email: `${order.user.username}@mail.example` },
    })
    await world.stripe(again)
    const shown = await detail(await bookedAs(again.data.object.payment_intent))
    expect(shown.ready).toBe(false)
    expect(shown.rules?.against).toContain('Money that this payer sent was taken back before.')
  })

  test('marks a planned refund of the same amount as sent, which then cannot be undone', async () => {
    const { intent, paymentId } = await arrived()
    await decide(paymentId, { action: 'refund' })
    const other = stripeRefund(intent, 2_000)
    await world.stripe(stripeEventOf('refund.created', other))
    expect(await detail(paymentId)).toMatchObject({ allocations: [{ target: 'refund_due' }] })
    const refund = stripeRefund(intent)
    await world.stripe(stripeEventOf('refund.created', refund))
    expect(await detail(paymentId)).toMatchObject({
      allocations: [{ target: 'refund_sent', refundReference: refund.id }],
      history: [{ action: 'refund' }, { action: 'refund_sent', by: null }],
    })
    expect(await detail(await bookedAs(refund.id))).toMatchObject({
      status: 'done',
      decision: { action: 'refund_sent' },
    })
    await expect(undo(paymentId)).rejects.toMatchObject({ code: 'refund_sent' })
  })
})

const paypalHead =
  '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address","To Email Address","Transaction ID","Reference Txn ID","Note","Balance Impact"'
const paypalRow = (cells: string[]) => cells.map((cell) => `"${cell}"`).join(',')

test('a reversal in a statement is recorded once and names its payment', async () => {
  const order = await world.ordered()
  const shared = ['Dana Whitfield', 'USD']
  const text = [
    paypalHead,
    paypalRow([
      ...['11/19/2026', '15:02:11', 'EST', shared[0]!, 'General Payment', 'Completed', 'USD', '30.00', '0.00', '30.00'],
      ...['dana@mail.example', 'pay@shop.example', '4VW57989RN961981F', '', order.invoiceNumber, 'Credit'],
    ]),
    paypalRow([
      ...[
        '11/20/2026',
        '15:02:11',
        'EST',
        shared[0]!,
        'Payment Reversal',
        'Completed',
        'USD',
        '-30.00',
        '0.00',
        '-30.00',
      ],
      ...['pay@shop.example', 'dana@mail.example', '4VW57989RN961982F', '4VW57989RN961981F', '', 'Debit'],
    ]),
  ].join('\n')
  const body = new TextEncoder().encode(text)
  const preview = await admin.client.call(previewStatement, { query: { name: 'paypal.csv' }, body })
  expect(preview).toMatchObject({ counts: { exact: 1, check: 1, skipped: 0 }, newCents: 3_000 })
  expect(preview.state === 'preview' && preview.lines[1]).toMatchObject({ verdict: 'check', kind: 'reversal' })
  await admin.client.call(bookStatement, { query: { name: 'paypal.csv', expectedNew: 2 }, body })
  const reversalId = await bookedAs('4VW57989RN961982F')
  const paymentId = await bookedAs('4VW57989RN961981F')
  expect((await detail(reversalId)).reversed).toMatchObject([{ paymentId, isNamed: true, openCents: 3_000 }])
  await decide(reversalId, { action: 'take_back' })
  expect(await detail(paymentId)).toMatchObject({ status: 'done', allocations: [{ target: 'taken_back' }] })
  const again = await admin.client.call(previewStatement, {
    query: { name: 'paypal.csv' },
    body: new TextEncoder().encode(`${text}\n`),
  })
  expect(again).toMatchObject({ counts: { known: 2, exact: 0, check: 0 } })
})
