import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { paymentRuleResults } from '#server/db/tables.ts'
import type { Payment, PaymentComparison } from '../compare-payment.ts'
import { readSwitch } from './read-automation.ts'

/**
 * Stores that the rule would confirm a payment. If the rule is on, `confirmWaiting` confirms it in its next round. Does nothing if the rule is off or the
 * payment already has a result.
 */
export async function storeRuleResult(
  tx: Tx,
  payment: Payment,
  { wouldConfirm, top }: PaymentComparison,
): Promise<void> {
  if (!wouldConfirm || !top) return
  const { mode } = await readSwitch(tx)
  if (mode === 'off') return
  await tx
    .insert(paymentRuleResults)
    .values({ paymentId: payment.id, invoiceId: top.id, state: mode === 'on' ? 'waiting' : 'shadow' })
    .onConflictDoNothing()
}

/** Whether the rule made this decision. */
export const isByRule = async (db: Db | Tx, decisionId: number): Promise<boolean> =>
  (await db.$count(paymentRuleResults, eq(paymentRuleResults.decisionId, decisionId))) > 0

/** Whether the rule confirmed a payment. */
export const wasConfirmedByRule = async (tx: Tx, paymentId: number): Promise<boolean> =>
  (await tx.$count(
    paymentRuleResults,
    and(eq(paymentRuleResults.paymentId, paymentId), eq(paymentRuleResults.state, 'confirmed')),
  )) > 0
