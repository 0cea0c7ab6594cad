import { and, eq, gt, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { OrderQuote } from '#features/subscriptions/contract.ts'
import type { Db } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { invoices } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { isDraft, listPrice, orderItems, readOffer } from './order-offer.ts'

/**
 * Returns the items and the amount (cents) of an order for a plan, as `createInvoice` would create it without identifying cents. Throws 404 for a plan
 * that is not on sale.
 */
export async function quoteOrder(db: Db, userId: number, planId: number): Promise<OrderQuote> {
  const [[offer], { percent }] = await Promise.all([readOffer(db, { userId, planId }), settings.read(db, 'referrals')])
  if (!offer?.plan) return notFound('This plan is not on sale')
  const { plan } = offer
  const { items } = orderItems({ ...offer, plan }, percent, true)
  const [draft] = offer.hasDraft ? await readDraftNumber(db, { userId, planId, price: plan.price }) : []
  return {
    invoiceNumber: draft?.invoiceNumber ?? null,
    lines: items.map(({ description, amount }) => ({ description, amount })),
    amount: items.reduce((sum, { amount }) => sum + amount, 0),
  }
}

const readDraftNumber = statement(
  'checkout_draft_number',
  (db: Db, { userId, planId, price }: Params<{ userId: number; planId: number; price: number }>) =>
    db
      .select({ invoiceNumber: invoices.invoiceNumber })
      .from(invoices)
      .where(
        and(
          eq(invoices.userId, userId),
          isDraft,
          eq(invoices.planId, planId),
          eq(listPrice, price),
          gt(invoices.expiresAt, sql`now()`),
        ),
      ),
)
