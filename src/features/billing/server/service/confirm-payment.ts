import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import * as ledger from '#features/referrals/server/ledger.ts'
import * as subscriptions from '#features/subscriptions/server/service.ts'
import { audit } from '#server/audit.ts'
import type { Tx } from '#server/db/connect.ts'
import { invoiceLines, invoices } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import type { Act, Decision, Terms } from './decide-invoice.ts'
import { explainRefusal } from './explain-refusal.ts'
import { refuseOutdatedChange } from './outdated-change.ts'
import { duplicateCode } from './read-invoices.ts'
import { lockPeople, mailCustomer, tellPeople } from './tell-people.ts'

type Row = typeof invoices.$inferSelect

/** Invoice paid, subscription started, extended or changed, credit and referral bonus booked, audited, mailed: once. Throws 404 and 409. */
export async function confirmPayment(tx: Tx, invoiceId: number, decision: Decision, { percent }: Terms, act: Act): Promise<subscriptions.Applied | undefined> {
  const paidAt = decision.paidAt ? new Date(decision.paidAt) : undefined
  const [paid] = await tx
    .update(invoices)
    .set({ status: 'paid', paidAt: paidAt ? paidAt.toISOString() : sql`now()`, version: sql`${invoices.version} + 1` })
    .where(
      and(
        eq(invoices.id, invoiceId),
        inArray(invoices.status, ['draft', 'pending', 'expired', 'cancelled']),
        decision.version === undefined ? undefined : eq(invoices.version, decision.version),
        decision.expectedAmount === undefined ? undefined : eq(invoices.amount, decision.expectedAmount),
        decision.acknowledgeDuplicate ? undefined : sql`NOT ${duplicateCode}`,
        act.selfApproval ? undefined : ne(invoices.userId, act.admin.id),
        paidAt
          ? sql`${paidAt.toISOString()}::timestamptz <= now() + interval '1 day' AND ${paidAt.toISOString()}::timestamptz > ${invoices.createdAt} - interval '31 days'`
          : undefined,
      ),
    )
    .returning()
  if (!paid) {
    await explainRefusal(tx, invoiceId, decision, act)
    return undefined
  }

  const claim = await lockPeople(tx, paid.userId)
  await refuseOutdatedChange(
    tx,
    paid,
    'The subscription was changed after this plan change was priced. Cancel this invoice: the customer can ask again at what it costs now.',
  )
  const earnsBonus = claim !== undefined && claim.rewardedInvoiceId === null && paid.kind === 'purchase'
  const ownReferral = earnsBonus && claim.referrerId === act.admin.id
  if (ownReferral && !act.selfApproval)
    return conflict('own_referral', 'You would earn the referral bonus of this payment. Another administrator has to confirm it.')
  const applied = await subscriptions.activate(tx, {
    userId: paid.userId,
    invoiceId,
    kind: paid.kind,
    planId: paid.planId,
    months: paid.planMonths,
    connections: paid.planConnections,
    keepsPeriod: paid.keepsPeriod,
    paidAt: paid.paidAt!,
    actorId: act.admin.id,
  })
  await bookCredit(tx, paid, applied.activationId, act)
  if (earnsBonus) {
    await ledger.rewardReferrer(tx, {
      refereeId: paid.userId,
      invoiceId,
      activationId: applied.activationId,
      paidCents: paid.amount,
      percent,
      actorId: act.admin.id,
    })
  }
  await audit(tx, {
    actorId: act.admin.id,
    action: 'invoice.confirm',
    targetType: 'invoice',
    targetId: String(invoiceId),
    before: { subscription: applied.before },
    after: {
      status: 'paid',
      version: paid.version,
      paidAt: paid.paidAt,
      amount: paid.amount,
      subscription: applied.after,
      ownInvoice: paid.userId === act.admin.id,
      ownReferral,
    },
    requestId: act.requestId,
  })
  await mailCustomer(tx, paid, paid.kind === 'plan_change' ? 'plan_change_applied' : 'payment_confirmed', `payment_confirmed:${applied.activationId}`, {
    endDate: applied.after.endDate,
  })
  await tellPeople(tx, paid.userId, claim?.referrerId)
  return applied
}

/** Credit shown as a line is spent now; what a cheaper plan gives back is credited now. */
async function bookCredit(tx: Tx, invoice: Row, activationId: number, { admin }: Act): Promise<void> {
  const spent = await tx
    .select({ amount: invoiceLines.amount })
    .from(invoiceLines)
    .where(and(eq(invoiceLines.invoiceId, invoice.id), eq(invoiceLines.kind, 'credit')))
  const cents = spent.reduce((sum, row) => sum + row.amount, 0)
  const booking = { userId: invoice.userId, relatedInvoiceId: invoice.id, activationId, createdBy: admin.id }
  if (cents !== 0) await ledger.book(tx, { ...booking, amount: cents, type: 'payment', description: `Credit used for invoice ${invoice.invoiceNumber}` })
  if (invoice.creditOnApproval > 0)
    await ledger.book(tx, {
      ...booking,
      amount: invoice.creditOnApproval,
      type: 'refund',
      description: `Unused part of your plan, invoice ${invoice.invoiceNumber}`,
    })
}
