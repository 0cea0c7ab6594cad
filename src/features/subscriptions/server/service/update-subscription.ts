import { eq, sql } from 'drizzle-orm'
import { type AdminUser, currentUser, listUsers } from '#features/accounts/contract.ts'
import { type Act, lockPeople } from '#features/accounts/server/service/lock-people.ts'
import { adminUser } from '#features/accounts/server/user-view.ts'
import { getCustomer } from '#features/customers/contract.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { plans } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import { enqueueMail } from '#server/mail.ts'
import { notifyAdmins, notifyUser } from '#server/notify.ts'
import type { SubscriptionGrant } from '../../contract.ts'
import { afterGrant, grantProblem, planLabel, type SubscriptionState } from '../../rules.ts'
import { grant, stateOf } from '../service.ts'

/**
 * An administrator sets plan, status and dates (specification 4: any status directly), with everything that follows from it, in one
 * transaction. What is so already changes nothing. Throws 400 on the field, 403 when the actor was demoted meanwhile, 404, 409 for a stale dialog.
 */
export async function updateSubscription(db: Db, userId: number, given: SubscriptionGrant, act: Act): Promise<AdminUser> {
  return inTransaction(db, async (tx) => {
    const { user } = await lockPeople(tx, userId, act)
    const before = await stateOf(tx, userId)
    if (given.expected && !isSame(before, { ...before, ...given.expected })) conflict('stale', await whatIsNow(tx, before))
    const now = (await tx.execute<{ now: Date | string }>(sql`select now()`)).rows[0]!.now
    const plan = await planOf(tx, given.planId)
    const moment = new Date(now).toISOString()
    const after = afterGrant(before, given, plan?.connections ?? null, moment)
    if (isSame(before, after)) return adminUser(tx, userId)
    const problem = grantProblem(after, moment)
    if (problem) invalid(problem.path, problem.message)

    const { activationId } = await grant(tx, { userId, planId: after.planId, months: plan?.months ?? 0, before, after, actorId: act.admin.id })
    await audit(tx, {
      actorId: act.admin.id,
      action: 'user.update_subscription',
      targetType: 'user',
      targetId: userId,
      ...changes(before, after),
      requestId: act.requestId,
    })
    await enqueueMail(tx, {
      dedupeKey: `subscription_changed:${activationId}`,
      userId,
      recipient: user.email,
      template: 'subscription_changed',
      data: { planName: plan?.name ?? null, status: after.status, startDate: after.startDate, endDate: after.endDate },
    })
    await notifyUser(tx, userId, [currentUser.id])
    await notifyAdmins(tx, [listUsers.id, getCustomer.id])
    return adminUser(tx, userId)
  })
}

async function planOf(tx: Tx, planId: number | null): Promise<typeof plans.$inferSelect | undefined> {
  if (planId === null) return undefined
  const [plan] = await tx.select().from(plans).where(eq(plans.id, planId))
  return plan ?? invalid('planId', 'This plan does not exist', 'unknown_plan')
}

const fields = ['planId', 'status', 'startDate', 'endDate', 'maxConnections'] as const
const isSame = (one: SubscriptionState, other: SubscriptionState): boolean =>
  fields.every((field) => (field.endsWith('Date') ? time(one[field]) === time(other[field]) : one[field] === other[field]))
const time = (value: string | number | null): number | null => (value === null ? null : new Date(value).getTime())

/** The fields that differ. */
function changes(before: SubscriptionState, after: SubscriptionState): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const differing = fields.filter((field) => before[field] !== after[field])
  const only = (state: SubscriptionState) => Object.fromEntries(differing.map((field) => [field, state[field]]))
  return { before: only(before), after: only(after) }
}

/** For an administrator whose dialog is out of date: what somebody else has made of the subscription. */
async function whatIsNow(tx: Tx, { planId, status, startDate, endDate }: SubscriptionState): Promise<string> {
  const [plan] = planId === null ? [] : await tx.select({ name: plans.name }).from(plans).where(eq(plans.id, planId))
  const dates = [startDate && `from ${startDate.slice(0, 10)}`, endDate && `until ${endDate.slice(0, 10)}`].filter(Boolean).join(' ')
  const name = planId === null ? 'no plan' : planLabel({ planId, planName: plan?.name ?? null })
  return `Someone else was faster: this subscription is now ${status}, ${name}${dates && `, ${dates}`}. Nothing was changed.`
}
