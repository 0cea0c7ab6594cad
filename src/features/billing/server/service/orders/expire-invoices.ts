import { and, inArray, lte, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { invoices } from '#server/db/tables.ts'

/** Sets draft and pending invoices past `expiresAt` (database clock) to expired. Returns the number of invoices. */
export async function expireInvoices(db: Db): Promise<number> {
  const expired = await db
    .update(invoices)
    .set({ status: 'expired', version: sql`${invoices.version} + 1` })
    .where(and(inArray(invoices.status, ['draft', 'pending']), lte(invoices.expiresAt, sql`now()`)))
    .returning({ id: invoices.id })
  return expired.length
}
