import { asc, eq, sql } from 'drizzle-orm'
import { availableCredit } from '#features/billing/server/service/orders/use-credit.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import { withVisibleMarks } from '#kit/untrusted-text.ts'
import type { Db } from '#server/db/connect.ts'
import {
  invoices,
  paymentAllocations,
  paymentCases,
  paymentDecisions,
  paymentReceipts,
  paymentRuleResults,
  payments,
  statementFiles,
  users,
} from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import type { PaymentCandidate } from '../../admin-candidate-contract.ts'
import type { PaymentDetail } from '../../admin-contract.ts'
import type { invoicePayments } from '../../admin-record-contract.ts'
import { actionsFor } from '../../rules.ts'
import { dueOf } from '../matching/references.ts'
import { comparePayment, type Payment, type PaymentComparison } from './compare-payment.ts'
import { evidenceOf } from './evidence.ts'
import type { FoundInvoice } from './lookup-statements.ts'
import { databaseReads } from './lookups.ts'
import { paymentRowOf, ruleName } from './read-payments.ts'
import { findReversed } from './reversals/find-reversed.ts'
import { secondPersonOf } from './second-person.ts'
import { emailsOf, eventsOf, sourceEvidence } from './source.ts'
import { latestDecision } from './undo-payment.ts'

/**
 * Returns one payment with its decisions and with the invoices that it may belong to, which are compared again. `chosenId` is an invoice that the administrator
 * chose; it is listed first. Throws 404.
 */
export async function readPayment(db: Db, paymentId: number, chosenId?: number): Promise<PaymentDetail> {
  const [found] = await db
    .select({ payment: payments, known: paymentCases, recordedBy: users.username })
    .from(payments)
    .innerJoin(paymentCases, eq(paymentCases.paymentId, payments.id))
    .leftJoin(users, eq(users.id, payments.recordedBy))
    .where(eq(payments.id, paymentId))
  if (!found) return notFound('Payment not found')
  const { payment, known, recordedBy } = found
  const isWaiting = known.status === 'open' || known.status === 'set_aside'
  const row = await paymentRowOf(db, paymentId)
  const desk = await settings.read(db, 'paymentDesk')
  const source = await sourceEvidence(db, paymentId)
  const isReversal = payment.direction === 'reversal'
  const matched =
    isWaiting && !isReversal ? await comparePayment(db, payment, known.openCents, source, chosenId) : undefined
  const latest = await latestDecision(db, paymentId)
  const allocations = await allocationsOf(db, paymentId)
  const isTakenBack = !isReversal && allocations.some(({ target }) => target === 'taken_back')
  return {
    ...row,
    ...(matched && { kind: matched.kind, ready: matched.ready && known.status === 'open' }),
    source: payment.source,
    providerReference: payment.providerReference,
    rule: await ruleOf(db, paymentId),
    recordedBy,
    statements: await statementsOf(db, paymentId),
    emails: source ? await emailsOf(db, paymentId) : [],
    events: source ? await eventsOf(db, paymentId) : [],
    rules:
      matched && source
        ? { wouldConfirm: matched.wouldConfirm, against: matched.blockedBy.map(({ sentence }) => sentence) }
        : null,
    reversed: isWaiting && isReversal ? await findReversed(db, payment, chosenId) : [],
    candidates: matched ? await candidatesOf(db, payment, known.openCents, matched, desk.lateDays) : [],
    allocations,
    history: await historyOf(db, paymentId),
    before: await earlierOf(db, payment),
    acceptedCents: desk.acceptedCents,
    lateDays: desk.lateDays,
    secondPerson: await secondPersonOf(db, { paymentId, openCents: known.openCents, isWaiting }, desk),
    undoable: latest !== undefined && latest.action !== 'refund_sent' && latest.action !== 'release' && !isTakenBack,
  }
}

async function candidatesOf(
  db: Db,
  payment: Payment,
  openCents: number,
  { shown, top, kind, others }: PaymentComparison,
  lateDays: number,
): Promise<PaymentCandidate[]> {
  const history = payment.payerKey ? await databaseReads(db).payers([`${payment.rail} ${payment.payerKey}`]) : []
  const credit = new Map<number, number>()
  for (const { invoice } of shown) credit.set(invoice.customerId, await availableCredit(db, invoice.customerId))
  return shown.map((each) => {
    const { invoice } = each
    const next =
      each.kind === 'double' &&
      others.find((other) => other.customerId === invoice.customerId && dueOf(other) <= openCents)
    return {
      invoiceId: invoice.id,
      invoiceNumber: invoice.number,
      customer: invoice.username,
      userId: invoice.customerId,
      planName: invoice.planName,
      status: invoice.status,
      submittedAt: invoice.submittedAt,
      expiresAt: invoice.expiresAt,
      due: dueOf(invoice),
      held: invoice.held,
      timesBefore: history.find(({ customerId }) => customerId === invoice.customerId)?.confirmations ?? 0,
      freeCredit: credit.get(invoice.customerId)!,
      next: next ? named(next) : null,
      kind: invoice.id === top?.id ? kind : each.kind,
      reasons: each.reasons,
      evidence: evidenceOf(payment, openCents, each, history),
      actions: actionsFor(each.kind, openCents, dueOf(invoice), isTooLate(payment, invoice.expiresAt, lateDays)),
      together: each.together.map(named),
    }
  })
}

