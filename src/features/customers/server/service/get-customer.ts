import { and, count, desc, eq, isNull, max, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { adminUser } from '#features/accounts/server/user-view.ts'
import { invoicesOf } from '#features/billing/server/service/read-invoices.ts'
import { accountCreditOf } from '#features/referrals/server/service.ts'
import { paidTimeOf } from '#features/subscriptions/server/service/read-paid-time.ts'
import type { Db } from '#server/db/connect.ts'
import {
  activations,
  auditLog,
  creditTransactions,
  invoices,
  plans,
  refundRequests,
  reports,
  sessions,
  trialRequests,
  users,
} from '#server/db/tables.ts'
import type { Customer } from '../../admin-contract.ts'

const maxRows = 10
const maxTransactions = 50
const author = alias(users, 'author')

/** Everything about one user for administrators, without credentials. Throws 404. */
export async function getCustomer(db: Db, userId: number): Promise<Customer> {
  const user = await adminUser(db, userId)
  const [profile, refunds, openSessions, invoiceRows, credit, authors, activations, reportRows, trials, audit, time] =
    await Promise.all([
      profileOf(db, userId),
      refundsOf(db, userId),
      db
        .select({ sessions: count(), lastSeenAt: max(sessions.lastSeenAt) })
        .from(sessions)
        .where(and(eq(sessions.userId, userId), isNull(sessions.impersonatedBy), sql`${sessions.expiresAt} > now()`)),
      invoicesOf(db, userId),
      accountCreditOf(db, userId),
      transactionAuthors(db, userId),
      activationsOf(db, userId),
      db
        .select({ report: reports, total: sql<number>`count(*) over ()`.mapWith(Number) })
        .from(reports)
        .where(eq(reports.userId, userId))
        .orderBy(desc(reports.id))
        .limit(maxRows),
      db
        .select()
        .from(trialRequests)
        .where(eq(trialRequests.userId, userId))
        .orderBy(desc(trialRequests.id))
        .limit(maxRows),
      auditOf(db, userId),
      paidTimeOf(db, userId),
    ])
  return {
    user,
    ...profile,
    ...openSessions[0]!,
    invoices: {
      total: invoiceRows.length,
      rows: invoiceRows.slice(0, maxRows).map((row) => ({ ...row, refund: refunds.get(row.id) ?? null })),
    },
    credit: {
      ...credit,
      transactions: credit.transactions
        .slice(0, maxTransactions)
        .map((row) => ({ ...row, createdBy: authors.get(row.id) ?? null })),
    },
    time,
    activations,
    reports: { total: reportRows[0]?.total ?? 0, rows: reportRows.map(({ report }) => report) },
    trials,
    audit,
  }
}

/** The status of refund requests by invoice id. */
async function refundsOf(db: Db, userId: number): Promise<Map<number, 'pending' | 'approved' | 'declined'>> {
  const rows = await db
    .select({ id: refundRequests.invoiceId, status: refundRequests.status })
    .from(refundRequests)
    .where(eq(refundRequests.userId, userId))
  return new Map(rows.map(({ id, status }) => [id, status]))
}

async function profileOf(
  db: Db,
  userId: number,
): Promise<Pick<Customer, 'emailVerifiedAt' | 'referredBy' | 'referred' | 'sameMailbox'>> {
  const referrer = alias(users, 'referrer')
  const [[row], sameMailbox] = await Promise.all([
    db
      .select({
        emailVerifiedAt: users.emailVerifiedAt,
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

/** The usernames of the administrators who created credit transactions, by transaction id. */
async function transactionAuthors(db: Db, userId: number): Promise<Map<number, string>> {
  const rows = await db
    .select({ id: creditTransactions.id, name: author.username })
    .from(creditTransactions)
    .innerJoin(author, eq(author.id, creditTransactions.createdBy))
    .where(eq(creditTransactions.userId, userId))
    .orderBy(desc(creditTransactions.id))
    .limit(maxTransactions)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

async function activationsOf(db: Db, userId: number): Promise<Customer['activations']> {
  const { id, kind, createdAt, reversedAt, after } = activations
  const rows = await db
    .select({
      id,
      kind,
      createdAt,
      reversedAt,
      after,
      invoiceNumber: invoices.invoiceNumber,
      planName: plans.name,
      createdBy: author.username,
    })
    .from(activations)
    .leftJoin(invoices, eq(invoices.id, activations.invoiceId))
    .leftJoin(plans, eq(plans.id, activations.planId))
    .leftJoin(author, eq(author.id, activations.createdBy))
    .where(eq(activations.userId, userId))
    .orderBy(desc(id))
    .limit(maxRows)
  return rows.map(({ after: state, ...row }) => ({ ...row, status: state.status, endDate: state.endDate }))
}

const auditOf = (db: Db, userId: number): Promise<Customer['audit']> =>
  db
    .select({
      id: auditLog.id,
      at: auditLog.at,
      actor: author.username,
      action: auditLog.action,
      before: auditLog.before,
      after: auditLog.after,
    })
    .from(auditLog)
    .leftJoin(author, eq(author.id, auditLog.actorId))
    .where(and(eq(auditLog.targetType, 'user'), eq(auditLog.targetId, String(userId))))
    .orderBy(desc(auditLog.id))
    .limit(maxRows)
