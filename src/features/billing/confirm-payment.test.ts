import { and, asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentUser } from '#features/accounts/contract.ts'
import { adjustCredit } from '#features/referrals/admin-contract.ts'
import { getAccountCredit } from '#features/referrals/contract.ts'
import { listPaidTime } from '#features/subscriptions/contract.ts'
import { addMonths } from '#kit/dates.ts'
import { activations, auditLog, creditTransactions, invoices, mails, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan, createInvoice as givenInvoice } from '../../../test/harness/factories.ts'
import { setGuarantee } from '../../../test/harness/guarantee.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { roundCount } from '../../../test/harness/scale.ts'
import { updateInvoice } from './admin-contract.ts'
import { createInvoice, submitPayment } from './contract.ts'

let app: TestApp
let admin: SignedIn
let monthly: number
let quarterly: number
beforeAll(async () => {
  app = await buildApp({ connections: 20 })
  admin = await app.signInAdmin()
  await setGuarantee(admin, 0)
  monthly = (await createPlan(app.db, { price: 2_000, connections: 2 })).id
  quarterly = (
    await createPlan(app.db, {
      price: 5_000,
      months: 3,
      connections: 3,
      tier: 2,
      name: 'Beast: 3 Months, 3 Connections',
    })
  ).id
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

async function pending(customer: SignedIn, planId = monthly) {
  const { invoiceNumber } = await customer.client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  await customer.client.call(submitPayment, {
    body: {
      planId,
      paymentMethod: 'venmo',
      confirmationCode: '',
      paymentNote: `SAUCE: ${invoiceNumber}`,
      invoiceNumber,
    },
  })
  const [row] = await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber))
  return row!
}
type Change = { status: 'pending' | 'paid' | 'cancelled'; paidAt?: string; version?: number }
const decide = (invoiceId: number, change: Change) =>
  admin.client.call(updateInvoice, { params: { invoiceId }, body: change })
const userOf = async (id: number) => (await app.db.select().from(users).where(eq(users.id, id)))[0]!
const ledgerOf = (userId: number) =>
  app.db
    .select()
    .from(creditTransactions)
    .where(eq(creditTransactions.userId, userId))
    .orderBy(asc(creditTransactions.id))
const referredPair = async () => {
  const referrer = await app.signIn()
  return { referrer, customer: await app.signIn({ referredBy: referrer.user.id }) }
}

