import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentUser } from '#features/accounts/contract.ts'
import { adjustCredit } from '#features/referrals/admin-contract.ts'
import { creditNotes, refundRequests } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../../../../test/harness/app.ts'
import { createPlan } from '../../../../../../test/harness/factories.ts'
import { setGuarantee } from '../../../../../../test/harness/guarantee.ts'
import { expectInvariants } from '../../../../../../test/harness/invariants.ts'
import { refundSteps } from '../../../../../../test/harness/refund-steps.ts'
import { decideRefund } from '../../../admin-refund-contract.ts'
import { changeSubscription, createInvoice, listRefunds, requestRefund } from '../../../contract.ts'

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
  await expectInvariants(app.db)
  await app.close()
})

const { bought, decide, ask, approve, decline, paidDaysAgo, userOf, mailTemplates, snapshot } = refundSteps(() => ({
  app,
  admin,
  planId: monthly,
}))

describe('a refund request is refused', () => {
  test('for another customer’s invoice, with the same message as for a missing one', async () => {
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
    for (const invalidReason of ['', '  ', 'no', 'x'.repeat(1001), '\u202ereversed'])
      await expect(
        customer.client.call(requestRefund, { body: { invoiceNumber, reason: invalidReason } }),
      ).rejects.toMatchObject({
        status: 400,
        issues: [{ path: 'reason' }],
      })
  })

  test('for an invoice that is not paid, was reversed, or cost nothing', async () => {
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

  test('after the guarantee has ended, with its end date in the message', async () => {
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

  test('when the operator offers no guarantee', async () => {
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

  test('for an invoice with an open or a declined request', async () => {
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
    expect(await mailTemplates(customer)).toEqual([
      'order_received',
      'payment_confirmed',
      'refund_requested',
      'refund_decided',
    ])
  })
})

describe('a decision about a refund is refused', () => {
  test('without a refund request, for customers, and without reason, reference or the right amount', async () => {
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

  test('for one’s own invoice when self-approval is denied', async () => {
    const invoice = await bought(admin)
    await ask(admin, invoice)
    app.context.config.selfApproval = 'deny'
    try {
      await expect(approve(invoice)).rejects.toMatchObject({ status: 409, code: 'own_invoice' })
      expect(await approve(invoice, await app.signInAdmin())).toMatchObject({ request: { status: 'approved' } })
    } finally {
      app.context.config.selfApproval = 'allow'
    }
  })

  test('while a plan change depends on the payment, because otherwise the small charge for the change would buy a whole period', async () => {
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

  test('when the referrer has spent the bonus: the message names them, and nothing changes until credit is adjusted', async () => {
    const referrer = await app.signIn()
    const customer = await app.signIn({ referredBy: referrer.user.id })
    await setGuarantee(admin, 0)
    const invoice = await bought(customer)
    await setGuarantee(admin, 7)
    await bought(referrer)
    await ask(customer, invoice)
    const before = await snapshot()
    await expect(approve(invoice)).rejects.toMatchObject({
      code: 'credit_spent',
      message: expect.stringContaining(referrer.user.username),
    })
    expect(await snapshot()).toEqual(before)
    await admin.client.call(adjustCredit, {
      params: { userId: referrer.user.id },
      body: { amount: 1_000, reason: 'Goodwill' },
    })
    expect(await approve(invoice)).toMatchObject({ request: { status: 'approved' } })
  })
})

describe('exactly one of several concurrent calls succeeds, and the others get 409,', () => {
  const outcomes = async (calls: Promise<unknown>[]) =>
    (await Promise.allSettled(calls))
      .map((each) => (each.status === 'fulfilled' ? 200 : (each.reason as { status: number }).status))
      .sort()

  test('for 24 refund requests for one invoice', async () => {
    const customer = await app.signIn()
    const invoice = await bought(customer)
    expect(await outcomes(Array.from({ length: 24 }, () => ask(customer, invoice)))).toEqual([
      200,
      ...Array(23).fill(409),
    ])
    expect((await mailTemplates(customer)).filter((template) => template === 'refund_requested')).toHaveLength(1)
  })

  test('for administrators who approve and decline', async () => {
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
      expect((await mailTemplates(customer)).filter((template) => template === 'refund_decided')).toHaveLength(1)
    }
  })

  test('for a refund request and a reversal of the payment', async () => {
    for (let round = 0; round < 10; round++) {
      const customer = await app.signIn()
      const invoice = await bought(customer)
      expect(await outcomes([ask(customer, invoice), decide(invoice.id, 'cancelled')])).toEqual([200, 409])
    }
  })
})

test('concurrent credit notes are numbered without gaps or duplicates', async () => {
  const paid = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const customer = await app.signIn()
      const invoice = await bought(customer)
      await ask(customer, invoice)
      return invoice
    }),
  )
  await Promise.all(paid.map((invoice) => approve(invoice)))
  const numbers = (await app.db.select().from(creditNotes).orderBy(asc(creditNotes.number))).map(({ number }) => number)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  await expect(app.database.pool.query('UPDATE credit_notes SET amount = 0')).rejects.toThrow(/append-only/)
})

test('a payment cannot be reversed while its refund request is open', async () => {
  const customer = await app.signIn()
  const invoice = await bought(customer)
  await ask(customer, invoice)
  await expect(decide(invoice.id, 'pending')).rejects.toMatchObject({ status: 409, code: 'refund_open' })
  await decline(invoice)
  expect(await decide(invoice.id, 'pending')).toMatchObject({ status: 'pending' })
  expect(await app.db.select().from(refundRequests).where(eq(refundRequests.invoiceId, invoice.id))).toHaveLength(1)
})
