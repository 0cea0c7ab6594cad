import { eq, sql } from 'drizzle-orm'
import { updateInvoice } from '#features/billing/admin-contract.ts'
import { decideRefund } from '#features/billing/admin-refund-contract.ts'
import { changeSubscription, createInvoice, requestRefund, submitPayment } from '#features/billing/contract.ts'
import { listPaidTime } from '#features/subscriptions/contract.ts'
import { invoices, users } from '#server/db/tables.ts'
import { allJobs } from '../../src/all-jobs.ts'
import { buildApp, type SignedIn, type TestApp } from './app.ts'
import { createPlan } from './factories.ts'

const hourMs = 3_600_000

/** The app with a clock that a test sets, an administrator, and the actions of customers and administrators about paid time. */
export type PaidWorld = Awaited<ReturnType<typeof openPaidWorld>>

export async function openPaidWorld(start = '2027-03-01T10:00:00.000Z') {
  const app: TestApp = await buildApp({ clock: true, connections: 8 })
  const admin = await app.signInAdmin({ username: 'chief' })
  let now = start
  const set = async (instant: string) => {
    now = instant
    await app.clock!.set(now)
    await app.db.execute(
      sql`UPDATE sessions SET created_at = now(), last_seen_at = now(), expires_at = now() + interval '30 days'`,
    )
  }
  await set(start)
  const invoiceNumbered = async (invoiceNumber: string) =>
    (await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber)))[0]!
  const decide = (id: number, status: 'paid' | 'pending' | 'cancelled') =>
    admin.client.call(updateInvoice, { params: { invoiceId: id }, body: { status } })
  return {
    app,
    admin,
    decide,
    now: () => now,
    /** Advances the clock. Sessions are renewed, and no job runs. */
    pass: (hours: number) => set(new Date(Date.parse(now) + hours * hourMs).toISOString()),
    runJobs: async () => {
      for (const job of allJobs(app.db)) await job.run()
    },
    plan: (price: number, months: number, connections: number) =>
      createPlan(app.db, { price, months, connections, tier: { 1: 1, 3: 2, 6: 3, 12: 4 }[months]! }),
    order: async (customer: SignedIn, planId: number) => {
      const { invoiceNumber, amount } = await customer.client.call(createInvoice, {
        body: { planId, email: 'buyer@example.org' },
      })
      await customer.client.call(submitPayment, {
        body: { planId, paymentMethod: amount > 0 ? 'creditcard' : null, invoiceNumber },
      })
      return invoiceNumbered(invoiceNumber)
    },
    async buy(customer: SignedIn, planId: number) {
      const invoice = await this.order(customer, planId)
      await decide(invoice.id, 'paid')
      return invoiceNumbered(invoice.invoiceNumber)
    },
    requestChange: async (customer: SignedIn, planId: number) =>
      invoiceNumbered(
        (await customer.client.call(changeSubscription, { body: { planId, prorated: true } })).invoice.invoiceNumber,
      ),
    async change(customer: SignedIn, planId: number) {
      const invoice = await this.requestChange(customer, planId)
      await decide(invoice.id, 'paid')
      return invoiceNumbered(invoice.invoiceNumber)
    },
    requestRefund: (customer: SignedIn, { invoiceNumber }: { invoiceNumber: string }) =>
      customer.client.call(requestRefund, { body: { invoiceNumber, reason: 'Not for me' } }),
    approveRefund: ({ id, amount }: { id: number; amount: number }) =>
      admin.client.call(decideRefund, {
        params: { invoiceId: id },
        body: { status: 'approved', paymentReference: amount > 0 ? 'BACK-1' : '', reason: '', expectedAmount: amount },
      }),
    /** Returns the plan, start day and end day of each remaining period. */
    timeOf: async (customer: SignedIn) =>
      (await customer.client.call(listPaidTime, {})).map(({ planId, startsAt, endsAt }) => [
        planId,
        startsAt.slice(0, 10),
        endsAt.slice(0, 10),
      ]),
    userOf: async ({ user }: SignedIn) => (await app.db.select().from(users).where(eq(users.id, user.id)))[0]!,
  }
}
