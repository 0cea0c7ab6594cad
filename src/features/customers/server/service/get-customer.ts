import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, max, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { adminUser } from '#features/accounts/server/user-view.ts'
import { paidTimeOf } from '#features/subscriptions/server/service/read-paid-time.ts'
import { formatSignedCents } from '#kit/money.ts'
import type { Db } from '#server/db/connect.ts'
import { invoices, plans, referralClaims, reports, sessions, users } from '#server/db/tables.ts'
import type { Reader } from '#server/session/session.ts'
import type { Customer } from '../../admin-contract.ts'

const maxBonuses = 10

/**
 * Returns the state of one user for the staff, without credentials. Payments are included only for readers who may see invoices. Throws 404 for an unknown
 * user.
 */
export async function getCustomer(db: Db, userId: number, { permissions }: Reader): Promise<Customer> {
  const seesMoney = permissions.includes('invoices.read')
  const user = await adminUser(db, userId)
  const [profile, [open], paid, pendingBonuses, time, [reported], [plan]] = await Promise.all([
    profileOf(db, userId),
    db
      .select({ sessions: count(), lastSeenAt: max(sessions.lastSeenAt) })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isNull(sessions.impersonatedBy), sql`${sessions.expiresAt} > now()`)),
    seesMoney ? paidBy(db, userId) : null,
    seesMoney ? bonusesOf(db, userId) : [],
    paidTimeOf(db, userId),
    db
      .select({
        total: count(),
        open: sql<number>`count(*) filter (where ${inArray(reports.status, ['pending', 'reviewing'])})::int`,
      })
      .from(reports)
      .where(eq(reports.userId, userId)),
    db
      .select({ tier: plans.tier, months: plans.months, connections: plans.connections, price: plans.price })
      .from(plans)
      .where(eq(plans.id, user.planId ?? 0)),
  ])
  return { user, ...profile, ...open!, plan: plan ?? null, paid, pendingBonuses, time, reports: reported! }
}

/** Sums up the payments of a user, using the index of paid invoices. */
async function paidBy(db: Db, userId: number): Promise<NonNullable<Customer['paid']>> {
  const wasPaid = and(eq(invoices.userId, userId), isNotNull(invoices.paidAt))
  const isPaid = sql`${invoices.status} = 'paid'`
  const [[sums], [last]] = await Promise.all([
    db
      .select({
        total: sql<number>`coalesce(sum(${invoices.amount}) filter (where ${isPaid}), 0)::int`,
        payments: sql<number>`count(*) filter (where ${isPaid})::int`,
        refunds: sql<number>`count(*) filter (where ${invoices.status} = 'refunded')::int`,
      })
      .from(invoices)
      .where(wasPaid),
    db
      .select({ method: invoices.paymentMethod, lastPaidAt: invoices.paidAt })
      .from(invoices)
      .where(wasPaid)
      .orderBy(desc(invoices.paidAt))
      .limit(1),
  ])
  return { ...sums!, method: last?.method ?? null, lastPaidAt: last?.lastPaidAt ?? null }
}

async function bonusesOf(db: Db, userId: number): Promise<Customer['pendingBonuses']> {
  const { bonusCents, bonusAvailableAt, bonusBookedAt, referrerId } = referralClaims
  const rows = await db
    .select({ amount: bonusCents, availableAt: bonusAvailableAt })
    .from(referralClaims)
    .where(and(eq(referrerId, userId), isNull(bonusBookedAt), gt(bonusCents, 0)))
    .orderBy(asc(bonusAvailableAt))
    .limit(maxBonuses)
  return rows.map(({ amount, availableAt }) => ({
    amount: amount!,
    formattedAmount: formatSignedCents(amount!),
    availableAt: availableAt!,
  }))
}

async function profileOf(
  db: Db,
  userId: number,
): Promise<Pick<Customer, 'emailVerifiedAt' | 'twoFactor' | 'passkeys' | 'referredBy' | 'referred' | 'sameMailbox'>> {
  const referrer = alias(users, 'referrer')
  const [[row], sameMailbox] = await Promise.all([
    db
      .select({
        emailVerifiedAt: users.emailVerifiedAt,
        twoFactor: sql<boolean>`exists (select from two_factor where user_id = ${users.id} and confirmed_at is not null)`,
        passkeys: sql<number>`(select count(*)::int from passkeys where user_id = ${users.id})`,
        referredBy: { id: referrer.id, username: referrer.username },
        referred: sql<number>`(select count(*)::int from referral_claims where referrer_id = ${users.id})`,
      })
      .from(users)
      .leftJoin(referrer, eq(referrer.id, users.referredBy))
      .where(eq(users.id, userId)),
    db.execute<{ id: number; username: string; email: string }>(sql`
      select other.id, other.username, other.email from users other join users one on one.mailbox = other.mailbox
      where one.id = ${userId} and other.id <> one.id order by other.id limit 20`),
  ])
  return { ...row!, sameMailbox: sameMailbox.rows }
}
