import { and, eq } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { timeGiftCustomers } from '#server/db/tables.ts'
import { reverseActivation } from '../../service.ts'
import { recordUndo } from '../record-undo.ts'
import { lockCustomer } from './add-days.ts'

/**
 * Takes the days of a gift back from one customer, and emails the customer if the gift was emailed. Does nothing if the days have already been
 * taken back. Throws 409 `later_change` if a later change depends on the days.
 */
export async function takeBack(
  tx: Tx,
  gift: { id: number; emails: boolean },
  userId: number,
  actor: { actorId: number; requestId: string | null },
): Promise<void> {
  const customer = await lockCustomer(tx, userId)
  const [row] = await tx
    .select({ activationId: timeGiftCustomers.activationId })
    .from(timeGiftCustomers)
    .where(
      and(
        eq(timeGiftCustomers.giftId, gift.id),
        eq(timeGiftCustomers.userId, userId),
        eq(timeGiftCustomers.state, 'added'),
      ),
    )
  if (!row) return
  const undone = await reverseActivation(tx, { activationId: row.activationId!, actorId: actor.actorId })
  await recordUndo(tx, undone, { id: userId, email: customer.email }, { ...actor, isEmailed: gift.emails })
}
