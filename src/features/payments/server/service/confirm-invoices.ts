import { sql } from 'drizzle-orm'
import { statusAt } from '#features/billing/rules.ts'
import { availableCredit } from '#features/billing/server/service/orders/use-credit.ts'
import { acceptDifference, coverWithCredit } from '#features/billing/server/service/payments/accept-difference.ts'
import { confirmPayment } from '#features/billing/server/service/payments/confirm-payment.ts'
import * as ledger from '#features/referrals/server/ledger.ts'
import { formatCents } from '#kit/money.ts'
import type { Tx } from '#server/db/connect.ts'
import { type invoices, payerIdentities } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import {
  type Allocation,
  allocate,
  inForce,
  insertDecision,
  invoicesBefore,
  lockInvoices,
  reverseAllocation,
  updateCase,
} from './book.ts'
import type { Payment } from './compare-payment.ts'
import { termsOfPayments } from './payment-terms.ts'
import type { ConfirmedInvoice, ConfirmWork, Effect } from './work.ts'

type InvoiceRow = typeof invoices.$inferSelect

/**
 * Confirms one or more invoices with a payment and the money that is held for them. Every invoice must be covered exactly. Money that is left over becomes
 * credit or a planned refund, depending on `rest`. Throws 409 if an invoice is already paid, the amounts do not fit, or the payment is too late.
 */
export async function confirmInvoices(tx: Tx, work: ConfirmWork): Promise<Effect & { decisionId: number }> {
  const { payment, known, decision, invoiceIds, terms, actor } = work
  if (invoiceIds.length === 0) return conflict('no_invoice', 'Please choose an invoice first.')
  const rows = await fillShort(tx, work, await lockInvoices(tx, invoiceIds))
  if (rows.length !== invoiceIds.length) return conflict('no_invoice', 'This invoice no longer exists.')
  for (const row of rows) refuseIfClosed(row, payment, terms.desk.lateDays)
  const holds = (await inForce(tx, { invoiceIds })).filter(({ target }) => target === 'hold')
  const dueOf = (row: InvoiceRow) => row.amount - sumOf(holds.filter(({ invoiceId }) => invoiceId === row.id))
  const rest = known.openCents - rows.reduce((sum, row) => sum + dueOf(row), 0)
  if (rest < 0) return conflict('not_enough', `${formatCents(-rest)} is missing, so this cannot be confirmed.`)
  if (rest > 0 && !decision.rest)
    return conflict('rest_open', `Please choose what happens to the ${formatCents(rest)} that is left.`)

  const decisionId = await insertDecision(tx, {
    paymentId: payment.id,
    action: 'confirm',
    decidedBy: actor.admin?.id ?? null,
    reason: decision.reason || null,
    undoFacts: {
      case: caseBefore(work),
      invoices: await invoicesBefore(tx, rows),
      joined: [...new Set(holds.map(({ paymentId }) => paymentId))],
      learned: payment.payerKey ? [...new Set(rows.map(({ userId }) => userId))] : [],
      ...(decision.short === 'credit' && { coveredByCredit: true as const }),
    },
  })
  const paying = new Set([payment.id, ...holds.map(({ paymentId }) => paymentId)])
  const confirmTerms = await termsOfPayments(tx, terms, [...paying])
  const confirmed: ConfirmedInvoice[] = []
  for (const row of rows) {
    const applied = await confirmPayment(
      tx,
      row.id,
      {
        status: 'paid',
        paidAt: paidAtFor(payment, row),
        expectedAmount: row.amount,
        version: row.version,
        acknowledgeDuplicate: true,
      },
      confirmTerms,
      actor,
    )
    if (!applied) return conflict('already_paid', `${row.invoiceNumber} is already paid.`)
    const due = dueOf(row)
    const target = {
      decisionId,
      target: 'invoice' as const,
      invoiceId: row.id,
      userId: row.userId,
      activationId: applied.activationId,
    }
    for (const hold of holds.filter(({ invoiceId }) => invoiceId === row.id)) {
      await reverseAllocation(tx, hold, decisionId)
      await allocate(tx, { ...target, paymentId: hold.paymentId, amount: hold.amount })
    }
    if (due > 0) await allocate(tx, { ...target, paymentId: payment.id, amount: due })
    confirmed.push({ invoice: row, applied })
  }
  if (rest > 0) await allocateRest(tx, work, decisionId, rows[0]!, rest)
  for (const userId of new Set(rows.map((row) => row.userId))) await rememberPayer(tx, payment, userId)
  for (const joined of new Set(holds.map(({ paymentId }) => paymentId))) await updateCase(tx, joined)
  await updateCase(tx, payment.id)
  return { decisionId, confirmed, invoiceIds, emails: rows.map(() => 'payment_confirmed') }
}

/**
 * Reduces the invoice by the missing amount if the decision accepts the shortfall or covers it with account credit. Throws 400 if a shortfall is accepted
 * without a reason, and 409 if too much is missing.
 */
