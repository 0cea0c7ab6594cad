import { randomBytes } from 'node:crypto'
import { and, asc, desc, eq, gt, isNull } from 'drizzle-orm'
import { formatCents, formatSignedCents } from '#kit/money.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { creditTransactions, referralClaims, users } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { normalizeCode, referralCodeFrom, shareMessageFor } from '../rules.ts'

/** Returns a new referral code: ten characters, 50 random bits. */
export const randomReferralCode = (): string => referralCodeFrom(randomBytes(10))

/** Returns the id of the user with this referral code; undefined for an unknown code. */
export async function referrerOf(db: Db, typedCode: string): Promise<number | undefined> {
  const [owner] = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.referralCode, normalizeCode(typedCode)))
  return owner?.id
}

/** Records who referred a new customer. The referrer earns a bonus only once the customer's first payment is confirmed. */
export async function recordReferrer(tx: Tx, refereeId: number, referrerId: number): Promise<void> {
  await tx.insert(referralClaims).values({ refereeId, referrerId })
}

/** Returns a user's referral code, share link and share message. */
export async function referralInfoOf(
  db: Db,
  userId: number,
  site: { brand: string; percent: number; publicUrl: string },
): Promise<{ referralCode: string; shareUrl: string; shareMessage: string }> {
  const [owner] = await db.select({ referralCode: users.referralCode }).from(users).where(eq(users.id, userId))
  const { referralCode } = owner!
  const shareUrl = `${site.publicUrl}/register?ref=${referralCode}`
  return { referralCode, shareUrl, shareMessage: shareMessageFor(site.brand, site.percent, referralCode, shareUrl) }
}

/** Returns a user's balance in cents, latest 500 transactions (newest first) and pending bonuses. Specification 3, account credit view. */
export async function accountCreditOf(db: Db, userId: number) {
  const [[owner], rows, pending] = await Promise.all([
    db.select({ balance: users.accountCredit }).from(users).where(eq(users.id, userId)),
    db
      .select()
      .from(creditTransactions)
      .where(eq(creditTransactions.userId, userId))
      .orderBy(desc(creditTransactions.id))
      .limit(limits.lists.maximum),
    db
      .select({ amount: referralClaims.bonusCents, availableAt: referralClaims.bonusAvailableAt })
      .from(referralClaims)
      .where(
        and(
          eq(referralClaims.referrerId, userId),
          isNull(referralClaims.bonusBookedAt),
          gt(referralClaims.bonusCents, 0),
        ),
      )
      .orderBy(asc(referralClaims.bonusAvailableAt))
      .limit(limits.lists.maximum),
  ])
  const { balance } = owner!
  return {
    balance,
    formattedBalance: formatCents(balance),
    transactions: rows.map((row) => ({ ...row, formattedAmount: formatSignedCents(row.amount) })),
    pending: pending.map(({ amount, availableAt }) => ({
      amount: amount!,
      formattedAmount: formatSignedCents(amount!),
      availableAt: availableAt!,
    })),
  }
}
