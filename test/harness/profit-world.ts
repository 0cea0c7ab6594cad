import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { changeSubscription } from '#features/billing/server/service/orders/change-subscription.ts'
import { createInvoice } from '#features/billing/server/service/orders/create-invoice.ts'
import { decideInvoice } from '#features/billing/server/service/payments/decide-invoice.ts'
import { submitPayment } from '#features/billing/server/service/payments/submit-payment.ts'
import { decideRefund } from '#features/billing/server/service/refunds/decide-refund.ts'
import { requestRefund } from '#features/billing/server/service/refunds/request-refund.ts'
import { undoEdit } from '#features/subscriptions/server/service/undo-edit.ts'
import { updateSubscription } from '#features/subscriptions/server/service/update-subscription.ts'
import type { Tx } from '#server/db/connect.ts'
import { activations, invoices, plans, users } from '#server/db/tables.ts'
import type { SessionUser } from '#server/session/session.ts'
import { allJobs } from '../../src/all-jobs.ts'
import { bounds, timeLeft } from './profit-measure.ts'

/** The state of one search: two accounts of one person, one of which referred the other, and an administrator who checks payments. */
export type Search = {
  tx: Tx
  customer: SessionUser
  referrer: SessionUser
  admin: SessionUser
  plans: { id: number; months: number }[]
  /** The lowest and highest price at which each plan was ever sold. */
  prices: Map<number, { lowest: number; highest: number }>
  /** The kinds of action that this search uses, one bit each. With fewer kinds, long sequences of one kind are more likely. */
  kinds: number
  /** Whether administrators grant time in this search. */
  grants: boolean
  /** An upper bound of the value of the time that administrators granted, in cents. */
  granted: number
  /** Returns a pseudo-random integer from 0 to `below` - 1. */
  draw: (below: number) => number
}
export type SearchAction = { name: string; run: (search: Search) => Promise<void> }

const hourMs = 3_600_000
const plus = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString()
const actOf = ({ admin }: Search) => ({ admin, requestId: 'profit', selfApproval: true })
export const nowOf = async ({ tx }: Pick<Search, 'tx'>): Promise<string> =>
  new Date((await tx.execute<{ now: string }>(sql`select now()`)).rows[0]!.now).toISOString()
const setTime = ({ tx }: Search, instant: string) =>
  tx.execute(sql`UPDATE clock.set_to SET instant = ${instant}::timestamptz`)

type Row = typeof invoices.$inferSelect
const rowsOf = ({ tx, customer, referrer }: Search, ...statuses: Row['status'][]) =>
  tx
    .select()
    .from(invoices)
    .where(and(inArray(invoices.userId, [customer.id, referrer.id]), inArray(invoices.status, statuses)))
    .orderBy(desc(invoices.id))
    .limit(6)

/** Submits the payment of an invoice if needed and confirms it. */
async function payAndConfirm(
  search: Search,
  { id, userId, planId, invoiceNumber, amount, submittedAt }: Row,
): Promise<void> {
  const user = userId === search.customer.id ? search.customer : search.referrer
  if (submittedAt === null && amount > 0)
    await submitPayment(search.tx, user, { planId, paymentMethod: 'creditcard', invoiceNumber })
  await decideInvoice(search.tx, id, { status: 'paid' }, actOf(search))
}
const byNumber = async ({ tx }: Search, invoiceNumber: string) =>
  (await tx.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber)))[0]!

/** The times at which a period, a guarantee or an open invoice ends. */
async function boundaries(search: Search): Promise<string[]> {
  const { tx, customer, referrer } = search
  const { rows } = await tx.execute<{ at: string }>(sql`
    SELECT ends_at AS at FROM segments WHERE user_id IN (${customer.id}, ${referrer.id}) AND replaced_by IS NULL AND NOT withdrawn AND ends_at > now()
    UNION SELECT paid_at + interval '7 days' FROM invoices WHERE user_id = ${customer.id} AND status = 'paid' AND paid_at + interval '7 days' > now()
    UNION SELECT expires_at FROM invoices WHERE user_id = ${customer.id} AND status IN ('draft', 'pending') AND expires_at > now() ORDER BY 1`)
  return rows.map(({ at }) => new Date(at).toISOString())
}

