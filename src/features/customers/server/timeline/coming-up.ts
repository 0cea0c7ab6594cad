import { and, asc, eq, gt, gte, isNotNull, isNull, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { invoices, lines, plans, referralClaims, segments, trialRequests, users } from '#server/db/tables.ts'
import type { ComingUp } from '../../admin-timeline-contract.ts'
import { comingUp } from '../../coming-up-rules.ts'

/** The maximum number of invoices, segments and bonuses that are listed. */
const maxListed = 10

/** Returns what the scheduled jobs will do for a customer, by the database's clock. Leaves out what a reader with these permissions may not see. */
export async function readComingUp(db: Db, userId: number, permissions: readonly string[]): Promise<ComingUp[]> {
  const [renewals, invoiceSettings, provisioning, [user], openInvoices, laterSegments, [trial], bonuses] =
    await Promise.all([
      settings.read(db, 'renewals'),
      settings.read(db, 'invoices'),
      settings.read(db, 'provisioning'),
      userOf(db, userId),
      openInvoicesOf(db, userId),
      db
        .select({ planName: plans.name, connections: segments.connections, startsAt: segments.startsAt })
        .from(segments)
        .innerJoin(plans, eq(plans.id, segments.planId))
        .where(
          and(
            eq(segments.userId, userId),
            isNull(segments.replacedBy),
            eq(segments.withdrawn, false),
            eq(segments.begun, false),
            gt(segments.startsAt, sql`now()`),
          ),
        )
        .orderBy(asc(segments.startsAt))
        .limit(maxListed),
      db
        .select({ endsAt: trialRequests.expiryDate })
        .from(trialRequests)
        .where(
          and(eq(trialRequests.userId, userId), eq(trialRequests.status, 'approved'), isNull(trialRequests.endedAt)),
        )
        .orderBy(sql`${trialRequests.id} desc`)
        .limit(1),
      db
        .select({ amount: referralClaims.bonusCents, availableAt: referralClaims.bonusAvailableAt })
        .from(referralClaims)
        .where(
          and(
            eq(referralClaims.referrerId, userId),
            isNull(referralClaims.bonusBookedAt),
            isNotNull(referralClaims.bonusAvailableAt),
          ),
        )
        .orderBy(asc(referralClaims.bonusAvailableAt))
        .limit(maxListed),
    ])
  const seesMoney = permissions.includes('invoices.read')
  const endsAt = user?.status === 'active' ? user.endsAt : null
  return comingUp({
    now: new Date(user!.now).toISOString(),
    endsAt,
    renewal: (seesMoney && user!.renewal?.[0]) || null,
    openInvoices: (seesMoney ? openInvoices : []).map((invoice) => ({
      ...invoice,
      isSubmitted: invoice.submittedAt !== null,
      isReminded: invoice.status === 'draft' && invoice.kind === 'purchase' && invoice.renewsEnd === null,
    })),
    hasRenewalInvoice: user!.hasRenewalInvoice,
    hasLine: user!.hasLine,
    segments: laterSegments,
    trialEndsAt: (permissions.includes('trials.read') && trial?.endsAt) || null,
    bonuses: (seesMoney ? bonuses : []).map(({ amount, availableAt }) => ({
      amount: amount!,
      availableAt: availableAt!,
    })),
    settings: {
      daysAhead: renewals.daysAhead,
      reminderDays: renewals.reminderDays,
      reminderHours: invoiceSettings.reminderHours,
      graceDays: provisioning.graceDays,
    },
  })
}

const openInvoicesOf = (db: Db, userId: number) =>
  db
    .select({
      invoiceNumber: invoices.invoiceNumber,
      amount: invoices.amount,
      expiresAt: invoices.expiresAt,
      submittedAt: invoices.submittedAt,
      status: invoices.status,
      kind: invoices.kind,
      renewsEnd: invoices.renewsEnd,
    })
    .from(invoices)
    .where(
      and(
        eq(invoices.userId, userId),
        sql`${invoices.status} in ('draft', 'pending')`,
        gte(invoices.expiresAt, sql`now()`),
      ),
    )
    .orderBy(asc(invoices.expiresAt))
    .limit(maxListed)

/** Selects the subscription, and the renewal that the renewal job would create: the plan of the last segment, if it is on sale. */
const userOf = (db: Db, userId: number) =>
  db
    .select({
      now: sql<string>`now()`,
      status: users.subscriptionStatus,
      endsAt: users.subscriptionEndDate,
      renewal: sql<{ planName: string; price: number }[] | null>`(
        select json_agg(json_build_object('planName', p.name, 'price', p.price)) from plans p where not p.hidden and p.id = (
          select s.plan_id from segments s where s.user_id = ${users.id} and s.replaced_by is null and not s.withdrawn
          order by s.starts_at desc limit 1))`,
      hasRenewalInvoice: sql<boolean>`exists (select from invoices i where i.user_id = ${users.id} and i.renews_end = ${users.subscriptionEndDate})`,
      hasLine: sql<boolean>`coalesce(${lines.wantedEnabled} and ${lines.panelEnabled}, false)`,
    })
    .from(users)
    .leftJoin(lines, eq(lines.userId, users.id))
    .where(eq(users.id, userId))
