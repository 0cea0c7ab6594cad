import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { conflict } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Approver } from '#server/session/actor.ts'
import type { PaymentRow } from '../../admin-contract.ts'
import { allocate, inForce, insertDecision, lockPayment, reverseAllocation, updateCase } from './book.ts'
import { refuseStale } from './decide-payment.ts'
import { paymentRowOf } from './read-payments.ts'

/** Records that a planned refund was sent, with the provider's number. It cannot be undone. Throws 404, 409 `stale`, and 409 without a planned refund. */
export const markRefundSent = (
  db: Db,
  paymentId: number,
  { reference, version }: { reference: string; version: number },
  actor: Approver,
): Promise<PaymentRow> =>
  inTransaction(db, async (tx) => {
    const locked = await lockPayment(tx, paymentId, [])
    if (locked.known.version !== version) return refuseStale(tx, locked, actor)
    const due = (await inForce(tx, { paymentId })).filter(({ target }) => target === 'refund_due')
    if (due.length === 0) return conflict('no_refund', 'No refund of this payment is planned.')
    const decisionId = await insertDecision(tx, {
      paymentId,
      action: 'refund_sent',
      decidedBy: actor.admin.id,
      undoFacts: {
        case: { status: 'open', setAsideUntil: null, setAsideReason: null },
        invoices: [],
        joined: [],
        learned: [],
      },
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
      actorId: actor.admin.id,
      action: 'payment.refund_sent',
      targetType: 'payment',
      targetId: paymentId,
      after: { amount: due.reduce((sum, { amount }) => sum + amount, 0), reference },
      requestId: actor.requestId,
    })
    await changed(tx, 'payment')
    return paymentRowOf(tx, paymentId)
  })
