import { and, asc, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Page } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { invoiceLines, invoices, plans, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { SessionUser } from '#server/session.ts'
import type { AdminInvoice, Invoice, InvoiceDetail, invoiceSorts } from '../../contract.ts'
import { freeCredit } from './use-credit.ts'

// Draft and pending past their date read as expired at once; the job only makes the rows agree.
const status = sql<
  Invoice['status']
>`CASE WHEN ${invoices.status} IN ('draft', 'pending') AND ${invoices.expiresAt} <= now() THEN 'expired' ELSE ${invoices.status} END`
const columns = { ...getTableColumns(invoices), status }

/** A customer's invoices, newest first. */
export const invoicesOf = (db: Db, userId: number): Promise<Invoice[]> =>
  db.select(columns).from(invoices).where(eq(invoices.userId, userId)).orderBy(desc(invoices.createdAt), desc(invoices.id)).limit(limits.lists.maximum)

/** One invoice with lines, plan and customer. Someone else's is the same 404 as none; an administrator's reading is audited. */
export async function invoiceDetail(db: Db, reader: SessionUser, invoiceNumber: string, requestId: string): Promise<InvoiceDetail> {
  const own = reader.role === 'admin' ? undefined : eq(invoices.userId, reader.id)
  const [row] = await db
    .select({ invoice: columns, plan: plans, user: { username: users.username, email: users.email } })
    .from(invoices)
    .innerJoin(users, eq(users.id, invoices.userId))
    .leftJoin(plans, eq(plans.id, invoices.planId))
    .where(and(eq(invoices.invoiceNumber, invoiceNumber), own))
  if (!row) return notFound('Invoice not found')
  const lines = await db.select().from(invoiceLines).where(eq(invoiceLines.invoiceId, row.invoice.id)).orderBy(asc(invoiceLines.position))
  if (row.invoice.userId !== reader.id)
    await audit(db, { actorId: reader.id, action: 'invoice.read', targetType: 'invoice', targetId: String(row.invoice.id), requestId })
  return {
    ...row,
    lines,
    status: row.invoice.status,
    customerDetails: row.invoice.customerDetails,
    usableCredit: await freeCredit(db, row.invoice.userId, row.invoice.id),
  }
}

const sameCode = (column: SQL | typeof invoices.confirmationCode) => sql`upper(regexp_replace(${column}, '\\W', '', 'g'))`
/** The same confirmation code on another invoice of the same method (security: flagged, not refused). */
export const duplicateCode = sql<boolean>`(${invoices.confirmationCode} IS NOT NULL AND EXISTS (
  SELECT 1 FROM invoices other WHERE other.id <> ${invoices.id} AND other.confirmation_code IS NOT NULL AND other.payment_method = ${invoices.paymentMethod}
  AND upper(regexp_replace(other.confirmation_code, '\\W', '', 'g')) = ${sameCode(invoices.confirmationCode)}))`

const adminColumns = { ...columns, username: users.username, email: users.email, duplicateCode }
const sortColumns = { createdAt: invoices.createdAt, amount: invoices.amount, status: invoices.status, invoiceNumber: invoices.invoiceNumber }
type ListQuery = { page?: number; pageSize?: number; sort?: (typeof invoiceSorts)[number]; order?: 'asc' | 'desc'; search?: string; status?: Invoice['status'] }

/** One page of all invoices for administrators; `search` is taken literally, over number, username and e-mail. */
export async function listAllInvoices(
  db: Db,
  { page = 1, pageSize = limits.lists.default, sort = 'createdAt', order = 'desc', search, status: wanted }: ListQuery,
): Promise<Page<AdminInvoice>> {
  const term = search
    ?.trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')
  const where = and(
    wanted && eq(status, wanted),
    term ? sql`(lower(${invoices.invoiceNumber}) LIKE ${`%${term}%`} OR users.search LIKE ${`%${term}%`})` : undefined,
  )
  const direction = order === 'asc' ? asc : desc
  const from = db.select(adminColumns).from(invoices).innerJoin(users, eq(users.id, invoices.userId))
  const [rows, [count]] = await Promise.all([
    from
      .where(where)
      .orderBy(direction(sortColumns[sort]), direction(invoices.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    db.select({ total: sql<number>`count(*)::int` }).from(invoices).innerJoin(users, eq(users.id, invoices.userId)).where(where),
  ])
  return { rows, total: count!.total }
}

/** The administrators' view of one invoice. Throws 404. */
export async function adminInvoice(db: Db | Tx, invoiceId: number): Promise<AdminInvoice> {
  const [row] = await db.select(adminColumns).from(invoices).innerJoin(users, eq(users.id, invoices.userId)).where(eq(invoices.id, invoiceId))
  return row ?? notFound('Invoice not found')
}
