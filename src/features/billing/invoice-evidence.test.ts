import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adjustCredit } from '#features/referrals/admin-contract.ts'
import { getAccountCredit } from '#features/referrals/contract.ts'
import { addMonths } from '#kit/dates.ts'
import {
  activations,
  auditLog,
  creditTransactions,
  invoices,
  mails,
  referralClaims,
  segments,
  users,
} from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan, createInvoice as givenInvoice } from '../../../test/harness/factories.ts'
import { setGuarantee } from '../../../test/harness/guarantee.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { getInvoiceEvidence, listAllInvoices, updateInvoice } from './admin-contract.ts'
import { createInvoice, submitPayment } from './contract.ts'

let app: TestApp
let admin: SignedIn
let planId: number
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  planId = (await createPlan(app.db, { price: 2_000, connections: 2, name: 'Little Beast: 2 Connections' })).id
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

const evidenceOf = (invoiceId: number, paidAt?: string, by = admin) =>
  by.client.call(getInvoiceEvidence, { params: { invoiceId }, query: paidAt ? { paidAt } : {} })
const outcomeOf = async (invoiceId: number, status: string, paidAt?: string) =>
  (await evidenceOf(invoiceId, paidAt)).outcomes.find((outcome) => outcome.status === status)!
const decide = (invoiceId: number, status: 'pending' | 'paid' | 'cancelled', by = admin) =>
  by.client.call(updateInvoice, { params: { invoiceId }, body: { status } })
async function pending(customer: SignedIn, values: { confirmationCode?: string; paymentNote?: string } = {}) {
  const { invoiceNumber } = await customer.client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  await customer.client.call(submitPayment, {
    body: {
      planId,
      paymentMethod: 'venmo',
      confirmationCode: '',
      paymentNote: `SAUCE: ${invoiceNumber}`,
      invoiceNumber,
      ...values,
    },
  })
  return (await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber)))[0]!
}
const snapshot = async () => {
  const tables = [users, invoices, activations, segments, referralClaims, creditTransactions, auditLog, mails]
  return Promise.all(
    tables.map((table) =>
      app.db
        .select()
        .from(table as typeof users)
        .orderBy(sql`1`),
    ),
  )
}
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

