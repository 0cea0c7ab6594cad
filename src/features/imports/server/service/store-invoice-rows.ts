import { type SQL, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Tx } from '#server/db/connect.ts'
import { limits } from '#server/limits.ts'
import type { InvoiceMapping } from '../../admin-contract.ts'
import { invoiceReader, type ParsedInvoice } from '../read/read-invoice.ts'
import type { TableFile } from '../read/read-table-file.ts'
import { findAccounts } from './find-accounts.ts'

/** Stores the rows of an invoice file with their accounts and verdicts. Dates are checked relative to `now`. */
export async function storeInvoiceRows(
  tx: Tx,
  { id: runId, now }: { id: number; now: Instant },
  { columns, rows }: TableFile,
  mapping: InvoiceMapping,
): Promise<void> {
  const read = invoiceReader(columns, mapping, now)
  for (let at = 0; at < rows.length; at += limits.imports.insertBatch)
    await insertRows(tx, runId, rows.slice(at, at + limits.imports.insertBatch).map(read))
  await markStoredInvoices(tx, sql`r.run_id = ${runId}`)
}

async function insertRows(tx: Tx, runId: number, invoices: ParsedInvoice[]): Promise<void> {
  const accountOf = await findAccounts(
    tx,
    invoices.filter(({ reason }) => reason === null),
  )
  const rows = invoices.map((invoice) => {
    const account = invoice.reason ?? accountOf(invoice)
    const isKnown = typeof account !== 'string'
    return {
      ...invoice,
      rowKey: `${runId}:${invoice.line}`,
      verdict: isKnown ? 'create' : 'refused',
      reason: isKnown ? null : account,
      email: isKnown ? account.email : invoice.email,
      username: isKnown ? account.username : '',
      userId: isKnown ? account.id : null,
    }
  })
  await tx.execute(sql`
    insert into import_rows (row_key, run_id, line, verdict, reason, username, email, user_id, other_id, invoice_number, invoice_date,
      invoice_cents, invoice_status, invoice_description)
    select "rowKey", ${runId}, line, verdict, reason, username, email, "userId", "otherId", number, "issuedOn", amount, status, description
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row("rowKey" text, line int, verdict text, reason text, username text,
      email text, "userId" int, "otherId" text, number text, "issuedOn" date, amount int, status text, description text)`)
}

/**
 * Sets the verdict `exists` for rows whose invoice is already stored, and refuses rows whose account was deleted after the check. `rows` is a
 * condition on `import_rows r`.
 */
export async function markStoredInvoices(tx: Tx, rows: SQL): Promise<void> {
  await tx.execute(sql`
    update import_rows r set verdict = 'exists', reason = 'invoice_exists'
    from earlier_invoices e where e.user_id = r.user_id and e.number = r.invoice_number and r.verdict = 'create' and ${rows}`)
  await tx.execute(sql`
    update import_rows r set verdict = 'refused', reason = 'customer_unknown', user_id = null, username = ''
    where r.verdict = 'create' and not exists (select from users u where u.id = r.user_id) and ${rows}`)
}
