import { eq, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { invoices } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Reader } from '#server/session/session.ts'
import type { PaymentProgress } from '../../contract.ts'

type Found = NonNullable<PaymentProgress['found']>
type Row = {
  id: number
  userId: number
  isChecked: boolean
  since: string | null
  minutes: number | null
  found: Found | null
}
/**
 * The typical waiting time is the median of the latest `maxPayments` payments among the latest `maxActivations` activations. With fewer than `minPayments` it
 * is not shown.
 */
const maxPayments = 50
const maxActivations = 500
const minPayments = 5
const maxCounted = 100

/**
 * Returns the progress of the payment of an order: whether the payment was found, and how long the order has waited. Only an exact match is returned, never a
 * suggestion. Throws 404, also for another customer's order.
 */
export async function readProgress(db: Db, reader: Reader, invoiceNumber: string): Promise<PaymentProgress> {
  const { rows } = await db.execute<Row>(sql`
    select i.id, i.user_id as "userId", i.status = 'pending' and i.expires_at > now() and i.amount > 0
        and i.payment_method is distinct from 'creditcard' as "isChecked",
      i.submitted_at as since, floor(extract(epoch from now() - i.submitted_at) / 60)::int as minutes,
      (select jsonb_build_object('amount', p.amount, 'rail', p.rail, 'paidAt', p.paid_at, 'paidOn', p.paid_on)
        from payment_cases c join payments p on p.id = c.payment_id
        where c.top_invoice_id = i.id and c.status = 'open' and c.ready and c.kind in ('exact', 'join')
          and (p.source in ('typed', 'statement') or not c.blocked_by && array['not_proven', 'template_unknown', 'other_recipient'])
        order by p.id limit 1) as found
    from invoices i where i.invoice_number = ${invoiceNumber}`)
  const [row] = rows
  if (!row || (row.userId !== reader.id && !reader.permissions.includes('invoices.read')))
    return notFound('Invoice not found')
  const { found, since, minutes } = row
  return {
    found: found && { ...found, paidAt: found.paidAt && new Date(found.paidAt).toISOString() },
    waiting: row.isChecked && since ? await waitingOf(db, row.id, new Date(since), minutes ?? 0) : null,
  }
}

async function waitingOf(
  db: Db,
  invoiceId: number,
  since: Date,
  minutes: number,
): Promise<NonNullable<PaymentProgress['waiting']>> {
  const { verificationHours } = await settings.read(db, 'payments')
  const { rows } = await db.execute<{ before: number; typical: number | null }>(sql`
    select
      (select count(*)::int from (select from invoices where status = 'pending' and (submitted_at is not null or amount = 0)
        and (payment_method is distinct from 'creditcard' or payment_link is not null) and expires_at > now()
        and (coalesce(submitted_at, created_at), id) < (${since.toISOString()}::timestamptz, ${invoiceId}) limit ${maxCounted}) earlier) as before,
      (select case when count(*) >= ${minPayments} then floor(percentile_cont(0.5) within group (order by extract(epoch from latest.waited)) / 60)::int end
        from (select a.created_at - i.submitted_at as waited from (select * from activations order by id desc limit ${maxActivations}) a
          join invoices i on i.id = a.invoice_id and i.submitted_at is not null order by a.id desc limit ${maxPayments}) latest
        where latest.waited > interval '0') as typical`)
  const { before, typical } = rows[0]!
  return {
    ...{ minutes, before, typicalMinutes: typical },
    since: since.toISOString(),
    until: new Date(since.getTime() + verificationHours * 3_600_000).toISOString(),
    isLate: minutes >= verificationHours * 60,
  }
}

/** Publishes a change event to the customers of these invoices, because the match of their payment has changed. */
export async function notifyProgress(tx: Tx, invoiceIds: (number | null)[]): Promise<void> {
  for (const id of new Set(invoiceIds)) {
    if (id === null) continue
    const [invoice] = await tx.select({ userId: invoices.userId }).from(invoices).where(eq(invoices.id, id))
    if (invoice) await changed(tx, 'payment', { user: invoice.userId })
  }
}
