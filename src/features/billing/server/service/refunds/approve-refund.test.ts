import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, creditTransactions } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../../../../test/harness/app.ts'
import { createPlan } from '../../../../../../test/harness/factories.ts'
import { expectInvariants } from '../../../../../../test/harness/invariants.ts'
import { pdfText } from '../../../../../../test/harness/pdf-text.ts'
import { reason, refundSteps } from '../../../../../../test/harness/refund-steps.ts'
import { listAllInvoices } from '../../../admin-contract.ts'
import { getInvoiceRefund } from '../../../admin-refund-contract.ts'
import { getCreditNote, getInvoice, listInvoices, listRefunds } from '../../../contract.ts'

let app: TestApp
let admin: SignedIn
let monthly: number
beforeAll(async () => {
  app = await buildApp({ connections: 20 })
  admin = await app.signInAdmin({ username: 'cashier' })
  monthly = (await createPlan(app.db, { price: 2_000, connections: 2 })).id
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

const { bought, decide, ask, approve, decline, userOf, creditOf, mailTemplates, snapshot } = refundSteps(() => ({
  app,
  admin,
  planId: monthly,
}))

describe('approving a refund', () => {
  test('reverses subscription, used credit and bonus, issues a credit note, sends an email, is audited, and is final', async () => {
    const referrer = await app.signIn()
    const customer = await app.signIn({ referredBy: referrer.user.id, credit: 500 })
    const invoice = await bought(customer)
    expect([invoice.amount, await creditOf(referrer)]).toMatchObject([
      1_200,
      { balance: 0, pending: [{ amount: 180 }] },
    ])
    await ask(customer, invoice)
    const detail = await approve(invoice)
    expect(detail).toMatchObject({
      request: { status: 'approved', reason },
      decidedBy: 'cashier',
      creditNote: {
        number: expect.stringMatching(/^CN-\d{6}$/),
        amount: 1_200,
        creditReturned: 500,
        paymentReference: 'Venmo 4711',
      },
      outcome: null,
    })
    expect(await userOf(customer)).toMatchObject({
      subscriptionStatus: 'none',
      planId: null,
      subscriptionEndDate: null,
      accountCredit: 500,
    })
    expect(await creditOf(referrer)).toMatchObject({ balance: 0, pending: [], transactions: [] })
    const ledgerRows = await app.db
      .select()
      .from(creditTransactions)
      .where(eq(creditTransactions.relatedInvoiceId, invoice.id))
      .orderBy(asc(creditTransactions.id))
    expect(ledgerRows.map(({ type, amount }) => [type, amount]).sort()).toEqual(
      [
        ['payment', -500],
        ['payment', 500],
      ].sort(),
    )
    expect(await customer.client.call(listInvoices, {})).toMatchObject([{ status: 'refunded', paidAt: invoice.paidAt }])
    expect(await customer.client.call(getInvoice, { params: invoice })).toMatchObject({ status: 'refunded' })
    expect(await customer.client.call(listRefunds, {})).toMatchObject([
      { request: { status: 'approved' }, creditNote: { amount: 1_200 }, refusal: expect.any(String) },
    ])
    expect(await mailTemplates(customer)).toEqual([
      'order_received',
      'payment_confirmed',
      'refund_requested',
      'refund_decided',
    ])
    const auditEntries = await app.db
      .select()
      .from(auditLog)
      .where(sql`target_type = 'invoice' and target_id = ${String(invoice.id)} and action like 'refund.%'`)
    expect(auditEntries.map(({ action, actorId }) => [action, actorId])).toEqual([
      ['refund.request', customer.user.id],
      ['refund.approve', admin.user.id],
    ])
    for (const status of ['paid', 'pending', 'cancelled'] as const)
      await expect(decide(invoice.id, status)).rejects.toMatchObject({ status: 409 })
    await expect(ask(customer, invoice)).rejects.toMatchObject({ status: 409 })
  })

  test('of a renewal keeps the period that was paid before', async () => {
    const customer = await app.signIn()
    await bought(customer)
    const { subscriptionStartDate, subscriptionEndDate } = await userOf(customer)
    const renewal = await bought(customer)
    await ask(customer, renewal)
    await approve(renewal)
    expect(await userOf(customer)).toMatchObject({
      subscriptionStatus: 'active',
      subscriptionStartDate,
      subscriptionEndDate,
    })
  })

  test('of an order paid with credit alone returns the credit and requires no payment reference', async () => {
    const customer = await app.signIn({ credit: 5_000 })
    const invoice = await bought(customer)
    expect(invoice.amount).toBe(0)
    await ask(customer, invoice)
    expect(await approve(invoice)).toMatchObject({
      creditNote: { amount: 0, creditReturned: 2_000, paymentReference: null },
    })
    expect((await userOf(customer)).accountCredit).toBe(5_000)
  })

  test('frees the referral, so that the customer’s next payment earns the bonus', async () => {
    const referrer = await app.signIn()
    const customer = await app.signIn({ referredBy: referrer.user.id })
    const invoice = await bought(customer)
    await ask(customer, invoice)
    await approve(invoice)
    const again = await bought(customer)
    expect(await creditOf(referrer)).toMatchObject({ pending: [{ amount: Math.round(again.amount * 0.15) }] })
  })

  test('is previewed with its exact effects, and the preview writes nothing', async () => {
    const referrer = await app.signIn()
    const customer = await app.signIn({ referredBy: referrer.user.id, credit: 500 })
    const invoice = await bought(customer)
    await ask(customer, invoice)
    const before = await snapshot()
    const { outcome } = await admin.client.call(getInvoiceRefund, { params: { invoiceId: invoice.id } })
    expect(outcome).toMatchObject({
      status: 'refunded',
      refusal: null,
      subscription: { before: { status: 'active' }, after: { status: 'none', endDate: null } },
      bookings: [{ username: customer.user.username, amount: 500, type: 'payment' }],
      pendingBonus: null,
      droppedBonus: { username: referrer.user.username },
    })
    expect(await snapshot()).toEqual(before)
  })
})

test('declining a refund keeps the subscription and shows the reason to the customer', async () => {
  const customer = await app.signIn()
  const invoice = await bought(customer)
  await ask(customer, invoice)
  expect(await decline(invoice)).toMatchObject({
    request: { status: 'declined', decisionReason: 'You had a refund before.' },
    creditNote: null,
  })
  expect((await userOf(customer)).subscriptionStatus).toBe('active')
  expect(await customer.client.call(listRefunds, {})).toMatchObject([
    { request: { status: 'declined', decisionReason: 'You had a refund before.' } },
  ])
})

test('administrators see open refund requests in the list of invoices, and a customer’s earlier refunds', async () => {
  const customer = await app.signIn()
  const first = await bought(customer)
  await ask(customer, first)
  await approve(first)
  const second = await bought(customer)
  await ask(customer, second)
  const { rows } = await admin.client.call(listAllInvoices, {
    query: { refund: 'pending', search: customer.user.username },
  })
  expect(rows).toMatchObject([{ id: second.id, refund: 'pending', status: 'paid' }])
  expect(await admin.client.call(getInvoiceRefund, { params: { invoiceId: second.id } })).toMatchObject({
    earlierRefunds: 1,
  })
  const { rows: refunded } = await admin.client.call(listAllInvoices, {
    query: { status: 'refunded', search: customer.user.username },
  })
  expect(refunded).toMatchObject([{ id: first.id, refund: 'approved' }])
})

test('a credit note and its PDF are readable only by its customer and by administrators, whose reads are audited', async () => {
  const customer = await app.signIn()
  const invoice = await bought(customer)
  await ask(customer, invoice)
  const { creditNote } = await approve(invoice)
  const params = { creditNoteNumber: creditNote!.number }
  const stranger = await app.signIn()
  for (const creditNoteNumber of [params.creditNoteNumber, 'CN-999999', 'CN-0', '1', 'CN-99999999999'])
    await expect(stranger.client.call(getCreditNote, { params: { creditNoteNumber } })).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
    })
  expect(await customer.client.call(getCreditNote, { params })).toMatchObject({
    amount: 2_000,
    invoice: { invoiceNumber: invoice.invoiceNumber },
  })
  await admin.client.call(getCreditNote, { params })
  const read = await app.db
    .select()
    .from(auditLog)
    .where(sql`action = 'invoice.read' and target_id = ${String(invoice.id)}`)
  expect(read).toHaveLength(1)
  expect((await stranger.client.request(`/credit-note/${params.creditNoteNumber}/pdf`)).status).toBe(404)
  const file = await customer.client.request(`/credit-note/${params.creditNoteNumber}/pdf`)
  expect(file.headers.get('content-disposition')).toBe(
    `attachment; filename="Credit-Note-${params.creditNoteNumber}.pdf"`,
  )
  const pdfWords = (await pdfText(new Uint8Array(await file.arrayBuffer()))).join(' ')
  for (const word of [params.creditNoteNumber, invoice.invoiceNumber, 'Venmo 4711', '-$20.00', customer.user.username])
    expect(pdfWords).toContain(word)
})
