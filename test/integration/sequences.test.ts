import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rejectPayment, updateInvoice } from '#features/billing/admin-contract.ts'
import { decideRefund } from '#features/billing/admin-refund-contract.ts'
import { changeSubscription, createInvoice, requestRefund, submitPayment } from '#features/billing/contract.ts'
import { ApiError } from '#kit/caller.ts'
import { creditTransactions, invoices, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../harness/app.ts'
import { createPlan } from '../harness/factories.ts'
import { expectInvariants } from '../harness/invariants.ts'
import { roundCount } from '../harness/scale.ts'

let app: TestApp
let admin: SignedIn
let plans: number[]
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  plans = []
  for (const [price, months] of [
    [1_499, 1],
    [4_099, 1],
    [7_799, 3],
    [33_999, 12],
  ] as const)
    plans.push((await createPlan(app.db, { price, months })).id)
})
afterAll(() => app.close())

type Step = { kind: 'buy' | 'change' | 'confirm' | 'reopen' | 'cancel' | 'reject' | 'refund'; pick: number }
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('buy', 'buy', 'change', 'confirm', 'confirm', 'reopen', 'cancel', 'reject', 'refund'),
  pick: fc.nat(20),
})

const decisions = { confirm: 'paid', reopen: 'pending', cancel: 'cancelled' } as const
/** Takes a step. Ignores error responses below 500, which are valid refusals. */
async function take({ kind, pick }: Step, { client, user }: SignedIn): Promise<void> {
  const planId = plans[pick % plans.length]!
  const rows = await app.db
    .select({ id: invoices.id })
    .from(invoices)
    .where(eq(invoices.userId, user.id))
    .orderBy(invoices.id)
  const invoiceId = rows[pick % Math.max(1, rows.length)]?.id
  try {
    if (kind === 'buy') {
      const { invoiceNumber, amount } = await client.call(createInvoice, {
        body: { planId, email: 'buyer@example.org' },
      })
      await client.call(submitPayment, {
        body: { planId, paymentMethod: amount === 0 ? null : 'creditcard', invoiceNumber },
      })
    } else if (kind === 'change') await client.call(changeSubscription, { body: { planId, prorated: true } })
    else if (invoiceId && kind === 'reject') {
      const { version } = (await app.db.select().from(invoices).where(eq(invoices.id, invoiceId)))[0]!
      await admin.client.call(rejectPayment, {
        params: { invoiceId },
        body: { reason: 'We found no payment.', version },
      })
    } else if (invoiceId && kind === 'refund') {
      const { invoiceNumber, amount } = (await app.db.select().from(invoices).where(eq(invoices.id, invoiceId)))[0]!
      await client.call(requestRefund, { body: { invoiceNumber, reason: 'Not for me' } }).catch(() => undefined)
      const approval = {
        status: 'approved' as const,
        paymentReference: amount > 0 ? 'BACK-1' : '',
        reason: '',
        expectedAmount: amount,
      }
      await admin.client
        .call(decideRefund, { params: { invoiceId }, body: approval })
        .catch((error) => declineInstead(error, invoiceId))
    } else if (invoiceId && kind in decisions) {
      const status = decisions[kind as keyof typeof decisions]
      await admin.client.call(updateInvoice, { params: { invoiceId }, body: { status } })
    }
  } catch (error) {
    if (!(error instanceof ApiError && error.status < 500)) throw error
  }
}

/** Declines a refund that cannot be approved, so that no request stays open. */
async function declineInstead(error: unknown, invoiceId: number): Promise<void> {
  if (!(error instanceof ApiError && error.status === 409)) throw error
  await admin.client.call(decideRefund, { params: { invoiceId }, body: { status: 'declined', reason: 'Not possible' } })
}

const sequences = roundCount('SEQUENCES', { short: 8, full: 40 })
const seed = Number(process.env.SEQUENCES_SEED)

test(
  'purchases, changes and refunds in any order keep all invariants; reversing all of them leaves no time or credit',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const referrer = await app.signIn()
        const customer = await app.signIn({ referredBy: referrer.user.id })
        for (const each of steps) await take(each, customer)
        await expectInvariants(app.db)
        // Newest first: credit spent by a later invoice must be returned before its source can be reversed.
        const rows = await app.db
          .select({ id: invoices.id })
          .from(invoices)
          .where(eq(invoices.userId, customer.user.id))
          .orderBy(invoices.id)
        for (let round = 0; round < rows.length; round++)
          for (const { id } of rows.toReversed())
            await admin.client
              .call(updateInvoice, { params: { invoiceId: id }, body: { status: 'cancelled' } })
              .catch(() => undefined)
        const [after] = await app.db.select().from(users).where(eq(users.id, customer.user.id))
        expect(after).toMatchObject({
          subscriptionStatus: 'none',
          planId: null,
          subscriptionEndDate: null,
          accountCredit: 0,
        })
        const booked = await app.db
          .select({ amount: creditTransactions.amount })
          .from(creditTransactions)
          .where(eq(creditTransactions.userId, referrer.user.id))
        expect(booked.reduce((sum, row) => sum + row.amount, 0)).toBe(0)
        await expectInvariants(app.db)
      }),
      { numRuns: sequences, ...(seed && { seed }) },
    )
  },
  60_000 + sequences * 1_500,
)
