import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentUser } from '#features/accounts/contract.ts'
import { adjustCredit } from '#features/referrals/admin-contract.ts'
import { getAccountCredit } from '#features/referrals/contract.ts'
import { auditLog, creditNotes, creditTransactions, invoices, mails, refundRequests, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { setGuarantee } from '../../../test/harness/guarantee.ts'
import { expectBooksToBalance } from '../../../test/harness/invariants.ts'
import { pdfText } from '../../../test/harness/pdf-text.ts'
import { decideRefund, getInvoiceRefund, listAllInvoices, updateInvoice } from './admin-contract.ts'
import {
  changeSubscription,
  createInvoice,
  getCreditNote,
  getInvoice,
  listInvoices,
  listRefunds,
  requestRefund,
  submitPayment,
} from './contract.ts'

let app: TestApp
let admin: SignedIn
let monthly: number
let bigger: number
beforeAll(async () => {
  app = await buildApp({ connections: 20 })
  admin = await app.signInAdmin({ username: 'cashier' })
  monthly = (await createPlan(app.db, { price: 2_000, connections: 2 })).id
  bigger = (await createPlan(app.db, { price: 3_000, connections: 4 })).id
})
afterAll(async () => {
  await expectBooksToBalance(app.db)
  await app.close()
})

async function bought(customer: SignedIn, planId = monthly) {
  const { invoiceNumber } = await customer.client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  const [{ amount, id } = { amount: 0, id: 0 }] = await app.db
    .select()
    .from(invoices)
    .where(eq(invoices.invoiceNumber, invoiceNumber))
  await customer.client.call(submitPayment, {
    body: { planId, paymentMethod: amount > 0 ? 'venmo' : null, invoiceNumber },
  })
  await decide(id, 'paid')
  return (await app.db.select().from(invoices).where(eq(invoices.id, id)))[0]!
}
const decide = (invoiceId: number, status: 'pending' | 'paid' | 'cancelled') =>
  admin.client.call(updateInvoice, { params: { invoiceId }, body: { status } })
const reason = 'It does not run on my television'
const ask = (who: SignedIn, { invoiceNumber }: { invoiceNumber: string }) =>
  who.client.call(requestRefund, { body: { invoiceNumber, reason } })
const approve = ({ id, amount }: { id: number; amount: number }, by = admin) =>
  by.client.call(decideRefund, {
    params: { invoiceId: id },
    body: { status: 'approved', paymentReference: amount > 0 ? 'Venmo 4711' : '', reason: '', expectedAmount: amount },
  })
const decline = ({ id }: { id: number }, by = admin) =>
  by.client.call(decideRefund, {
    params: { invoiceId: id },
    body: { status: 'declined', reason: 'You had a refund before.' },
  })
const paidDaysAgo = ({ id }: { id: number }, days: number) =>
  app.db
    .update(invoices)
    .set({ paidAt: sql`now() - interval '24 hours' * ${days}` })
    .where(eq(invoices.id, id))
const userOf = async (who: SignedIn) => (await app.db.select().from(users).where(eq(users.id, who.user.id)))[0]!
const creditOf = (who: SignedIn) => who.client.call(getAccountCredit, {})
const told = async (who: SignedIn) =>
  (await app.db.select().from(mails).where(eq(mails.userId, who.user.id)).orderBy(asc(mails.id))).map(
    ({ template }) => template,
  )
const everything = async () =>
  (
    await Promise.all(
      [
        'invoices',
        'users',
        'activations',
        'segments',
        'credit_transactions',
        'referral_claims',
        'refund_requests',
        'credit_notes',
        'mails',
        'audit_log',
      ].map(async (table) => (await app.database.pool.query(`SELECT * FROM ${table} ORDER BY 1`)).rows),
    )
  ).map((rows) => JSON.stringify(rows))

describe('a refund is not to be had', () => {
  test('for an invoice of somebody else, in the words of a missing one', async () => {
    const invoice = await bought(await app.signIn())
    const stranger = await app.signIn()
    for (const invoiceNumber of [invoice.invoiceNumber, 'ORD-ZZZZZZ'])
      await expect(ask(stranger, { invoiceNumber })).rejects.toMatchObject({
        status: 404,
        message: expect.stringContaining('Invoice not found'),
      })
    expect(await stranger.client.call(listRefunds, {})).toEqual([])
  })

  test('without a reason', async () => {
    const customer = await app.signIn()
    const { invoiceNumber } = await bought(customer)
    for (const said of ['', '  ', 'no', 'x'.repeat(1001), '\u202ereversed'])
      await expect(
        customer.client.call(requestRefund, { body: { invoiceNumber, reason: said } }),
      ).rejects.toMatchObject({
        status: 400,
        issues: [{ path: 'reason' }],
      })
  })

  test('for what is not paid, was taken back, or cost nothing', async () => {
    const customer = await app.signIn()
    const draft = await customer.client.call(createInvoice, { body: { planId: monthly, email: 'buyer@example.org' } })
    await expect(ask(customer, draft)).rejects.toMatchObject({ status: 409, code: 'not_paid' })
    const other = await app.signIn()
    const undone = await bought(other)
    await decide(undone.id, 'cancelled')
    await expect(ask(other, undone)).rejects.toMatchObject({ status: 409, code: 'not_paid' })
    const free = await bought(other, (await createPlan(app.db, { price: 0 })).id)
    await expect(ask(other, free)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('Nothing was paid'),
    })
  })

  test('once the guarantee is over, which the sentence dates', async () => {
    const customer = await app.signIn()
    const invoice = await bought(customer)
    await paidDaysAgo(invoice, 7)
    const [{ until } = { until: null }] = await customer.client.call(listRefunds, {})
    const day = new Intl.DateTimeFormat('en-US', {
      month: 'long',
      day: 'numeric',
      year: 'numeric',
      timeZone: 'UTC',
    }).format(new Date(until!))
    await expect(ask(customer, invoice)).rejects.toMatchObject({
      status: 409,
      code: 'no_refund',
      message: expect.stringContaining(`ended on ${day}.`),
    })
    await paidDaysAgo(invoice, 6.99)
    expect(await ask(customer, invoice)).toMatchObject({ request: { status: 'pending' } })
  })

  test('where the operator gives no guarantee', async () => {
    const customer = await app.signIn()
    const invoice = await bought(customer)
    await setGuarantee(admin, 0)
    try {
      expect(await customer.client.call(listRefunds, {})).toMatchObject([{ until: null }])
      await expect(ask(customer, invoice)).rejects.toMatchObject({
        status: 409,
        message: expect.stringContaining('no money-back guarantee'),
      })
    } finally {
      await setGuarantee(admin, 7)
    }
  })

  test('twice for one invoice, also after it was declined', async () => {
    const customer = await app.signIn()
    const invoice = await bought(customer)
    await ask(customer, invoice)
    await expect(ask(customer, invoice)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('already requested'),
    })
    await decline(invoice)
    await expect(ask(customer, invoice)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('already decided'),
    })
    expect(await told(customer)).toEqual(['order_received', 'payment_confirmed', 'refund_requested', 'refund_decided'])
  })
})

