import { eq, inArray, sql } from 'drizzle-orm'
import { inDecisionTransaction } from '#features/billing/server/service/payments/decide-invoice.ts'
import { audit, refuseAsStale } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { paymentCases, payments } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Approver } from '#server/session/actor.ts'
import { needsSecondAdministrator } from '#server/session/administrators.ts'
import type { PaymentDecision, PaymentRow } from '../../admin-contract.ts'
import { currencyProblem, decisionWords, fitsDirection } from '../../rules.ts'
import { creditPayment, holdPayment, linkPayment, markNotOurs, planRefund } from './allocate-payment.ts'
import { type LockedPayment, lockCases, lockPayment } from './book.ts'
import { confirmInvoices } from './confirm-invoices.ts'
import { rematch, rematchOthers } from './match-payment.ts'
import { type PaymentTerms, readPaymentTerms } from './payment-terms.ts'
import { paymentRowOf } from './read-payments.ts'
import { notifyProgress } from './read-progress.ts'
import { absorbLoss, type InvolvedIds, involvedIn, takeBack } from './reversals/take-back.ts'
import { isSeconded } from './second-person.ts'
import type { Effect, Work } from './work.ts'

/**
 * Makes a decision about a payment, with all consequences in one transaction. Throws 404, 409 `stale` if the payment has changed since it was displayed, 409
 * `second_administrator` if another administrator has to make the same decision, and 409 with the reason if the decision is not possible.
 */
export async function decidePayment(
  db: Db,
  paymentId: number,
  decision: PaymentDecision,
  actor: Approver,
): Promise<PaymentRow> {
  const terms = await readPaymentTerms(db)
  const row = await inDecisionTransaction(db, async (tx) => {
    const work = await checkDecision(tx, paymentId, decision, terms, actor)
    if (!(await mayApply(tx, work))) return undefined
    await apply(tx, work)
    return paymentRowOf(tx, paymentId)
  })
  return row ?? needsSecondAdministrator()
}

/** Like `decidePayment`, but in the caller's transaction and without a second administrator. Returns the effect for the preview. */
export const runDecision = async (
  tx: Tx,
  paymentId: number,
  decision: PaymentDecision,
  terms: PaymentTerms,
  actor: Approver,
): Promise<Effect> => apply(tx, await checkDecision(tx, paymentId, decision, terms, actor))

type Checked = Work & { involved: InvolvedIds }

/** Locks the rows that the decision concerns, and checks that the decision is possible. */
async function checkDecision(
  tx: Tx,
  paymentId: number,
  decision: PaymentDecision,
  terms: PaymentTerms,
  actor: Approver,
): Promise<Checked> {
  const chosen = [...new Set(decision.invoiceIds ?? [])].sort((one, other) => one - other)
  const isTaken = decision.action === 'take_back'
  const involved = isTaken ? await reversedWith(tx, paymentId, decision) : nothingElse
  const invoiceIds = isTaken ? involved.invoices : chosen
  if (isTaken) await lockCases(tx, [paymentId, ...involved.payments])
  const locked = await lockPayment(tx, paymentId, invoiceIds)
  if (locked.known.version !== decision.version) return refuseStale(tx, locked, actor)
  const isWaiting = locked.known.status === 'open' || locked.known.status === 'set_aside'
  if (!isWaiting) return conflict('decided', 'This payment is already decided. Undo that decision first.')
  if (decision.expectedOpen !== undefined && decision.expectedOpen !== locked.known.openCents)
    return conflict('amount_changed', 'The open amount of this payment has changed. Please reload.')
  if (!fitsDirection(decision.action, locked.payment.direction === 'reversal'))
    return conflict('not_possible', 'This decision is not possible for this kind of payment.')
  const problem = currencyProblem(decision.action, locked.payment.currency)
  if (problem) return conflict('currency', problem)
  return { ...locked, decision, invoiceIds, terms, actor, involved }
}

/**
 * Whether the decision may take effect, that is, whether it needs no further administrator. Setting aside and reopening never need one, because they move no
 * money.
 */
async function mayApply(tx: Tx, { payment, known, decision, invoiceIds, terms, actor }: Checked): Promise<boolean> {
  if (decision.action === 'set_aside' || decision.action === 'reopen') return true
  const { action, rest, short, refundTo, reversesId } = decision
  const cents = known.openCents
  const what = { action, rest, short, refundTo, reversesId, invoiceIds, cents }
  return isSeconded(tx, { payment, cents, what, words: decisionWords[action] }, terms.desk, actor)
}

