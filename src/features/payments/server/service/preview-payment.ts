import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { withConflictMessages } from '#features/billing/server/service/payments/decide-invoice.ts'
import type { Db } from '#server/db/connect.ts'
import { previewTransaction } from '#server/db/preview-transaction.ts'
import { creditTransactions, users } from '#server/db/tables.ts'
import { Refusal } from '#server/errors.ts'
import type { Approver } from '#server/session/actor.ts'
import type { PaymentDecision, PaymentPreview } from '../../admin-contract.ts'
import { runDecision } from './decide-payment.ts'
import { readPaymentTerms } from './payment-terms.ts'
import type { Confirmed } from './work.ts'

/**
 * The effect of a decision about a payment, found by running it and rolling it back. A refusal is part of the result; a missing payment is 404.
 */
export async function previewPayment(
  db: Db,
  paymentId: number,
  decision: PaymentDecision,
  actor: Approver,
): Promise<PaymentPreview> {
  const terms = await readPaymentTerms(db)
  try {
    return await withConflictMessages(() =>
      previewTransaction(db, async (tx) => {
        const [last] = await tx
          .select({ id: sql<number>`coalesce(max(${creditTransactions.id}), 0)::int` })
          .from(creditTransactions)
        const {
          confirmed,
          reopened = [],
          emails,
          invoiceIds,
        } = await runDecision(tx, paymentId, decision, terms, actor)
        const bookings = await tx
          .select({ username: users.username, amount: creditTransactions.amount, type: creditTransactions.type })
          .from(creditTransactions)
          .innerJoin(users, eq(users.id, creditTransactions.userId))
          .where(and(gt(creditTransactions.id, last!.id), inArray(creditTransactions.relatedInvoiceId, invoiceIds)))
          .orderBy(creditTransactions.id)
        return {
          refusal: null,
          invoices: [
            ...confirmed.map((each) => ({ ...shown(each), isPaid: true })),
            ...reopened.map((each) => ({ ...shown(each), isPaid: false })),
          ],
          bookings,
          emails,
        }
      }),
    )
  } catch (error) {
    if (error instanceof Refusal && error.status !== 404)
      return { refusal: { code: error.code, message: error.message }, invoices: [], bookings: [], emails: [] }
    throw error
  }
}

const shown = ({ invoice, applied }: { invoice: Confirmed['invoice']; applied: Confirmed['applied'] | undefined }) => ({
  invoiceNumber: invoice.invoiceNumber,
  planName: invoice.planName,
  endsBefore: applied?.before.endDate ?? null,
  endsAfter: applied?.after.endDate ?? null,
})
