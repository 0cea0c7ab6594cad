import { inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { paymentCases, paymentMatches, payments } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { lockCases } from './book.ts'

/**
 * Withdraws payments of a statement. They are no longer counted anywhere, and their rows can be booked again. Throws 409 `in_use` if one of the payments is
 * decided. The caller must hold `lockBook`.
 */
export async function withdrawPayments(tx: Tx, paymentIds: number[]): Promise<void> {
  if (paymentIds.length === 0) return
  const decided = (await lockCases(tx, paymentIds)).filter(({ status }) => status === 'done' || status === 'held')
  if (decided.length > 0)
    conflict('in_use', `Decided payments of this statement: ${decided.length}. Undo these decisions first.`)
  await tx.delete(paymentMatches).where(inArray(paymentMatches.paymentId, paymentIds))
  await tx.delete(paymentCases).where(inArray(paymentCases.paymentId, paymentIds))
  await tx.update(payments).set({ withdrawnAt: sql`now()` }).where(inArray(payments.id, paymentIds))
  await changed(tx, 'payment')
}
