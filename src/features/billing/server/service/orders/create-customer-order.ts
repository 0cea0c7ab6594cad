import { and, eq, sql } from 'drizzle-orm'
import type { SubscriptionOutcome } from '#features/subscriptions/admin-contract.ts'
import { outcomeOf } from '#features/subscriptions/server/service/preview-edit.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { invoices, users } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { Approver } from '#server/session/actor.ts'
import type { AdminInvoice } from '../../../admin-contract.ts'
import type { PaymentMethod } from '../../../contract.ts'
import { decide, inDecisionTransaction, readBillingTerms } from '../payments/decide-invoice.ts'
import { adminInvoice } from '../read-invoices.ts'
import { createDraft, readOrderTerms } from './create-invoice.ts'
import { quoteOrder } from './quote-order.ts'

/** `paymentMethod` is null only if the amount is 0. */
type ReceivedPayment = {
  paymentMethod: PaymentMethod | null
  confirmationCode?: string | null | undefined
  acknowledgeDuplicate?: boolean | undefined
}
type CustomerOrder = { planId: number; expectedAmount: number; payment?: ReceivedPayment | undefined }

/**
 * Creates an order for a customer. An open draft is reused or replaced. With `payment` the order is confirmed in the same transaction; without
 * `payment` the customer gets an email with a link to pay. Throws 404 for an unknown customer or a plan that is not on sale, 409 if the amount is not
 * `expectedAmount` (cents), and like `confirmPayment`.
 */
export const createCustomerOrder = async (
  db: Db,
  userId: number,
  order: CustomerOrder,
  actor: Approver,
): Promise<AdminInvoice> => placeOrder(db, userId, order, actor, await readTerms(db))

type PricingTerms = Awaited<ReturnType<typeof readTerms>>
async function readTerms(db: Db) {
  const [orderTerms, billingTerms] = await Promise.all([readOrderTerms(db), readBillingTerms(db)])
  return { orderTerms, billingTerms }
}

/** If `db` is a transaction, the work runs in a savepoint. */
async function placeOrder(
  db: Db | Tx,
  userId: number,
  { planId, expectedAmount, payment }: CustomerOrder,
  actor: Approver,
  { orderTerms, billingTerms }: PricingTerms,
): Promise<AdminInvoice> {
  return inDecisionTransaction(db, async (tx) => {
    const [customer] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
    if (!customer) return notFound('User not found')
    const { email } = customer
    const { id, invoiceNumber, planName, amount } = await createDraft(tx, userId, { planId, email }, orderTerms)
    if (amount !== expectedAmount)
      return conflict('amount_changed', 'The amount of this order has changed since you opened it. Please reload.')
    if (payment?.paymentMethod === null && amount > 0) invalid('paymentMethod', 'Please choose a payment method')
    await audit(tx, {
      actorId: actor.admin.id,
      action: 'invoice.create',
      targetType: 'invoice',
      targetId: id,
      after: { invoiceNumber, planName, amount },
      requestId: actor.requestId,
    })
    if (payment) {
      const version = await submitFor(tx, id, payment)
      const { acknowledgeDuplicate = false } = payment
      await decide(tx, id, { status: 'paid', expectedAmount, version, acknowledgeDuplicate }, billingTerms, actor)
    } else
      await enqueueMail(tx, {
        dedupeKey: `order_created:${id}:${actor.requestId}`,
        userId,
        recipient: email,
        template: 'order_created',
        data: { invoiceNumber, planName, amount },
      })
    await changed(tx, 'invoice', { user: userId })
    return adminInvoice(tx, id, billingTerms.payments)
  })
}

/**
 * Returns the customer's paid time after an order for a plan is paid. Creates and confirms the order, then rolls it back. A refusal is part of the
 * result; only 404 is thrown.
 */
export async function previewCustomerOrder(
  db: Db,
  userId: number,
  planId: number,
  actor: Approver,
): Promise<SubscriptionOutcome> {
  const { amount } = await quoteOrder(db, userId, planId)
  const terms = await readTerms(db)
  const payment = { paymentMethod: amount === 0 ? null : ('cashapp' as const) }
  return outcomeOf(db, userId, (tx) =>
    placeOrder(tx, userId, { planId, expectedAmount: amount, payment }, actor, terms),
  )
}

/** Enters a received payment as if the customer had submitted it. Returns the invoice's new version. */
async function submitFor(tx: Tx, id: number, { paymentMethod, confirmationCode }: ReceivedPayment): Promise<number> {
  const [submitted] = await tx
    .update(invoices)
    .set({
      paymentMethod,
      confirmationCode: (paymentMethod !== 'creditcard' && confirmationCode) || null,
      status: 'pending',
      submittedAt: sql`now()`,
      version: sql`${invoices.version} + 1`,
    })
    .where(and(eq(invoices.id, id), eq(invoices.status, 'draft')))
    .returning({ version: invoices.version })
  return submitted!.version
}
