import { and, eq, sql } from 'drizzle-orm'
import { tierOf } from '#features/catalog/rules.ts'
import { referralDiscount } from '#features/referrals/rules.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { invoices, plans, users } from '#server/db/tables.ts'
import { availableCreditOf, creditItem } from './use-credit.ts'

// Literals instead of parameters: otherwise a generic query plan does not use the partial index of open drafts.
export const isDraft = sql`(invoices.status = 'draft' and invoices.kind = 'purchase')`
/** The price of the plan in an invoice, before discount and credit. */
export const listPrice = sql<number>`coalesce((select l.amount from invoice_lines l where l.invoice_id = ${invoices.id} and l.kind = 'plan'), ${invoices.amount})`

// Whether an invoice is paid, or is open with the discount applied. If a customer has such an invoice, new ones get no discount.
const usesFirstOrderDiscount = sql`(invoices.status = 'paid' or (invoices.status in ('draft', 'pending') and invoices.referral_discount > 0))`
/**
 * Reads the plan, if it is on sale, and the facts that determine its price for this customer. An open draft is ignored because the new invoice replaces
 * it: the credit that the draft uses counts as available, and the draft does not count as an earlier invoice.
 */
export const readOffer = statement(
  'checkout_offer',
  (tx: Db | Tx, { userId, planId }: Params<{ userId: number; planId: number }>) =>
    tx
      .select({
        plan: plans,
        hasDraft: sql<boolean>`exists (select from invoices where invoices.user_id = users.id and ${isDraft})`,
        isReferred: sql<boolean>`users.referred_by is not null`,
        isFirst: sql<boolean>`not exists (select from invoices where invoices.user_id = users.id and ${usesFirstOrderDiscount} and not ${isDraft})`,
        freeCredit: availableCreditOf(sql`not ${isDraft}`),
      })
      .from(users)
      .leftJoin(plans, and(eq(plans.id, planId), eq(plans.hidden, false)))
      .where(eq(users.id, userId)),
)

type Plan = typeof plans.$inferSelect
type Offer = { plan: Plan; isReferred: boolean; isFirst: boolean; freeCredit: number }

/** Returns the description of an order, which is also that of its first item. */
export const orderDescription = (plan: Plan): string => `${plan.name}, ${tierOf(plan).caption}`

/**
 * Returns the items of an order and the referral discount that they include, both in cents.
 * @param percent the referral discount from the settings
 */
export function orderItems({ plan, isReferred, isFirst, freeCredit }: Offer, percent: number, useCredit: boolean) {
  const discount = isReferred && isFirst ? referralDiscount(plan.price, percent) : 0
  const credit = useCredit ? Math.min(plan.price - discount, freeCredit) : 0
  const items = [
    { kind: 'plan' as const, description: orderDescription(plan), amount: plan.price },
    ...(discount > 0
      ? [{ kind: 'referral_discount' as const, description: `Referral discount (${percent}%)`, amount: -discount }]
      : []),
    ...(credit > 0 ? [creditItem(credit)] : []),
  ]
  return { items, discount }
}
