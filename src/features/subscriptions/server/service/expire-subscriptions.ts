import { and, asc, eq, getTableColumns, inArray, lte, sql } from 'drizzle-orm'
import { currentUser } from '#features/accounts/contract.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { plans, users } from '#server/db/tables.ts'
import { enqueueMail } from '#server/mail.ts'
import { notifyUser } from '#server/notify.ts'

const atOnce = 100
const { id, username, email, planId, subscriptionEndDate } = getTableColumns(users)

/**
 * Ends the subscriptions whose end has passed, by the database's clock: status, audit row, mail and open pages together, once
 * each. Returns how many. Specification 4, Subscription status.
 */
export async function expireSubscriptions(db: Db): Promise<number> {
  for (let total = 0; ; ) {
    const ended = await inTransaction(db, expireSome)
    total += ended
    if (ended < atOnce) return total
  }
}

async function expireSome(tx: Tx): Promise<number> {
  const due = await tx
    .select({ id, username, email, planId, endDate: subscriptionEndDate })
    .from(users)
    .where(and(eq(users.subscriptionStatus, 'active'), lte(users.subscriptionEndDate, sql`now()`)))
    .orderBy(asc(users.subscriptionEndDate))
    .limit(atOnce)
    // A customer whose payment is being confirmed at this moment is looked at again next time.
    .for('no key update', { skipLocked: true })
  if (due.length === 0) return 0
  const ids = due.map((user) => user.id)
  await tx.update(users).set({ subscriptionStatus: 'expired' }).where(inArray(users.id, ids))
  const names = new Map((await tx.select({ id: plans.id, name: plans.name }).from(plans)).map((plan) => [plan.id, plan.name]))
  for (const user of due) {
    const endDate = user.endDate!
    await enqueueMail(tx, {
      dedupeKey: `subscription_expired:${user.id}:${Date.parse(endDate)}`,
      userId: user.id,
      recipient: user.email,
      template: 'subscription_expired',
      data: { planName: user.planId === null ? null : names.get(user.planId), endDate },
    })
    await audit(tx, {
      actorId: null,
      action: 'subscription.expire',
      targetType: 'user',
      targetId: user.id,
      before: { subscriptionStatus: 'active', subscriptionEndDate: endDate },
      after: { subscriptionStatus: 'expired' },
    })
    await notifyUser(tx, user.id, [currentUser.id])
  }
  return due.length
}
