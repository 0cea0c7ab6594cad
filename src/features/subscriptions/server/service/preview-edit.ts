import type { Db, Tx } from '#server/db/connect.ts'
import { previewTransaction } from '#server/db/preview-transaction.ts'
import { Refusal } from '#server/errors.ts'
import type { Approver } from '#server/session/actor.ts'
import type { SubscriptionGrant, SubscriptionOutcome } from '../../admin-contract.ts'
import { daysBetween, later, remainderAt, usableSegments } from '../paid-time/segment.ts'
import { readSequence, type Sequence } from '../sequence.ts'
import { readState } from '../service.ts'
import { paidTimeOf } from './read-paid-time.ts'
import { reverseEdit } from './undo-edit.ts'
import { editSubscription } from './update-subscription.ts'

/** Returns the effect of an edit, found by applying it and rolling it back. A refusal is part of the result; only 404 is thrown. */
export const previewEdit = (
  db: Db,
  userId: number,
  grant: SubscriptionGrant,
  actor: Approver,
): Promise<SubscriptionOutcome> => outcomeOf(db, userId, (tx) => editSubscription(tx, userId, grant, actor))

/** Returns the effect of undoing an edit, like `previewEdit`. */
export const previewUndo = (
  db: Db,
  userId: number,
  activationId: number,
  actor: Approver,
): Promise<SubscriptionOutcome> => outcomeOf(db, userId, (tx) => reverseEdit(tx, userId, activationId, actor))

/** Returns the effect of `work` on a customer's paid time, and rolls `work` back. A refusal is part of the result; only 404 is thrown. */
export async function outcomeOf(
  db: Db,
  userId: number,
  work: (tx: Tx) => Promise<unknown>,
): Promise<SubscriptionOutcome> {
  try {
    return await previewTransaction(db, async (tx) => {
      const before = summary(await readSequence(tx, userId))
      await work(tx)
      const sequence = await readSequence(tx, userId)
      const after = summary(sequence)
      return {
        refusal: null,
        after: await readState(tx, userId),
        addedDays: Math.max(0, after.days - before.days),
        removedDays: Math.max(0, before.days - after.days),
        keptCents: after.paid,
        withdrawnCents: after.withdrawn - before.withdrawn,
        time: await paidTimeOf(tx, userId),
      }
    })
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 404) throw error
    return {
      refusal: { code: error.code, message: error.message },
      after: null,
      addedDays: 0,
      removedDays: 0,
      keptCents: 0,
      withdrawnCents: 0,
      time: [],
    }
  }
}

/** Returns the remaining days, the cents paid for them, and the cents of withdrawn time. */
function summary({ now, segments }: Sequence): { days: number; paid: number; withdrawn: number } {
  const time = usableSegments(segments)
  const last = time.at(-1)?.endsAt ?? now
  const first = time[0]?.startsAt ?? now
  return {
    days: daysBetween(later(now, first), last),
    paid: time.reduce((cents, segment) => cents + remainderAt(segment, now).paidCents, 0),
    withdrawn: segments.filter(({ withdrawn }) => withdrawn).reduce((cents, { paidCents }) => cents + paidCents, 0),
  }
}
