import { and, desc, eq, sql } from 'drizzle-orm'
import type { Output } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { earlierInvoices } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import type { listEarlierInvoices as endpoint } from '../../contract.ts'

const { shownInvoices } = limits.imports

/** Returns one page of the earlier invoices of a customer, newest first: those after the invoice with the id `after`. Empty for an unknown customer. */
export async function listEarlierInvoices(
  db: Db,
  userId: number,
  { after }: { after?: string | undefined },
): Promise<Output<typeof endpoint>> {
  const { issuedOn, id } = earlierInvoices
  const beyond =
    after === undefined
      ? undefined
      : sql`(${issuedOn}, ${id}) < (select e.issued_on, e.id from earlier_invoices e where e.id = ${after}::bigint and e.user_id = ${userId})`
  const rows = await db
    .select()
    .from(earlierInvoices)
    .where(and(eq(earlierInvoices.userId, userId), beyond))
    .orderBy(desc(issuedOn), desc(id))
    .limit(shownInvoices + 1)
  return {
    rows: rows.slice(0, shownInvoices),
    next: rows.length > shownInvoices ? String(rows[shownInvoices - 1]!.id) : null,
  }
}
