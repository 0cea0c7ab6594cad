import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { invoiceLines, invoices } from '#server/db/tables.ts'
import { drawInvoiceNumber } from './invoice-number.ts'
import { drawReference } from './payment-reference.ts'

type Row = typeof invoices.$inferInsert
type Line = { kind: (typeof invoiceLines.$inferInsert)['kind']; description: string; amount: number }
type Plan = { id: number; name: string; months: number; connections: number }

/** The plan as it is sold now: a later edit of the plan changes no invoice. */
export const planAsSold = (plan: Plan): Pick<Row, 'planId' | 'planName' | 'planMonths' | 'planConnections'> => ({
  planId: plan.id,
  planName: plan.name,
  planMonths: plan.months,
  planConnections: plan.connections,
})

/** Writes an invoice under a free number with its lines; `amount` (cents) is their sum, and it expires after `validDays`. */
export async function insertInvoice(
  tx: Tx,
  values: Omit<Row, 'invoiceNumber' | 'expiresAt' | 'amount' | 'paymentReference'> & { validDays: number },
  lines: Line[],
): Promise<typeof invoices.$inferSelect> {
  const { validDays, ...row } = values
  const amount = lines.reduce((sum, line) => sum + line.amount, 0)
  const paymentReference = await drawReference(tx)
  const expiresAt = sql<string>`now() + make_interval(days => ${validDays})`
  for (let attempt = 0; attempt < 5; attempt++) {
    const [invoice] = await tx
      .insert(invoices)
      .values({ ...row, amount, expiresAt, paymentReference, invoiceNumber: drawInvoiceNumber() })
      .onConflictDoNothing({ target: invoices.invoiceNumber })
      .returning()
    if (!invoice) continue
    await tx.insert(invoiceLines).values(lines.map((line, index) => ({ ...line, invoiceId: invoice.id, position: index + 1 })))
    return invoice
  }
  throw new Error('no free invoice number was drawn in five attempts')
}
