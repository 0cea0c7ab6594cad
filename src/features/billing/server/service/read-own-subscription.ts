import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Plan } from '#features/catalog/contract.ts'
import { listPlans } from '#features/catalog/server/service/read-lists.ts'
import type { OpenInvoice, OwnSubscription } from '#features/subscriptions/contract.ts'
import { paidTimeOf } from '#features/subscriptions/server/service/read-paid-time.ts'
import type { Db } from '#server/db/connect.ts'
import { invoices, plans, users } from '#server/db/tables.ts'
import { awaitsPayment, isPlanChange } from '../../rules.ts'
import { guaranteeDays, refundsOf } from './read-refunds.ts'

type Row = typeof invoices.$inferSelect

/** What the Subscription tab of a customer shows (specification 4, Subscription). Amounts are cents. */
export async function readOwnSubscription(db: Db, userId: number): Promise<OwnSubscription> {
  const [[user], onSale, time, open, guarantee] = await Promise.all([
    db
      .select({ planId: users.planId, planName: plans.name })
      .from(users)
      .leftJoin(plans, eq(plans.id, users.planId))
      .where(eq(users.id, userId)),
    listPlans(db),
    paidTimeOf(db, userId),
    openInvoices(db, userId),
    guaranteeOf(db, userId),
  ])
  const planId = user?.planId ?? null
  const pending = open.filter(({ status }) => status === 'pending')
  const renewal = open.find(({ status, renewsEnd }) => status === 'draft' && renewsEnd !== null)
  return {
    plan: planWith(onSale, planId),
    planName: user?.planName ?? null,
    renewablePlanId: planWith(onSale, time.at(-1)?.planId ?? planId)?.id ?? null,
    change: asOpenInvoice(pending.find(isPlanChange)),
    purchase: asOpenInvoice(pending.find((invoice) => !isPlanChange(invoice))),
    renewal: asOpenInvoice(renewal),
    latestInvoiceNumber: pending[0]?.invoiceNumber ?? (await latestInvoiceNumber(db, userId)),
    guarantee,
  }
}

const planWith = (onSale: Plan[], planId: number | null) => onSale.find(({ id }) => id === planId) ?? null

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

const openInvoices = (db: Db, userId: number): Promise<Row[]> =>
  db
    .select()
    .from(invoices)
    .where(
      and(
        eq(invoices.userId, userId),
        inArray(invoices.status, ['draft', 'pending']),
        gt(invoices.expiresAt, sql`now()`),
      ),
    )
    .orderBy(desc(invoices.createdAt), desc(invoices.id))

/** The number of the latest paid invoice, else of the latest invoice. */
async function latestInvoiceNumber(db: Db, userId: number): Promise<string | null> {
  const latest = (status?: 'paid') =>
    db
      .select({ number: invoices.invoiceNumber })
      .from(invoices)
      .where(and(eq(invoices.userId, userId), status && eq(invoices.status, status)))
      .orderBy(desc(invoices.createdAt), desc(invoices.id))
      .limit(1)
  const [invoice] = [...(await latest('paid')), ...(await latest())]
  return invoice?.number ?? null
}

async function guaranteeOf(db: Db, userId: number): Promise<OwnSubscription['guarantee']> {
  const refunds = await refundsOf(db, userId, await guaranteeDays(db), { onlyOpen: true })
  const requested = refunds.find(({ request }) => request?.status === 'pending')
  const shown = requested ?? refunds.find(({ refusal }) => refusal === null)
  return shown ? { invoiceNumber: shown.invoiceNumber, isRequested: requested !== undefined, until: shown.until } : null
}
