import { and, eq, gt, inArray, lte, or, sql } from 'drizzle-orm'
import { requireVerifiedEmail } from '#features/accounts/server/service/create-email-verification.ts'
import { tierOf } from '#features/catalog/rules.ts'
import { referralDiscount } from '#features/referrals/rules.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { invoices, plans, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import type { Invoice } from '../../contract.ts'
import { customerDetailsFor } from '../../rules.ts'
import { insertInvoice, planAsSold } from './insert-invoice.ts'
import { setCredit } from './use-credit.ts'

type Draft = Pick<Invoice, 'invoiceNumber' | 'paymentReference' | 'amount' | 'expiresAt' | 'status'>

/**
 * The open draft of a customer for a plan: the one there is, or a new one that replaces a draft for another plan or at another price.
 * The price comes from the plan; a referred customer's first invoice carries
 * the discount line, and account credit is used unless `useCredit` is false. Throws 404 for a plan not on sale, and like `requireVerifiedEmail`.
 */
export async function createInvoice(
  db: Db,
  user: { id: number },
  { planId, email, useCredit = true }: { planId: number; email: string; useCredit?: boolean },
): Promise<Draft> {
  await requireVerifiedEmail(db, user.id)
  const { validDays } = await settings.read(db, 'invoices')
  const { percent } = await settings.read(db, 'referrals')
  return inTransaction(db, async (tx) => {
    // The lock makes one customer's tabs and double clicks wait for each other.
    const [customer] = await tx.select({ referredBy: users.referredBy }).from(users).where(eq(users.id, user.id)).for('no key update')
    const [plan] = await tx
      .select()
      .from(plans)
      .where(and(eq(plans.id, planId), eq(plans.hidden, false)))
    if (!customer || !plan) return notFound('This plan is not on sale')
    await closeOverdueDraft(tx, user.id)
    const open = await draftFor(tx, user.id, plan, email)
    if (open) return (await setCredit(tx, open, useCredit)) ?? open
    await tx
      .update(invoices)
      .set({ status: 'cancelled', version: sql`${invoices.version} + 1` })
      .where(isOpenDraft(user.id))
    const discount = customer.referredBy !== null && (await isFirstInvoice(tx, user.id)) ? referralDiscount(plan.price, percent) : 0
    const description = `${plan.name}, ${tierOf(plan).caption}`
    const draft = await insertInvoice(
      tx,
      { ...planAsSold(plan), userId: user.id, description, customerDetails: customerDetailsFor(email), referralDiscount: discount, validDays },
      [
        { kind: 'plan', description, amount: plan.price },
        ...(discount > 0 ? [{ kind: 'referral_discount' as const, description: `Referral discount (${percent}%)`, amount: -discount }] : []),
      ],
    )
    return (await setCredit(tx, draft, useCredit)) ?? draft
  })
}

const isOpenDraft = (userId: number) => and(eq(invoices.userId, userId), eq(invoices.status, 'draft'), eq(invoices.kind, 'purchase'))

const listPrice = sql<number>`coalesce((select l.amount from invoice_lines l where l.invoice_id = ${invoices.id} and l.kind = 'plan'), ${invoices.amount})`

const closeOverdueDraft = (tx: Tx, userId: number) =>
  tx
    .update(invoices)
    .set({ status: 'expired', version: sql`${invoices.version} + 1` })
    .where(and(isOpenDraft(userId), lte(invoices.expiresAt, sql`now()`)))

/** The open draft for a plan as it is sold now. One made at another price is not it: whoever asks anew pays what the pages say. */
async function draftFor(tx: Tx, userId: number, plan: { id: number; price: number }, email: string): Promise<typeof invoices.$inferSelect | undefined> {
  const [draft] = await tx
    .update(invoices)
    .set({ customerDetails: customerDetailsFor(email) })
    .where(and(isOpenDraft(userId), eq(invoices.planId, plan.id), eq(listPrice, plan.price)))
    .returning()
  return draft
}

/** No invoice paid yet, and no other open one that already carries the discount. */
async function isFirstInvoice(tx: Tx, userId: number): Promise<boolean> {
  const [earlier] = await tx
    .select({ id: invoices.id })
    .from(invoices)
    .where(
      and(eq(invoices.userId, userId), or(eq(invoices.status, 'paid'), and(inArray(invoices.status, ['draft', 'pending']), gt(invoices.referralDiscount, 0)))),
    )
    .limit(1)
  return earlier === undefined
}
