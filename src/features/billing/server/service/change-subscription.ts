import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import { requireVerifiedEmail } from '#features/accounts/server/service/create-email-verification.ts'
import { isRunning, type PlanChange, planChange } from '#features/subscriptions/rules.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { invoices, plans, users } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { enqueueMail } from '#server/mail.ts'
import { notifyAdmins, notifyUser } from '#server/notify.ts'
import type { SessionUser } from '#server/session.ts'
import { getInvoice, type Invoice, listAllInvoices, listInvoices, type PlanChangeQuote } from '../../contract.ts'
import { changeDescription, changeLines, customerDetailsFor, explainChange } from '../../rules.ts'
import { formOfInvoices, insertInvoice, planAsSold } from './insert-invoice.ts'
import { closeOutdatedChange } from './outdated-change.ts'

type Plan = typeof plans.$inferSelect

/** What changing to a plan would cost a customer now, in cents. Throws 404 for a plan not on sale, 409 without a running subscription or for the same plan. */
export async function quotePlanChange(db: Db, userId: number, planId: number): Promise<PlanChangeQuote> {
  const { current, next, change } = await changeFor(db, userId, planId)
  return {
    current,
    next,
    difference: next.price - current.price,
    charge: change.charge,
    credit: change.credit,
    explanation: explainChange(current, next, change),
  }
}

/** A pending invoice for a change of plan, one at a time; nothing changes before an administrator confirms it. Throws like the quote, 409 while another one is open, and like `requireVerifiedEmail`. */
export async function changeSubscription(db: Db, user: SessionUser, planId: number): Promise<Invoice> {
  await requireVerifiedEmail(db, user.id)
  const form = await formOfInvoices(db)
  try {
    return await inTransaction(db, async (tx) => {
      await tx.select({ id: users.id }).from(users).where(eq(users.id, user.id)).for('no key update')
      await closeOverdueChange(tx, user.id)
      await closeOutdatedChange(tx, user.id)
      const { current, next, change, pricedFrom } = await changeFor(tx, user.id, planId)
      const description = changeDescription(current, next)
      const invoice = await insertInvoice(
        tx,
        {
          ...planAsSold(next),
          userId: user.id,
          kind: 'plan_change',
          status: 'pending',
          keepsPeriod: change.keepsPeriod,
          creditOnApproval: change.credit,
          pricedFrom,
          description,
          customerDetails: customerDetailsFor(user.email),
          notes: explainChange(current, next, change),
        },
        changeLines(current, next, change),
        form,
      )
      await enqueueMail(tx, {
        dedupeKey: `plan_change_requested:${invoice.id}`,
        userId: user.id,
        recipient: user.email,
        template: 'plan_change_requested',
        data: { invoiceNumber: invoice.invoiceNumber, from: current.name, to: next.name, amount: invoice.amount },
      })
      await notifyUser(tx, user.id, [listInvoices.id, getInvoice.id])
      await notifyAdmins(tx, [listAllInvoices.id])
      return invoice
    })
  } catch (error) {
    if (violationOf(error)?.constraint === 'one_open_change')
      return conflict('change_open', 'A plan change is already waiting for approval. Please wait until it is decided.')
    throw error
  }
}

async function changeFor(
  db: Db | Tx,
  userId: number,
  planId: number,
): Promise<{ current: Plan; next: Plan; change: PlanChange; pricedFrom: NonNullable<(typeof invoices.$inferSelect)['pricedFrom']> }> {
  const [customer] = await db
    .select({
      planId: users.planId,
      subscriptionStatus: users.subscriptionStatus,
      subscriptionStartDate: users.subscriptionStartDate,
      subscriptionEndDate: users.subscriptionEndDate,
      now: sql<string>`now()`,
    })
    .from(users)
    .where(eq(users.id, userId))
  const now = new Date(customer!.now).toISOString()
  const found = await db
    .select()
    .from(plans)
    .where(inArray(plans.id, [planId, customer!.planId ?? 0]))
  const next = found.find((plan) => plan.id === planId && (!plan.hidden || plan.id === customer!.planId))
  const current = found.find((plan) => plan.id === customer!.planId)
  if (!next) return notFound('This plan is not on sale')
  const { subscriptionStartDate: startDate, subscriptionEndDate: endDate } = customer!
  if (!current || !startDate || !endDate || !isRunning(customer!, new Date(now)))
    return conflict('no_subscription', 'You have no active subscription to change')
  if (current.id === next.id) return conflict('same_plan', 'This is already your plan')
  return { current, next, change: planChange(current, next, { startDate, endDate, now }), pricedFrom: { planId: current.id, startDate, endDate } }
}

const closeOverdueChange = (tx: Tx, userId: number) =>
  tx
    .update(invoices)
    .set({ status: 'expired', version: sql`${invoices.version} + 1` })
    .where(
      and(eq(invoices.userId, userId), eq(invoices.kind, 'plan_change'), inArray(invoices.status, ['draft', 'pending']), lte(invoices.expiresAt, sql`now()`)),
    )
