import { and, eq } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import { audit } from '#server/audit.ts'
import type { Tx } from '#server/db/connect.ts'
import { plans, timeGiftCustomers } from '#server/db/tables.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { notifySubscriptionChanged } from '../update-subscription.ts'
import { addDays, lockCustomer, skipReasons } from './add-days.ts'

export type Gift = { id: number; days: number; reason: string; emails: boolean; createdBy: number }

/**
 * Gives the days of a gift to one of its waiting customers: adds the time, the audit entry and, with `emails`, the email. Returns the new end.
 * Returns null if the customer got no days, and stores the reason in the row. Does nothing if another process has already handled the customer.
 */
export async function giveToCustomer(
  tx: Tx,
  gift: Gift,
  userId: number,
  requestId: string | null,
): Promise<Instant | null> {
  const own = and(eq(timeGiftCustomers.giftId, gift.id), eq(timeGiftCustomers.userId, userId))
  const [row] = await tx
    .select({ state: timeGiftCustomers.state })
    .from(timeGiftCustomers)
    .where(and(own, eq(timeGiftCustomers.state, 'waiting')))
    .for('update')
  if (!row) return null
  const customer = await lockCustomer(tx, userId)
  const added = await addDays(tx, userId, gift.days, gift.createdBy)
  if (typeof added === 'string') {
    await tx.update(timeGiftCustomers).set({ state: 'skipped', reason: skipReasons[added] }).where(own)
    return null
  }
  await tx.update(timeGiftCustomers).set({ state: 'added', activationId: added.activationId }).where(own)
  const { endDate, planId } = added.after
  await audit(tx, {
    actorId: gift.createdBy,
    action: 'user.give_days',
    targetType: 'user',
    targetId: userId,
    before: { endDate: added.before.endDate },
    after: { days: gift.days, reason: gift.reason, endDate },
    requestId,
  })
  if (gift.emails) {
    const [plan] = planId === null ? [] : await tx.select({ name: plans.name }).from(plans).where(eq(plans.id, planId))
    await enqueueMail(tx, {
      dedupeKey: `days_added:${gift.id}:${userId}`,
      userId,
      recipient: customer.email,
      template: 'days_added',
      data: { days: gift.days, reason: gift.reason, planName: plan?.name ?? null, endDate },
    })
  }
  await notifySubscriptionChanged(tx, userId)
  return endDate
}
