import { and, eq, isNull } from 'drizzle-orm'
import { keepOpen } from '#features/billing/server/service/payments/restore-invoice.ts'
import * as ledger from '#features/referrals/server/ledger.ts'
import { formatCents } from '#kit/money.ts'
import type { Tx } from '#server/db/connect.ts'
import { activations, type invoices, type UndoFacts, users } from '#server/db/tables.ts'
import { conflict, refuseOwn } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { extensionDays } from '../../rules.ts'
import { allocate, inForce, insertDecision, invoicesBefore, lockInvoices, updateCase } from './book.ts'
import { caseBefore, rememberPayer } from './confirm-invoices.ts'
import type { Effect, Work } from './work.ts'

type InvoiceRow = typeof invoices.$inferSelect

/** Locks and returns the one invoice that a decision is about. Throws 409 if there is not exactly one, and for the administrator's own invoice. */
async function onlyInvoice(tx: Tx, { invoiceIds, actor }: Work): Promise<InvoiceRow> {
  const [row, another] = await lockInvoices(tx, invoiceIds)
  if (!row || another) return conflict('no_invoice', 'Please choose one invoice first.')
  refuseOwn(row.userId, actor, 'payment')
  return row
}

const decisionOf = (
  tx: Tx,
  work: Work,
  action: 'link' | 'hold' | 'credit' | 'refund' | 'not_ours',
  invoices: UndoFacts['invoices'],
  learned: number[] = [],
) =>
  insertDecision(tx, {
    paymentId: work.payment.id,
    action,
    decidedBy: work.actor.admin.id,
    reason: work.decision.reason || null,
    undoFacts: {
      case: caseBefore(work),
      invoices,
      joined: [],
      learned,
    },
  })

/** Links a payment to an invoice that was confirmed before the payment was recorded. Nothing is booked and no email is sent. */
export async function linkPayment(tx: Tx, work: Work): Promise<Effect> {
  const { payment, known } = work
  const invoice = await onlyInvoice(tx, work)
  if (invoice.status !== 'paid')
    return conflict('not_paid', `${invoice.invoiceNumber} is not paid. Confirm it instead.`)
  if ((await inForce(tx, { invoiceIds: [invoice.id] })).some(({ target }) => target === 'invoice'))
    return conflict('already_paid', `Another payment is already recorded for ${invoice.invoiceNumber}.`)
  if (known.openCents !== invoice.amount)
    return conflict('amount_differs', `${invoice.invoiceNumber} was confirmed for ${formatCents(invoice.amount)}.`)
  const [activation] = await tx
    .select({ id: activations.id })
    .from(activations)
    .where(and(eq(activations.invoiceId, invoice.id), isNull(activations.reversedAt)))
  const decisionId = await decisionOf(
    tx,
    work,
    'link',
    await invoicesBefore(tx, [invoice]),
    payment.payerKey ? [invoice.userId] : [],
  )
  await allocate(tx, {
    paymentId: payment.id,
    decisionId,
    amount: known.openCents,
    target: 'invoice',
    invoiceId: invoice.id,
    userId: invoice.userId,
    activationId: activation!.id,
  })
  await rememberPayer(tx, payment, invoice.userId)
  await updateCase(tx, payment.id)
  return { confirmed: [], invoiceIds: [invoice.id], emails: [] }
}

/** Holds a part payment for its invoice, extends the deadline by `extensionDays`, and asks the customer by email for the rest. */
export async function holdPayment(tx: Tx, work: Work): Promise<Effect> {
  const { payment, known } = work
  const invoice = await onlyInvoice(tx, work)
  const held = (await inForce(tx, { invoiceIds: [invoice.id] })).reduce((sum, { amount }) => sum + amount, 0)
  const left = invoice.amount - held - known.openCents
  if (left <= 0) return conflict('not_part', 'This payment covers the invoice. Confirm it instead.')
  const before = await invoicesBefore(tx, [invoice])
  const kept = await keepOpen(tx, invoice.id, extensionDays)
  if (!kept) return conflict('not_open', `${invoice.invoiceNumber} is ${invoice.status}. Nothing can be held for it.`)
  const decisionId = await decisionOf(tx, work, 'hold', before)
  await allocate(tx, {
    paymentId: payment.id,
    decisionId,
    amount: known.openCents,
    target: 'hold',
    invoiceId: invoice.id,
    userId: invoice.userId,
  })
  const [customer] = await tx.select({ email: users.email }).from(users).where(eq(users.id, invoice.userId))
  const { invoiceNumber, planName, amount } = invoice
  await enqueueMail(tx, {
    dedupeKey: `payment_short:${invoice.id}:${kept.version}`,
    userId: invoice.userId,
    recipient: customer!.email,
    template: 'payment_short',
    data: { invoiceNumber, planName, amount, received: held + known.openCents, left },
  })
  await updateCase(tx, payment.id)
  return { confirmed: [], invoiceIds: [invoice.id], emails: ['payment_short'] }
}

/** Adds the open part of a payment to the account credit of the invoice's customer. */
export async function creditPayment(tx: Tx, work: Work): Promise<Effect> {
  const { payment, known, actor } = work
  const invoice = await onlyInvoice(tx, work)
  const decisionId = await decisionOf(tx, work, 'credit', [])
  const creditTransactionId = await ledger.bookCredit(tx, {
    userId: invoice.userId,
    amount: known.openCents,
    type: 'payment',
    description: `Payment added to your credit, see invoice ${invoice.invoiceNumber}`,
    relatedInvoiceId: invoice.id,
    createdBy: actor.admin.id,
  })
  await allocate(tx, {
    paymentId: payment.id,
    decisionId,
    amount: known.openCents,
    target: 'credit',
    userId: invoice.userId,
    creditTransactionId: creditTransactionId!,
  })
  await changed(tx, 'credit', { user: invoice.userId })
  await updateCase(tx, payment.id)
  return { confirmed: [], invoiceIds: [invoice.id], emails: [] }
}

/** Plans to send the open part of a payment back. It is listed under refunds until it is sent. */
export async function planRefund(tx: Tx, work: Work): Promise<Effect> {
  const { payment, known, decision } = work
  const [invoice] = await lockInvoices(tx, work.invoiceIds.slice(0, 1))
  if (invoice) refuseOwn(invoice.userId, work.actor, 'payment')
  const decisionId = await decisionOf(tx, work, 'refund', [])
  await allocate(tx, {
    paymentId: payment.id,
    decisionId,
    amount: known.openCents,
    target: 'refund_due',
    userId: invoice?.userId ?? null,
    refundReference: decision.refundTo || payment.payerHandle || payment.payerName || null,
  })
  await updateCase(tx, payment.id)
  return { confirmed: [], invoiceIds: [], emails: [] }
}

/** Records that the open part of a payment has nothing to do with the operator's sales. */
export async function markNotOurs(tx: Tx, work: Work): Promise<Effect> {
  const { payment, known } = work
  const decisionId = await decisionOf(tx, work, 'not_ours', [])
  await allocate(tx, { paymentId: payment.id, decisionId, amount: known.openCents, target: 'not_ours' })
  await updateCase(tx, payment.id)
  return { confirmed: [], invoiceIds: [], emails: [] }
}
