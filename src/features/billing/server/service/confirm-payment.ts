import { and, eq, sql } from 'drizzle-orm'
import * as ledger from '#features/referrals/server/ledger.ts'
import * as subscriptions from '#features/subscriptions/server/service.ts'
import { audit } from '#server/audit.ts'
import type { Tx } from '#server/db/connect.ts'
import { type Given, statement } from '#server/db/statement.ts'
import { invoices } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import type { Act, Decision, Terms } from './decide-invoice.ts'
import { explainRefusal } from './explain-refusal.ts'
import { refuseOutdatedChange } from './outdated-change.ts'
import { duplicateCode } from './read-invoices.ts'
import { lockPeople, mailCustomer, tellPeople } from './tell-people.ts'

type Row = typeof invoices.$inferSelect

/** Invoice paid, subscription started, extended or changed, credit and referral bonus booked, audited, mailed: once. Throws 404 and 409. */
export async function confirmPayment(tx: Tx, invoiceId: number, decision: Decision, { percent }: Terms, act: Act): Promise<subscriptions.Applied | undefined> {
  const [paid] = await pay(tx, {
    invoiceId,
    paidAt: decision.paidAt ? new Date(decision.paidAt).toISOString() : null,
    version: decision.version ?? null,
    expectedAmount: decision.expectedAmount ?? null,
    acknowledged: decision.acknowledgeDuplicate ?? false,
    except: act.selfApproval ? null : act.admin.id,
  })
  if (!paid) {
    await explainRefusal(tx, invoiceId, decision, act)
    return undefined
  }

  const { claim, email, state, usedCredit } = await lockPeople(tx, paid)
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
    before: state,
  })
  await bookCredit(tx, paid, usedCredit, applied.activationId, act)
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
  const letter = paid.kind === 'plan_change' ? 'plan_change_applied' : 'payment_confirmed'
  await mailCustomer(tx, paid, letter, `payment_confirmed:${applied.activationId}`, { endDate: applied.after.endDate }, email)
  await tellPeople(tx, paid.userId, claim?.referrerId)
  return applied
}

type Payment = { invoiceId: number; paidAt: string | null; version: number | null; expectedAmount: number | null; acknowledged: boolean; except: number | null }
/** Paid if it still is as it was shown; `except` is the administrator whose own invoice is not theirs to decide. */
const pay = statement('invoice_pay', (tx, given: Given<Payment>) =>
  tx
    .update(invoices)
    .set({ status: 'paid', paidAt: sql`coalesce(${given.paidAt}::timestamptz, now())`, version: sql`${invoices.version} + 1` })
    .where(
      and(
        eq(invoices.id, given.invoiceId),
        sql`${invoices.status} in ('draft', 'pending', 'expired', 'cancelled')`,
        sql`coalesce(${invoices.version} = ${given.version}::int, true)`,
        sql`coalesce(${invoices.amount} = ${given.expectedAmount}::int, true)`,
        sql`(${given.acknowledged}::boolean or not ${duplicateCode})`,
        sql`coalesce(${invoices.userId} <> ${given.except}::int, true)`,
        sql`coalesce(${given.paidAt}::timestamptz <= now() + interval '1 day' and ${given.paidAt}::timestamptz > ${invoices.createdAt} - interval '31 days', true)`,
      ),
    )
    .returning(),
)

/** Credit shown as a line is spent now; what a cheaper plan gives back is credited now. Cents. */
async function bookCredit(tx: Tx, invoice: Row, usedCredit: number, activationId: number, { admin }: Act): Promise<void> {
  const booking = { userId: invoice.userId, relatedInvoiceId: invoice.id, activationId, createdBy: admin.id }
  await ledger.book(tx, { ...booking, amount: -usedCredit, type: 'payment', description: `Credit used for invoice ${invoice.invoiceNumber}` })
  if (invoice.creditOnApproval > 0)
    await ledger.book(tx, {
      ...booking,
      amount: invoice.creditOnApproval,
      type: 'refund',
      description: `Unused part of your plan, invoice ${invoice.invoiceNumber}`,
    })
}
