import { and, eq, inArray, sql } from 'drizzle-orm'
import { removeDifference } from '#features/billing/server/service/payments/accept-difference.ts'
import { moveBack } from '#features/billing/server/service/payments/move-back.ts'
import type { Tx } from '#server/db/connect.ts'
import { payerIdentities, paymentAllocations, paymentCases, payments } from '#server/db/tables.ts'
import { conflict, refuseOwn } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { centsLeft, moneyText, takenFrom } from '../../../rules.ts'
import {
  type Allocation,
  allocate,
  inForce,
  insertDecision,
  invoicesBefore,
  lockInvoices,
  reverseAllocation,
  updateCase,
} from '../book.ts'
import type { Payment } from '../compare-payment.ts'
import { caseBefore } from '../confirm-invoices.ts'
import { reverseCredit } from '../reverse-credit.ts'
import type { Effect, Work } from '../work.ts'

/**
 * The ids of the payments and invoices that change if a payment is taken back: the payment itself, its invoices, and the other payments that settle these
 * invoices.
 */
export type InvolvedIds = { payments: number[]; invoices: number[] }

/** Returns what changes if this payment is taken back. Call it before the locks are acquired, to know what to lock, and again afterwards. */
export async function involvedIn(tx: Tx, paymentId: number): Promise<InvolvedIds> {
  const own = await inForce(tx, { paymentId })
  const invoices = [...new Set(own.flatMap(({ invoiceId }) => invoiceId ?? []))].sort((one, other) => one - other)
  const others = invoices.length > 0 ? await settlingAllocations(tx, invoices) : []
  return { payments: [...new Set([paymentId, ...others.map((row) => row.paymentId)])], invoices }
}

/** Returns the allocations of any payment that settle these invoices. */
const settlingAllocations = async (tx: Tx, invoiceIds: number[]): Promise<Allocation[]> =>
  (await inForce(tx, { invoiceIds })).filter(({ target }) => target === 'invoice')

/**
 * Takes the money of a reversal from the payment that it reverses. Paid invoices are open again, without an accepted difference. Credit and holds are
 * withdrawn, and a planned refund is canceled. If only a part of the payment was taken back, it is taken from the open part or from the allocation with exactly
 * this amount (`takenFrom`). Throws 409 if the amount fits neither, if the credit is spent, or if the reversed payment was changed in the meantime.
 */
export async function takeBack(tx: Tx, work: Work, expected: InvolvedIds): Promise<Effect> {
  const { payment, known, terms, actor } = work
  const taken = await reversedPayment(tx, work)
  const now = await involvedIn(tx, taken.id)
  if (now.payments.join() !== expected.payments.join() || now.invoices.join() !== expected.invoices.join())
    return conflict('amount_changed', 'The payment that is taken back has changed. Please reload.')
  const [its] = await tx.select().from(paymentCases).where(eq(paymentCases.paymentId, taken.id))
  const allocations = await inForce(tx, { paymentId: taken.id })
  const left = centsLeft(its!.openCents, allocations)
  const own = takenFrom(known.openCents, its!.openCents, allocations)
  if (!own)
    return conflict(
      'amount_differs',
      `${moneyText(left, taken.currency)} of that payment is left, and ${moneyText(known.openCents, payment.currency)} was taken back. Absorb the loss, or settle it by hand.`,
    )
  for (const { userId } of own) if (userId) refuseOwn(userId, actor, 'payment')

  const affected = new Set(own.flatMap(({ invoiceId }) => invoiceId ?? []))
  const rows = (await lockInvoices(tx, now.invoices)).filter(({ id }) => affected.has(id))
  const decisionId = await insertDecision(tx, {
    paymentId: payment.id,
    action: 'take_back',
    decidedBy: actor.admin.id,
    reason: work.decision.reason || null,
    undoFacts: {
      case: caseBefore(work),
      invoices: await invoicesBefore(tx, rows),
      joined: now.payments,
      learned: [],
    },
  })
  const ownIds = own.map(({ id }) => id)
  const joined =
    affected.size === 0 ? [] : (await settlingAllocations(tx, [...affected])).filter(({ id }) => !ownIds.includes(id))
  for (const row of [...own, ...joined])
    await reverseAllocation(
      tx,
      row,
      decisionId,
      row.target === 'credit' ? await reverseCredit(tx, row.creditTransactionId!, actor.admin.id) : null,
    )
  const reopened: NonNullable<Effect['reopened']> = []
  for (const row of rows.filter(({ status }) => status === 'paid')) {
    const applied = await moveBack(tx, row.id, { status: 'pending' }, terms, actor)
    await removeDifference(tx, row.id)
    reopened.push({ invoice: row, applied })
  }
  const userId = own.find((row) => row.userId !== null)?.userId ?? null
  const gone = { decisionId, amount: known.openCents, target: 'taken_back' as const, userId }
  await allocate(tx, { ...gone, paymentId: taken.id })
  await allocate(tx, { ...gone, paymentId: payment.id })
  for (const id of now.payments) await updateCase(tx, id)
  await updateCase(tx, payment.id)
  await markPayer(tx, taken, 1)
  for (const row of own) if (row.target === 'credit') await changed(tx, 'credit', { user: row.userId! })
  return { confirmed: [], reopened, invoiceIds: now.invoices, emails: reopened.map(() => 'payment_reversed') }
}

