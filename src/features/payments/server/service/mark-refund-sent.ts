import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { conflict } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Approver } from '#server/session/actor.ts'
import { needsSecondAdministrator } from '#server/session/administrators.ts'
import type { PaymentRow } from '../../admin-contract.ts'
import {
  type Allocation,
  allocate,
  inForce,
  insertDecision,
  lockPayment,
  nothingToRestore,
  reverseAllocation,
  updateCase,
} from './book.ts'
import { refuseStale } from './decide-payment.ts'
import { readPaymentTerms } from './payment-terms.ts'
import { paymentRowOf } from './read-payments.ts'
import { isSeconded } from './second-person.ts'

/**
 * Records that a planned refund was sent, with the provider's transaction number. This cannot be undone. Throws 404, 409 `stale`, 409 if no refund is planned,
 * and 409 `second_administrator` if another administrator has to enter the same number.
 */
export async function markRefundSent(
  db: Db,
  paymentId: number,
  { reference, version }: { reference: string; version: number },
  actor: Approver,
): Promise<PaymentRow> {
  const { desk } = await readPaymentTerms(db)
  const row = await inTransaction(db, async (tx) => {
    const { known, payment } = await lockPayment(tx, paymentId, [])
    if (known.version !== version) return refuseStale(tx, { known }, actor)
    const due = (await inForce(tx, { paymentId })).filter(({ target }) => target === 'refund_due')
    if (due.length === 0) return conflict('no_refund', 'No refund of this payment is planned.')
    const cents = due.reduce((sum, { amount }) => sum + amount, 0)
    const what = { action: 'refund_sent', reference, cents }
    if (!(await isSeconded(tx, { payment, cents, what, words: 'mark the refund as sent' }, desk, actor)))
      return undefined
    await recordRefundSent(tx, paymentId, due, { reference, decidedBy: actor.admin.id, requestId: actor.requestId })
    return paymentRowOf(tx, paymentId)
  })
  return row ?? needsSecondAdministrator()
}

type Sent = { reference: string; decidedBy: number | null; requestId?: string }
/** Records that these planned refunds of a payment were sent. `decidedBy` is null if the provider reported it. The caller must hold the lock on the case. */
export async function recordRefundSent(
  tx: Tx,
  paymentId: number,
  due: Allocation[],
  { reference, decidedBy, requestId }: Sent,
): Promise<void> {
  const decisionId = await insertDecision(tx, {
    paymentId,
    action: 'refund_sent',
    decidedBy,
    undoFacts: nothingToRestore,
  })
  for (const row of due) {
    await reverseAllocation(tx, row, decisionId)
    await allocate(tx, {
      paymentId,
      decisionId,
      amount: row.amount,
      target: 'refund_sent',
      userId: row.userId,
      refundReference: reference,
    })
  }
  await updateCase(tx, paymentId)
  await audit(tx, {
    actorId: decidedBy,
    action: 'payment.refund_sent',
    targetType: 'payment',
    targetId: paymentId,
    after: { amount: due.reduce((sum, { amount }) => sum + amount, 0), reference },
    ...(requestId && { requestId }),
  })
  await changed(tx, 'payment')
}