async function fillShort(tx: Tx, { known, decision, terms }: ConfirmWork, rows: InvoiceRow[]): Promise<InvoiceRow[]> {
  if (!decision.short) return rows
  const isAccepted = decision.short === 'accept'
  const [row, another] = rows
  if (!row || another) return conflict('no_invoice', 'Please choose one invoice first.')
  const held = sumOf((await inForce(tx, { invoiceIds: [row.id] })).filter(({ target }) => target === 'hold'))
  const short = row.amount - held - known.openCents
  if (isAccepted && !decision.reason) return invalid('reason', 'Please enter the reason')
  if (short <= 0) return conflict('not_short', 'Nothing is missing. Confirm it without a difference.')
  const maxShort = isAccepted ? terms.desk.acceptedCents : await availableCredit(tx, row.userId)
  if (short > maxShort)
    return conflict(
      'too_short',
      `${formatCents(short)} is missing, and ${isAccepted ? `at most ${formatCents(maxShort)} may be accepted` : `the account credit is ${formatCents(maxShort)}`}.`,
    )
  const reduced = await (isAccepted ? acceptDifference : coverWithCredit)(tx, row.id, short)
  return reduced ? [reduced] : conflict('not_possible', `The amount of ${row.invoiceNumber} cannot be changed.`)
}

const sumOf = (rows: Allocation[]): number => rows.reduce((sum, { amount }) => sum + amount, 0)

/** Returns the state of the case before a decision, to be stored for an undo. */
export const caseBefore = ({ known }: Pick<ConfirmWork, 'known'>) => ({
  status: known.status === 'set_aside' ? ('set_aside' as const) : ('open' as const),
  setAsideUntil: known.setAsideUntil,
  setAsideReason: known.setAsideReason,
})

/** Throws 409 for an invoice that is paid or refunded, and for one that expired or was cancelled too long before the payment. */
function refuseIfClosed(row: InvoiceRow, payment: Payment, lateDays: number): void {
  if (row.status === 'paid') conflict('already_paid', `${row.invoiceNumber} is already paid.`)
  if (row.status === 'refunded') conflict('already_paid', `${row.invoiceNumber} was refunded.`)
  const paidAt = Date.parse(payment.paidAt ?? `${payment.paidOn}T00:00:00.000Z`)
  const isClosed = statusAt(row, new Date()) === 'expired' || row.status === 'expired' || row.status === 'cancelled'
  if (isClosed && paidAt > Date.parse(row.expiresAt) + lateDays * 86_400_000)
    conflict('too_late', `${row.invoiceNumber} expired more than ${lateDays} days before this payment.`)
}

/**
 * Returns the time at which the invoice counts as paid: that of the payment, but no earlier than a confirmation accepts. Null (now) if that time is in the
 * future, which can happen because noon is assumed if only the day is known.
 */
function paidAtFor({ paidAt, paidOn }: Payment, row: InvoiceRow): string | null {
  const earliest = Date.parse(row.createdAt) - 30 * 86_400_000
  const at = Date.parse(paidAt ?? `${paidOn}T12:00:00.000Z`)
  if (at > Date.now()) return null
  return new Date(Math.max(at, earliest)).toISOString()
}

/** Books the rest of a payment as the customer's credit, or plans its refund. */
async function allocateRest(
  tx: Tx,
  { payment, decision, actor }: ConfirmWork,
  decisionId: number,
  invoice: InvoiceRow,
  rest: number,
): Promise<void> {
  if (decision.rest === 'refund')
    return allocate(tx, {
      paymentId: payment.id,
      decisionId,
      amount: rest,
      target: 'refund_due',
      userId: invoice.userId,
      refundReference: decision.refundTo || payment.payerHandle || payment.payerName || null,
    })
  const creditTransactionId = await ledger.bookCredit(tx, {
    userId: invoice.userId,
    amount: rest,
    type: 'payment',
    description: `Overpayment of invoice ${invoice.invoiceNumber}`,
    relatedInvoiceId: invoice.id,
    createdBy: actor.admin?.id ?? null,
  })
  return allocate(tx, {
    paymentId: payment.id,
    decisionId,
    amount: rest,
    target: 'credit',
    userId: invoice.userId,
    creditTransactionId: creditTransactionId!,
  })
}

/** Stores that this payer paid for this customer. */
export async function rememberPayer(tx: Tx, { rail, payerKey }: Payment, userId: number): Promise<void> {
  if (!payerKey) return
  await tx
    .insert(payerIdentities)
    .values({ rail, payerKey, userId, confirmations: 1, lastAt: sql`now()` })
    .onConflictDoUpdate({
      target: [payerIdentities.rail, payerIdentities.payerKey, payerIdentities.userId],
      set: { confirmations: sql`${payerIdentities.confirmations} + 1`, lastAt: sql`now()` },
    })
}
