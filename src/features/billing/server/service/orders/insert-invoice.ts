import { sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { type invoiceLines, invoices } from '#server/db/tables.ts'
import { hasCheckCharacter } from '../../../check-character-rules.ts'
import { randomInvoiceNumber } from './invoice-number.ts'
import { choosePaymentReference, type NoteStyle } from './payment-reference.ts'

type Row = typeof invoices.$inferSelect
type ItemKind = (typeof invoiceLines.$inferSelect)['kind']
type Item = { kind: ItemKind; description: string; amount: number }
type Plan = { id: number; name: string; months: number; connections: number }
type RequiredFields = Pick<
  Row,
  'userId' | 'planId' | 'planName' | 'planMonths' | 'planConnections' | 'description' | 'customerDetails'
>
type OptionalFields = Pick<
  Row,
  'kind' | 'status' | 'creditOnApproval' | 'referralDiscount' | 'notes' | 'renewsEnd' | 'pricedFrom'
>
export type InvoiceSettings = { validDays: number; noteStyle: NoteStyle }

/** Reads the settings for new invoices. Call it before the transaction: settings are cached outside of transactions only. */
export async function readInvoiceSettings(db: Db): Promise<InvoiceSettings> {
  const [{ validDays }, { noteStyle }] = await Promise.all([
    settings.read(db, 'invoices'),
    settings.read(db, 'payments'),
  ])
  return { validDays, noteStyle }
}

/** Returns the plan fields that are copied to an invoice, so that later edits of the plan do not change the invoice. */
export const planSnapshot = (plan: Plan): Pick<Row, 'planId' | 'planName' | 'planMonths' | 'planConnections'> => ({
  planId: plan.id,
  planName: plan.name,
  planMonths: plan.months,
  planConnections: plan.connections,
})

const defaults: OptionalFields = {
  kind: 'purchase',
  status: 'draft',
  creditOnApproval: 0,
  referralDiscount: 0,
  notes: null,
  renewsEnd: null,
  pricedFrom: null,
}

/**
 * Inserts an invoice with its items under an unused number: `invoiceNumber` if it is valid and unused, else a random number. The amount (cents) is the
 * sum of the items. The invoice expires after `validDays` days.
 */
export async function insertInvoice(
  tx: Tx,
  values: RequiredFields & Partial<OptionalFields> & { invoiceNumber?: string | undefined },
  items: Item[],
  { validDays, noteStyle }: InvoiceSettings,
): Promise<Row> {
  const { pricedFrom, invoiceNumber, ...row } = { ...defaults, ...values }
  const wanted = invoiceNumber && hasCheckCharacter(invoiceNumber.slice(-6)) ? invoiceNumber : undefined
  const insertValues = {
    ...row,
    pricedFrom: pricedFrom && JSON.stringify(pricedFrom),
    validDays,
    amount: items.reduce((sum, line) => sum + line.amount, 0),
    paymentReference: noteStyle === 'number' ? null : await choosePaymentReference(tx),
    kinds: items.map(({ kind }) => kind),
    descriptions: items.map(({ description }) => description),
    amounts: items.map(({ amount }) => amount),
  }
  for (let attempt = 0; attempt < 5; attempt++) {
    const [invoice] = await insertWithItems(tx, {
      ...insertValues,
      invoiceNumber: (attempt === 0 && wanted) || randomInvoiceNumber(),
    })
    if (invoice) return invoice
  }
  throw new Error('no unused invoice number was found in five attempts')
}

type InsertValues = RequiredFields &
  Omit<OptionalFields, 'pricedFrom'> &
  Pick<Row, 'amount' | 'paymentReference' | 'invoiceNumber'> & {
    pricedFrom: string | null
    validDays: number
    kinds: ItemKind[]
    descriptions: string[]
    amounts: number[]
  }
/** Inserts the invoice and its items in order; returns no row if the number is taken. */
const insertWithItems = statement('invoice_with_lines', (db: Db | Tx, params: Params<InsertValues>) => {
  const made = db.$with('made').as(
    db
      .insert(invoices)
      .values({
        invoiceNumber: params.invoiceNumber,
        userId: params.userId,
        kind: params.kind,
        planId: params.planId,
        planName: params.planName,
        planMonths: params.planMonths,
        planConnections: params.planConnections,
        description: params.description,
        customerDetails: params.customerDetails,
        notes: params.notes,
        amount: params.amount,
        creditOnApproval: params.creditOnApproval,
        referralDiscount: params.referralDiscount,
        paymentReference: params.paymentReference,
        status: params.status,
        expiresAt: sql`now() + make_interval(days => ${params.validDays})`,
        renewsEnd: params.renewsEnd,
        pricedFrom: sql`${params.pricedFrom}::jsonb`,
      })
      .onConflictDoNothing({ target: invoices.invoiceNumber })
      .returning(),
  )
  const items = db.$with('its_lines', {}).as(
    sql`insert into invoice_lines (invoice_id, position, kind, description, amount)
      select made.id, line.position, line.kind, line.description, line.amount
      from made, unnest(${params.kinds}::text[], ${params.descriptions}::text[], ${params.amounts}::int[]) with ordinality line (kind, description, amount, position)`,
  )
  return db.with(made, items).select().from(made)
})