describe('the evidence about an invoice', () => {
  test('is for administrators only; returns 404 for an unknown invoice and 400 for an invalid date', async () => {
    const customer = await app.signIn()
    const { id } = await pending(customer)
    expect((await customer.client.request(`/api/admin/invoices/${id}/evidence`)).status).toBe(403)
    await expect(evidenceOf(2147483647)).rejects.toMatchObject({ status: 404 })
    await expect(evidenceOf(id, 'soon')).rejects.toMatchObject({ status: 400 })
  })

  test('writes nothing, although it runs every possible decision and rolls it back', async () => {
    const referrer = await app.signIn()
    const { id } = await pending(await app.signIn({ referredBy: referrer.user.id }))
    const before = await snapshot()
    await evidenceOf(id)
    expect(await snapshot()).toEqual(before)
  })

  test('previews the exact dates and referral bonus of a confirmation', async () => {
    const referrer = await app.signIn()
    const customer = await app.signIn({ referredBy: referrer.user.id })
    const { id } = await pending(customer)
    const yesterday = hoursAgo(24).slice(0, 10)
    const predicted = await outcomeOf(id, 'paid', yesterday)
    const paid = await admin.client.call(updateInvoice, {
      params: { invoiceId: id },
      body: { status: 'paid', paidAt: yesterday },
    })
    expect(predicted.refusal).toBeNull()
    expect(predicted.subscription).toEqual({
      before: { planName: null, status: 'none', startDate: null, endDate: null, maxConnections: null },
      after: {
        planName: 'Little Beast: 2 Connections',
        status: 'active',
        startDate: paid.paidAt,
        endDate: addMonths(paid.paidAt!, 1),
        maxConnections: 2,
      },
    })
    const availableAt = new Date(Date.parse(paid.paidAt!) + 7 * 24 * 3_600_000).toISOString()
    expect([predicted.bookings, predicted.pendingBonus]).toEqual([
      [],
      { username: referrer.user.username, amount: 255, availableAt },
    ])
    expect(await referrer.client.call(getAccountCredit, {})).toMatchObject({
      balance: 0,
      pending: [{ amount: 255, availableAt }],
    })
    const [now] = await app.db.select().from(users).where(eq(users.id, customer.user.id))
    expect(now!.subscriptionEndDate).toBe(predicted.subscription!.after.endDate)
  })

  test('previews what a reversal withdraws, or why it would be refused', async () => {
    const referrer = await app.signIn()
    const { id, userId } = await pending(await app.signIn({ referredBy: referrer.user.id }))
    await setGuarantee(admin, 0)
    await decide(id, 'paid')
    await setGuarantee(admin, 7)
    expect(await outcomeOf(id, 'cancelled')).toMatchObject({
      refusal: null,
      subscription: { before: { status: 'active' }, after: { status: 'none', endDate: null } },
      bookings: [{ username: referrer.user.username, amount: -255, type: 'referral_bonus' }],
    })
    await admin.client.call(adjustCredit, {
      params: { userId: referrer.user.id },
      body: { amount: -255, reason: 'spent' },
    })
    expect(await outcomeOf(id, 'pending')).toMatchObject({
      refusal: { code: 'credit_spent' },
      subscription: null,
      bookings: [],
    })
    expect((await app.db.select().from(users).where(eq(users.id, userId)))[0]!.subscriptionStatus).toBe('active')
  })

  test('previews that a reversal drops the pending bonus', async () => {
    const referrer = await app.signIn()
    const { id } = await pending(await app.signIn({ referredBy: referrer.user.id }))
    await decide(id, 'paid')
    const { pending: shown } = await referrer.client.call(getAccountCredit, {})
    expect(await outcomeOf(id, 'cancelled')).toMatchObject({
      bookings: [],
      pendingBonus: null,
      droppedBonus: { username: referrer.user.username, amount: 255, availableAt: shown[0]!.availableAt },
    })
  })

  test('contains a refusal for an invalid payment date', async () => {
    const { id } = await pending(await app.signIn())
    expect((await outcomeOf(id, 'paid', '2099-01-01')).refusal).toEqual({
      code: 'invalid',
      message: expect.stringContaining('payment date'),
    })
  })

  test('lists other invoices with the same code, earlier payments and other open invoices', async () => {
    const customer = await app.signIn()
    const earlier = await pending(customer)
    await decide(earlier.id, 'paid')
    const open = await pending(customer)
    const duplicate = await pending(await app.signIn(), { confirmationCode: '#ev-77 01' })
    const { id } = await pending(customer, { confirmationCode: 'EV7701' })
    const evidence = await evidenceOf(id)
    expect(evidence.invoice).toMatchObject({ id, duplicateCode: true, noteMatch: 'same' })
    expect(evidence.sameCode.map((each) => each.id)).toEqual([duplicate.id])
    expect(evidence.payments).toMatchObject({ count: 1, total: 2_000, latest: [{ id: earlier.id }] })
    expect(evidence.open.map((each) => each.id)).toEqual([open.id])
  })

  test('lists decisions with their administrators, newest first', async () => {
    const colleague = await app.signInAdmin()
    const { id } = await pending(await app.signIn())
    await decide(id, 'cancelled', colleague)
    await decide(id, 'pending')
    expect((await evidenceOf(id)).history).toMatchObject([
      { by: admin.user.username, action: 'invoice.reopen', version: 4 },
      { by: colleague.user.username, action: 'invoice.cancel', version: 3 },
    ])
  })
})

