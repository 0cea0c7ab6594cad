import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Tx } from '#server/db/connect.ts'
import { creditTransactions, referralClaims, users } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { referralBonus } from '../rules.ts'

export type Booking = {
  userId: number
  /** Signed cents: credits are positive, what is spent is negative. */
  amount: number
  type: 'referral_bonus' | 'admin_adjustment' | 'payment' | 'refund'
  description: string
  relatedInvoiceId?: number | null
  activationId?: number | null
  createdBy?: number | null
}

/** Writes one row of the credit ledger and moves the balance with it; 0 cents write nothing. Throws 409 `credit_spent` when there is not enough. */
export async function book(tx: Tx, booking: Booking): Promise<void> {
  if (booking.amount === 0) return
  await changeBalance(tx, booking.userId, booking.amount)
  await tx.insert(creditTransactions).values(booking)
}

/**
 * Takes back every booking of an activation by rows of the opposite amount; repeating it writes nothing. Throws 409
 * `credit_spent` when somebody has already used what would be taken back.
 */
export async function reverseBookings(tx: Tx, activationId: number, actorId: number): Promise<void> {
  // What takes back has the same owners as what it took back, and only the bookings themselves are indexed by activation.
  const ofActivation = and(eq(creditTransactions.activationId, activationId), isNull(creditTransactions.reversesId))
  const owners = await tx
    .selectDistinct({ userId: creditTransactions.userId })
    .from(creditTransactions)
    .where(ofActivation)
  await lockUsers(
    tx,
    owners.map((owner) => owner.userId),
  )
  // Read under the locks; what was spent comes back first, so that the balance never dips on the way.
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
      description: `Taken back: ${description}`,
      relatedInvoiceId,
      activationId,
      reversesId: id,
      createdBy: actorId,
    })
  }
}

export type Reward = { refereeId: number; invoiceId: number; paidCents: number; percent: number; availableAt: Instant }

/**
 * Notes that the referrer of a customer earned `percent` of what was paid, once for each referred customer; otherwise nothing happens. The bonus
 * is pending until `availableAt`: until then the payment can be refunded, and a bonus that was spent could not be taken back. Decisions, Referrals.
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

/** Books a pending bonus as credit of the referrer, once. Returns the referrer, undefined where it was booked or withdrawn already. */
export async function bookReward(
  tx: Tx,
  { refereeId, activationId, actorId }: { refereeId: number; activationId: number; actorId?: number },
): Promise<number | undefined> {
  const [referred] = await tx
    .select({ referrerId: referralClaims.referrerId })
    .from(referralClaims)
    .where(eq(referralClaims.refereeId, refereeId))
  // The customer's row before the claim, as a confirmation locks them.
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
  await book(tx, {
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

/** Frees the claim an invoice had used up, so that the customer's next payment may count. A bonus that was booked goes with `reverseBookings`. */
export async function withdrawReward(tx: Tx, invoiceId: number): Promise<void> {
  await tx
    .update(referralClaims)
    .set({ rewardedInvoiceId: null, bonusCents: null, bonusAvailableAt: null, bonusBookedAt: null })
    .where(eq(referralClaims.rewardedInvoiceId, invoiceId))
}

/**
 * The row locks of several users, by ascending id: everybody who locks more than one user does it in this order. Weak enough to let rows of
 * others name these users meanwhile (foreign keys): a stronger lock and an audit row would wait for each other in a circle.
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

/** The condition and the change are one statement, so two spenders cannot both find the same credit. */
async function changeBalance(tx: Tx, userId: number, cents: number): Promise<void> {
  const moved = await tx
    .update(users)
    .set({ accountCredit: sql`${users.accountCredit} + ${cents}` })
    .where(and(eq(users.id, userId), sql`${users.accountCredit} + ${cents} >= 0`))
    .returning({ id: users.id })
  if (moved.length === 0) conflict('credit_spent', 'There is not enough account credit left for this')
}
