import { asc, eq, sql } from 'drizzle-orm'
import { updateInvoice } from '#features/billing/admin-contract.ts'
import { decideRefund } from '#features/billing/admin-refund-contract.ts'
import { createInvoice, requestRefund, submitPayment } from '#features/billing/contract.ts'
import { getAccountCredit } from '#features/referrals/contract.ts'
import { invoices, mails, users } from '#server/db/tables.ts'
import type { SignedIn, TestApp } from './app.ts'

export const reason = 'It does not run on my television'

/** The steps of a refund (buy, request, approve, decline) and the resulting state. Each step calls `world`. */
export function refundSteps(world: () => { app: TestApp; admin: SignedIn; planId: number }) {
  const bought = async (customer: SignedIn, planId = world().planId) => {
    const { invoiceNumber } = await customer.client.call(createInvoice, {
      body: { planId, email: 'buyer@example.org' },
    })
    const [{ amount, id } = { amount: 0, id: 0 }] = await world()
      .app.db.select()
      .from(invoices)
      .where(eq(invoices.invoiceNumber, invoiceNumber))
    await customer.client.call(submitPayment, {
      body: { planId, paymentMethod: amount > 0 ? 'venmo' : null, invoiceNumber },
    })
    await decide(id, 'paid')
    return (await world().app.db.select().from(invoices).where(eq(invoices.id, id)))[0]!
  }
  const decide = (invoiceId: number, status: 'pending' | 'paid' | 'cancelled') =>
    world().admin.client.call(updateInvoice, { params: { invoiceId }, body: { status } })
  const ask = (who: SignedIn, { invoiceNumber }: { invoiceNumber: string }) =>
    who.client.call(requestRefund, { body: { invoiceNumber, reason } })
  const approve = ({ id, amount }: { id: number; amount: number }, by = world().admin) =>
    by.client.call(decideRefund, {
      params: { invoiceId: id },
      body: {
        status: 'approved',
        paymentReference: amount > 0 ? 'Venmo 4711' : '',
        reason: '',
        expectedAmount: amount,
      },
    })
  const decline = ({ id }: { id: number }, by = world().admin) =>
    by.client.call(decideRefund, {
      params: { invoiceId: id },
      body: { status: 'declined', reason: 'You had a refund before.' },
    })
  const paidDaysAgo = ({ id }: { id: number }, days: number) =>
    world()
      .app.db.update(invoices)
      .set({ paidAt: sql`now() - interval '24 hours' * ${days}` })
      .where(eq(invoices.id, id))
  const userOf = async (who: SignedIn) =>
    (await world().app.db.select().from(users).where(eq(users.id, who.user.id)))[0]!
  const creditOf = (who: SignedIn) => who.client.call(getAccountCredit, {})
  const mailTemplates = async (who: SignedIn) =>
    (await world().app.db.select().from(mails).where(eq(mails.userId, who.user.id)).orderBy(asc(mails.id))).map(
      ({ template }) => template,
    )
  const snapshot = async () =>
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
        ].map(async (table) => (await world().app.database.pool.query(`SELECT * FROM ${table} ORDER BY 1`)).rows),
      )
    ).map((rows) => JSON.stringify(rows))
  return { bought, decide, ask, approve, decline, paidDaysAgo, userOf, creditOf, mailTemplates, snapshot }
}
