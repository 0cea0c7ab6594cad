import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import { requireVerifiedEmail } from '#features/accounts/server/service/create-email-verification.ts'
import { type PlanChange, priceChange, remainingSegments } from '#features/subscriptions/server/paid-time/change.ts'
import { fingerprintAt, readSequence } from '#features/subscriptions/server/sequence.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { invoices, type PricedFrom, plans, users } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { Invoice, PlanChangeQuote } from '../../../contract.ts'
import { customerDetailsFor } from '../../../rules.ts'
import { changeDescription, changeItems, explainChange } from '../../plan-change-text.ts'
import { type InvoiceSettings, insertInvoice, planSnapshot, readInvoiceSettings } from './insert-invoice.ts'
import { closeOutdatedChange } from './outdated-change.ts'

type Plan = typeof plans.$inferSelect

/** Quotes a plan change; amounts are cents. Throws 404 for a plan that is not on sale, and 409 without an active subscription or for the current plan. */
export async function quotePlanChange(db: Db, userId: number, planId: number): Promise<PlanChangeQuote> {
  const { current, next, change } = await readPriceChange(db, userId, planId, await readInvoiceSettings(db))
  return {
    current,
    next,
    difference: next.price - current.price,
    charge: change.charge,
    credit: change.credit,
    explanation: explainChange(next, change),
  }
}

/**
 * Creates a pending invoice for a plan change, at most one at a time. The plan changes once an administrator confirms it. Throws like
 * `quotePlanChange` and `requireVerifiedEmail`, and 409 while another plan change is open.
 */
export async function changeSubscription(db: Db, user: SessionUser, planId: number): Promise<Invoice> {
  await requireVerifiedEmail(db, user)
  const form = await readInvoiceSettings(db)
  try {
    return await inTransaction(db, async (tx) => {
      await tx.select({ id: users.id }).from(users).where(eq(users.id, user.id)).for('no key update')
      await expireOverdueChange(tx, user.id)
      await closeOutdatedChange(tx, user.id)
      const { current, next, change, pricedFrom } = await readPriceChange(tx, user.id, planId, form)
      const description = changeDescription(current, next)
      const invoice = await insertInvoice(
        tx,
        {
          ...planSnapshot(next),
          userId: user.id,
          kind: 'plan_change',
          status: 'pending',
          creditOnApproval: change.credit,
          pricedFrom,
          description,
          customerDetails: customerDetailsFor(user.email),
          notes: explainChange(next, change),
        },
        changeItems(current, next, change),
        form,
      )
      await enqueueMail(tx, {
        dedupeKey: `plan_change_requested:${invoice.id}`,
        userId: user.id,
        recipient: user.email,
        template: 'plan_change_requested',
        data: { invoiceNumber: invoice.invoiceNumber, from: current.name, to: next.name, amount: invoice.amount },
      })
      await changed(tx, 'invoice', { user: user.id })
      return invoice
    })
  } catch (error) {
    if (violationOf(error)?.constraint === 'one_open_change')
      return conflict('change_open', 'A plan change is already waiting for approval. Please wait for the decision.')
    throw error
  }
}

type PricedChange = { current: Plan; next: Plan; change: PlanChange; pricedFrom: PricedFrom }

async function readPriceChange(
  db: Db | Tx,
  userId: number,
  planId: number,
  { validDays }: Pick<InvoiceSettings, 'validDays'>,
): Promise<PricedChange> {
  const { now, segments } = await readSequence(db, userId)
  const [customer] = await db
    .select({ status: users.subscriptionStatus, fingerprint: fingerprintAt(sql`${now}::timestamptz`) })
    .from(users)
    .where(eq(users.id, userId))
  const left = remainingSegments(segments, now)
  const running = customer!.status === 'active' ? left[0] : undefined
  const found = await db
    .select()
    .from(plans)
    .where(inArray(plans.id, [planId, running?.planId ?? 0]))
  const current = found.find((plan) => plan.id === running?.planId)
  const next = found.find((plan) => plan.id === planId && (!plan.hidden || plan === current))
  if (!next) return notFound('This plan is not on sale')
  if (!current || !running) return conflict('no_subscription', 'You have no active subscription to change')
  if (current === next) return conflict('same_plan', 'This is already your plan')
  const validUntil = new Date(Date.parse(now) + validDays * 86_400_000).toISOString()
  const pricedFrom = {
    at: now,
    price: next.price,
    segments: customer!.fingerprint!,
    periodEnd: running.endsAt,
    validUntil,
  }
  return { current, next, change: priceChange(segments, next, now), pricedFrom }
}

const expireOverdueChange = (tx: Tx, userId: number) =>
  tx
    .update(invoices)
    .set({ status: 'expired', version: sql`${invoices.version} + 1` })
    .where(
      and(
        eq(invoices.userId, userId),
        eq(invoices.kind, 'plan_change'),
        inArray(invoices.status, ['draft', 'pending']),
        lte(invoices.expiresAt, sql`now()`),
      ),
    )
