import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { withConflictMessages } from '#features/billing/server/service/payments/decide-invoice.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { previewTransaction } from '#server/db/preview-transaction.ts'
import { creditTransactions, invoices, users } from '#server/db/tables.ts'
import { Refusal } from '#server/errors.ts'
import type { Approver } from '#server/session/actor.ts'
import type { PaymentDecision, PaymentPreview } from '../../admin-contract.ts'
import { runDecision } from './decide-payment.ts'
import { readPaymentTerms } from './payment-terms.ts'
import type { ConfirmedInvoice } from './work.ts'

/**
 * Returns the effect of a decision about a payment, by running the decision and rolling it back. If the decision is refused, the reason is part of the result.
 * Throws 404.
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
          .select({
            credit: sql<number>`coalesce(max(${creditTransactions.id}), 0)::int`,
            job: sql<number>`(select coalesce(max(id), 0)::int from line_jobs)`,
          })
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
          .where(and(gt(creditTransactions.id, last!.credit), inArray(creditTransactions.relatedInvoiceId, invoiceIds)))
          .orderBy(creditTransactions.id)
        return {
          refusal: null,
          invoices: [
            ...confirmed.map((each) => ({ ...shown(each), isPaid: true })),
            ...reopened.map((each) => ({ ...shown(each), isPaid: false })),
          ],
          bookings,
          lines: await changedLines(tx, invoiceIds, last!.job),
          remembersPayer: await isFirstOfPayer(tx, paymentId),
          emails,
          recipients: emails.length > 0 ? await addressesOf(tx, invoiceIds) : [],
        }
      }),
    )
  } catch (error) {
    if (error instanceof Refusal && error.status !== 404)
      return { ...emptyPreview, refusal: { code: error.code, message: error.message } }
    throw error
  }
}

const emptyPreview = { invoices: [], bookings: [], lines: [], remembersPayer: false, emails: [], recipients: [] }

/** Returns the IPTV lines for which the transaction has queued a job. The ids of these jobs are above `lastJob`. */
async function changedLines(tx: Tx, invoiceIds: number[], lastJob: number): Promise<PaymentPreview['lines']> {
  const { rows } = await tx.execute<PaymentPreview['lines'][number]>(sql`
    select u.username, l.username as line, case when not l.wanted_enabled then 'disable' when l.line_ref is null then 'create'
      when l.panel_enabled then 'extend' else 'enable' end as change
    from lines l join users u on u.id = l.user_id
    where l.user_id in (select user_id from invoices where ${inArray(invoices.id, invoiceIds)})
      and exists (select from line_jobs j where j.user_id = l.user_id and j.id > ${lastJob})
    order by u.username`)
  return rows
}

/** Whether the transaction was the first to store the payer of a payment as a known payer of a customer. */
async function isFirstOfPayer(tx: Tx, paymentId: number): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select from payer_identities i join payments p on p.rail = i.rail and p.payer_key = i.payer_key
    where p.id = ${paymentId} and i.confirmations = 1 and i.last_at = now()`)
  return rows.length > 0
}

async function addressesOf(tx: Tx, invoiceIds: number[]): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ email: users.email })
    .from(users)
    .innerJoin(invoices, eq(invoices.userId, users.id))
    .where(inArray(invoices.id, invoiceIds))
    .orderBy(users.email)
  return rows.map(({ email }) => email)
}

const shown = ({
  invoice,
  applied,
}: {
  invoice: ConfirmedInvoice['invoice']
  applied: ConfirmedInvoice['applied'] | undefined
}) => ({
  invoiceNumber: invoice.invoiceNumber,
  planName: invoice.planName,
  endsBefore: applied?.before.endDate ?? null,
  endsAfter: applied?.after.endDate ?? null,
})
