import { and, desc, eq, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { removeCoveringCredit, removeDifference } from '#features/billing/server/service/payments/accept-difference.ts'
import { inDecisionTransaction } from '#features/billing/server/service/payments/decide-invoice.ts'
import { restoreInvoice, undoConfirmation } from '#features/billing/server/service/payments/restore-invoice.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { payerIdentities, paymentAllocations, paymentDecisions } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Approver } from '#server/session/actor.ts'
import { needsSecondAdministrator } from '#server/session/administrators.ts'
import type { PaymentRow } from '../../admin-contract.ts'
import { returnToShadow } from './automation/return-to-shadow.ts'
import { isByRule } from './automation/store-rule-result.ts'
import {
  type Allocation,
  allocate,
  type DecisionRow,
  inForce,
  insertDecision,
  lockCases,
  lockInvoices,
  lockPayment,
  reverseAllocation,
  updateCase,
} from './book.ts'
import type { Payment } from './compare-payment.ts'
import { refuseStale } from './decide-payment.ts'
import { rematch, rematchOthers } from './match-payment.ts'
import { readPaymentTerms } from './payment-terms.ts'
import { paymentRowOf } from './read-payments.ts'
import { undoTakeBack, unmarkPayer } from './reversals/undo-take-back.ts'
import { reverseCredit } from './reverse-credit.ts'
import { isSeconded } from './second-person.ts'

/**
 * Undoes the latest decision about a payment in one transaction: invoices, paid time, line, account credit and referral bonus are restored. Throws 404, 409
 * `stale`, 409 `credit_spent` if credit that the decision added is used, 409 `refund_sent` if money was already sent back, and 409 for a payment that was used
 * by the decision about another payment. Throws 409 `second_administrator` if another administrator has to undo the decision as well: an undo needs as many
 * administrators as the decision. For a decision of the rule one administrator is enough, so that a wrong decision can be stopped immediately.
 */
export async function undoPayment(db: Db, paymentId: number, version: number, actor: Approver): Promise<PaymentRow> {
  const terms = await readPaymentTerms(db)
  const row = await inDecisionTransaction(db, async (tx) => {
    const decision = await latestDecision(tx, paymentId)
    const involved = decision ? await paymentsOf(tx, decision) : []
    const isRule = decision !== undefined && (await isByRule(tx, decision.id))
    if (isRule) await returnToShadow(tx, `${actor.admin.username} undid an automatic confirmation`)
    await lockCases(tx, [paymentId, ...involved])
    await lockInvoices(tx, decision?.undoFacts.invoices.map(({ id }) => id) ?? [])
    const locked = await lockPayment(tx, paymentId, [])
    if (locked.known.version !== version) return refuseStale(tx, locked, actor)
    if (!decision || (await latestDecision(tx, paymentId))?.id !== decision.id)
      return conflict('nothing_to_undo', 'There is no decision to undo.')
    if (decision.action === 'refund_sent') return conflict('refund_sent', 'The money was already sent back.')
    if (decision.action === 'release')
      return conflict(
        'released',
        'The invoice this money was held for is closed. Decide about the payment again instead.',
      )
    await refuseLaterDecisions(tx, decision, involved)
    const cents = await decidedCents(tx, decision)
    const what = { action: 'undo', decisionId: decision.id }
    const request = { payment: locked.payment, cents, what, words: 'undo the decision' }
    if (!isRule && !(await isSeconded(tx, request, terms.desk, actor))) return undefined

    const undoId = await insertDecision(tx, {
      paymentId,
      action: 'undo',
      undoesId: decision.id,
      undoFacts: decision.undoFacts,
      decidedBy: actor.admin.id,
    })
    if (decision.action === 'take_back') await undoTakeBack(tx, decision, undoId, terms, actor)
    else await reverseAllocations(tx, decision, undoId, actor)
    if (decision.action === 'bear') await unmarkPayer(tx, decision)
    for (const before of decision.undoFacts.invoices) {
      if (decision.action === 'confirm') {
        await undoConfirmation(tx, before, terms, actor)
        await removeDifference(tx, before.id)
        if (decision.undoFacts.coveredByCredit) await removeCoveringCredit(tx, before.id)
      }
      if (decision.action === 'hold') await restoreInvoice(tx, before)
    }
    for (const userId of decision.undoFacts.learned) await forgetPayer(tx, locked.payment, userId)
    for (const joined of decision.undoFacts.joined) await updateCase(tx, joined)
    const known = await updateCase(tx, paymentId, decision.undoFacts.case)
    if (known.status === 'open') await rematch(tx, locked.payment, known)
    await audit(tx, {
      actorId: actor.admin.id,
      action: 'payment.undo',
      targetType: 'payment',
      targetId: paymentId,
      before: { status: locked.known.status },
      after: { decision: decision.action, status: known.status },
      requestId: actor.requestId,
    })
    await rematchOthers(
      tx,
      decision.undoFacts.invoices.map(({ id }) => id),
      paymentId,
    )
    await changed(tx, 'payment')
    return paymentRowOf(tx, paymentId)
  })
  return row ?? needsSecondAdministrator()
}

/** Returns how many cents of its payment a decision allocated. */
async function decidedCents(tx: Tx, { id, paymentId }: DecisionRow): Promise<number> {
  const [row] = await tx
    .select({ cents: sql<number>`coalesce(sum(${paymentAllocations.amount}), 0)::int` })
    .from(paymentAllocations)
    .where(
      and(
        eq(paymentAllocations.decisionId, id),
        eq(paymentAllocations.paymentId, paymentId),
        sql`${paymentAllocations.reversesId} is null`,
      ),
    )
  return row!.cents
}

const undo = alias(paymentDecisions, 'undo')
/** Returns the latest decision about a payment that is neither an undo nor undone. */
export async function latestDecision(db: Db | Tx, paymentId: number): Promise<DecisionRow | undefined> {
  const [row] = await db
    .select()
    .from(paymentDecisions)
    .where(
      and(
        eq(paymentDecisions.paymentId, paymentId),
        sql`${paymentDecisions.action} <> 'undo'`,
        notExists(db.select({ id: undo.id }).from(undo).where(eq(undo.undoesId, paymentDecisions.id))),
      ),
    )
    .orderBy(desc(paymentDecisions.id))
    .limit(1)
  return row
}

const paymentsOf = async (tx: Tx, { id }: DecisionRow): Promise<number[]> =>
  (
    await tx
      .selectDistinct({ id: paymentAllocations.paymentId })
      .from(paymentAllocations)
      .where(eq(paymentAllocations.decisionId, id))
  ).map((row) => row.id)

/** Throws 409 if a later decision about one of the payments depends on this one, for example the release of a hold. */
async function refuseLaterDecisions(tx: Tx, decision: DecisionRow, involved: number[]): Promise<void> {
  for (const paymentId of involved) {
    const latest = await latestDecision(tx, paymentId)
    if (latest && latest.id > decision.id)
      conflict('later_decision', 'A later decision uses this payment. Undo that one first.')
    const taken = (await inForce(tx, { paymentId })).filter(({ target }) => target === 'taken_back')
    if (taken.some(({ decisionId }) => decisionId !== decision.id)) refuseAsTaken()
  }
  if ((await countingIn(tx, decision)).length > 0) return
  // A hold that was used for another payment is undone together with the decision about that payment. A decision whose money was taken back can only be undone
  // after the decision about the reversal.
  if (decision.action === 'hold')
    conflict('joined', 'This payment was joined with another one. Undo the confirmation of that payment.')
  refuseAsTaken()
}

const refuseAsTaken = (): never =>
  conflict('later_decision', 'This payment was reversed. Undo the decision about the reversal first.')

/**
 * Returns the allocations of a decision that are in force. For a hold these are all holds of the payment, because the undo of a confirmation that used the hold
 * allocates it again as part of another decision.
 */
const countingIn = async (tx: Tx, { action, id, paymentId }: DecisionRow): Promise<Allocation[]> =>
  action === 'hold'
    ? (await inForce(tx, { paymentId })).filter(({ target }) => target === 'hold')
    : inForce(tx, { decisionId: id })

/** Reverses the allocations of a decision, and restores the allocations that the decision reversed. */
async function reverseAllocations(tx: Tx, decision: DecisionRow, undoId: number, { admin }: Approver): Promise<void> {
  for (const row of await countingIn(tx, decision)) {
    const reversal = row.target === 'credit' ? await reverseCredit(tx, row.creditTransactionId!, admin.id) : null
    await reverseAllocation(tx, row, undoId, reversal)
  }
  const taken = await tx
    .select()
    .from(paymentAllocations)
    .where(and(eq(paymentAllocations.decisionId, decision.id), sql`${paymentAllocations.reversesId} is not null`))
  for (const { paymentId, amount, target, invoiceId, userId } of taken)
    await allocate(tx, { paymentId, decisionId: undoId, amount: -amount, target, invoiceId, userId })
}

async function forgetPayer(tx: Tx, { rail, payerKey }: Payment, userId: number): Promise<void> {
  const isThis = and(
    eq(payerIdentities.rail, rail),
    eq(payerIdentities.payerKey, payerKey),
    eq(payerIdentities.userId, userId),
  )
  const removed = await tx
    .delete(payerIdentities)
    .where(and(isThis, eq(payerIdentities.confirmations, 1)))
    .returning({ userId: payerIdentities.userId })
  if (removed.length === 0)
    await tx
      .update(payerIdentities)
      .set({ confirmations: sql`${payerIdentities.confirmations} - 1` })
      .where(isThis)
}
