import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { subscriptionMoves } from '#server/db/tables.ts'
import type { Approver } from '#server/session/actor.ts'
import { type AppliedChange, reverseActivation } from '../../service.ts'
import { lockCustomer } from '../gifts/add-days.ts'
import { recordUndo } from '../record-undo.ts'
import { refuseOwnSubscription } from '../update-subscription.ts'

/**
 * Undoes a move if the edit `activationId` of `userId` is one of its two halves: both accounts get back what they had. Returns the change of
 * `userId`; undefined for any other edit. The caller holds the row lock of `userId` and records that change. Throws 409 `later_change` if a later
 * change of either subscription depends on the move.
 */
export async function reverseMove(
  tx: Tx,
  userId: number,
  activationId: number,
  actor: Approver,
): Promise<AppliedChange | undefined> {
  const actorId = actor.admin.id
  const [move] = await tx
    .update(subscriptionMoves)
    .set({ undoneAt: sql`now()` })
    .where(
      and(
        isNull(subscriptionMoves.undoneAt),
        or(eq(subscriptionMoves.fromActivation, activationId), eq(subscriptionMoves.toActivation, activationId)),
      ),
    )
    .returning()
  if (!move) return undefined
  const otherId = move.fromUserId === userId ? move.toUserId : move.fromUserId
  refuseOwnSubscription(otherId, actor)
  const other = await lockCustomer(tx, otherId)
  const granted = await reverseActivation(tx, { activationId: move.toActivation, actorId })
  const withdrawn = await reverseActivation(tx, { activationId: move.fromActivation, actorId })
  const [own, others] = move.fromUserId === userId ? [withdrawn, granted] : [granted, withdrawn]
  await recordUndo(
    tx,
    others,
    { id: otherId, email: other.email },
    { actorId, requestId: actor.requestId, isEmailed: true },
  )
  return own
}
