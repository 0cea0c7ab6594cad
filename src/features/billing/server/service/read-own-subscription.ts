import { desc, eq, sql } from 'drizzle-orm'
import { plansById } from '#features/catalog/server/service/plans-by-id.ts'
import type { OpenInvoice, OwnSubscription } from '#features/subscriptions/contract.ts'
import { readSequence } from '#features/subscriptions/server/sequence.ts'
import { readOwnGifts } from '#features/subscriptions/server/service/gifts/read-gift.ts'
import { remainingTime } from '#features/subscriptions/server/service/read-paid-time.ts'
import type { Db } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { invoices, users } from '#server/db/tables.ts'
import { awaitsPayment, isPlanChange, statusAt } from '../../rules.ts'
import { guaranteeDays, refundsOf } from './refunds/read-refunds.ts'

type Row = typeof invoices.$inferSelect

/** The customer's plan id, on each of the customer's open invoices, latest paid invoice and latest invoice. */
const readInvoices = statement('own_subscription', (db, { userId }: Params<{ userId: number }>) => {
  const latest = (which: ReturnType<typeof sql>) =>
    sql`(select id from invoices where user_id = ${userId} and ${which} order by created_at desc, id desc limit 1)`
  return db
    .select({ planId: users.planId, invoice: invoices })
    .from(users)
    .leftJoin(
      invoices,
      sql`${invoices.userId} = ${users.id} and (${invoices.id} = ${latest(sql`true`)} or ${invoices.id} = ${latest(sql`status = 'paid'`)}
        or (${invoices.status} in ('draft', 'pending') and ${invoices.expiresAt} > now()))`,
    )
    .where(eq(users.id, userId))
    .orderBy(desc(invoices.createdAt), desc(invoices.id))
})

/** What the Subscription tab of a customer shows (specification 2, My Account). Amounts are cents. */
export async function readOwnSubscription(db: Db, userId: number): Promise<OwnSubscription> {
  const [rows, sequence, guarantee, gifts] = await Promise.all([
    readInvoices(db, { userId }),
    readSequence(db, userId, { onlyRemaining: true }),
    guaranteeOf(db, userId),
    readOwnGifts(db, { userId }),
  ])
  const planId = rows[0]?.planId ?? null
  const time = remainingTime(sequence)
  const plans = await plansById(db, [planId, ...time.map((each) => each.planId)])
  const onSale = (id: number | null) => plans.find((plan) => plan.id === id && !plan.hidden)
  const found = rows.flatMap(({ invoice }) => invoice ?? [])
  const now = new Date(sequence.now)
  const pending = found.filter((invoice) => statusAt(invoice, now) === 'pending')
  return {
    plan: onSale(planId) ?? null,
    planName: plans.find(({ id }) => id === planId)?.name ?? null,
    renewablePlanId: onSale(time.at(-1)?.planId ?? planId)?.id ?? null,
    time: time.map((each) => ({ ...each, planName: plans.find(({ id }) => id === each.planId)!.name })),
    gifts,
    change: asOpenInvoice(pending.find(isPlanChange)),
    purchase: asOpenInvoice(pending.find((invoice) => !isPlanChange(invoice))),
    payment: latestPayment(pending, found),
    renewal: asOpenInvoice(found.find((invoice) => invoice.renewsEnd !== null && statusAt(invoice, now) === 'draft')),
    latestInvoiceNumber:
      (pending[0] ?? found.find(({ status }) => status === 'paid') ?? found[0])?.invoiceNumber ?? null,
    guarantee,
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

async function guaranteeOf(db: Db, userId: number): Promise<OwnSubscription['guarantee']> {
  const refunds = await refundsOf(db, userId, await guaranteeDays(db), { onlyOpen: true })
  const requested = refunds.find(({ request }) => request?.status === 'pending')
  const shown = requested ?? refunds.find(({ refusal }) => refusal === null)
  return shown ? { invoiceNumber: shown.invoiceNumber, isRequested: requested !== undefined, until: shown.until } : null
}
