import * as ledger from '#features/referrals/server/ledger.ts'
import type { Tx } from '#server/db/connect.ts'
import { conflict, Refusal } from '#server/errors.ts'

/** Reverses a booking of account credit and returns the id of the reversing row. Throws 409 `credit_spent` if the customer has used it. */
export async function reverseCredit(tx: Tx, bookingId: number, actorId: number): Promise<number> {
  try {
    return await ledger.reverseBooking(tx, bookingId, actorId)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'credit_spent')
      return conflict('credit_spent', 'The customer has already used this credit, so it can no longer be withdrawn.')
    throw error
  }
}
