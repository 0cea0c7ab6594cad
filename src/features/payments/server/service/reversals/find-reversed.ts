import { type SQL, sql } from 'drizzle-orm'
import { withVisibleMarks } from '#kit/untrusted-text.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { ReversedPayment } from '../../../admin-contract.ts'
import type { Payment } from '../compare-payment.ts'

/** Payments that arrived within this number of days before a reversal are considered. */
const withinDays = 180
const maxShown = 5

type Row = Omit<ReversedPayment, 'allocations'> & { allocations: ReversedPayment['allocations'] | null }

/**
 * Returns the payments that a reversal may take back: the one that the provider names, and those of the invoice that the administrator chose. If the provider
 * names none, also the payments of the same rail and amount with the same payer or note.
 */
export async function findReversed(db: Db | Tx, reversal: Payment, invoiceId?: number): Promise<ReversedPayment[]> {
  const { rail, amount, currency, payerKey, note, paidOn, reversesId } = reversal
  const ofInvoice = invoiceId
    ? sql`p.id in (select payment_id from payment_allocations where invoice_id = ${invoiceId} and amount > 0)`
    : sql`false`
  const alike = sql`p.rail = ${rail} and p.amount = ${amount} and p.paid_on between ${paidOn}::date - ${withinDays}::int and ${paidOn}::date + 1
    and ((p.payer_key <> '' and p.payer_key = ${payerKey}) or (p.note <> '' and p.note = ${note}) or ${payerKey} = '')`
  return rowsOf(
    db,
    sql`p.currency = ${currency} and (p.id = ${reversesId}::bigint or ${ofInvoice} or (${reversesId}::bigint is null and ${alike}))`,
    sql`p.id = ${reversesId}::bigint desc nulls last, coalesce(${ofInvoice}, false) desc, p.paid_on desc, p.id desc`,
    reversesId,
  )
}

async function rowsOf(db: Db | Tx, where: SQL, order: SQL, named: number | null): Promise<ReversedPayment[]> {
  const { rows } = await db.execute<Row>(sql`
    select p.id::int as "paymentId", coalesce(nullif(p.payer_name, ''), p.payer_handle) as payer, p.paid_on::text as "paidOn", p.amount,
      coalesce(p.id = ${named}::bigint, false) as "isNamed", c.open_cents as "openCents",
      (select jsonb_agg(jsonb_build_object('id', a.id, 'target', a.target, 'amount', a.amount, 'invoiceNumber', i.invoice_number, 'customer', u.username,
          'refundReference', a.refund_reference) order by a.id)
        from payment_allocations a left join invoices i on i.id = a.invoice_id left join users u on u.id = a.user_id
        where a.payment_id = p.id and a.reverses_id is null and not exists (select from payment_allocations r where r.reverses_id = a.id)) as allocations
    from payments p join payment_cases c on c.payment_id = p.id
    where p.direction = 'in' and p.withdrawn_at is null and ${where} order by ${order} limit ${maxShown}`)
  return rows.map((row) => ({ ...row, payer: withVisibleMarks(row.payer), allocations: row.allocations ?? [] }))
}
