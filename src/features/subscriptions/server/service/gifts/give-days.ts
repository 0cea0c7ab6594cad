import { sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { timeGiftCustomers, timeGifts } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import type { Approver } from '#server/session/actor.ts'
import type { SubscriptionOutcome } from '../../../admin-contract.ts'
import { usableSegments } from '../../paid-time/segment.ts'
import { readSequence } from '../../sequence.ts'
import { outcomeOf } from '../preview-edit.ts'
import { refuseOwnSubscription } from '../update-subscription.ts'
import { addDays, lockCustomer, skipReasons } from './add-days.ts'
import { giveToCustomer } from './give-to-customer.ts'

type Days = { days: number; reason: string; emails: boolean; expectedEnd: Instant | null }

/**
 * Gives days to one customer. Returns the new end. Throws 404, and 409 for the actor's own subscription without `selfApproval`, if the end has
 * changed since it was shown, and for a customer who cannot get days.
 */
export async function giveDays(
  db: Db,
  userId: number,
  { days, reason, emails, expectedEnd }: Days,
  actor: Approver,
): Promise<{ endDate: Instant | null }> {
  return inTransaction(db, async (tx) => {
    await lockFor(tx, userId, actor)
    const end = await endOf(tx, userId)
    if ((end && Date.parse(end)) !== (expectedEnd && Date.parse(expectedEnd)))
      conflict('stale', 'The paid time has changed since you opened this dialog. No days were given.')
    const createdBy = actor.admin.id
    const [gift] = await tx
      .insert(timeGifts)
      .values({ days, reason, emails, createdBy, state: 'given' })
      .returning({ id: timeGifts.id })
    await tx.insert(timeGiftCustomers).values({ giftId: gift!.id, userId })
    const endDate = await giveToCustomer(tx, { id: gift!.id, days, reason, emails, createdBy }, userId, actor.requestId)
    if (endDate === null) {
      const { rows } = await tx.execute<{ reason: string }>(
        sql`select reason from time_gift_customers where gift_id = ${gift!.id}`,
      )
      return conflict('no_days', `${rows[0]!.reason}. Nothing was changed.`)
    }
    return { endDate }
  })
}

/** Returns the effect of giving days, found by giving them and rolling back. A refusal is part of the result; only 404 is thrown. */
export const previewGiftOfDays = (
  db: Db,
  userId: number,
  days: number,
  actor: Approver,
): Promise<SubscriptionOutcome> =>
  outcomeOf(db, userId, async (tx) => {
    await lockFor(tx, userId, actor)
    const added = await addDays(tx, userId, days, actor.admin.id)
    if (typeof added === 'string') conflict('no_days', skipReasons[added])
  })

async function lockFor(tx: Tx, userId: number, actor: Approver): Promise<void> {
  refuseOwnSubscription(userId, actor)
  await lockCustomer(tx, userId)
}

/** Returns the end of the last paid time; null if the customer never had any. */
async function endOf(tx: Tx, userId: number): Promise<Instant | null> {
  return usableSegments((await readSequence(tx, userId)).segments).at(-1)?.endsAt ?? null
}
