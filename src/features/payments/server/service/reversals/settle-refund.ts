import type { Tx } from '#server/db/connect.ts'
import { allocate, inForce, insertDecision, lockCases, nothingToRestore, updateCase } from '../book.ts'
import type { Payment } from '../compare-payment.ts'
import { recordRefundSent } from '../mark-refund-sent.ts'

/**
 * Marks the planned refund of a payment as sent if a reversal reports that exactly this amount was sent back. The reversal itself is then done. Returns false
 * if no such refund is planned.
 */
export async function settleRefund(tx: Tx, reversal: Payment): Promise<boolean> {
  const { reversesId, amount } = reversal
  if (!reversesId) return false
  const [known] = await lockCases(tx, [reversesId])
  const due = known
    ? (await inForce(tx, { paymentId: reversesId })).filter(({ target }) => target === 'refund_due')
    : []
  if (due.length === 0 || due.reduce((sum, row) => sum + row.amount, 0) !== amount) return false
  const reference = reversal.providerReference ?? 'Reported by the provider'
  await recordRefundSent(tx, reversesId, due, { reference, decidedBy: null })
  const decisionId = await insertDecision(tx, {
    paymentId: reversal.id,
    action: 'refund_sent',
    decidedBy: null,
    undoFacts: nothingToRestore,
  })
  await allocate(tx, { paymentId: reversal.id, decisionId, amount, target: 'refund_sent', userId: due[0]!.userId })
  await updateCase(tx, reversal.id)
  return true
}
