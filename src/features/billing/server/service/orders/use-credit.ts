import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { identifyingAmounts, invoiceLines, invoices, users } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { addIdentifyingCents, isUnsubmitted } from './identifying-cents.ts'

type Row = typeof invoices.$inferSelect
const isOpen = sql`invoices.status in ('draft', 'pending')`

/** Applies account credit to an unsubmitted invoice, or removes the credit. Throws 404, and 409 once the invoice is submitted, closed or partly paid. */
export async function useCredit(db: Db, userId: number, invoiceNumber: string, use: boolean): Promise<Row> {
  return inTransaction(db, async (tx) => {
    const [invoice] = await tx
      .select()
      .from(invoices)
      .where(and(eq(invoices.invoiceNumber, invoiceNumber), eq(invoices.userId, userId)))
      .for('no key update')
    if (!invoice) return notFound('Invoice not found')
    // Locked after the invoice, as in a confirmation; the opposite order could deadlock.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
    if ((await heldFor(tx, invoice.id)) > 0)
      return conflict(
        'payment_held',
        'A part of this invoice is already paid. Account credit can no longer be changed.',
      )
    const updated = await setCredit(tx, invoice, use)
    if (!updated) return conflict('not_possible', 'Account credit can only be changed before a payment is submitted')
    await changed(tx, 'invoice', { user: userId })
    return updated
  })
}

/** Returns the cents of partial payments that are held for an invoice. */
export async function heldFor(db: Db | Tx, invoiceId: number): Promise<number> {
  const { rows } = await db.execute<{ cents: number }>(
    sql`select coalesce(sum(amount), 0)::int as cents from payment_allocations where invoice_id = ${invoiceId} and target = 'hold'`,
  )
  return rows[0]!.cents
}

/**
 * Replaces the credit item of an unsubmitted invoice: with the credit that no other open invoice uses, or, if `use` is false, with none. Identifying
 * cents are chosen again for the new amount. Returns the invoice with its new amount; undefined if it was submitted or closed in the meantime. The
 * caller holds the customer's row lock.
 */
export async function setCredit(tx: Tx, invoice: Row, use: boolean): Promise<Row | undefined> {
  const lines = await tx.select().from(invoiceLines).where(eq(invoiceLines.invoiceId, invoice.id))
  // Imported invoices have no items.
  if (lines.length === 0) return invoice
  const rewritten = lines.filter(({ kind }) => kind === 'credit' || kind === 'payment_cents')
  const due = invoice.amount - rewritten.reduce((sum, line) => sum + line.amount, 0)
  const used = use ? Math.min(due, await availableCredit(tx, invoice.userId, invoice.id)) : 0
  const usedBefore = -rewritten.reduce((sum, { kind, amount }) => sum + (kind === 'credit' ? amount : 0), 0)
  if (used === usedBefore) return invoice
  const [updated] = await tx
    .update(invoices)
    // A payment link is for a fixed amount, so it becomes invalid.
    .set({ amount: due - used, paymentLink: null, version: sql`${invoices.version} + 1` })
    .where(and(eq(invoices.id, invoice.id), isUnsubmitted))
    .returning()
  if (!updated) return undefined
  const ids = rewritten.map(({ id }) => id)
  if (ids.length > 0) await tx.delete(invoiceLines).where(inArray(invoiceLines.id, ids))
  if (used > 0) {
    const position = Math.max(...lines.map((line) => line.position)) + 1
    await tx.insert(invoiceLines).values({ ...creditItem(used), invoiceId: invoice.id, position })
  }
  if (!rewritten.some(({ kind }) => kind === 'payment_cents')) return updated
  await tx.delete(identifyingAmounts).where(eq(identifyingAmounts.invoiceId, invoice.id))
  return addIdentifyingCents(tx, updated)
}

/** Returns the invoice item for `cents` of account credit. */
export const creditItem = (cents: number) => ({
  kind: 'credit' as const,
  description: 'Account credit',
  amount: -cents,
})

/** In a query of `users`: account credit in cents that no open invoice matching `among` already uses. */
export const availableCreditOf = (among: SQL) =>
  sql<number>`greatest(0, ${users.accountCredit} - (select coalesce(-sum(invoice_lines.amount), 0) from invoices join invoice_lines on invoice_lines.invoice_id = invoices.id
    where invoices.user_id = users.id and invoice_lines.kind = 'credit' and ${isOpen} and invoices.expires_at > now() and ${among}))::int`

/** Returns the account credit (cents) of a customer that no open invoice uses. The invoice `exceptInvoiceId` is ignored. */
export async function availableCredit(db: Db | Tx, userId: number, exceptInvoiceId?: number): Promise<number> {
  const among = exceptInvoiceId === undefined ? sql`true` : ne(invoices.id, exceptInvoiceId)
  const [row] = await db
    .select({ free: availableCreditOf(among) })
    .from(users)
    .where(eq(users.id, userId))
  return row?.free ?? 0
}
