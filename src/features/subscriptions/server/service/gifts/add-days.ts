import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { plans, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import type { SubscriptionState } from '../../../rules.ts'
import { grantedSegment } from '../../paid-time/edit.ts'
import { later, usableSegments } from '../../paid-time/segment.ts'
import { subscriptionAt } from '../../paid-time/subscription-at.ts'
import { readSequence } from '../../sequence.ts'
import { type AppliedChange, applyEdit, readState } from '../../service.ts'

const dayMs = 86_400_000
/** No subscription may end in this year or later. */
const latestEnd = '2101'

/** The reasons why a customer gets no days, as shown to administrators. */
export const skipReasons = {
  not_active: 'The subscription is neither active nor expired',
  no_time: 'The customer has never had paid time',
  too_late: 'The subscription would end after the year 2100',
} as const
export type SkipReason = keyof typeof skipReasons

/**
 * Adds days on the customer's last plan without a payment, after the remaining time, or from now on if no time is left. Returns the change, or why
 * nothing was added. The caller holds the user's row lock.
 */
export async function addDays(
  tx: Tx,
  userId: number,
  days: number,
  actorId: number,
): Promise<AppliedChange | SkipReason> {
  const before = await readState(tx, userId)
  if (before.status !== 'active' && before.status !== 'expired') return 'not_active'
  const sequence = await readSequence(tx, userId)
  const last = usableSegments(sequence.segments).at(-1)
  if (!last) return 'no_time'
  const startsAt = later(last.endsAt, sequence.now)
  const endsAt = new Date(Date.parse(startsAt) + days * dayMs).toISOString()
  if (endsAt >= latestEnd) return 'too_late'
  const [plan] = await tx.select().from(plans).where(eq(plans.id, last.planId))
  const { planId, months, connections } = last
  const gift = grantedSegment({ id: planId, price: plan!.price, months, connections }, startsAt, endsAt)
  const shown = subscriptionAt([...sequence.segments, gift], sequence.now)!
  const after: SubscriptionState = {
    ...shown,
    // Keeps the connections that an administrator set for the running plan.
    ...(before.status === 'active' && shown.planId === before.planId && { maxConnections: before.maxConnections }),
  }
  return applyEdit(tx, { userId, planId, before, after, actorId }, sequence, { replaced: [], created: [gift] })
}

type LockedCustomer = { id: number; username: string; email: string }
/** Locks the row of a customer until the transaction ends. Throws 404. */
export async function lockCustomer(tx: Tx, userId: number): Promise<LockedCustomer> {
  const { id, username, email } = users
  const [found] = await tx.select({ id, username, email }).from(users).where(eq(id, userId)).for('no key update')
  return found ?? notFound('User not found')
}
