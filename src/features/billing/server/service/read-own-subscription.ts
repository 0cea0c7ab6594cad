import { desc, eq, sql } from 'drizzle-orm'
import type { OpenInvoice, OwnSubscription } from '#features/subscriptions/contract.ts'
import { nextStepAt } from '#features/subscriptions/next-step-rules.ts'
import { ownGifts } from '#features/subscriptions/server/service/gifts/read-gift.ts'
import { usedScreens } from '#features/subscriptions/server/service/next-step.ts'
import { paidTimeIn, remainingTime } from '#features/subscriptions/server/service/read-paid-time.ts'
import type { Instant } from '#kit/dates.ts'
import type { Db } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { invoices, plans, refundRequests, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { refundRefusal } from '../../refund-rules.ts'
import { awaitsPayment, isPlanChange, statusAt } from '../../rules.ts'
import { guaranteeDays, guaranteeEnd, usedCredit } from './refunds/read-refunds.ts'

const invoice = {
  invoiceNumber: invoices.invoiceNumber,
  planId: invoices.planId,
  planName: invoices.planName,
  description: invoices.description,
  amount: invoices.amount,
  paymentMethod: invoices.paymentMethod,
  status: invoices.status,
  createdAt: invoices.createdAt,
  submittedAt: invoices.submittedAt,
  paidAt: invoices.paidAt,
  expiresAt: invoices.expiresAt,
  renewsEnd: invoices.renewsEnd,
}
type Row = Pick<typeof invoices.$inferSelect, keyof typeof invoice>

/**
 * Reads the plan, remaining time, gifts and used screens of a customer, with every invoice that the tab may use: the latest invoice, the latest paid
 * invoice, open invoices, those within the guarantee of `days` days, and those with a refund request. All in one statement, because several round trips
 * would cost more than the larger query.
 */
const readRows = statement('own_subscription', (db, { userId, days }: Params<{ userId: number; days: number }>) => {
  const ids = (which: ReturnType<typeof sql>) => sql`select id from invoices where user_id = ${userId} and ${which}`
  const latest = (which: ReturnType<typeof sql>) => sql`(${ids(which)} order by created_at desc, id desc limit 1)`
  const shown = sql.join(
    [
      latest(sql`true`),
      latest(sql`status = 'paid'`),
      ids(sql`status in ('draft', 'pending') and expires_at > now()`),
      ids(sql`paid_at > now() - interval '24 hours' * ${days}::int`),
      sql`select invoice_id from refund_requests where user_id = ${userId}`,
    ],
    sql` union all `,
  )
  return db
    .select({
      now: sql<Instant>`now()`.mapWith(users.createdAt),
      plan: plans,
      time: remainingTime(userId),
      gifts: ownGifts(userId),
      subscriptionStatus: users.subscriptionStatus,
      subscriptionEndDate: users.subscriptionEndDate,
      putOffSteps: users.putOffSteps,
      usedScreens: usedScreens(userId),
      invoice,
      request: refundRequests.status,
      usedCredit,
      until: guaranteeEnd(days),
      isOver: sql<boolean>`${guaranteeEnd(days)} <= now()`,
    })
    .from(users)
    .leftJoin(plans, eq(plans.id, users.planId))
    .leftJoin(invoices, sql`${invoices.id} = any(array(${shown}))`)
    .leftJoin(refundRequests, eq(refundRequests.invoiceId, invoices.id))
    .where(eq(users.id, userId))
    .orderBy(desc(invoices.createdAt), desc(invoices.id))
})

/** Returns what the Subscription tab shows a customer (specification 2, My Account). Amounts are in cents. */
export async function readOwnSubscription(db: Db, userId: number): Promise<OwnSubscription> {
  const days = await guaranteeDays(db)
  const rows = await readRows(db, { userId, days })
  const { plan, time, gifts, ...first } = rows[0] ?? notFound('User not found')
  const found = rows.flatMap(({ invoice }) => invoice ?? [])
  const now = new Date(first.now)
  const pending = found.filter((invoice) => statusAt(invoice, now) === 'pending')
  const renewable = time.at(-1)?.plan ?? plan
  return {
    plan: plan?.hidden ? null : plan,
    planName: plan?.name ?? null,
    renewablePlanId: renewable && !renewable.hidden ? renewable.id : null,
    time: paidTimeIn(time),
    gifts,
    change: asOpenInvoice(pending.find(isPlanChange)),
    purchase: asOpenInvoice(pending.find((invoice) => !isPlanChange(invoice))),
    payment: latestPayment(pending, found),
    renewal: asOpenInvoice(found.find((invoice) => invoice.renewsEnd !== null && statusAt(invoice, now) === 'draft')),
    latestInvoiceNumber:
      (pending[0] ?? found.find(({ status }) => status === 'paid') ?? found[0])?.invoiceNumber ?? null,
    guarantee: guaranteeIn(rows, days),
    ...nextStepAt(now, { ...first, connections: plan?.connections ?? 0 }),
  }
}

function latestPayment(pending: Row[], found: Row[]): OwnSubscription['payment'] {
  const invoice = pending.find((each) => !isPlanChange(each) && !awaitsPayment(each)) ?? found.find(isPaid)
  if (!invoice) return null
  const { invoiceNumber, amount, paymentMethod } = invoice
  const isConfirmed = isPaid(invoice)
  const at = (isConfirmed ? invoice.paidAt : invoice.submittedAt) ?? invoice.createdAt
  return { invoiceNumber, amount, paymentMethod, at, isConfirmed }
}
const isPaid = ({ status }: Row): boolean => status === 'paid'

const asOpenInvoice = (invoice: Row | undefined): OpenInvoice | null =>
  invoice
    ? {
        invoiceNumber: invoice.invoiceNumber,
        planId: invoice.planId,
        planName: invoice.planName,
        amount: invoice.amount,
        awaitsPayment: awaitsPayment(invoice),
      }
    : null

/** Returns the payment with a pending refund request, else the latest payment that can be refunded; null if there is neither. */
function guaranteeIn(rows: Awaited<ReturnType<typeof readRows>>, days: number): OwnSubscription['guarantee'] {
  const payments = rows.flatMap(({ invoice, request, usedCredit, isOver, until }) =>
    invoice ? { ...invoice, request, usedCredit, isOver, until: days > 0 ? until : null } : [],
  )
  const requested = payments.find(({ request }) => request === 'pending')
  const shown = requested ?? payments.find((payment) => refundRefusal(payment) === null)
  return shown ? { invoiceNumber: shown.invoiceNumber, isRequested: requested !== undefined, until: shown.until } : null
}