/** Records that the operator absorbs the loss of a reversal. What the reversed payment paid for stays paid. */
export async function absorbLoss(tx: Tx, work: Work): Promise<Effect> {
  const { payment, known, decision } = work
  const takenId = decision.reversesId ?? payment.reversesId
  const taken = takenId ? await reversedPayment(tx, work) : undefined
  const decisionId = await insertDecision(tx, {
    paymentId: payment.id,
    action: 'bear',
    decidedBy: work.actor.admin.id,
    reason: decision.reason || null,
    undoFacts: { case: caseBefore(work), invoices: [], joined: taken ? [taken.id] : [], learned: [] },
  })
  const [paidFor] = taken ? (await inForce(tx, { paymentId: taken.id })).filter(({ userId }) => userId) : []
  await allocate(tx, {
    paymentId: payment.id,
    decisionId,
    amount: known.openCents,
    target: 'borne',
    userId: paidFor?.userId ?? null,
  })
  if (taken) await markPayer(tx, taken, 1)
  await updateCase(tx, payment.id)
  return { confirmed: [], invoiceIds: [], emails: [] }
}

/**
 * Returns the payment that a reversal takes back: the one that the administrator chose, otherwise the one that the provider names. Throws 409 if there is
 * neither.
 */
async function reversedPayment(tx: Tx, { payment, decision }: Work): Promise<Payment> {
  const id = decision.reversesId ?? payment.reversesId
  const [taken] = id
    ? await tx
        .select()
        .from(payments)
        .where(and(eq(payments.id, id), eq(payments.direction, 'in'), sql`${payments.withdrawnAt} is null`))
    : []
  if (!taken) return conflict('no_payment', 'Please choose the payment that was taken back first.')
  if (taken.currency !== payment.currency)
    return conflict('currency', 'The payment and its reversal are in different currencies.')
  return taken
}

/**
 * Changes the number of payments of this payer that were taken back, by 1 or by -1 for an undo. While it is above 0, no payment of the payer is confirmed
 * automatically.
 */
export async function markPayer(tx: Tx, { rail, payerKey }: Payment, change: 1 | -1): Promise<void> {
  if (!payerKey) return
  await tx
    .update(payerIdentities)
    .set({ takenBack: sql`greatest(0, ${payerIdentities.takenBack} + ${change})` })
    .where(and(eq(payerIdentities.rail, rail), eq(payerIdentities.payerKey, payerKey)))
}

/** Returns the allocations that a decision reversed, as they were before. */
export async function reversedRows(tx: Tx, decisionId: number): Promise<Allocation[]> {
  const reversals = await tx
    .select({ id: paymentAllocations.reversesId })
    .from(paymentAllocations)
    .where(and(eq(paymentAllocations.decisionId, decisionId), sql`${paymentAllocations.reversesId} is not null`))
  const ids = reversals.flatMap(({ id }) => id ?? [])
  return ids.length === 0 ? [] : tx.select().from(paymentAllocations).where(inArray(paymentAllocations.id, ids))
}
