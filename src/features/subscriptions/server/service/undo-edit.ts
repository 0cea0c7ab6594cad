import { and, eq } from 'drizzle-orm'
import type { AdminUser } from '#features/accounts/admin-contract.ts'
import { lockUserAndAdmin } from '#features/accounts/server/service/lock-user-and-admin.ts'
import { adminUser } from '#features/accounts/server/user-view.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { activations } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import type { Approver } from '#server/session/actor.ts'
import { type AppliedChange, reverseActivation } from '../service.ts'
import { reverseMove } from './move/reverse-move.ts'
import { recordUndo } from './record-undo.ts'
import { refuseOwnSubscription } from './update-subscription.ts'

/**
 * Undoes an administrator's edit of a subscription; later purchases then start earlier. Throws 403 if the actor is no longer an administrator, 404
 * if the customer has no such edit, and 409 if it is already undone, if a later change depends on it, or for the actor's own subscription without
 * `selfApproval`.
 */
export async function undoEdit(db: Db, userId: number, activationId: number, actor: Approver): Promise<AdminUser> {
  return inTransaction(db, async (tx) => {
    await reverseEdit(tx, userId, activationId, actor)
    return adminUser(tx, userId)
  })
}

/** Undoes an edit like `undoEdit`, in the caller's transaction. */
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
  const undone =
    (await reverseMove(tx, userId, activationId, actor)) ??
    (await reverseActivation(tx, { activationId, actorId: actor.admin.id }))
  await recordUndo(
    tx,
    undone,
    { id: userId, email: user.email },
    { actorId: actor.admin.id, requestId: actor.requestId, isEmailed: true },
  )
  return undone
}
