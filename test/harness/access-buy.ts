import { updateInvoice } from '#features/billing/admin-contract.ts'
import { decideRefund } from '#features/billing/admin-refund-contract.ts'
import { createInvoice as newInvoice, requestRefund, submitPayment } from '#features/billing/contract.ts'
import { formatCreditNoteNumber } from '#features/billing/refund-rules.ts'
import type { World } from './access-world.ts'

/** Lets the owner buy a plan, up to the state `until` of the invoice. */
export async function buy(world: World, until: 'paid' | 'refund-asked' | 'refunded'): Promise<void> {
  const { owner, admin, plans, pathParams } = world
  const planId = plans[0]!.id
  const { invoiceNumber } = await owner.client.call(newInvoice, { body: { planId, email: 'buyer@example.org' } })
  await owner.client.call(submitPayment, { body: { planId, paymentMethod: 'venmo', invoiceNumber } })
  const { rows } = await world.app.database.pool.query<{ id: number; amount: number }>(
    'SELECT id, amount FROM invoices WHERE invoice_number = $1',
    [invoiceNumber],
  )
  const { id: invoiceId, amount } = rows[0]!
  await admin.client.call(updateInvoice, { params: { invoiceId }, body: { status: 'paid' } })
  Object.assign(pathParams, { invoiceNumber, invoiceId, amount })
  if (until === 'paid') return
  await owner.client.call(requestRefund, { body: { invoiceNumber, reason: 'It does not run here' } })
  if (until === 'refund-asked') return
  const { rows: bought } = await world.app.database.pool.query<{ amount: number }>(
    'SELECT amount FROM invoices WHERE id = $1',
    [invoiceId],
  )
  await admin.client.call(decideRefund, {
    params: { invoiceId },
    body: { status: 'approved', paymentReference: 'Venmo 4711', reason: '', expectedAmount: bought[0]!.amount },
  })
  const { rows: notes } = await world.app.database.pool.query<{ number: number }>(
    'SELECT number FROM credit_notes WHERE invoice_id = $1',
    [invoiceId],
  )
  pathParams.creditNoteNumber = formatCreditNoteNumber(notes[0]!.number)
}
