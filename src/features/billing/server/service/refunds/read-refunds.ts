import { and, asc, desc, eq, isNotNull, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Instant } from '#kit/dates.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { creditNotes, invoiceLines, invoices, refundRequests, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { Reader } from '#server/session/session.ts'
import type { CreditNoteDetail, Refund } from '../../../contract.ts'
import { formatCreditNoteNumber, parseCreditNoteNumber, refundRefusal } from '../../../refund-rules.ts'

/** Whether account credit paid a part of the invoice. */
export const usedCredit = sql<boolean>`EXISTS (SELECT FROM invoice_lines l WHERE l.invoice_id = ${invoices.id} AND l.kind = 'credit')`

/** Returns the days of the money-back guarantee, counted from the payment; 0 means that there is no guarantee. */
export const guaranteeDays = async (db: Db): Promise<number> => (await settings.read(db, 'site')).claims.moneyBackDays

/** When the guarantee of an invoice ends; null if it was not paid. */
export const guaranteeEnd = (days: Placeholder): SQL<Instant | null> =>
  sql<Instant | null>`${invoices.paidAt} + interval '24 hours' * ${days}::int`.mapWith(invoices.paidAt)

type Selection = { userId: number; days: number; invoiceNumber: string | null }
const readRefunds = statement('refunds', (db, { userId, days, invoiceNumber }: Params<Selection>) =>
  db
    .select({
      invoice: { invoiceNumber: invoices.invoiceNumber, status: invoices.status, amount: invoices.amount },
      request: refundRequests,
      note: creditNotes,
      usedCredit,
      until: guaranteeEnd(days),
      isOver: sql<boolean>`${guaranteeEnd(days)} <= now()`,
    })
    .from(invoices)
    .leftJoin(refundRequests, eq(refundRequests.invoiceId, invoices.id))
    .leftJoin(creditNotes, eq(creditNotes.invoiceId, invoices.id))
    .where(
      and(
        eq(invoices.userId, userId),
        or(isNotNull(invoices.paidAt), isNotNull(refundRequests.id)),
        sql`(${invoiceNumber}::text is null or ${invoices.invoiceNumber} = ${invoiceNumber}::text)`,
      ),
    )
    .orderBy(desc(invoices.id))
    .limit(limits.lists.default),
)

/**
 * Returns a customer's payments with their guarantees and refunds, newest first; only that of `invoiceNumber` if it is given. `days` are the days of
 * the guarantee.
 */
export async function refundsOf(
  db: Db | Tx,
  userId: number,
  days: number,
  { invoiceNumber = null }: { invoiceNumber?: string | null } = {},
): Promise<Refund[]> {
  const rows = await readRefunds(db, { userId, days, invoiceNumber })
  return rows.map(({ invoice, request, note, usedCredit: hasCredit, until, isOver }) => {
    const end = days > 0 ? until : null
    return {
      invoiceNumber: invoice.invoiceNumber,
      amount: invoice.amount,
      until: end,
      refusal: refundRefusal({
        ...invoice,
        usedCredit: hasCredit,
        request: request?.status ?? null,
        until: end,
        isOver,
      }),
      request,
      creditNote: note && withFormattedNumber(note),
    }
  })
}

const withFormattedNumber = (note: typeof creditNotes.$inferSelect) => ({
  ...note,
  number: formatCreditNoteNumber(note.number),
})

/** Returns the credit note of an invoice; null if it has none. */
export async function creditNoteOf(db: Db | Tx, invoiceId: number) {
  const [note] = await db.select().from(creditNotes).where(eq(creditNotes.invoiceId, invoiceId))
  return note ? withFormattedNumber(note) : null
}

/** Returns one credit note with its invoice. Throws 404, including for another customer's note. Access by staff is audited. */
export async function creditNoteDetail(
  db: Db,
  reader: Reader,
  creditNoteNumber: string,
  requestId: string,
): Promise<CreditNoteDetail> {
  const number = parseCreditNoteNumber(creditNoteNumber)
  const own = reader.permissions.includes('invoices.read') ? undefined : eq(creditNotes.userId, reader.id)
  const [row] =
    number === undefined
      ? []
      : await db
          .select({ note: creditNotes, invoice: invoices, user: { username: users.username, email: users.email } })
          .from(creditNotes)
          .innerJoin(invoices, eq(invoices.id, creditNotes.invoiceId))
          .innerJoin(users, eq(users.id, creditNotes.userId))
          .where(and(eq(creditNotes.number, number), own))
  if (!row) return notFound('Credit note not found')
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
      targetId: row.invoice.id,
      requestId,
    })
  return { ...withFormattedNumber(row.note), invoice: row.invoice, lines, user: row.user }
}
