import { eq } from 'drizzle-orm'
import type { AdminUser } from '#features/accounts/admin-contract.ts'
import { lockUserAndAdmin } from '#features/accounts/server/service/lock-user-and-admin.ts'
import { adminUser } from '#features/accounts/server/user-view.ts'
import type { Instant } from '#kit/dates.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { plans } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { Approver } from '#server/session/actor.ts'
import type { SubscriptionGrant } from '../../admin-contract.ts'
import { grantProblem, planLabel, type SubscriptionState, stateAfterGrant } from '../../rules.ts'
import { editSequence } from '../paid-time/edit.ts'
import type { NewSegment, SequenceChange } from '../paid-time/segment.ts'
import { subscriptionAt } from '../paid-time/subscription-at.ts'
import { readSequence } from '../sequence.ts'
import { type AppliedChange, applyEdit, readState } from '../service.ts'

export type EditResult = AppliedChange & { change: SequenceChange }

/**
 * Sets plan, status and dates of a subscription with all consequences in one transaction. Kept time keeps the cents paid for it. Values that equal
 * the current ones change nothing. Throws 400 with the field, 403 if the actor is no longer an administrator, 404, and 409 for an outdated dialog
 * or the actor's own subscription without `selfApproval`.
 */
export async function updateSubscription(
  db: Db,
  userId: number,
  grant: SubscriptionGrant,
  actor: Approver,
): Promise<AdminUser> {
  return inTransaction(db, async (tx) => {
    await editSubscription(tx, userId, grant, actor)
    return adminUser(tx, userId)
  })
}

/** Applies the edit in the caller's transaction. Returns undefined if nothing differs. */
export async function editSubscription(
  tx: Tx,
  userId: number,
  grant: SubscriptionGrant,
  actor: Approver,
): Promise<EditResult | undefined> {
  refuseOwnSubscription(userId, actor)
  const { user } = await lockUserAndAdmin(tx, userId, actor)
  const before = await readState(tx, userId)
  if (grant.expected && !isSame(before, { ...before, ...grant.expected }))
    return conflict('stale', await staleMessage(tx, before))
  const plan = await planOf(tx, grant.planId)
  const sequence = await readSequence(tx, userId)
  const requested = stateAfterGrant(before, grant, plan?.connections ?? null, sequence.now)
  if (isSame(before, requested)) return undefined
  const problem = grantProblem(requested, sequence.now)
  if (problem) return invalid(problem.path, problem.message)

  const change = editSequence(sequence.segments, { now: sequence.now, period: editedPeriod(before, requested, plan) })
  const after = stateAfter(
    requested,
    [...sequence.segments.filter(({ id }) => !change.replaced.includes(id)), ...change.created],
    sequence.now,
  )
  const applied = await applyEdit(
    tx,
    { userId, planId: after.planId, before, after, actorId: actor.admin.id },
    sequence,
    change,
  )
  await audit(tx, {
    actorId: actor.admin.id,
    action: 'user.update_subscription',
    targetType: 'user',
    targetId: userId,
    ...differingFields(before, after),
    requestId: actor.requestId,
  })
  await enqueueMail(tx, {
    dedupeKey: `subscription_changed:${applied.activationId}`,
    userId,
    recipient: user.email,
    template: 'subscription_changed',
    data: { planName: plan?.name ?? null, status: after.status, startDate: after.startDate, endDate: after.endDate },
  })
  await notifySubscriptionChanged(tx, userId)
  return { ...applied, change }
}

/** Throws 409 for the actor's own subscription without `selfApproval`. */
export function refuseOwnSubscription(userId: number, { admin, selfApproval }: Approver): void {
  if (userId === admin.id && !selfApproval)
    conflict('own_account', 'Another administrator has to change your own subscription.')
}

/** Notifies the open pages of the customer and the administrators. */
export async function notifySubscriptionChanged(tx: Tx, userId: number): Promise<void> {
  await changed(tx, 'subscription', { user: userId })
}

type Plan = typeof plans.$inferSelect
/** Returns the period of an edited subscription; null if the subscription is not active. */
function editedPeriod(
  before: SubscriptionState,
  { status, startDate, endDate, planId }: SubscriptionState,
  plan: Plan | undefined,
) {
  if (status !== 'active') return null
  return { from: startDate!, to: endDate!, plan: plan!, changesPlan: planId !== before.planId }
}

/**
 * Returns the state after the edit. An active subscription follows its segments, but keeps the connections at the panel if the plan stays the same.
 */
function stateAfter(requested: SubscriptionState, segments: NewSegment[], now: Instant): SubscriptionState {
  if (requested.status !== 'active') return requested
  const shown = subscriptionAt(segments, now)!
  return shown.planId === requested.planId ? { ...shown, maxConnections: requested.maxConnections } : shown
}

async function planOf(tx: Tx, planId: number | null): Promise<Plan | undefined> {
  if (planId === null) return undefined
  const [plan] = await tx.select().from(plans).where(eq(plans.id, planId))
  return plan ?? invalid('planId', 'This plan does not exist', 'unknown_plan')
}

const fields = ['planId', 'status', 'startDate', 'endDate', 'maxConnections'] as const
const isSame = (one: SubscriptionState, other: SubscriptionState): boolean =>
  fields.every((field) =>
    field.endsWith('Date') ? time(one[field]) === time(other[field]) : one[field] === other[field],
  )
const time = (value: string | number | null): number | null => (value === null ? null : new Date(value).getTime())

/** Returns the changed fields for the audit log. */
export function differingFields(
  before: SubscriptionState,
  after: SubscriptionState,
): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const differing = fields.filter((field) => before[field] !== after[field])
  const only = (state: SubscriptionState) => Object.fromEntries(differing.map((field) => [field, state[field]]))
  return { before: only(before), after: only(after) }
}

/** Returns the message for an outdated dialog, with the current subscription. */
async function staleMessage(tx: Tx, { planId, status, startDate, endDate }: SubscriptionState): Promise<string> {
  const [plan] = planId === null ? [] : await tx.select({ name: plans.name }).from(plans).where(eq(plans.id, planId))
  const dates = [startDate && `from ${startDate.slice(0, 10)}`, endDate && `until ${endDate.slice(0, 10)}`]
    .filter(Boolean)
    .join(' ')
  const name = planId === null ? 'no plan' : planLabel({ planId, planName: plan?.name ?? null })
  return `Someone else changed this subscription first. It is now ${status}, ${name}${dates && `, ${dates}`}. Nothing was changed.`
}