describe('confirming a payment', () => {
  test('requires an administrator: it returns 401 without a session and 403 to a customer, and changes nothing', async () => {
    const customer = await app.signIn()
    const invoice = await pending(customer)
    const put = (who: SignedIn['client']) =>
      who.request(`/api/admin/invoices/${invoice.id}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: '{"status":"paid"}',
      })
    expect((await put(app.client())).status).toBe(401)
    expect((await put(customer.client)).status).toBe(403)
    expect((await userOf(customer.user.id)).subscriptionStatus).toBe('none')
  })

  test('starts a new subscription at the payment date, for the plan’s calendar months', async () => {
    const customer = await app.signIn()
    const invoice = await pending(customer, quarterly)
    const paid = await decide(invoice.id, { status: 'paid' })
    expect(paid).toMatchObject({ status: 'paid', paidAt: expect.any(String) })
    expect(await customer.client.call(currentUser, {})).toMatchObject({
      planId: quarterly,
      subscriptionStatus: 'active',
      subscriptionStartDate: paid.paidAt,
      subscriptionEndDate: addMonths(paid.paidAt!, 3),
      iptvMaxConnections: 3,
    })
  })

  test('uses the payment date that the administrator enters', async () => {
    const customer = await app.signIn()
    const invoice = await pending(customer)
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    expect(await decide(invoice.id, { status: 'paid', paidAt: yesterday })).toMatchObject({
      paidAt: `${yesterday}T00:00:00.000Z`,
    })
    expect((await userOf(customer.user.id)).subscriptionEndDate).toBe(addMonths(`${yesterday}T00:00:00.000Z`, 1))
  })

  test('rejects a future or invalid payment date', async () => {
    const invoice = await pending(await app.signIn())
    await expect(decide(invoice.id, { status: 'paid', paidAt: '2099-01-01' })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'paidAt' }],
    })
    for (const paidAt of ['soon', '0000-01-01', '2026-02-30', '9999-12-31T23:59:59.999Z'])
      await expect(decide(invoice.id, { status: 'paid', paidAt }), paidAt).rejects.toMatchObject({ status: 400 })
    expect((await app.db.select().from(invoices).where(eq(invoices.id, invoice.id)))[0]!.status).toBe('pending')
  })

  test('extends an active subscription from its current end; another plan starts at that end', async () => {
    const customer = await app.signIn()
    await decide((await pending(customer)).id, { status: 'paid' })
    const { subscriptionStartDate, subscriptionEndDate } = await userOf(customer.user.id)
    await decide((await pending(customer, quarterly)).id, { status: 'paid' })
    expect(await userOf(customer.user.id)).toMatchObject({
      ...{ planId: monthly, iptvMaxConnections: 2, subscriptionStartDate },
      subscriptionEndDate: addMonths(subscriptionEndDate!, 3),
    })
    expect(await customer.client.call(listPaidTime, {})).toMatchObject([
      { planId: monthly, connections: 2, startsAt: subscriptionStartDate, endsAt: subscriptionEndDate },
      { planId: quarterly, connections: 3, startsAt: subscriptionEndDate, endsAt: addMonths(subscriptionEndDate!, 3) },
    ])
  })

  test('returns the invoice exactly as later requests do', async () => {
    const customer = await app.signIn()
    const invoice = await pending(customer)
    const confirmed = await decide(invoice.id, { status: 'paid' })
    expect(confirmed).toMatchObject({ status: 'paid', username: customer.user.username, refund: null })
    expect(await decide(invoice.id, { status: 'paid' })).toEqual(confirmed)
  })

  test('writes one audit entry, one email and one activation, even when it is repeated', async () => {
    const customer = await app.signIn()
    const invoice = await pending(customer)
    await decide(invoice.id, { status: 'paid' })
    await decide(invoice.id, { status: 'paid' })
    expect(
      await app.db
        .select()
        .from(auditLog)
        .where(and(eq(auditLog.targetType, 'invoice'), eq(auditLog.targetId, String(invoice.id)))),
    ).toMatchObject([{ action: 'invoice.confirm', actorId: admin.user.id }])
    expect(
      await app.db
        .select()
        .from(mails)
        .where(and(eq(mails.userId, customer.user.id), eq(mails.template, 'payment_confirmed'))),
    ).toHaveLength(1)
    expect(await app.db.select().from(activations).where(eq(activations.invoiceId, invoice.id))).toHaveLength(1)
  })

  test('of one’s own invoice requires another administrator when self-approval is denied', async () => {
    const strict = await buildApp({ config: { selfApproval: 'deny' } })
    try {
      const [self, colleague] = [await strict.signInAdmin(), await strict.signInAdmin()]
      const { id } = await givenInvoice(strict.db, { userId: self.user.id, status: 'pending' })
      const confirm = (who: SignedIn) =>
        who.client.call(updateInvoice, { params: { invoiceId: id }, body: { status: 'paid' } })
      await expect(confirm(self)).rejects.toMatchObject({ status: 409, code: 'own_invoice' })
      expect(await confirm(colleague)).toMatchObject({ status: 'paid' })
    } finally {
      await strict.close()
    }
  })

  test('returns 404 for an unknown invoice and for an id that is out of range', async () => {
    await expect(decide(2147483647, { status: 'paid' })).rejects.toMatchObject({ status: 404 })
    await expect(decide(99999999999, { status: 'paid' })).rejects.toMatchObject({ status: 404 })
  })
})

describe('the referrer’s bonus', () => {
  test('is 15 % of the amount paid, booked once for the first paid invoice', async () => {
    const { referrer, customer } = await referredPair()
    const first = await pending(customer)
    expect(first.amount).toBe(1_700)
    await decide(first.id, { status: 'paid' })
    await decide((await pending(customer)).id, { status: 'paid' })
    expect(await ledgerOf(referrer.user.id)).toMatchObject([
      { amount: 255, type: 'referral_bonus', relatedInvoiceId: first.id, createdBy: admin.user.id },
    ])
    expect(await referrer.client.call(getAccountCredit, {})).toMatchObject({ formattedBalance: '$2.55' })
    expect(await ledgerOf(customer.user.id)).toEqual([])
  })
})

describe('payments are confirmed exactly once', () => {
  test('for fifty concurrent confirmations by two administrators', async () => {
    const { referrer, customer } = await referredPair()
    const second = await app.signInAdmin()
    const invoice = await pending(customer)
    const settled = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) =>
        (i % 2 ? admin : second).client.call(updateInvoice, {
          params: { invoiceId: invoice.id },
          body: { status: 'paid' },
        }),
      ),
    )
    expect(settled.filter(({ status }) => status === 'rejected')).toEqual([])
    const confirmedInvoices = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(new Set(confirmedInvoices.map((result) => result.paidAt)).size).toBe(1)
    expect(await app.db.select().from(activations).where(eq(activations.userId, customer.user.id))).toHaveLength(1)
    expect((await userOf(customer.user.id)).subscriptionEndDate).toBe(addMonths(confirmedInvoices[0]!.paidAt!, 1))
    expect(await ledgerOf(referrer.user.id)).toHaveLength(1)
  })

  test('for concurrent confirmations of two invoices of one customer, which both extend the subscription', async () => {
    const customer = await app.signIn()
    const both = [await pending(customer), await pending(customer, quarterly)]
    await Promise.all(both.map((invoice) => decide(invoice.id, { status: 'paid' })))
    const { subscriptionStartDate, subscriptionEndDate } = await userOf(customer.user.id)
    // If the start is after the 28th of a month, the end date depends on which of the two invoices was confirmed first.
    const ends = [
      [1, 3],
      [3, 1],
    ].map((months) => months.reduce(addMonths, subscriptionStartDate!))
    expect(ends).toContain(subscriptionEndDate)
  })

  test('for concurrent confirmations in a chain of referrals, without a deadlock', async () => {
    const chain = [await app.signIn()]
    for (let i = 0; i < 10; i++) chain.push(await app.signIn({ referredBy: chain.at(-1)!.user.id }))
    const all = await Promise.all(chain.map((customer) => pending(customer)))
    await Promise.all(all.reverse().map((invoice) => decide(invoice.id, { status: 'paid' })))
    for (const { user } of chain.slice(0, -1)) expect(await ledgerOf(user.id)).toHaveLength(1)
  })
})

describe('reversing a payment', () => {
  test.each(['pending', 'cancelled'] as const)(
    'by setting the invoice to %s restores the subscription and withdraws the bonus',
    async (status) => {
      const { referrer, customer } = await referredPair()
      const before = await userOf(customer.user.id)
      const invoice = await pending(customer)
      await decide(invoice.id, { status: 'paid' })
      expect(await decide(invoice.id, { status })).toMatchObject({ status, paidAt: null })
      expect(await userOf(customer.user.id)).toEqual(before)
      expect((await ledgerOf(referrer.user.id)).map((row) => row.amount)).toEqual([255, -255])
      expect((await userOf(referrer.user.id)).accountCredit).toBe(0)
    },
  )

  test('removes only its own period: a later payment keeps its period and starts immediately', async () => {
    const customer = await app.signIn()
    const first = await pending(customer)
    await decide(first.id, { status: 'paid' })
    await decide((await pending(customer, quarterly)).id, { status: 'paid' })
    await decide(first.id, { status: 'cancelled' })
    const [later] = await app.db
      .select()
      .from(activations)
      .where(and(eq(activations.userId, customer.user.id), sql`reversed_at IS NULL`))
    expect(await userOf(customer.user.id)).toMatchObject({
      planId: quarterly,
      subscriptionStatus: 'active',
      subscriptionStartDate: later!.effectiveAt,
      subscriptionEndDate: addMonths(later!.effectiveAt, 3),
    })
  })

  test('and confirming it again books the bonus again and extends the subscription only once', async () => {
    const { referrer, customer } = await referredPair()
    const invoice = await pending(customer)
    for (let round = 0; round < 3; round++) {
      await decide(invoice.id, { status: 'paid' })
      await decide(invoice.id, { status: 'pending' })
    }
    const paid = await decide(invoice.id, { status: 'paid' })
    expect((await userOf(customer.user.id)).subscriptionEndDate).toBe(addMonths(paid.paidAt!, 1))
    expect((await ledgerOf(referrer.user.id)).map((row) => row.amount)).toEqual([255, -255, 255, -255, 255, -255, 255])
  })

  test('fifty times concurrently has one effect', async () => {
    const { referrer, customer } = await referredPair()
    const invoice = await pending(customer)
    await decide(invoice.id, { status: 'paid' })
    await Promise.all(Array.from({ length: 50 }, () => decide(invoice.id, { status: 'cancelled' })))
    expect(await ledgerOf(referrer.user.id)).toHaveLength(2)
    expect((await userOf(customer.user.id)).subscriptionStatus).toBe('none')
  })

  test('is refused when the referrer has spent the bonus, and nothing changes', async () => {
    const { referrer, customer } = await referredPair()
    const invoice = await pending(customer)
    await decide(invoice.id, { status: 'paid' })
    await admin.client.call(adjustCredit, {
      params: { userId: referrer.user.id },
      body: { amount: -200, reason: 'spent' },
    })
    await expect(decide(invoice.id, { status: 'pending' })).rejects.toMatchObject({ status: 409, code: 'credit_spent' })
    expect((await userOf(customer.user.id)).subscriptionStatus).toBe('active')
    expect((await app.db.select().from(invoices).where(eq(invoices.id, invoice.id)))[0]).toMatchObject({
      status: 'paid',
    })
  })

  test('concurrently with confirming and reopening leaves subscription and ledger consistent with the final status', async () => {
    for (let round = 0; round < roundCount('DECISIONS', { short: 2, full: 10 }); round++) {
      const { referrer, customer } = await referredPair()
      const invoice = await pending(customer)
      await Promise.allSettled(
        Array.from({ length: 20 }, (_, i) =>
          decide(invoice.id, { status: (['paid', 'cancelled', 'pending'] as const)[i % 3]! }),
        ),
      )
      const [row] = await app.db.select().from(invoices).where(eq(invoices.id, invoice.id))
      const paid = row!.status === 'paid'
      expect((await userOf(customer.user.id)).subscriptionStatus).toBe(paid ? 'active' : 'none')
      expect((await userOf(referrer.user.id)).accountCredit).toBe(paid ? 255 : 0)
    }
  })
})

describe('the database rejects', () => {
  test('any change of the ledger or the audit log', async () => {
    for (const statement of [
      sql`UPDATE credit_transactions SET amount = 1`,
      sql`DELETE FROM credit_transactions`,
      sql`UPDATE audit_log SET action = ''`,
      sql`DELETE FROM audit_log`,
      sql`TRUNCATE audit_log`,
    ]) {
      await expect(app.db.execute(statement)).rejects.toMatchObject({ cause: { code: 'P0001' } })
    }
  })

  test('a paid invoice without a payment date, negative credit and a second active activation of an invoice', async () => {
    const customer = await app.signIn()
    const invoice = await pending(customer)
    await expect(
      app.db.update(invoices).set({ status: 'paid' }).where(eq(invoices.id, invoice.id)),
    ).rejects.toMatchObject({ cause: { code: '23514' } })
    await expect(
      app.db.update(users).set({ accountCredit: -1 }).where(eq(users.id, customer.user.id)),
    ).rejects.toMatchObject({ cause: { code: '23514' } })
    await decide(invoice.id, { status: 'paid' })
    await expect(
      app.db.execute(
        sql`INSERT INTO activations (user_id, invoice_id, kind, plan_id, effective_at, after) SELECT user_id, invoice_id, kind, plan_id, effective_at, after FROM activations WHERE invoice_id = ${invoice.id}`,
      ),
    ).rejects.toMatchObject({ cause: { code: '23505' } })
  })
})
