import { sql } from 'drizzle-orm'
import type { PaymentFacts, Rail } from '#features/payments/server/matching/types.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { BookedPayment, Receipt } from '../read/identity.ts'

/** A payment in the book that a row of a statement may report. */
export type KnownPayment = BookedPayment & { id: number }

type Row = Pick<PaymentFacts, 'rail' | 'amount' | 'currency' | 'paidAt' | 'paidOn'> & {
  id: number
  direction: 'in' | 'out' | 'reversal'
  payerName: string
  payerHandle: string
  note: string
  providerReference: string | null
  receipts: Receipt[] | null
}

/**
 * Returns the payments in the book that `facts` may describe: those with the same rail and transaction number, and those with the same rail and amount within
 * four days.
 */
export async function knownPayments(db: Db | Tx, facts: PaymentFacts[]): Promise<KnownPayment[]> {
  const groups = [...Map.groupBy(facts, ({ rail, amount }) => `${rail} ${amount}`).values()].map((all) => {
    const days = all.map(({ paidAt, paidOn }) => (paidOn ?? paidAt ?? '').slice(0, 10)).sort()
    return { rail: all[0]!.rail, amount: all[0]!.amount, from: days[0], to: days.at(-1) }
  })
  const numbered = facts.flatMap(({ rail, providerReference: reference }) => (reference ? { rail, reference } : []))
  const { rows } = await db.execute<Row>(sql`
    select p.id::int, p.rail, p.direction, p.amount, p.currency, p.paid_at as "paidAt", p.paid_on::text as "paidOn", p.payer_name as "payerName",
      p.payer_handle as "payerHandle", p.note, p.provider_reference as "providerReference",
      (select jsonb_agg(jsonb_build_object('source', f.format, 'key', r.source_key)) from payment_receipts r join statement_files f on f.id = r.file_id
        where r.payment_id = p.id) as receipts
    from payments p where p.id in (
      select a.id from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) as g(rail text, amount int, "from" date, "to" date)
      join payments a on a.rail = g.rail and a.amount = g.amount and a.paid_on between g.from - 4 and g.to + 4 and a.withdrawn_at is null
      union
      select b.id from jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb) as n(rail text, reference text)
      join payments b on b.rail = n.rail and b.account = '' and b.provider_reference = n.reference and b.withdrawn_at is null)
    order by p.id`)
  return rows.flatMap((row) => (row.direction === 'out' ? [] : toKnownPayment(row, row.direction)))
}

const toKnownPayment = ({ id, receipts, ...row }: Row, direction: 'in' | 'reversal'): KnownPayment => ({
  id,
  receipts: receipts ?? [],
  facts: {
    ...{ fee: null, final: true, reversesReference: null },
    ...{ rail: row.rail as Rail, direction, amount: row.amount, currency: row.currency },
    paidAt: row.paidAt && new Date(row.paidAt).toISOString(),
    paidOn: row.paidAt ? null : row.paidOn,
    payerName: row.payerName || null,
    payerHandle: row.payerHandle || null,
    note: row.note || null,
    providerReference: row.providerReference,
  },
})
