import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { SubscriptionState } from '#features/subscriptions/rules.ts'
import { paidTimeOf } from '#features/subscriptions/server/service/read-paid-time.ts'
import type { AppliedChange } from '#features/subscriptions/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { previewTransaction } from '#server/db/preview-transaction.ts'
import { creditTransactions, invoices, plans, referralClaims, users } from '#server/db/tables.ts'
import { Refusal } from '#server/errors.ts'
import type { Approver } from '#server/session/actor.ts'
import type { DecisionOutcome } from '../../../admin-contract.ts'
import { decide, withConflictMessages } from './decide-invoice.ts'
import type { BillingTerms, Decision } from './decision.ts'

/**
 * Returns the effect of a decision. Runs the decision and rolls it back, so that preview and decision cannot differ. A refusal is part of the result;
 * only 404 is thrown. Leaves no booking, audit entry, email or notification.
 */
export const previewDecision = (
  db: Db,
  invoiceId: number,
  decision: Decision,
  terms: BillingTerms,
  actor: Approver,
): Promise<DecisionOutcome> =>
  previewChange(db, invoiceId, decision.status, (tx) => decide(tx, invoiceId, decision, terms, actor))

/** Previews any change of an invoice in the same way as `previewDecision`. `status` is the status that the invoice would get. */
export async function previewChange(
  db: Db,
  invoiceId: number,
  status: DecisionOutcome['status'],
  work: (tx: Tx) => Promise<AppliedChange | undefined>,
): Promise<DecisionOutcome> {
  const noOutcome = {
    status,
    refusal: null,
    subscription: null,
    bookings: [],
    time: [],
    pendingBonus: null,
    droppedBonus: null,
  }
  try {
    return await withConflictMessages(() =>
      previewTransaction(db, async (tx) => {
        await tx.select({ id: invoices.id }).from(invoices).where(eq(invoices.id, invoiceId)).for('no key update')
        const known = new Set((await bookingsOf(tx, invoiceId)).map(({ id }) => id))
        const pendingBefore = await pendingBonusOf(tx, invoiceId)
        const applied = await work(tx)
        const bookings = (await bookingsOf(tx, invoiceId)).filter(({ id }) => !known.has(id))
        const subscription = applied ? await namedStates(tx, invoiceId, applied.before) : null
        const pendingBonus = await pendingBonusOf(tx, invoiceId)
        const droppedBonus = pendingBonus ? null : pendingBefore
        return {
          ...noOutcome,
          bookings,
          subscription,
          time: await timeAfter(tx, invoiceId),
          pendingBonus,
          droppedBonus,
        }
      }),
    )
  } catch (error) {
    if (error instanceof Refusal && error.status !== 404)
      return { ...noOutcome, refusal: { code: error.code, message: error.message } }
    throw error
  }
}

async function timeAfter(tx: Tx, invoiceId: number): Promise<DecisionOutcome['time']> {
  const [invoice] = await tx.select({ userId: invoices.userId }).from(invoices).where(eq(invoices.id, invoiceId))
  return invoice ? paidTimeOf(tx, invoice.userId) : []
}

/** Returns the referral bonus that the invoice earned and that is not booked yet; null if there is none. */
async function pendingBonusOf(tx: Tx, invoiceId: number): Promise<DecisionOutcome['pendingBonus']> {
  const [bonus] = await tx
    .select({
      username: users.username,
      amount: referralClaims.bonusCents,
      availableAt: referralClaims.bonusAvailableAt,
    })
    .from(referralClaims)
    .innerJoin(users, eq(users.id, referralClaims.referrerId))
    .where(and(eq(referralClaims.rewardedInvoiceId, invoiceId), isNull(referralClaims.bonusBookedAt)))
  return bonus?.amount && bonus.availableAt
    ? { username: bonus.username, amount: bonus.amount, availableAt: bonus.availableAt }
    : null
}

const bookingsOf = (tx: Tx, invoiceId: number) =>
  tx
    .select({
      id: creditTransactions.id,
      username: users.username,
      amount: creditTransactions.amount,
      type: creditTransactions.type,
    })
    .from(creditTransactions)
    .innerJoin(users, eq(users.id, creditTransactions.userId))
    .where(eq(creditTransactions.relatedInvoiceId, invoiceId))
    .orderBy(creditTransactions.id)

/** Returns the subscription before the decision and, as now stored in the customer's row, after the decision, each with its plan name. */
async function namedStates(
  tx: Tx,
  invoiceId: number,
  before: SubscriptionState,
): Promise<DecisionOutcome['subscription']> {
  const [customer] = await tx
    .select({
      planId: users.planId,
      status: users.subscriptionStatus,
      startDate: users.subscriptionStartDate,
      endDate: users.subscriptionEndDate,
      maxConnections: users.iptvMaxConnections,
    })
    .from(users)
    .innerJoin(invoices, eq(invoices.userId, users.id))
    .where(eq(invoices.id, invoiceId))
  const after: SubscriptionState = customer!
  const names = await tx
    .select({ id: plans.id, name: plans.name })
    .from(plans)
    .where(inArray(plans.id, [before.planId ?? 0, after.planId ?? 0]))
  const named = (state: SubscriptionState) => ({
    ...state,
    planName: names.find(({ id }) => id === state.planId)?.name ?? null,
  })
  return { before: named(before), after: named(after) }
}