describe('a decision about a refund is refused', () => {
  test('where nothing was asked, to customers, without what it needs', async () => {
    const customer = await app.signIn()
    const invoice = await bought(customer)
    await expect(approve(invoice)).rejects.toMatchObject({ status: 404 })
    await expect(decline(invoice)).rejects.toMatchObject({ status: 404 })
    await ask(customer, invoice)
    await expect(approve(invoice, customer)).rejects.toMatchObject({ status: 403 })
    const send = (body: object) =>
      admin.client.call(decideRefund, { params: { invoiceId: invoice.id }, body: body as never })
    await expect(send({ status: 'declined', reason: '' })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'reason' }],
    })
    await expect(
      send({ status: 'approved', reason: '', paymentReference: '', expectedAmount: invoice.amount }),
    ).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'paymentReference' }],
    })
    await expect(
      send({ status: 'approved', reason: '', paymentReference: 'Venmo 1', expectedAmount: 1 }),
    ).rejects.toMatchObject({ code: 'amount_changed' })
    await expect(send({ status: 'refunded' })).rejects.toMatchObject({ status: 400 })
    expect((await userOf(customer)).subscriptionStatus).toBe('active')
  })

  test('about one’s own invoice where the operator says so', async () => {
    const invoice = await bought(admin)
    await ask(admin, invoice)
    app.house.config.selfApproval = 'deny'
    try {
      await expect(approve(invoice)).rejects.toMatchObject({ status: 409, code: 'own_invoice' })
      expect(await approve(invoice, await app.signInAdmin())).toMatchObject({ request: { status: 'approved' } })
    } finally {
      app.house.config.selfApproval = 'allow'
    }
  })

  test('while a plan change builds on the payment: its small difference would buy a whole period', async () => {
    const customer = await app.signIn()
    const invoice = await bought(customer)
    const { invoice: change } = await customer.client.call(changeSubscription, {
      body: { planId: bigger, prorated: true },
    })
    await ask(customer, invoice)
    await expect(approve(invoice)).rejects.toMatchObject({
      code: 'later_change',
      message: expect.stringContaining(change.invoiceNumber),
    })
    await decide(change.id, 'paid')
    await expect(approve(invoice)).rejects.toMatchObject({
      code: 'later_change',
      message: expect.stringContaining(change.invoiceNumber),
    })
    await ask(customer, change)
    await approve(change)
    expect(await customer.client.call(currentUser, {})).toMatchObject({ planId: monthly, subscriptionStatus: 'active' })
    await approve(invoice)
    expect(await customer.client.call(currentUser, {})).toMatchObject({ planId: null, subscriptionStatus: 'none' })
  })

  test('when the referrer has spent a bonus that was booked, whom the answer names; nothing is changed until an administrator mends it', async () => {
    const referrer = await app.signIn()
    const customer = await app.signIn({ referredBy: referrer.user.id })
    await setGuarantee(admin, 0)
    const invoice = await bought(customer)
    await setGuarantee(admin, 7)
    await bought(referrer)
    await ask(customer, invoice)
    const before = await everything()
    await expect(approve(invoice)).rejects.toMatchObject({
      code: 'credit_spent',
      message: expect.stringContaining(referrer.user.username),
    })
    expect(await everything()).toEqual(before)
    await admin.client.call(adjustCredit, {
      params: { userId: referrer.user.id },
      body: { amount: 1_000, reason: 'Goodwill' },
    })
    expect(await approve(invoice)).toMatchObject({ request: { status: 'approved' } })
  })
})

