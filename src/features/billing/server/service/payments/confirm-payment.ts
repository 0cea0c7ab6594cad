import { and, eq, sql } from 'drizzle-orm'
import * as ledger from '#features/referrals/server/ledger.ts'
import type { SubscriptionState } from '#features/subscriptions/rules.ts'
import * as subscriptions from '#features/subscriptions/server/service.ts'
import type { Instant } from '#kit/dates.ts'
import { audit } from '#server/audit.ts'
import type { Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { invoices } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import type { Decider } from '#server/session/actor.ts'
import type { AdminInvoice } from '../../../admin-contract.ts'
import { mailCustomer, notifyInvoiceChanged } from '../notify-invoice-changed.ts'
import { refuseOutdatedChange } from '../orders/outdated-change.ts'
import type { BillingTerms, Decision } from './decision.ts'
import { explainRefusal } from './explain-refusal.ts'
import { lockCustomerAndReferrer } from './lock-customer-and-referrer.ts'
import { duplicateCode, similarNumber } from './payment-codes.ts'

type Row = typeof invoices.$inferSelect
/** A confirmed payment: the subscription change, and the invoice with the customer and refund fields of its admin view. */
export type ConfirmedPayment = subscriptions.AppliedChange & {
  invoice: Row & Pick<AdminInvoice, 'username' | 'email' | 'refund'>
}

/**
 * Marks an invoice paid once, starts, extends or changes the subscription, books credit and the referral bonus, and writes the audit entry and the
 * email. Returns undefined if the invoice was already paid. Throws 404 and 409.
 */
export async function confirmPayment(
  tx: Tx,
  invoiceId: number,
  decision: Decision,
  { percent, guaranteeDays }: BillingTerms,
  actor: Decider,
): Promise<ConfirmedPayment | undefined> {
  const [paid] = await markPaid(tx, {
    invoiceId,
    paidAt: decision.paidAt ? new Date(decision.paidAt).toISOString() : null,
    version: decision.version ?? null,
    expectedAmount: decision.expectedAmount ?? null,
    acknowledged: decision.acknowledgeDuplicate ?? false,
    excludedUserId: actor.selfApproval ? null : (actor.admin?.id ?? null),
  })
  if (!paid) {
    await explainRefusal(tx, invoiceId, decision, actor)
    return undefined
  }

  const { claim, username, email, refund, state, usedCredit, listPrice } = await lockCustomerAndReferrer(tx, paid)
  await refuseOutdatedChange(
    tx,
    paid,
    'This plan change is outdated: the time it was priced for has changed or ended. Cancel this invoice and ask the customer to request the change again.',
  )
  const earnsBonus = claim !== undefined && claim.rewardedInvoiceId === null && paid.kind === 'purchase'
  const ownReferral = earnsBonus && claim.referrerId === actor.admin?.id
  if (ownReferral && !actor.selfApproval)
    return conflict(
      'own_referral',
      'You would earn the referral bonus of this payment. Another administrator has to confirm it.',
    )
  const applied = await applyPayment(tx, paid, {
    paidCents: paid.amount + usedCredit,
    listPrice,
    before: state,
    actorId: actor.admin?.id ?? null,
  })
  await bookCredit(tx, paid, usedCredit, applied.activationId, actor)
  if (earnsBonus) {
    const { userId: refereeId, amount: paidCents } = paid
    await ledger.earnReward(tx, {
      refereeId,
      invoiceId,
      paidCents,
      percent,
      availableAt: guaranteeEnd(paid, guaranteeDays),
    })
    if (guaranteeDays === 0)
      await ledger.bookReward(tx, { refereeId, activationId: applied.activationId, actorId: actor.admin?.id })
  }
  await audit(tx, {
    actorId: actor.admin?.id ?? null,
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
      ownInvoice: paid.userId === actor.admin?.id,
      ownReferral,
      ...(!actor.admin && { byRule: true }),
    },
    requestId: actor.requestId,
  })
  const template = paid.kind === 'plan_change' ? 'plan_change_applied' : 'payment_confirmed'
  await mailCustomer(
    tx,
    paid,
    template,
    `payment_confirmed:${applied.activationId}`,
    { endDate: applied.after.endDate },
    email,
  )
  await notifyInvoiceChanged(tx, paid.userId, claim?.referrerId)
  return { ...applied, invoice: { ...paid, username, email, refund } }
}

