import { and, asc, eq } from 'drizzle-orm'
import { inDecisionTransaction } from '#features/billing/server/service/payments/decide-invoice.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { paymentRuleResults } from '#server/db/tables.ts'
import { conflict, Refusal } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { conditions } from '../../matching/conditions.ts'
import type { Evidence } from '../../matching/types.ts'
import { lockPayment } from '../book.ts'
import { comparePayment } from '../compare-payment.ts'
import { confirmInvoices } from '../confirm-invoices.ts'
import { rematchOthers } from '../match-payment.ts'
import { type PaymentTerms, readPaymentTerms } from '../payment-terms.ts'
import { sourceEvidence } from '../source.ts'
import { lockSwitch } from './read-automation.ts'

type Result = typeof paymentRuleResults.$inferSelect

/** Confirms the payments that wait for the rule, each in its own transaction. Returns how many it confirmed. */
export async function confirmWaiting(db: Db): Promise<number> {
  const waiting = await db
    .select()
    .from(paymentRuleResults)
    .where(eq(paymentRuleResults.state, 'waiting'))
    .orderBy(asc(paymentRuleResults.paymentId))
    .limit(200)
  if (waiting.length === 0) return 0
  const terms = await readPaymentTerms(db)
  let confirmed = 0
  for (const result of waiting) confirmed += await confirmOne(db, result, terms)
  return confirmed
}

/** Confirms one payment in a transaction of its own. If that is refused, the reason is stored, and the payment is left to an administrator. */
async function confirmOne(db: Db, { paymentId }: Result, terms: PaymentTerms): Promise<0 | 1> {
  try {
    return await inDecisionTransaction(db, (tx) => confirmByRule(tx, paymentId, terms))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await setResult(db, paymentId, { state: 'refused', refusal: error.message.slice(0, 300) })
    return 0
  }
}

const setResult = async (db: Db | Tx, paymentId: number, values: Partial<Result>): Promise<void> =>
  void (await db
    .update(paymentRuleResults)
    .set(values)
    .where(and(eq(paymentRuleResults.paymentId, paymentId), eq(paymentRuleResults.state, 'waiting'))))

/**
 * Confirms one payment in the caller's transaction, after checking every condition again under the locks. Throws 409 with the reason if a condition no longer
 * holds or the confirmation is refused.
 */
async function confirmByRule(tx: Tx, paymentId: number, terms: PaymentTerms): Promise<0 | 1> {
  const { mode } = await lockSwitch(tx)
  const [result] = await tx
    .select()
    .from(paymentRuleResults)
    .where(and(eq(paymentRuleResults.paymentId, paymentId), eq(paymentRuleResults.state, 'waiting')))
    .for('update')
  if (!result) return 0
  if (mode !== 'on')
    return conflict('turned_off', 'Automatic confirmation was turned off before this payment was confirmed.')
  const locked = await lockPayment(tx, paymentId, [result.invoiceId])
  const { payment, known } = locked
  if (known.status !== 'open') return conflict('decided', 'An administrator decided about this payment first.')
  const evidence = await sourceEvidence(tx, paymentId)
  if (!evidence) return conflict('not_proven', 'The email or event that proves this payment is no longer stored.')
  const compared = await comparePayment(tx, payment, known.openCents, evidence)
  if (!compared.wouldConfirm || compared.top?.id !== result.invoiceId)
    return conflict('condition', compared.blockedBy[0]?.sentence ?? 'Another order now matches this payment.')
  const { decisionId, invoiceIds } = await confirmInvoices(tx, {
    ...locked,
    decision: { action: 'confirm', version: known.version, expectedOpen: known.openCents },
    invoiceIds: [result.invoiceId],
    terms,
    actor: { admin: null, requestId: null, selfApproval: false },
  })
  await setResult(tx, paymentId, { state: 'confirmed', decisionId })
  await audit(tx, {
    actorId: null,
    action: 'payment.confirm_by_rule',
    targetType: 'payment',
    targetId: paymentId,
    before: { status: known.status },
    after: { amount: known.openCents, invoices: invoiceIds, ...auditedEvidence(evidence) },
  })
  await rematchOthers(tx, invoiceIds, paymentId)
  await changed(tx, 'payment')
  return 1
}

/** Returns the evidence and the checked conditions for the audit log. */
const auditedEvidence = ({ auth, signedAt }: Evidence) => ({
  source: auth,
  signedAt,
  conditions: conditions.map(({ code }) => code).join(', '),
})
