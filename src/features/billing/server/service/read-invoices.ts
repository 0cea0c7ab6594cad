import { and, asc, desc, eq, getTableColumns, or, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { PaymentMethods } from '#features/settings/contract.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Page } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { anyOf, type Params, statement } from '#server/db/statement.ts'
import { invoiceLines, invoices, plans, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { sortBuckets } from '#server/lists/counted-lists.ts'
import { type List, readPage } from '#server/lists/list.ts'
import { countedTotal } from '#server/lists/list-count.ts'
import { contains, isShort } from '#server/lists/list-search.ts'
import type { Reader } from '#server/session/session.ts'
import type { AdminInvoice, invoiceListQuery, invoiceSorts } from '../../admin-contract.ts'
import type { Invoice, InvoiceDetail } from '../../contract.ts'
import { reviewInfo } from '../../rules.ts'
import { availableCredit, heldFor } from './orders/use-credit.ts'
import { duplicateCode, similarCode } from './payments/payment-codes.ts'

// Draft and pending invoices past their date count as expired immediately; the job updates the rows later.
export const effectiveStatus = sql<
  Invoice['status']
>`CASE WHEN ${invoices.status} IN ('draft', 'pending') AND ${invoices.expiresAt} <= now() THEN 'expired' ELSE ${invoices.status} END`
const columns = { ...getTableColumns(invoices), status: effectiveStatus }

/** Returns a customer's invoices, newest first. */
export const invoicesOf = (db: Db, userId: number): Promise<Invoice[]> =>
  db
    .select(columns)
    .from(invoices)
    .where(eq(invoices.userId, userId))
    .orderBy(desc(invoices.createdAt), desc(invoices.id))
    .limit(limits.lists.maximum)

/** Returns one invoice with items, plan and customer. Throws 404, including for another customer's invoice. Access by staff is audited. */
export async function invoiceDetail(
  db: Db,
  reader: Reader,
  invoiceNumber: string,
  requestId: string,
): Promise<InvoiceDetail> {
  const own = reader.permissions.includes('invoices.read') ? undefined : eq(invoices.userId, reader.id)
  const [row] = await db
    .select({ invoice: columns, plan: plans, user: { username: users.username, email: users.email } })
    .from(invoices)
    .innerJoin(users, eq(users.id, invoices.userId))
    .leftJoin(plans, eq(plans.id, invoices.planId))
    .where(and(eq(invoices.invoiceNumber, invoiceNumber), own))
  if (!row) return notFound('Invoice not found')
  const lines = await db
    .select()
    .from(invoiceLines)
    .where(eq(invoiceLines.invoiceId, row.invoice.id))
    .orderBy(asc(invoiceLines.position))
  if (row.invoice.userId !== reader.id)
    await audit(db, {
      actorId: reader.id,
      action: 'invoice.read',
      targetType: 'invoice',
      targetId: String(row.invoice.id),
      requestId,
    })
  return {
    ...row,
    lines,
    status: row.invoice.status,
    customerDetails: row.invoice.customerDetails,
    usableCredit: await availableCredit(db, row.invoice.userId, row.invoice.id),
    received: await heldFor(db, row.invoice.id),
  }
}

const waitedMinutes = sql<
  number | null
>`CASE WHEN ${invoices.submittedAt} IS NOT NULL AND ${invoices.status} IN ('pending', 'expired') THEN floor(extract(epoch FROM now() - ${invoices.submittedAt}) / 60)::int END`
const refund = sql<Refund>`(SELECT status FROM refund_requests WHERE invoice_id = ${invoices.id})`
const adminColumns = {
  ...columns,
  username: users.username,
  email: users.email,
  duplicateCode,
  similarCode,
  waitedMinutes,
  refund,
}

/** Returns the admin view of several invoices in the given order; unknown ids are skipped. Reads the payment settings unless the caller passes them. */
export async function adminInvoices(
  db: Db | Tx,
  invoiceIds: number[],
  paymentSettings?: PaymentMethods,
): Promise<AdminInvoice[]> {
  const rows = await adminRows(db, { invoiceIds })
  const payments = paymentSettings ?? (await settings.read(db, 'payments'))
  const byId = new Map(rows.map((row) => [row.id, { ...row, ...reviewInfo(row, payments) }]))
  return invoiceIds.flatMap((id) => byId.get(id) ?? [])
}

const adminRows = statement('admin_invoices', (db, { invoiceIds }: Params<{ invoiceIds: number[] }>) =>
  db
    .select(adminColumns)
    .from(invoices)
    .innerJoin(users, eq(users.id, invoices.userId))
    .where(sql`${invoices.id} = ${anyOf(invoiceIds, 'int')}`),
)

type Refund = AdminInvoice['refund']
type Status = Invoice['status']
const isOpen = (wanted: Status) => wanted === 'draft' || wanted === 'pending'
const isOverdue = sql`${invoices.status} in ('draft', 'pending') and ${invoices.expiresAt} <= now()`
// `coalesce` prevents PostgreSQL from estimating this condition as rare. It holds for nearly all draft and pending invoices, so PostgreSQL should use
// the index of the list.
const isStillOpen = sql`coalesce(${invoices.expiresAt} > now(), false)`
/** Filters by the effective status in a form that can use an index. */
const inStatus = (wanted: Status) =>
  wanted === 'expired'
    ? sql`(${invoices.status} = 'expired' or ${isOverdue})`
    : and(eq(invoices.status, wanted), isOpen(wanted) ? isStillOpen : undefined)
/** The correction to a status counter for overdue invoices that the job has not updated yet. */
const overdueCount = (wanted: Status) =>
  wanted === 'expired'
    ? sql<number>`(select count(*)::int from invoices where ${isOverdue})`
    : isOpen(wanted)
      ? sql<number>`(select -(count(*) filter (where ${invoices.status} = ${wanted}))::int from invoices where ${isOverdue})`
      : sql<number>`0`

/** The condition under which the bucket counters of a status are exact: the job has updated all overdue invoices. Undefined if they are always exact. */
const hasNoOverdue = (wanted: Status) =>
  wanted === 'expired' || isOpen(wanted) ? sql`not exists (select from invoices where ${isOverdue})` : undefined

/** Returns the part of a pasted payment note after its prefix, or the whole search text if there is no prefix. */
const noteReference = (search: string | undefined) => search?.replace(/^.*:\s+/, '')
/** Matches the open invoice whose payment note contains this phrase. Phrases are unique among open invoices only. */
const hasReference = (phrase: string | undefined) =>
  phrase
    ? sql`(${invoices.paymentReference} = ${phrase.trim().toLowerCase()} and ${invoices.status} in ('draft', 'pending'))`
    : undefined
/** Matches a search text that can be part of an invoice number. For any other search text, the number is not searched. */
const invoiceNumberPart = /^(((o?r)?d)?-)?[a-z0-9]{0,6}$/i
const hasNumber = (part = '') =>
  invoiceNumberPart.test(part.trim()) ? contains(sql`lower(${invoices.invoiceNumber})`, part) : undefined

/** Matches any part of the confirmation code or payment note. Search texts under three characters are skipped because the trigram index cannot find them. */
const hasPayment = (search = '') =>
  or(
    ...[...new Set([search, noteReference(search)])]
      .filter((part) => !isShort(part))
      .map((part) =>
        contains(
          sql`payment_search(${invoices.confirmationCode}, ${invoices.paymentNote}, ${invoices.invoiceNumber})`,
          part,
        ),
      ),
  )

type Query = z.output<typeof invoiceListQuery>
export const invoiceList: List<AdminInvoice, (typeof invoiceSorts)[number], Query> = {
  table: invoices,
  sorts: {
    createdAt: [invoices.createdAt],
    amount: [invoices.amount],
    status: [invoices.status, invoices.createdAt],
    invoiceNumber: [sql`${invoices.invoiceNumber} collate "C"`],
  },
  buckets: {
    createdAt: sortBuckets('invoices', 'createdAt'),
    amount: sortBuckets('invoices', 'amount'),
    status: sortBuckets('invoices', 'createdAt', 'status'),
    invoiceNumber: sortBuckets('invoices', 'invoiceNumber'),
  },
  bucketFilter: ({ search, status: wanted, paymentMethod, refund }) =>
    search || paymentMethod || refund
      ? undefined
      : { list: 'invoices', status: wanted, filter: wanted && hasNoOverdue(wanted) },
  where: ({ search, status: wanted, paymentMethod, refund }, ofUser) =>
    and(
      or(
        hasNumber(noteReference(search)),
        hasReference(noteReference(search)),
        hasPayment(search),
        ofUser(invoices.userId),
      ),
      wanted && inStatus(wanted),
      paymentMethod && eq(invoices.paymentMethod, paymentMethod),
      refund && sql`${invoices.id} in (select invoice_id from refund_requests where status = ${refund})`,
    ),
  countedTotal: ({ search, status: wanted, paymentMethod, refund }) =>
    search || paymentMethod || refund
      ? undefined
      : wanted
        ? sql`${countedTotal('invoices', wanted)} + ${overdueCount(wanted)}`
        : countedTotal('invoices'),
  // One or two characters match too many invoice numbers for an index to help.
  isUnindexed: ({ search }) => isShort(noteReference(search)) && hasNumber(noteReference(search)) !== undefined,
  rows: adminInvoices,
}

/** Returns one page of all invoices for administrators. `search` is matched literally against number, code, note and the customer's names and email. */
export const listAllInvoices = (db: Db, query: Query): Promise<Page<AdminInvoice>> => readPage(db, invoiceList, query)

/** Returns the admin view of one invoice. Throws 404. */
export async function adminInvoice(
  db: Db | Tx,
  invoiceId: number,
  paymentSettings?: PaymentMethods,
): Promise<AdminInvoice> {
  const [row] = await adminInvoices(db, [invoiceId], paymentSettings)
  return row ?? notFound('Invoice not found')
}