/** The possible next actions of the customer and the administrator, in groups of equal probability. */
export async function possibleActions(search: Search): Promise<SearchAction[][]> {
  const ofEachPlan = (name: string, run: (at: Search, planId: number) => Promise<unknown>): SearchAction[] =>
    search.plans.map(({ id }) => ({ name: `${name} ${id}`, run: async (at) => void (await run(at, id)) }))
  const ofEachInvoice = (name: string, rows: Row[], run: (at: Search, row: Row) => Promise<unknown>): SearchAction[] =>
    rows.map((row) => ({ name: `${name} ${row.kind} ${row.id}`, run: async (at) => void (await run(at, row)) }))
  const buy = (who: 'customer' | 'referrer') => async (at: Search, planId: number) => {
    const { invoiceNumber } = await createInvoice(at.tx, at[who], { planId, email: 'buyer@example.org' })
    await payAndConfirm(at, await byNumber(at, invoiceNumber))
  }
  const now = await nowOf(search)
  const ends = (await boundaries(search))
    .flatMap((at) => [plus(at, -hourMs), plus(at, hourMs)])
    .filter((at) => at > now)
  const [paid, open, closed] = [
    await rowsOf(search, 'paid'),
    await rowsOf(search, 'draft', 'pending'),
    await rowsOf(search, 'cancelled', 'expired'),
  ]
  const groups = [
    ofEachPlan('buy plan', buy('customer')),
    ofEachPlan('the other account buys plan', buy('referrer')),
    ofEachPlan('ask for plan', (at, planId) => changeSubscription(at.tx, at.customer, planId)),
    ofEachPlan('change to plan', async (at, planId) =>
      payAndConfirm(at, await byNumber(at, (await changeSubscription(at.tx, at.customer, planId)).invoiceNumber)),
    ),
    ofEachInvoice('pay and confirm', open, payAndConfirm),
    ofEachInvoice('take back', paid, (at, { id }) => decideInvoice(at.tx, id, { status: 'cancelled' }, actOf(at))),
    ofEachInvoice('refund', paid, refund),
    ofEachInvoice('reopen', closed, (at, { id }) => decideInvoice(at.tx, id, { status: 'pending' }, actOf(at))),
    [0.5, 2].flatMap((factor) => ofEachPlan(`price x ${factor} of plan`, (at, planId) => setPrice(at, planId, factor))),
    [...ends, plus(now, 24 * hourMs)].map(
      (at): SearchAction => ({ name: `wait until ${at}`, run: (later) => advanceTime(later, at) }),
    ),
    search.grants
      ? [
          ...ofEachPlan('grant 5 days of plan', (at, id) => grant(at, id, 5)),
          ...ofEachPlan('grant 40 days of plan', (at, id) => grant(at, id, 40)),
        ]
      : [],
    search.grants
      ? [
          ...ofEachPlan('move the time to plan', (at, id) => grant(at, id, 0)),
          { name: 'undo the last edit', run: undoLastEdit },
        ]
      : [],
  ]
  return groups.filter((group, kind) => group.length > 0 && (search.kinds & (1 << kind)) > 0)
}

async function undoLastEdit(search: Search): Promise<void> {
  const { tx, customer } = search
  const [edit] = await tx
    .select({ id: activations.id })
    .from(activations)
    .where(and(eq(activations.userId, customer.id), eq(activations.kind, 'grant'), isNull(activations.reversedAt)))
    .orderBy(desc(activations.id))
  if (edit) await undoEdit(tx, customer.id, edit.id, actOf(search))
}

async function advanceTime(search: Search, until: string): Promise<void> {
  await setTime(search, until)
  if (search.draw(3) > 0) for (const job of allJobs(search.tx)) await job.run()
}

async function refund(search: Search, { id, userId, invoiceNumber, amount }: Row): Promise<void> {
  const user = userId === search.customer.id ? search.customer : search.referrer
  await requestRefund(search.tx, user, { invoiceNumber, reason: 'Not for me' }, 'profit')
  const approval = {
    status: 'approved' as const,
    paymentReference: amount > 0 ? 'BACK-1' : '',
    reason: '',
    expectedAmount: amount,
  }
  await decideRefund(search.tx, id, approval, actOf(search))
}

/** An administrator sets the plan and an end date in `days` days; 0 keeps the end date. Adds an upper bound of the granted value to `granted`. */
async function grant(search: Search, planId: number, days: number): Promise<void> {
  const { tx, customer } = search
  const now = await nowOf(search)
  const worthOf = async (bound: 'below' | 'above') =>
    (await timeLeft(tx, [customer.id])).reduce((cents, stretch) => cents + bounds(search, stretch, now)[bound], 0)
  const before = await worthOf('below')
  const [user] = await tx.select().from(users).where(eq(users.id, customer.id))
  const endDate = days > 0 ? plus(now, days * 24 * hourMs) : (user!.subscriptionEndDate ?? now)
  await updateSubscription(tx, customer.id, { planId, status: 'active', endDate: endDate.slice(0, 10) }, actOf(search))
  search.granted += Math.max(0, (await worthOf('above')) - before)
}

async function setPrice(search: Search, planId: number, factor: number): Promise<void> {
  const [plan] = await search.tx.select({ price: plans.price }).from(plans).where(eq(plans.id, planId))
  const price = Math.min(100_000, Math.max(500, Math.round(plan!.price * factor)))
  await search.tx.update(plans).set({ price }).where(eq(plans.id, planId))
  const known = search.prices.get(planId)!
  search.prices.set(planId, { lowest: Math.min(known.lowest, price), highest: Math.max(known.highest, price) })
}
