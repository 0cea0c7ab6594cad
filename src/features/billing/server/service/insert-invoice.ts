import { sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { type invoiceLines, invoices } from '#server/db/tables.ts'
import { randomInvoiceNumber } from './invoice-number.ts'
import { drawReference, type NoteStyle } from './payment-reference.ts'

type Row = typeof invoices.$inferSelect
type LineKind = (typeof invoiceLines.$inferSelect)['kind']
type Line = { kind: LineKind; description: string; amount: number }
type Plan = { id: number; name: string; months: number; connections: number }
type Needed = Pick<
  Row,
  'userId' | 'planId' | 'planName' | 'planMonths' | 'planConnections' | 'description' | 'customerDetails'
>
type Further = Pick<
  Row,
  'kind' | 'status' | 'creditOnApproval' | 'referralDiscount' | 'notes' | 'renewsEnd' | 'pricedFrom'
>
export type Form = { validDays: number; noteStyle: NoteStyle }

/** How invoices are written now: the days they can be paid, and what their notes name. Read before the transaction, where it is remembered. */
export async function formOfInvoices(db: Db): Promise<Form> {
  const [{ validDays }, { noteStyle }] = await Promise.all([
    settings.read(db, 'invoices'),
    settings.read(db, 'payments'),
  ])
  return { validDays, noteStyle }
}

/** The plan as it is sold now: a later edit of the plan changes no invoice. */
export const planAsSold = (plan: Plan): Pick<Row, 'planId' | 'planName' | 'planMonths' | 'planConnections'> => ({
  planId: plan.id,
  planName: plan.name,
  planMonths: plan.months,
  planConnections: plan.connections,
})

const plain: Further = {
  kind: 'purchase',
  status: 'draft',
  creditOnApproval: 0,
  referralDiscount: 0,
  notes: null,
  renewsEnd: null,
  pricedFrom: null,
}

/** Writes an invoice under a free number with its lines; `amount` (cents) is their sum, and it expires after `validDays`. */
export async function insertInvoice(
  tx: Tx,
  values: Needed & Partial<Further>,
  lines: Line[],
  { validDays, noteStyle }: Form,
): Promise<Row> {
  const { pricedFrom, ...row } = { ...plain, ...values }
  const written = {
    ...row,
    pricedFrom: pricedFrom && JSON.stringify(pricedFrom),
    validDays,
    amount: lines.reduce((sum, line) => sum + line.amount, 0),
    paymentReference: noteStyle === 'number' ? null : await drawReference(tx),
    kinds: lines.map(({ kind }) => kind),
    descriptions: lines.map(({ description }) => description),
    amounts: lines.map(({ amount }) => amount),
  }
  for (let attempt = 0; attempt < 5; attempt++) {
    const [invoice] = await writeWithLines(tx, { ...written, invoiceNumber: randomInvoiceNumber() })
    if (invoice) return invoice
  }
  throw new Error('no free invoice number was drawn in five attempts')
}

type Written = Needed &
  Omit<Further, 'pricedFrom'> &
  Pick<Row, 'amount' | 'paymentReference' | 'invoiceNumber'> & {
    pricedFrom: string | null
    validDays: number
    kinds: LineKind[]
    descriptions: string[]
    amounts: number[]
  }
/** The invoice and its lines in their order; no row where the number is taken. */
const writeWithLines = statement('invoice_with_lines', (db: Db | Tx, given: Params<Written>) => {
  const made = db.$with('made').as(
    db
      .insert(invoices)
      .values({
        invoiceNumber: given.invoiceNumber,
        userId: given.userId,
        kind: given.kind,
        planId: given.planId,
        planName: given.planName,
        planMonths: given.planMonths,
        planConnections: given.planConnections,
        description: given.description,
        customerDetails: given.customerDetails,
        notes: given.notes,
        amount: given.amount,
        creditOnApproval: given.creditOnApproval,
        referralDiscount: given.referralDiscount,
        paymentReference: given.paymentReference,
        status: given.status,
        expiresAt: sql`now() + make_interval(days => ${given.validDays})`,
        renewsEnd: given.renewsEnd,
        pricedFrom: sql`${given.pricedFrom}::jsonb`,
      })
      .onConflictDoNothing({ target: invoices.invoiceNumber })
      .returning(),
  )
  const itsLines = db.$with('its_lines', {}).as(
    sql`insert into invoice_lines (invoice_id, position, kind, description, amount)
      select made.id, line.position, line.kind, line.description, line.amount
      from made, unnest(${given.kinds}::text[], ${given.descriptions}::text[], ${given.amounts}::int[]) with ordinality line (kind, description, amount, position)`,
  )
  return db.with(made, itsLines).select().from(made)
})
