import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Tx } from '#server/db/connect.ts'
import { creditTransactions, referralClaims, users } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { referralBonus } from '../rules.ts'

export type Booking = {
  userId: number
  /** Signed cents: credit is positive, spending is negative. */
  amount: number
  type: 'referral_bonus' | 'admin_adjustment' | 'payment' | 'refund'
  description: string
  relatedInvoiceId?: number | null
  activationId?: number | null
  createdBy?: number | null
}

/**
 * Inserts a row of the credit ledger and updates the balance. Returns the row's id. For 0 cents it does nothing and returns undefined. Throws 409
 * `credit_spent` if the balance is too low.
 */
export async function bookCredit(tx: Tx, booking: Booking): Promise<number | undefined> {
  if (booking.amount === 0) return undefined
  await changeBalance(tx, booking.userId, booking.amount)
  const [row] = await tx.insert(creditTransactions).values(booking).returning({ id: creditTransactions.id })
  return row!.id
}

/**
 * Reverses one booking that belongs to no activation, with a row of the opposite amount. Returns the new row's id. The caller must prevent a second
 * reversal. Throws 409 `credit_spent` if the credit is already spent.
 */
export async function reverseBooking(tx: Tx, bookingId: number, actorId: number | null): Promise<number> {
  const [row] = await tx.select().from(creditTransactions).where(eq(creditTransactions.id, bookingId))
  const { userId, amount, type, description, relatedInvoiceId } = row!
  const reversal = { userId, amount: -amount, type, description: `Reversed: ${description}`, relatedInvoiceId }
  await changeBalance(tx, userId, -amount)
  const [reversed] = await tx
    .insert(creditTransactions)
    .values({ ...reversal, reversesId: bookingId, createdBy: actorId })
    .returning({ id: creditTransactions.id })
  return reversed!.id
}

/**
 * Reverses every booking of an activation with rows of the opposite amount. Repeating it changes nothing. Throws 409 `credit_spent` if the credit to
 * withdraw is already spent.
 */
export async function reverseBookings(tx: Tx, activationId: number, actorId: number): Promise<void> {
  // Reversals have the same owners as the bookings they reverse, and only bookings are indexed by activation.
  const ofActivation = and(eq(creditTransactions.activationId, activationId), isNull(creditTransactions.reversesId))
  const owners = await tx
    .selectDistinct({ userId: creditTransactions.userId })
    .from(creditTransactions)
    .where(ofActivation)
  await lockUsers(
    tx,
    owners.map((owner) => owner.userId),
  )
  // Read under the locks. Spending is reversed first, so that the balance never becomes negative in between.
  const bookings = await tx
    .select()
    .from(creditTransactions)
    .where(
      and(
        ofActivation,
        sql`not exists (select from credit_transactions as reversal where reversal.reverses_id = ${creditTransactions.id})`,
      ),
    )
    .orderBy(asc(creditTransactions.amount))
  for (const { id, userId, amount, type, description, relatedInvoiceId } of bookings) {
    await changeBalance(tx, userId, -amount)
    await tx.insert(creditTransactions).values({
      userId,
      amount: -amount,
      type,
      description: `Reversed: ${description}`,
      relatedInvoiceId,
      activationId,
      reversesId: id,
      createdBy: actorId,
    })
  }
}

export type Reward = { refereeId: number; invoiceId: number; paidCents: number; percent: number; availableAt: Instant }

/**
 * Records that the referrer earned `percent` of the payment. Does nothing if there is no referrer or if an earlier payment of this customer has earned
 * the bonus. The bonus is pending until `availableAt`: until then the payment can be refunded, and a spent bonus could not be withdrawn.
 */
export async function earnReward(
  tx: Tx,
  { refereeId, invoiceId, paidCents, percent, availableAt }: Reward,
): Promise<void> {
  await tx
    .update(referralClaims)
    .set({
      rewardedInvoiceId: invoiceId,
      bonusCents: referralBonus(paidCents, percent),
      bonusAvailableAt: availableAt,
      bonusBookedAt: null,
    })
    .where(and(eq(referralClaims.refereeId, refereeId), isNull(referralClaims.rewardedInvoiceId)))
}

/**
 * Books a pending bonus as the referrer's credit, once. Returns the referrer's id; undefined if no bonus is pending, for example because it was already
 * booked or withdrawn.
 */
export async function bookReward(
  tx: Tx,
  { refereeId, activationId, actorId }: { refereeId: number; activationId: number; actorId?: number },
): Promise<number | undefined> {
  const [referred] = await tx
    .select({ referrerId: referralClaims.referrerId })
    .from(referralClaims)
    .where(eq(referralClaims.refereeId, refereeId))
  // Same lock order as a confirmation: the user's row before the claim.
  await lockUsers(tx, referred ? [referred.referrerId] : [])
  const [claim] = await tx
    .update(referralClaims)
    .set({ bonusBookedAt: sql`now()` })
    .where(
      and(
        eq(referralClaims.refereeId, refereeId),
        isNull(referralClaims.bonusBookedAt),
        isNotNull(referralClaims.rewardedInvoiceId),
      ),
    )
    .returning()
  if (!claim) return undefined
  const { referrerId: userId, bonusCents, rewardedInvoiceId: relatedInvoiceId } = claim
  await bookCredit(tx, {
    userId,
    amount: bonusCents!,
    type: 'referral_bonus',
    description: 'Referral bonus',
    relatedInvoiceId,
    activationId,
    createdBy: actorId ?? null,
  })
  return userId
}

/**
 * Releases the referral claim used by an invoice, so that the customer's next payment can earn the bonus. Does not reverse a booked bonus:
 * `reverseBookings` does.
 */
export async function withdrawReward(tx: Tx, invoiceId: number): Promise<void> {
  await tx
    .update(referralClaims)
    .set({ rewardedInvoiceId: null, bonusCents: null, bonusAvailableAt: null, bonusBookedAt: null })
    .where(eq(referralClaims.rewardedInvoiceId, invoiceId))
}

/**
 * Locks the rows of several users by ascending id, the order used everywhere. The lock is weak enough to allow foreign key references from other
 * transactions; a stronger one could deadlock with audit entries.
 */
export async function lockUsers(tx: Tx, userIds: number[]): Promise<void> {
  if (userIds.length > 0)
    await tx
      .select({ id: users.id })
      .from(users)
      .where(inArray(users.id, userIds))
      .orderBy(asc(users.id))
      .for('no key update')
}

/**
 * Adds signed cents to a balance. Throws 409 `credit_spent` if the balance would become negative. Condition and update are one statement, so that the
 * same credit cannot be spent twice.
 */
async function changeBalance(tx: Tx, userId: number, cents: number): Promise<void> {
  const moved = await tx
    .update(users)
    .set({ accountCredit: sql`${users.accountCredit} + ${cents}` })
    .where(and(eq(users.id, userId), sql`${users.accountCredit} + ${cents} >= 0`))
    .returning({ id: users.id })
  if (moved.length === 0) conflict('credit_spent', 'There is not enough account credit left for this')
}
