import { and, eq, lte, sql } from 'drizzle-orm'
import { requireVerifiedEmail } from '#features/accounts/server/service/create-email-verification.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { invoices, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import type { SessionUser } from '#server/session/session.ts'
import { identifiesByCents } from '../../../cents-rules.ts'
import type { Invoice } from '../../../contract.ts'
import { customerDetailsFor } from '../../../rules.ts'
import { addIdentifyingCents } from './identifying-cents.ts'
import { type InvoiceSettings, insertInvoice, planSnapshot, readInvoiceSettings } from './insert-invoice.ts'
import { isDraft, listPrice, orderDescription, orderItems, readOffer } from './order-offer.ts'
import { setCredit } from './use-credit.ts'

type CheckoutDetails = { planId: number; email: string; useCredit?: boolean; orderId?: string }
/** `percent` is the referral discount. */
type OrderTerms = { form: InvoiceSettings; percent: number }
type Draft = Pick<Invoice, 'invoiceNumber' | 'paymentReference' | 'amount' | 'expiresAt' | 'status'>

/**
 * Returns the customer's open draft for a plan, or creates a draft that replaces one for another plan or at another price. A referred customer's first
 * invoice gets the discount item, and account credit is used unless `useCredit` is false. The amount gets identifying cents if the operator uses them.
 * Throws 404 for a plan that is not on sale, and like `requireVerifiedEmail`.
 */
export async function createInvoice(
  db: Db,
  user: Pick<SessionUser, 'id' | 'emailVerified'>,
  details: CheckoutDetails,
): Promise<Draft> {
  await requireVerifiedEmail(db, user)
  const terms = await readOrderTerms(db)
  // The checkout starts with Cash App if it can be used. If the customer chooses another method, the checkout removes the cents again.
  const hasCents = identifiesByCents(await settings.read(db, 'payments'), 'cashapp')
  return inTransaction(db, async (tx) => {
    const draft = await createDraft(tx, user.id, details, terms)
    return (hasCents && (await addIdentifyingCents(tx, draft))) || draft
  })
}

/** Reads the settings for new orders. Call it before the transaction: settings are cached outside of transactions only. */
export async function readOrderTerms(db: Db): Promise<OrderTerms> {
  const [form, { percent }] = await Promise.all([readInvoiceSettings(db), settings.read(db, 'referrals')])
  return { form, percent }
}

/** The part of `createInvoice` that runs in a transaction. Throws 404 for a plan that is not on sale. */
export async function createDraft(
  tx: Tx,
  userId: number,
  { planId, email, useCredit = true, orderId }: CheckoutDetails,
  { form, percent }: OrderTerms,
): Promise<typeof invoices.$inferSelect> {
  // Concurrent requests of one customer (several tabs, double clicks) run one after the other.
  await lockCheckout(tx, { id: userId })
  await lockDraftAndCustomer(tx, { id: userId })
  const [offer] = await readOffer(tx, { userId, planId })
  if (!offer?.plan) return notFound('This plan is not on sale')
  const { plan } = offer
  if (offer.hasDraft) {
    await expireOverdueDraft(tx, userId)
    const open = await reuseDraft(tx, userId, plan, email)
    if (open) return (await setCredit(tx, open, useCredit)) ?? open
    await cancelDraft(tx, userId)
  }
  const { items, discount } = orderItems({ ...offer, plan }, percent, useCredit)
  return insertInvoice(
    tx,
    {
      ...planSnapshot(plan),
      userId,
      description: orderDescription(plan),
      customerDetails: customerDetailsFor(email),
      referralDiscount: discount,
      invoiceNumber: orderId,
    },
    items,
    form,
  )
}

const isOpenDraft = (userId: number) => and(eq(invoices.userId, userId), isDraft)

const lockCheckout = statement('checkout_turn', (tx, { id }: Params<{ id: number }>) =>
  tx.select({ locked: sql`pg_advisory_xact_lock(hashtext('checkout'), ${id})` }).from(sql`(values (1)) as once`),
)

/** Locks the draft first: a confirmation locks the invoice and then the customer, so the opposite order could deadlock. */
const lockDraftAndCustomer = statement('checkout_lock', (tx, { id }: Params<{ id: number }>) =>
  tx
    .select({ id: users.id })
    .from(users)
    .where(
      sql`${users.id} = ${id} and 0 <= (select count(*) from (select from invoices where user_id = ${id} and ${isDraft} for no key update) locked)`,
    )
    .for('no key update'),
)

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
