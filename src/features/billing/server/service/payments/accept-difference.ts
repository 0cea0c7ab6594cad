import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { invoiceLines, invoices } from '#server/db/tables.ts'

type Row = typeof invoices.$inferSelect
const unpaid = inArray(invoices.status, ['draft', 'pending', 'expired', 'cancelled'])

/**
 * Reduces what an unpaid invoice costs by `cents`, with an item that says so. Returns the changed invoice, undefined if it is paid or, as an imported
 * one, has no items. The caller holds the lock of the invoice.
 */
export async function acceptDifference(tx: Tx, invoiceId: number, cents: number): Promise<Row | undefined> {
  const [last] = await tx
    .select({ position: sql<number | null>`max(${invoiceLines.position})` })
    .from(invoiceLines)
    .where(eq(invoiceLines.invoiceId, invoiceId))
  if (!last || last.position === null) return undefined
  const updated = await changeAmount(tx, invoiceId, -cents)
  if (updated)
    await tx.insert(invoiceLines).values({
      invoiceId,
      position: last.position + 1,
      kind: 'adjustment',
      description: 'Accepted difference',
      amount: -cents,
    })
  return updated
}

/** Removes the accepted difference of an unpaid invoice; nothing without one. */
export async function removeDifference(tx: Tx, invoiceId: number): Promise<void> {
  const removed = await tx
    .delete(invoiceLines)
    .where(and(eq(invoiceLines.invoiceId, invoiceId), eq(invoiceLines.kind, 'adjustment')))
    .returning({ amount: invoiceLines.amount })
  const cents = removed.reduce((sum, { amount }) => sum + amount, 0)
  if (cents !== 0) await changeAmount(tx, invoiceId, -cents)
}

async function changeAmount(tx: Tx, invoiceId: number, cents: number): Promise<Row | undefined> {
  const [updated] = await tx
    .update(invoices)
    .set({ amount: sql`${invoices.amount} + ${cents}`, version: sql`${invoices.version} + 1` })
    .where(and(eq(invoices.id, invoiceId), unpaid))
    .returning()
  return updated
}