/** Returns the end of the money-back guarantee. Days are 24 hours, as in `refundsOf`. */
const guaranteeEnd = ({ paidAt }: Row, days: number): Instant =>
  new Date(Date.parse(paidAt!) + days * 86_400_000).toISOString()

type Confirmation = {
  invoiceId: number
  paidAt: string | null
  version: number | null
  expectedAmount: number | null
  acknowledged: boolean
  excludedUserId: number | null
}
/** Marks the invoice paid if it is unchanged since it was displayed. Invoices of `excludedUserId` are refused: administrators must not confirm their own. */
const markPaid = statement('invoice_pay', (tx, params: Params<Confirmation>) =>
  tx
    .update(invoices)
    .set({
      status: 'paid',
      paidAt: sql`coalesce(${params.paidAt}::timestamptz, now())`,
      version: sql`${invoices.version} + 1`,
    })
    .where(
      and(
        eq(invoices.id, params.invoiceId),
        sql`${invoices.status} in ('draft', 'pending', 'expired', 'cancelled')`,
        sql`coalesce(${invoices.version} = ${params.version}::int, true)`,
        sql`coalesce(${invoices.amount} = ${params.expectedAmount}::int, true)`,
        sql`(${params.acknowledged}::boolean or (not ${duplicateCode} and ${similarNumber} is null))`,
        sql`coalesce(${invoices.userId} <> ${params.excludedUserId}::int, true)`,
        sql`coalesce(${params.paidAt}::timestamptz <= now() + interval '1 day' and ${params.paidAt}::timestamptz > ${invoices.createdAt} - interval '31 days', true)`,
      ),
    )
    .returning(),
)

type AppliedPayment = { paidCents: number; listPrice: number; before: SubscriptionState; actorId: number | null }
/**
 * Adds the time that a payment bought, or applies the plan change. `paidCents` is cash plus account credit, and `listPrice` is the plan's price; both
 * are in cents.
 */
function applyPayment(
  tx: Tx,
  paid: Row,
  { paidCents, listPrice, ...rest }: AppliedPayment,
): Promise<subscriptions.AppliedChange> {
  const payment = {
    ...{
      userId: paid.userId,
      invoiceId: paid.id,
      planId: paid.planId,
      months: paid.planMonths,
      connections: paid.planConnections,
    },
    ...{ paidAt: paid.paidAt!, ...rest },
  }
  if (paid.kind === 'purchase')
    return subscriptions.addPurchase(tx, { ...payment, paidCents, listCents: Math.max(listPrice, paidCents) })
  const { at, price } = paid.pricedFrom!
  return subscriptions.changePlan(tx, { ...payment, price, pricedAt: at })
}

/** Spends the account credit that the invoice uses (`usedCredit`, cents), and books the credit that a change to a cheaper plan returns. */
async function bookCredit(
  tx: Tx,
  invoice: Row,
  usedCredit: number,
  activationId: number,
  { admin }: Decider,
): Promise<void> {
  const booking = { userId: invoice.userId, relatedInvoiceId: invoice.id, activationId, createdBy: admin?.id ?? null }
  await ledger.bookCredit(tx, {
    ...booking,
    amount: -usedCredit,
    type: 'payment',
    description: `Credit used for invoice ${invoice.invoiceNumber}`,
  })
  if (invoice.creditOnApproval > 0)
    await ledger.bookCredit(tx, {
      ...booking,
      amount: invoice.creditOnApproval,
      type: 'refund',
      description: `Unused part of your plan, invoice ${invoice.invoiceNumber}`,
    })
}
