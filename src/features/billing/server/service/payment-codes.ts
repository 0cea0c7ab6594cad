import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { invoices } from '#server/db/tables.ts'

// Migration 0035 says what `folded`, `code_keys`, `keys_near` and `is_one_edit` are.
type InvoiceId = SQL | typeof invoices.id | number

/** Whether another invoice, by any payment method, has the same confirmation code: case, spaces, punctuation and look-alike characters do not count. */
export const duplicateCode = sql<boolean>`exists (
  select from payment_codes mine join payment_codes other on other.folded = mine.folded and other.invoice_id <> mine.invoice_id
  where mine.invoice_id = ${invoices.id})`

/**
 * The codes one edit away from that of an invoice, each with the newest invoices that have it. All candidates are grouped first: an answer that may
 * stop at the first one would make PostgreSQL prefer to read the whole table, and each code is compared once, however many invoices have it.
 */
const similarCodes = (invoiceId: InvoiceId) => sql`
  select (array_agg(other.invoice_id order by other.invoice_id desc))[1:${maxMatches}::int] as ids
  from payment_codes mine join payment_codes other on code_keys(other.folded, length(other.folded)) && keys_near(mine.folded)
  where mine.invoice_id = ${invoiceId} group by other.folded having is_one_edit(other.folded, max(mine.folded))`

/** How many invoices with the same or a similar code are named. */
const maxMatches = 10

/**
 * The number of the newest invoice with a similar code; null without one, where the code was given twice, which says more, and once the invoice
 * was paid: a file of all invoices would take a comparison for each of them.
 */
export const similarCode = sql<
  string | null
>`case when ${invoices.status} not in ('paid', 'refunded') and not ${duplicateCode} then (
  select named.invoice_number from invoices named where named.id = (select max(near.ids[1]) from (${similarCodes(invoices.id)}) near)) end`

/** The newest other invoices with the same code as an invoice, and those with a similar one, ten each at most. */
export async function invoicesWithCodeOf(db: Db, invoiceId: number): Promise<{ same: number[]; similar: number[] }> {
  const same = await db.execute<{ id: number }>(sql`
    select other.invoice_id as id from payment_codes other
    where other.folded = (select folded from payment_codes where invoice_id = ${invoiceId}) and other.invoice_id <> ${invoiceId}
    order by other.folded desc, other.invoice_id desc limit ${maxMatches}`)
  const similar = await db.execute<{ id: number }>(sql`
    select unnest(near.ids) as id from (${similarCodes(invoiceId)}) near order by 1 desc limit ${maxMatches}`)
  return { same: same.rows.map(({ id }) => id), similar: similar.rows.map(({ id }) => id) }
}
