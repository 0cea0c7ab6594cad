import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { identifyingAmounts, invoiceLines, invoices } from '#server/db/tables.ts'

type Row = typeof invoices.$inferSelect
/** The maximum number of cents taken off an order. */
const maxCents = 29
/** The lowest price (cents) of an order that gets identifying cents. */
const minPrice = 500
/** The number of days for which an amount stays reserved for one order. */
const reservedDays = 14
const attempts = 3

/** In a query of `invoices`: whether the invoice is open and has no submitted payment. */
export const isUnsubmitted = sql`invoices.status in ('draft', 'pending') and (invoices.status = 'draft' or invoices.submitted_at is null)`

/**
 * Takes 1 to 29 cents off an invoice, so that no other order has its amount. Returns the invoice unchanged if it already has identifying cents, costs
 * less than $5, has no items (an imported invoice), or no free amount was found. Returns undefined if it was submitted or closed in the meantime. The
 * caller holds the customer's row lock.
 */
export async function addIdentifyingCents(tx: Tx, invoice: Row): Promise<Row | undefined> {
  const lines = await tx.select().from(invoiceLines).where(eq(invoiceLines.invoiceId, invoice.id))
  if (lines.length === 0 || lines.some(({ kind }) => kind === 'payment_cents') || invoice.amount < minPrice)
    return invoice
  const amount = await reserveAmount(tx, invoice)
  if (amount === undefined) return invoice
  const updated = await setAmount(tx, invoice, amount)
  if (!updated) {
    await tx.delete(identifyingAmounts).where(eq(identifyingAmounts.invoiceId, invoice.id))
    return undefined
  }
  await tx.insert(invoiceLines).values({
    invoiceId: invoice.id,
    position: Math.max(...lines.map(({ position }) => position)) + 1,
    kind: 'payment_cents',
    description: 'Payment code',
    amount: amount - invoice.amount,
  })
  return updated
}

/**
 * Reserves an amount (cents) that no other order of the last 14 days has and that is not the price of a plan. Returns undefined if none was found in
 * three attempts.
 */
async function reserveAmount(tx: Tx, { id, amount: price }: Row): Promise<number | undefined> {
  await tx.execute(sql`
    delete from identifying_amounts a using invoices i where i.id = a.invoice_id and a.amount between ${price - maxCents} and ${price - 1}
      and (i.status = 'cancelled' or a.given_at <= now() - make_interval(days => ${reservedDays}))`)
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Random, so that simultaneous orders rarely wait for each other.
    const { rows } = await tx.execute<{ amount: number }>(sql`
      insert into identifying_amounts (invoice_id, amount)
      select ${id}::int, amount from generate_series(${price - maxCents}::int, ${price - 1}::int) amount
      where not exists (select from identifying_amounts a where a.amount = amount.amount)
        and not exists (select from plans where price = amount.amount)
      order by random() limit 1
      on conflict (amount) do nothing returning amount`)
    if (rows[0]) return rows[0].amount
  }
  return undefined
}

/**
 * Removes the identifying cents of an unsubmitted invoice. Returns the invoice, undefined if it was submitted or closed in the meantime. The caller
 * holds the customer's row lock.
 */
export async function removeIdentifyingCents(tx: Tx, invoice: Row): Promise<Row | undefined> {
  const ofInvoice = and(eq(invoiceLines.invoiceId, invoice.id), eq(invoiceLines.kind, 'payment_cents'))
  const [line] = await tx.select().from(invoiceLines).where(ofInvoice)
  if (!line) return invoice
  const updated = await setAmount(tx, invoice, invoice.amount - line.amount)
  if (!updated) return undefined
  await tx.delete(invoiceLines).where(ofInvoice)
  await tx.delete(identifyingAmounts).where(eq(identifyingAmounts.invoiceId, invoice.id))
  return updated
}

async function setAmount(tx: Tx, { id }: Row, amount: number): Promise<Row | undefined> {
  const [updated] = await tx
    .update(invoices)
    // A payment link is for a fixed amount, so it becomes invalid.
    .set({ amount, paymentLink: null, version: sql`${invoices.version} + 1` })
    .where(and(eq(invoices.id, id), isUnsubmitted))
    .returning()
  return updated
}
