import { and, asc, eq, getTableColumns, inArray, lte, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Instant } from '#kit/dates.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { plans, users } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'

const batchSize = 100
const { id, username, email, planId, subscriptionEndDate } = getTableColumns(users)
/** Whether the customer has a line that works now. It keeps working through the grace days, until `end-lines` disables it. */
const hasWorkingLine = sql<boolean>`EXISTS (SELECT FROM lines l WHERE l.user_id = users.id AND l.wanted_enabled AND l.panel_enabled)`
// Days are 24 hours, as in `end-lines`.
const afterGrace = (end: Instant, days: number): Instant | null =>
  days > 0 ? new Date(Date.parse(end) + days * 86_400_000).toISOString() : null

/**
 * Expires subscriptions past their end date (database clock), once each: updates the status, writes the audit entry and the email, and notifies
 * open pages. Returns the number of expired subscriptions. Specification 4, Subscription status.
 */
export async function expireSubscriptions(db: Db): Promise<number> {
  const { graceDays } = await settings.read(db, 'provisioning')
  for (let total = 0; ; ) {
    const ended = await inTransaction(db, (tx) => expireBatch(tx, graceDays))
    total += ended
    if (ended < batchSize) return total
  }
}

async function expireBatch(tx: Tx, graceDays: number): Promise<number> {
  const due = await tx
    .select({ id, username, email, planId, endDate: subscriptionEndDate, hasWorkingLine })
    .from(users)
    .where(and(eq(users.subscriptionStatus, 'active'), lte(users.subscriptionEndDate, sql`now()`)))
    .orderBy(asc(users.subscriptionEndDate))
    .limit(batchSize)
    // Skips customers whose payment is being confirmed right now; the next run checks them again.
    .for('no key update', { skipLocked: true })
  if (due.length === 0) return 0
  const ids = due.map((user) => user.id)
  await tx.update(users).set({ subscriptionStatus: 'expired' }).where(inArray(users.id, ids))
  const names = new Map(
    (await tx.select({ id: plans.id, name: plans.name }).from(plans)).map((plan) => [plan.id, plan.name]),
  )
  for (const user of due) {
    const endDate = user.endDate!
    await enqueueMail(tx, {
      dedupeKey: `subscription_expired:${user.id}:${Date.parse(endDate)}`,
      userId: user.id,
      recipient: user.email,
      template: 'subscription_expired',
      data: {
        planName: user.planId === null ? null : names.get(user.planId),
        endDate,
        worksUntil: user.hasWorkingLine ? afterGrace(endDate, graceDays) : null,
      },
    })
    await audit(tx, {
      actorId: null,
      action: 'subscription.expire',
      targetType: 'user',
      targetId: user.id,
      before: { subscriptionStatus: 'active', subscriptionEndDate: endDate },
      after: { subscriptionStatus: 'expired' },
    })
    await changed(tx, 'subscription', { user: user.id })
  }
  return due.length
}