const named = (invoice: FoundInvoice) => ({
  invoiceId: invoice.id,
  invoiceNumber: invoice.number,
  planName: invoice.planName,
  due: dueOf(invoice),
})

const isTooLate = (payment: Payment, expiresAt: string, lateDays: number): boolean =>
  Date.parse(payment.paidAt ?? `${payment.paidOn}T00:00:00.000Z`) > Date.parse(expiresAt) + lateDays * 86_400_000

/** Returns what the rule of automatic confirmation did with a payment; null if a condition did not hold. */
const ruleOf = async (db: Db, paymentId: number): Promise<PaymentDetail['rule']> =>
  (
    await db
      .select({ state: paymentRuleResults.state, refusal: paymentRuleResults.refusal })
      .from(paymentRuleResults)
      .where(eq(paymentRuleResults.paymentId, paymentId))
  )[0] ?? null

const allocationsOf = async (db: Db, paymentId: number) =>
  (await allocationRows(db, paymentId)).map((row) => ({
    ...row,
    refundReference: row.refundReference && withVisibleMarks(row.refundReference),
  }))

const allocationRows = (db: Db, paymentId: number) =>
  db
    .select({
      id: paymentAllocations.id,
      target: paymentAllocations.target,
      amount: paymentAllocations.amount,
      invoiceNumber: invoices.invoiceNumber,
      customer: users.username,
      refundReference: paymentAllocations.refundReference,
    })
    .from(paymentAllocations)
    .leftJoin(invoices, eq(invoices.id, paymentAllocations.invoiceId))
    .leftJoin(users, eq(users.id, paymentAllocations.userId))
    .where(
      sql`${paymentAllocations.paymentId} = ${paymentId} and ${paymentAllocations.reversesId} is null
        and not exists (select from payment_allocations r where r.reverses_id = ${paymentAllocations.id})`,
    )
    .orderBy(asc(paymentAllocations.id))

const statementsOf = (db: Db, paymentId: number) =>
  db
    .select({ name: statementFiles.name, line: paymentReceipts.line })
    .from(paymentReceipts)
    .innerJoin(statementFiles, eq(statementFiles.id, paymentReceipts.fileId))
    .where(eq(paymentReceipts.paymentId, paymentId))
    .orderBy(asc(paymentReceipts.fileId))
    .limit(10)

const historyOf = (db: Db, paymentId: number) =>
  db
    .select({
      action: paymentDecisions.action,
      by: sql<string | null>`coalesce(${users.username}, ${ruleName(sql`${paymentDecisions.id}`)})`,
      at: paymentDecisions.createdAt,
      reason: paymentDecisions.reason,
    })
    .from(paymentDecisions)
    .leftJoin(users, eq(users.id, paymentDecisions.decidedBy))
    .where(eq(paymentDecisions.paymentId, paymentId))
    .orderBy(asc(paymentDecisions.id))
    .limit(50)

/** Returns the latest paid invoices of the customers for whom this payer paid before. */
async function earlierOf(db: Db, { rail, payerKey }: Payment): Promise<PaymentDetail['before']> {
  if (!payerKey) return []
  const { rows } = await db.execute<PaymentDetail['before'][number]>(sql`
    select i.paid_at::date::text as "paidOn", i.amount, u.username as customer from payer_identities y
    join invoices i on i.user_id = y.user_id and i.status = 'paid' join users u on u.id = y.user_id
    where y.rail = ${rail} and y.payer_key = ${payerKey} order by i.paid_at desc limit 3`)
  return rows
}

/** Returns the payments that are allocated to an invoice or held for it. */
export async function paymentsOfInvoice(db: Db, invoiceId: number): Promise<Output<typeof invoicePayments>> {
  const { rows } = await db.execute<Output<typeof invoicePayments>[number]>(sql`
    select p.id::int as "paymentId", p.rail, sum(a.amount)::int as amount, bool_or(a.target = 'hold') as held, p.paid_on::text as "paidOn"
    from payment_allocations a join payments p on p.id = a.payment_id where a.invoice_id = ${invoiceId}
    group by p.id, a.target having sum(a.amount) > 0 order by p.id`)
  return rows
}
