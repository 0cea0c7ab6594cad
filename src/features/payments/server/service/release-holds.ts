import { sql } from 'drizzle-orm'
import * as ledger from '#features/referrals/server/ledger.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { changed } from '#server/live/notify.ts'
import {
  allocate,
  inForce,
  insertDecision,
  lockInvoices,
  lockPayment,
  nothingToRestore,
  reverseAllocation,
  updateCase,
} from './book.ts'
import { rematch } from './match-payment.ts'

const batchSize = 100

/**
 * Releases the money that is held for invoices that are no longer open. If the invoice expired or was cancelled, the money becomes the customer's credit. If
 * the invoice was paid in another way, the payment is opened again for a new decision. Returns the number of released payments.
 */
export async function releaseHolds(db: Db): Promise<number> {
  const { rows } = await db.execute<{ paymentId: number; invoiceId: number }>(sql`
    select c.payment_id::int as "paymentId", a.invoice_id as "invoiceId" from payment_cases c
    join payment_allocations a on a.payment_id = c.payment_id and a.target = 'hold' and a.reverses_id is null
      and not exists (select from payment_allocations r where r.reverses_id = a.id)
    join invoices i on i.id = a.invoice_id
    where c.status = 'held' and i.status not in ('draft', 'pending') order by c.created_at limit ${batchSize}`)
  let released = 0
  for (const row of rows) if (await inTransaction(db, (tx) => release(tx, row))) released++
  return released
}

async function release(tx: Tx, { paymentId, invoiceId }: { paymentId: number; invoiceId: number }): Promise<boolean> {
  const { payment, known } = await lockPayment(tx, paymentId, [invoiceId])
  const [invoice] = await lockInvoices(tx, [invoiceId])
  const holds = (await inForce(tx, { paymentId, invoiceIds: [invoiceId] })).filter(({ target }) => target === 'hold')
  if (!invoice || holds.length === 0 || invoice.status === 'draft' || invoice.status === 'pending') return false
  const becomesCredit = invoice.status === 'expired' || invoice.status === 'cancelled'
  const decisionId = await insertDecision(tx, {
    paymentId,
    action: 'release',
    decidedBy: null,
    reason: `${invoice.invoiceNumber} is ${invoice.status}`,
    undoFacts: nothingToRestore,
  })
  for (const hold of holds) {
    await reverseAllocation(tx, hold, decisionId)
    if (!becomesCredit) continue
    const creditTransactionId = await ledger.bookCredit(tx, {
      userId: invoice.userId,
      amount: hold.amount,
      type: 'payment',
      description: `Part payment of invoice ${invoice.invoiceNumber}`,
      relatedInvoiceId: invoice.id,
    })
    await allocate(tx, {
      paymentId,
      decisionId,
      amount: hold.amount,
      target: 'credit',
      userId: invoice.userId,
      creditTransactionId: creditTransactionId!,
    })
  }
  const after = await updateCase(tx, paymentId)
  if (after.status === 'open') await rematch(tx, payment, after)
  await audit(tx, {
    actorId: null,
    action: 'payment.release',
    targetType: 'payment',
    targetId: paymentId,
    before: { status: known.status },
    after: { status: after.status, invoice: invoice.invoiceNumber, credited: becomesCredit },
  })
  await changed(tx, ['credit', 'invoice'], { user: invoice.userId })
  await changed(tx, 'payment')
  return true
}
