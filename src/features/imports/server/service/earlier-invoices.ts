import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { markStoredInvoices } from './store-invoice-rows.ts'

const keysOf = (keys: string[]) => sql`r.row_key = any(${sql.param(keys)}::text[])`

/**
 * Stores the invoices of these rows. A row whose invoice is already stored gets the verdict `exists`; one whose account was deleted after the check
 * is refused.
 */
export async function createEarlierInvoices(tx: Tx, keys: string[]): Promise<void> {
  await markStoredInvoices(tx, keysOf(keys))
  // The foreign key locks the rows of the accounts, so insert in their order to prevent deadlocks.
  await tx.execute(sql`
    insert into earlier_invoices (user_id, run_id, number, issued_on, description, amount, status)
    select user_id, run_id, invoice_number, invoice_date, invoice_description, invoice_cents, invoice_status
    from import_rows r where r.verdict = 'create' and ${keysOf(keys)} order by user_id, line`)
  await tx.execute(sql`update import_rows r set verdict = 'created' where r.verdict = 'create' and ${keysOf(keys)}`)
}

/** Deletes the invoices that these rows created. */
export async function removeEarlierInvoices(tx: Tx, keys: string[]): Promise<void> {
  await tx.execute(sql`
    delete from earlier_invoices e using import_rows r
    where e.user_id = r.user_id and e.number = r.invoice_number and e.run_id = r.run_id and r.verdict = 'created' and ${keysOf(keys)}`)
  await tx.execute(sql`update import_rows r set verdict = 'undone' where r.verdict = 'created' and ${keysOf(keys)}`)
}
