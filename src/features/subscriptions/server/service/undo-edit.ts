import { and, eq } from 'drizzle-orm'
import type { AdminUser } from '#features/accounts/admin-contract.ts'
import { lockUserAndAdmin } from '#features/accounts/server/service/lock-user-and-admin.ts'
import { adminUser } from '#features/accounts/server/user-view.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { activations, plans } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { Approver } from '#server/session/actor.ts'
import { type AppliedChange, reverseActivation } from '../service.ts'
import { changes, notifySubscriptionChanged, refuseOwnSubscription } from './update-subscription.ts'

/**
 * Undoes an administrator's edit of a subscription; later purchases move forward. Throws 403 if the actor is no longer an administrator, 404 if the
 * customer has no such edit, and 409 if it is already undone, if a later change depends on it, or for the actor's own subscription without
 * `selfApproval`.
 */
export async function undoEdit(db: Db, userId: number, activationId: number, actor: Approver): Promise<AdminUser> {
  return inTransaction(db, async (tx) => {
    await reverseEdit(tx, userId, activationId, actor)
    return adminUser(tx, userId)
  })
}

/** The same, in the caller's transaction. */
export async function reverseEdit(
  tx: Tx,
  userId: number,
  activationId: number,
  actor: Approver,
): Promise<AppliedChange> {
  refuseOwnSubscription(userId, actor)
  const { user } = await lockUserAndAdmin(tx, userId, actor)
  const [edit] = await tx
    .select({ id: activations.id })
    .from(activations)
    .where(and(eq(activations.id, activationId), eq(activations.userId, userId), eq(activations.kind, 'grant')))
  if (!edit) return notFound('Edit not found')
  const undone = await reverseActivation(tx, { activationId, actorId: actor.admin.id })
  await audit(tx, {
    actorId: actor.admin.id,
    action: 'user.undo_subscription_edit',
    targetType: 'user',
    targetId: userId,
    ...changes(undone.before, undone.after),
    requestId: actor.requestId,
  })
  const { planId, status, startDate, endDate } = undone.after
  const [plan] = planId === null ? [] : await tx.select({ name: plans.name }).from(plans).where(eq(plans.id, planId))
  await enqueueMail(tx, {
    dedupeKey: `subscription_changed:undo:${activationId}`,
    userId,
    recipient: user.email,
    template: 'subscription_changed',
    data: { planName: plan?.name ?? null, status, startDate, endDate },
  })
  await notifySubscriptionChanged(tx, userId)
  return undone
}
