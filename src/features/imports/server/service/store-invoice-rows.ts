import { type SQL, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Tx } from '#server/db/connect.ts'
import { limits } from '#server/limits.ts'
import type { InvoiceMapping } from '../../admin-contract.ts'
import { invoiceReader, type ReadInvoice } from '../read/read-invoice.ts'
import type { TableFile } from '../read/read-table-file.ts'

/** Stores the rows of a file of invoices with their accounts and verdicts. `now` is the time that dates are compared with. */
export async function storeInvoiceRows(
  tx: Tx,
  { id: runId, now }: { id: number; now: Instant },
  { columns, rows }: TableFile,
  mapping: InvoiceMapping,
): Promise<void> {
  const read = invoiceReader(columns, mapping, now)
  for (let at = 0; at < rows.length; at += limits.imports.insertedAtOnce)
    await insertRows(tx, runId, rows.slice(at, at + limits.imports.insertedAtOnce).map(read))
  await findCustomers(tx, runId)
  await markStoredInvoices(tx, sql`r.run_id = ${runId}`)
}

async function insertRows(tx: Tx, runId: number, invoices: ReadInvoice[]): Promise<void> {
  const rows = invoices.map((invoice) => ({
    ...invoice,
    rowKey: `${runId}:${invoice.line}`,
    verdict: invoice.reason === null ? 'create' : 'refused',
  }))
  await tx.execute(sql`
    insert into import_rows (row_key, run_id, line, verdict, reason, username, email, other_id, invoice_number, invoice_date, invoice_cents,
      invoice_status, invoice_description)
    select "rowKey", ${runId}, line, verdict, reason, '', email, "otherId", number, "issuedOn", amount, status, description
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row("rowKey" text, line int, verdict text, reason text, email text,
      "otherId" text, number text, "issuedOn" date, amount int, status text, description text)`)
}

/**
 * Finds the account of each row: by its email address, or else by the id that the customer has in the other system, which imports of customers
 * recorded. Rows without an account, and those whose id belongs to several, are refused.
 */
async function findCustomers(tx: Tx, runId: number): Promise<void> {
  const open = sql`r.run_id = ${runId} and r.verdict = 'create'`
  await tx.execute(sql`
    update import_rows r set user_id = u.id, username = u.username, email = u.email
    from users u where lower(u.email) = lower(r.email) and ${open}`)
  await tx.execute(sql`
    with ids as (select distinct other_id from import_rows r where ${open} and user_id is null and other_id is not null),
    imported as (
      select c.other_id, c.user_id, c.email from ids join import_rows c on c.other_id = ids.other_id and c.invoice_number is null
      join import_runs i on i.id = c.run_id and i.kind = 'customers' where c.verdict in ('created', 'exists', 'kept')),
    accounts as (
      select m.other_id, u.id from imported m join users u on u.id = m.user_id
      union select m.other_id, u.id from imported m join users u on lower(u.email) = lower(m.email) where m.user_id is null),
    known as (select other_id, min(id) as user_id, count(*) > 1 as several from accounts group by other_id)
    update import_rows r set
      user_id = case when not several then u.id end, username = case when several then '' else u.username end,
      email = case when several then r.email else u.email end,
      verdict = case when several then 'refused' else 'create' end, reason = case when several then 'customer_ambiguous' end
    from known join users u on u.id = known.user_id
    where r.other_id = known.other_id and r.user_id is null and ${open}`)
  await tx.execute(sql`
    update import_rows r set verdict = 'refused', reason = 'customer_unknown' where r.user_id is null and ${open}`)
}

/**
 * Sets the verdict of rows whose invoice is stored already, or whose account was deleted since the check. `rows` is a condition on `import_rows r`.
 */
export async function markStoredInvoices(tx: Tx, rows: SQL): Promise<void> {
  await tx.execute(sql`
    update import_rows r set verdict = 'exists', reason = 'invoice_exists'
    from earlier_invoices e where e.user_id = r.user_id and e.number = r.invoice_number and r.verdict = 'create' and ${rows}`)
  await tx.execute(sql`
    update import_rows r set verdict = 'refused', reason = 'customer_unknown', user_id = null, username = ''
    where r.verdict = 'create' and not exists (select from users u where u.id = r.user_id) and ${rows}`)
}
