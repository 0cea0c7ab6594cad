import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { invoices } from '#server/db/tables.ts'

// migrations/0042-baseline/07-payment-codes.sql defines `folded`, `code_keys`, `keys_near` and `is_one_edit`.
type InvoiceId = SQL | typeof invoices.id | number

/** Whether another invoice has the same confirmation code, ignoring payment method, case, spaces, punctuation and look-alike characters. */
export const duplicateCode = sql<boolean>`exists (
  select from payment_codes mine join payment_codes other on other.folded = mine.folded and other.invoice_id <> mine.invoice_id
  where mine.invoice_id = ${invoices.id})`

/**
 * Selects, for each code one edit away from that of an invoice, the ids of the newest invoices that have this code. Candidates are grouped by code
 * first for two reasons: with a LIMIT, PostgreSQL would prefer a sequential scan, and each distinct code is compared only once.
 */
const similarCodes = (invoiceId: InvoiceId) => sql`
  select (array_agg(other.invoice_id order by other.invoice_id desc))[1:${maxMatches}::int] as ids
  from payment_codes mine join payment_codes other on code_keys(other.folded, length(other.folded)) && keys_near(mine.folded)
  where mine.invoice_id = ${invoiceId} group by other.folded having is_one_edit(other.folded, max(mine.folded))`

/** The maximum number of invoices returned per code match. */
const maxMatches = 10

/** The number of the newest invoice with a similar code; null if there is none. Use it only for invoices whose code is not a duplicate. */
export const similarNumber = sql<string | null>`(
  select named.invoice_number from invoices named where named.id = (select max(near.ids[1]) from (${similarCodes(invoices.id)}) near))`

/**
 * The number of the newest invoice with a similar code. Null if there is none, and if the code is a duplicate. Also null for paid and refunded
 * invoices, because exporting all invoices would be too slow otherwise.
 */
export const similarCode = sql<
  string | null
>`case when ${invoices.status} not in ('paid', 'refunded') and not ${duplicateCode} then ${similarNumber} end`

/** Returns the ids of the newest other invoices with the same code, and of those with a similar code, at most `maxMatches` each. */
export async function invoicesWithCodeOf(db: Db, invoiceId: number): Promise<{ same: number[]; similar: number[] }> {
  const same = await db.execute<{ id: number }>(sql`
    select other.invoice_id as id from payment_codes other
    where other.folded = (select folded from payment_codes where invoice_id = ${invoiceId}) and other.invoice_id <> ${invoiceId}
    order by other.folded desc, other.invoice_id desc limit ${maxMatches}`)
  const similar = await db.execute<{ id: number }>(sql`
    select unnest(near.ids) as id from (${similarCodes(invoiceId)}) near order by 1 desc limit ${maxMatches}`)
  return { same: same.rows.map(({ id }) => id), similar: similar.rows.map(({ id }) => id) }
}