async function apply(tx: Tx, { involved, ...work }: Checked): Promise<Effect> {
  const { payment, known, decision, actor } = work
  const paymentId = payment.id
  const effect = await dispatch(tx, work, involved)
  await audit(tx, {
    actorId: actor.admin.id,
    action: `payment.${decision.action}`,
    targetType: 'payment',
    targetId: paymentId,
    before: { status: known.status },
    after: {
      amount: known.openCents,
      invoices: effect.invoiceIds,
      rest: decision.rest ?? null,
      ...(decision.short && { short: decision.short }),
      reason: decision.reason || null,
    },
    requestId: actor.requestId,
  })
  await rematchOthers(tx, effect.invoiceIds, paymentId)
  if (known.ready) await notifyProgress(tx, [known.topInvoiceId])
  await changed(tx, 'payment')
  return effect
}

const noEffect: Effect = { confirmed: [], invoiceIds: [], emails: [] }

/** Returns what taking back the payment of this reversal would change. */
async function reversedWith(tx: Tx, paymentId: number, { reversesId }: PaymentDecision): Promise<InvolvedIds> {
  const [row] = await tx.select({ id: payments.reversesId }).from(payments).where(eq(payments.id, paymentId))
  const id = reversesId ?? row?.id
  return id ? involvedIn(tx, id) : nothingElse
}
const nothingElse: InvolvedIds = { payments: [], invoices: [] }

async function dispatch(tx: Tx, work: Work, involved: InvolvedIds): Promise<Effect> {
  switch (work.decision.action) {
    case 'confirm':
      return confirmInvoices(tx, work)
    case 'link':
      return linkPayment(tx, work)
    case 'hold':
      return holdPayment(tx, work)
    case 'credit':
      return creditPayment(tx, work)
    case 'refund':
      return planRefund(tx, work)
    case 'not_ours':
      return markNotOurs(tx, work)
    case 'take_back':
      return takeBack(tx, work, involved)
    case 'bear':
      return absorbLoss(tx, work)
    case 'set_aside':
      return setAside(tx, work)
    case 'reopen':
      return reopen(tx, work)
  }
}

async function setAside(tx: Tx, { known, decision }: Work): Promise<Effect> {
  if (known.status !== 'open') return conflict('decided', 'This payment is already set aside.')
  if (decision.until && Date.parse(decision.until) > Date.now() + 366 * 86_400_000)
    return invalid('until', 'Please choose a date within a year')
  await setStatus(tx, known.paymentId, 'set_aside', decision.until ?? null, decision.reason || null)
  return noEffect
}

async function reopen(tx: Tx, { payment, known }: Work): Promise<Effect> {
  if (known.status !== 'set_aside') return conflict('decided', 'This payment is not set aside.')
  await setStatus(tx, known.paymentId, 'open', null, null)
  await rematch(tx, payment, known)
  return noEffect
}

const setStatus = (
  tx: Tx,
  paymentId: number,
  status: 'open' | 'set_aside',
  until: string | null,
  reason: string | null,
) =>
  tx
    .update(paymentCases)
    .set({
      status,
      ready: false,
      setAsideUntil: until,
      setAsideReason: reason,
      version: sql`${paymentCases.version} + 1`,
      changedAt: sql`now()`,
    })
    .where(eq(paymentCases.paymentId, paymentId))

const statusWords = { open: 'open', held: 'held', done: 'done', set_aside: 'set aside' }
/** Throws 409 `stale`. The message names the administrator who decided first and the current state. */
export const refuseStale = (tx: Tx, { known }: Pick<LockedPayment, 'known'>, { admin }: Approver): Promise<never> =>
  refuseAsStale(tx, {
    targetType: 'payment',
    targetId: known.paymentId,
    admin,
    what: 'payment',
    now: statusWords[known.status],
  })

/** Reopens the payments that were set aside until today or earlier. Returns how many. */
export async function reopenSetAside(db: Db): Promise<number> {
  const woken = await db
    .update(paymentCases)
    .set({
      status: 'open',
      setAsideUntil: null,
      setAsideReason: null,
      version: sql`${paymentCases.version} + 1`,
      changedAt: sql`now()`,
    })
    .where(
      inArray(
        paymentCases.paymentId,
        db
          .select({ id: paymentCases.paymentId })
          .from(paymentCases)
          .where(sql`${paymentCases.status} = 'set_aside' and ${paymentCases.setAsideUntil} <= current_date`),
      ),
    )
    .returning({ id: paymentCases.paymentId })
  if (woken.length > 0) await changed(db, 'payment')
  return woken.length
}