describe('approving a refund', () => {
  test('takes back subscription, used credit and bonus, issues a credit note, tells and notes it, and leaves the invoice refunded for good', async () => {
    const referrer = await app.signIn()
    const customer = await app.signIn({ referredBy: referrer.user.id, credit: 500 })
    const invoice = await bought(customer)
    expect([invoice.amount, await creditOf(referrer)]).toMatchObject([
      1_200,
      { balance: 0, pending: [{ amount: 180 }] },
    ])
    await ask(customer, invoice)
    const answer = await approve(invoice)
    expect(answer).toMatchObject({
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
    const booked = await app.db
      .select()
      .from(creditTransactions)
      .where(eq(creditTransactions.relatedInvoiceId, invoice.id))
      .orderBy(asc(creditTransactions.id))
    expect(booked.map(({ type, amount }) => [type, amount]).sort()).toEqual(
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
    expect(await told(customer)).toEqual(['order_received', 'payment_confirmed', 'refund_requested', 'refund_decided'])
    const noted = await app.db
      .select()
      .from(auditLog)
      .where(sql`target_type = 'invoice' and target_id = ${String(invoice.id)} and action like 'refund.%'`)
    expect(noted.map(({ action, actorId }) => [action, actorId])).toEqual([
      ['refund.request', customer.user.id],
      ['refund.approve', admin.user.id],
    ])
    for (const status of ['paid', 'pending', 'cancelled'] as const)
      await expect(decide(invoice.id, status)).rejects.toMatchObject({ status: 409 })
    await expect(ask(customer, invoice)).rejects.toMatchObject({ status: 409 })
  })

  test('of a renewal leaves what was paid before', async () => {
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

  test('of an order paid with credit alone returns the credit and asks for no reference', async () => {
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

  test('is shown before it is done: by the code that does it, leaving nothing behind', async () => {
    const referrer = await app.signIn()
    const customer = await app.signIn({ referredBy: referrer.user.id, credit: 500 })
    const invoice = await bought(customer)
    await ask(customer, invoice)
    const before = await everything()
    const { outcome } = await admin.client.call(getInvoiceRefund, { params: { invoiceId: invoice.id } })
    expect(outcome).toMatchObject({
      status: 'refunded',
      refusal: null,
      subscription: { before: { status: 'active' }, after: { status: 'none', endDate: null } },
      bookings: [{ username: customer.user.username, amount: 500, type: 'payment' }],
      pendingBonus: null,
      droppedBonus: { username: referrer.user.username },
    })
    expect(await everything()).toEqual(before)
  })
})

test('declining leaves everything but says why', async () => {
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

test('administrators find open wishes in the list of invoices, and how often a customer was refunded before', async () => {
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

test('a credit note is read by its customer and by administrators, noted, and by nobody else; as a PDF too', async () => {
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
  const words = (await pdfText(new Uint8Array(await file.arrayBuffer()))).join(' ')
  for (const word of [params.creditNoteNumber, invoice.invoiceNumber, 'Venmo 4711', '-$20.00', customer.user.username])
    expect(words).toContain(word)
})

describe('of several at once one counts, the rest get 409', () => {
  const outcomes = async (calls: Promise<unknown>[]) =>
    (await Promise.allSettled(calls))
      .map((each) => (each.status === 'fulfilled' ? 200 : (each.reason as { status: number }).status))
      .sort()

  test('two dozen wishes for one invoice', async () => {
    const customer = await app.signIn()
    const invoice = await bought(customer)
    expect(await outcomes(Array.from({ length: 24 }, () => ask(customer, invoice)))).toEqual([
      200,
      ...Array(23).fill(409),
    ])
    expect((await told(customer)).filter((template) => template === 'refund_requested')).toHaveLength(1)
  })

  test('administrators who approve and decline', async () => {
    for (let round = 0; round < 5; round++) {
      const referrer = await app.signIn()
      const customer = await app.signIn({ referredBy: referrer.user.id, credit: 300 })
      const invoice = await bought(customer)
      await ask(customer, invoice)
      const second = await app.signInAdmin()
      const calls = Array.from({ length: 10 }, (_, index) =>
        (index % 2 ? approve : decline)(invoice, index % 3 ? admin : second),
      )
      expect(await outcomes(calls)).toEqual([200, ...Array(9).fill(409)])
      expect((await told(customer)).filter((template) => template === 'refund_decided')).toHaveLength(1)
    }
  })

  test('a customer who asks while an administrator undoes the payment', async () => {
    for (let round = 0; round < 10; round++) {
      const customer = await app.signIn()
      const invoice = await bought(customer)
      expect(await outcomes([ask(customer, invoice), decide(invoice.id, 'cancelled')])).toEqual([200, 409])
    }
  })

  test('credit notes of many customers are numbered without gap or twin', async () => {
    const paid = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const customer = await app.signIn()
        const invoice = await bought(customer)
        await ask(customer, invoice)
        return invoice
      }),
    )
    await Promise.all(paid.map((invoice) => approve(invoice)))
    const numbers = (await app.db.select().from(creditNotes).orderBy(asc(creditNotes.number))).map(
      ({ number }) => number,
    )
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    await expect(app.database.pool.query('UPDATE credit_notes SET amount = 0')).rejects.toThrow(/append-only/)
  })
})

test('a payment is not undone while its refund is open', async () => {
  const customer = await app.signIn()
  const invoice = await bought(customer)
  await ask(customer, invoice)
  await expect(decide(invoice.id, 'pending')).rejects.toMatchObject({ status: 409, code: 'refund_open' })
  await decline(invoice)
  expect(await decide(invoice.id, 'pending')).toMatchObject({ status: 'pending' })
  expect(await app.db.select().from(refundRequests).where(eq(refundRequests.invoiceId, invoice.id))).toHaveLength(1)
})