describe('the list of invoices', () => {
  const rowOf = async (invoiceNumber: string) =>
    (await admin.client.call(listAllInvoices, { query: { search: invoiceNumber } })).rows[0]!

  test.each([
    ['cashapp', 23, false],
    ['cashapp', 25, true],
    ['creditcard', 0.9, false],
    ['creditcard', 1.1, true],
  ] as const)(
    'shows a %s payment that has been waiting for %d hours with overdue = %s',
    async (paymentMethod, hours, overdue) => {
      const { invoiceNumber } = await givenInvoice(app.db, {
        userId: (await app.signIn()).user.id,
        status: 'pending',
        paymentMethod,
        submittedAt: hoursAgo(hours),
      })
      expect(await rowOf(invoiceNumber)).toMatchObject({
        overdue,
        promisedHours: paymentMethod === 'creditcard' ? 1 : 24,
      })
    },
  )
  test('never shows a paid or unsubmitted invoice as overdue', async () => {
    const { user } = await app.signIn()
    const paid = await givenInvoice(app.db, {
      userId: user.id,
      paymentMethod: 'venmo',
      submittedAt: hoursAgo(99),
      status: 'pending',
    })
    await decide(paid.id, 'paid')
    const unsubmitted = await givenInvoice(app.db, { userId: user.id, status: 'pending' })
    expect([(await rowOf(paid.invoiceNumber)).overdue, (await rowOf(unsubmitted.invoiceNumber)).overdue]).toEqual([
      false,
      false,
    ])
  })
  test('can be filtered by payment method', async () => {
    const { user } = await app.signIn()
    for (const paymentMethod of ['cashapp', 'venmo', 'creditcard', null] as const)
      await givenInvoice(app.db, { userId: user.id, status: 'pending', paymentMethod })
    const { rows, total } = await admin.client.call(listAllInvoices, {
      query: { search: user.username, paymentMethod: 'venmo' },
    })
    expect([rows.map((row) => row.paymentMethod), total]).toEqual([['venmo'], 1])
  })
})

describe('a payment from which the confirming administrator benefits', () => {
  const benefitsOf = async (on: TestApp) => {
    const self = await on.signInAdmin()
    const own = await givenInvoice(on.db, { userId: self.user.id, status: 'pending' })
    const referred = await on.signIn({ referredBy: self.user.id })
    const earning = await givenInvoice(on.db, { userId: referred.user.id, status: 'pending' })
    return { self, own, earning }
  }

  test('is flagged in the preview and in the audit entry of the confirmation', async () => {
    const { self, own, earning } = await benefitsOf(app)
    expect(await evidenceOf(own.id, undefined, self)).toMatchObject({ ownInvoice: true, ownReferral: false })
    expect(await evidenceOf(earning.id, undefined, self)).toMatchObject({ ownInvoice: false, ownReferral: true })
    await decide(earning.id, 'paid', self)
    const [auditEntry] = await app.db
      .select()
      .from(auditLog)
      .where(sql`${auditLog.action} = 'invoice.confirm' AND ${auditLog.targetId} = ${String(earning.id)}`)
    expect(auditEntry!.after).toMatchObject({ ownInvoice: false, ownReferral: true })
  })

  test('is refused when self-approval is denied, even in the preview; another administrator may confirm it', async () => {
    const strict = await buildApp({ config: { selfApproval: 'deny' } })
    try {
      const { self, own, earning } = await benefitsOf(strict)
      const colleague = await strict.signInAdmin()
      for (const [invoice, code] of [
        [own, 'own_invoice'],
        [earning, 'own_referral'],
      ] as const) {
        const { outcomes } = await self.client.call(getInvoiceEvidence, {
          params: { invoiceId: invoice.id },
          query: {},
        })
        expect(outcomes.find(({ status }) => status === 'paid')!.refusal).toMatchObject({ code })
        await expect(decide(invoice.id, 'paid', self)).rejects.toMatchObject({ status: 409, code })
        expect(await decide(invoice.id, 'paid', colleague)).toMatchObject({ status: 'paid' })
      }
      await expectInvariants(strict.db)
    } finally {
      await strict.close()
    }
  })
})
