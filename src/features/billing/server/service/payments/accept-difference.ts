import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { invoiceLines, invoices } from '#server/db/tables.ts'
import { creditItem } from '../orders/use-credit.ts'

type Row = typeof invoices.$inferSelect
const unpaid = inArray(invoices.status, ['draft', 'pending', 'expired', 'cancelled'])

/**
 * Reduces the amount of an unpaid invoice by `cents` and adds an item for the difference. Returns the changed invoice; undefined if it is paid or has
 * no items (an imported invoice). The caller holds the invoice's row lock.
 */
export const acceptDifference = (tx: Tx, invoiceId: number, cents: number): Promise<Row | undefined> =>
  addItem(tx, invoiceId, { kind: 'adjustment', description: 'Accepted difference', amount: -cents })

/**
 * Does the same as `acceptDifference`, but the item is account credit of the customer. The confirmation then spends this credit; the ledger refuses if
 * the balance is too low.
 */
export const coverWithCredit = (tx: Tx, invoiceId: number, cents: number): Promise<Row | undefined> =>
  addItem(tx, invoiceId, creditItem(cents))

type Item = Pick<typeof invoiceLines.$inferInsert, 'kind' | 'description' | 'amount'>
async function addItem(tx: Tx, invoiceId: number, item: Item): Promise<Row | undefined> {
  const [last] = await tx
    .select({ position: sql<number | null>`max(${invoiceLines.position})` })
    .from(invoiceLines)
    .where(eq(invoiceLines.invoiceId, invoiceId))
  if (!last || last.position === null) return undefined
  const updated = await changeAmount(tx, invoiceId, item.amount)
  if (updated) await tx.insert(invoiceLines).values({ ...item, invoiceId, position: last.position + 1 })
  return updated
}

/** Removes the accepted difference from an unpaid invoice, if there is one. */
export const removeDifference = (tx: Tx, invoiceId: number): Promise<void> =>
  removeItems(tx, invoiceId, eq(invoiceLines.kind, 'adjustment'))

/** Removes from an unpaid invoice the credit item that `coverWithCredit` added last. */
export const removeCoveringCredit = (tx: Tx, invoiceId: number): Promise<void> =>
  removeItems(
    tx,
    invoiceId,
    sql`${invoiceLines.id} = (select max(id) from invoice_lines credit where credit.invoice_id = ${invoiceId} and credit.kind = 'credit')`,
  )

async function removeItems(tx: Tx, invoiceId: number, which: SQL): Promise<void> {
  const removed = await tx
    .delete(invoiceLines)
    .where(and(eq(invoiceLines.invoiceId, invoiceId), which))
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
