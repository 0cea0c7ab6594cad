import { and, eq, lte, sql } from 'drizzle-orm'
import { requireVerifiedEmail } from '#features/accounts/server/service/create-email-verification.ts'
import { tierOf } from '#features/catalog/rules.ts'
import { referralDiscount } from '#features/referrals/rules.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { invoices, plans, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import type { Invoice } from '../../../contract.ts'
import { customerDetailsFor } from '../../../rules.ts'
import { insertInvoice, planSnapshot, readInvoiceSettings } from './insert-invoice.ts'
import { availableCreditOf, creditItem, setCredit } from './use-credit.ts'

type Draft = Pick<Invoice, 'invoiceNumber' | 'paymentReference' | 'amount' | 'expiresAt' | 'status'>

/**
 * Returns the customer's open draft for a plan, or creates one that replaces a draft for another plan or at another price. A referred customer's
 * first invoice gets the discount item, and account credit is used unless `useCredit` is false. Throws 404 for a plan that is not on sale, and
 * like `requireVerifiedEmail`.
 */
export async function createInvoice(
  db: Db,
  user: { id: number },
  { planId, email, useCredit = true }: { planId: number; email: string; useCredit?: boolean },
): Promise<Draft> {
  await requireVerifiedEmail(db, user.id)
  const form = await readInvoiceSettings(db)
  const { percent } = await settings.read(db, 'referrals')
  return inTransaction(db, async (tx) => {
    // Serializes concurrent requests of one customer (several tabs, double clicks).
    await lockCustomer(tx, { id: user.id })
    const [offer] = await readOffer(tx, { userId: user.id, planId })
    if (!offer?.plan) return notFound('This plan is not on sale')
    const { plan, hasDraft, isReferred, isFirst, freeCredit } = offer
    if (hasDraft) {
      await expireOverdueDraft(tx, user.id)
      const open = await reuseDraft(tx, user.id, plan, email)
      if (open) return (await setCredit(tx, open, useCredit)) ?? open
      await cancelDraft(tx, user.id)
    }
    const discount = isReferred && isFirst ? referralDiscount(plan.price, percent) : 0
    const credit = useCredit ? Math.min(plan.price - discount, freeCredit) : 0
    const description = `${plan.name}, ${tierOf(plan).caption}`
    return insertInvoice(
      tx,
      {
        ...planSnapshot(plan),
        userId: user.id,
        description,
        customerDetails: customerDetailsFor(email),
        referralDiscount: discount,
      },
      [
        { kind: 'plan', description, amount: plan.price },
        ...(discount > 0
          ? [{ kind: 'referral_discount' as const, description: `Referral discount (${percent}%)`, amount: -discount }]
          : []),
        ...(credit > 0 ? [creditItem(credit)] : []),
      ],
      form,
    )
  })
}

// Literals instead of parameters: otherwise a generic query plan does not use the partial index of open drafts.
const isDraft = sql`(invoices.status = 'draft' and invoices.kind = 'purchase')`
const isOpenDraft = (userId: number) => and(eq(invoices.userId, userId), isDraft)

const lockCustomer = statement('checkout_lock', (tx, { id }: Params<{ id: number }>) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update'),
)

// Paid, or open with the discount applied: later invoices get no discount.
const usesFirstOrderDiscount = sql`(invoices.status = 'paid' or (invoices.status in ('draft', 'pending') and invoices.referral_discount > 0))`
/**
 * The plan, if it is on sale, and the facts that determine its price for this customer. An open draft is ignored because the new invoice replaces
 * it: its credit counts as available, and it does not count as an earlier invoice.
 */
const readOffer = statement('checkout_offer', (tx, { userId, planId }: Params<{ userId: number; planId: number }>) =>
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

const listPrice = sql<number>`coalesce((select l.amount from invoice_lines l where l.invoice_id = ${invoices.id} and l.kind = 'plan'), ${invoices.amount})`

const expireOverdueDraft = (tx: Tx, userId: number) =>
  tx
    .update(invoices)
    .set({ status: 'expired', version: sql`${invoices.version} + 1` })
    .where(and(isOpenDraft(userId), lte(invoices.expiresAt, sql`now()`)))

/** Updates and returns the open draft for a plan. A draft at an older price is not reused: the customer pays the price shown on the pages. */
async function reuseDraft(
  tx: Tx,
  userId: number,
  plan: { id: number; price: number },
  email: string,
): Promise<typeof invoices.$inferSelect | undefined> {
  const [draft] = await tx
    .update(invoices)
    .set({ customerDetails: customerDetailsFor(email) })
    .where(and(isOpenDraft(userId), eq(invoices.planId, plan.id), eq(listPrice, plan.price)))
    .returning()
  return draft
}

const cancelDraft = (tx: Tx, userId: number) =>
  tx
    .update(invoices)
    .set({ status: 'cancelled', version: sql`${invoices.version} + 1` })
    .where(isOpenDraft(userId))
