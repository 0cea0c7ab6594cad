import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import { type Compared, comparePayment } from './compare-payment.ts'
import { fallbackKeyOf, type NewPayment, payerKeyFor } from './record-payment.ts'

/** A new incoming payment of a statement, with the invoices it was compared with. */
export type ComparedPayment = { facts: NewPayment & { source: 'statement' }; compared: Compared }

/** Compares new payments with the open invoices. Those of a group share their database statements. Writes nothing. */
export async function comparePayments(db: Parameters<typeof comparePayment>[0], payments: NewPayment[]) {
  const size = limits.statement.comparedAtOnce
  const compared: Compared[] = []
  let next = 0
  const compareGroups = async () => {
    while (next < payments.length) {
      const from = next
      next += size
      const group = payments.slice(from, from + size)
      const results = await Promise.all(group.map((each) => comparePayment(db, comparable(each), each.amount)))
      for (const [at, result] of results.entries()) compared[from + at] = result
    }
  }
  // The database works on one group while this process works on the other.
  await Promise.all([compareGroups(), compareGroups()])
  return compared
}

const comparable = (facts: NewPayment): Parameters<typeof comparePayment>[1] => ({
  ...{ fee: 0, currency: 'USD', final: true, paidAt: null, payerName: '', payerHandle: '', note: '' },
  ...{ providerReference: null },
  ...facts,
  direction: facts.direction ?? 'in',
})

/**
 * Inserts payments with their cases and matches, in a few statements. The caller holds `lockBook` and has left out the payments that are in the
 * book. Returns their ids in the same order.
 */
export async function insertPayments(tx: Tx, payments: ComparedPayment[]): Promise<number[]> {
  const ids: number[] = []
  const size = limits.statement.insertedAtOnce
  for (let from = 0; from < payments.length; from += size)
    ids.push(...(await insertGroup(tx, payments.slice(from, from + size))))
  const found = payments.flatMap(({ compared }) => (compared.ready && compared.top ? [compared.top.customerId] : []))
  for (const user of new Set(found)) await changed(tx, 'payment', { user })
  await changed(tx, 'payment')
  return ids
}

async function insertGroup(tx: Tx, group: ComparedPayment[]): Promise<number[]> {
  const rows = await withOccurrences(
    tx,
    group.map(({ facts }) => {
      const payerKey = payerKeyFor(facts)
      return { ...facts, payerKey, fallbackKey: fallbackKeyOf(facts, payerKey) }
    }),
  )
  const { rows: inserted } = await tx.execute<{ id: number; key: string }>(sql`
    insert into payments (rail, source, amount, fee, currency, paid_at, paid_on, payer_name, payer_handle, payer_key, note, provider_reference, fallback_key, occurrence)
    select r.rail, 'statement', r.amount, r.fee, r.currency, r."paidAt", r."paidOn", r."payerName", r."payerHandle", r."payerKey", r.note, r."providerReference", r."fallbackKey", r.occurrence
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(rail text, amount int, fee int, currency text, "paidAt" timestamptz, "paidOn" date,
      "payerName" text, "payerHandle" text, "payerKey" text, note text, "providerReference" text, "fallbackKey" text, occurrence int)
    returning id::int, rail || ' ' || coalesce('ref ' || provider_reference, occurrence || ' ' || fallback_key) as key`)
  const idOf = new Map(inserted.map(({ id, key }) => [key, id]))
  const ids = rows.map((row) => idOf.get(keyOf(row))!)
  const cases = group.map(({ facts, compared }, at) => ({
    id: ids[at],
    cents: facts.amount,
    ...{ kind: compared.kind, level: compared.level, ready: compared.ready, score: compared.score },
    top: compared.top?.id ?? null,
    blocked: compared.blockedBy.map(({ code }) => code),
  }))
  await tx.execute(sql`
    insert into payment_cases (payment_id, open_cents, kind, level, ready, score, top_invoice_id, blocked_by)
    select r.id, r.cents, r.kind, r.level, r.ready, r.score, r.top, array(select jsonb_array_elements_text(r.blocked))
    from jsonb_to_recordset(${JSON.stringify(cases)}::jsonb) as r(id bigint, cents int, kind text, level text, ready boolean, score int, top int, blocked jsonb)`)
  const matches = group.flatMap(({ compared: { shown, level, top } }, at) =>
    shown.map(({ invoice, score, reasons }) => ({
      ...{ payment: ids[at], invoice: invoice.id, score, reasons },
      level: level !== 'none' && invoice.id === top?.id ? level : 'maybe',
    })),
  )
  await tx.execute(sql`
    insert into payment_matches (payment_id, invoice_id, score, level, reasons)
    select r.payment, r.invoice, r.score, r.level, r.reasons
    from jsonb_to_recordset(${JSON.stringify(matches)}::jsonb) as r(payment bigint, invoice int, score int, level text, reasons jsonb)`)
  return ids
}

type Keyed = NewPayment & { payerKey: string; fallbackKey: string }
const keyOf = ({ rail, providerReference, fallbackKey, occurrence }: Keyed & { occurrence: number }): string =>
  `${rail} ${providerReference ? `ref ${providerReference}` : `${occurrence} ${fallbackKey}`}`

/** Numbers equal payments without a transaction number, after those in the book. */
async function withOccurrences(tx: Tx, payments: Keyed[]): Promise<(Keyed & { occurrence: number })[]> {
  const keys = payments.filter(({ providerReference }) => !providerReference).map((each) => each.fallbackKey)
  const { rows } = await tx.execute<{ key: string; last: number }>(sql`
    select rail || ' ' || fallback_key as key, max(occurrence) as last from payments
    where account = '' and direction = 'in' and provider_reference is null and withdrawn_at is null and fallback_key = any(${sql.param(keys)}::text[])
    group by rail, fallback_key`)
  const last = new Map(rows.map((row) => [row.key, row.last]))
  return payments.map((payment) => {
    if (payment.providerReference) return { ...payment, occurrence: 1 }
    const key = `${payment.rail} ${payment.fallbackKey}`
    const occurrence = (last.get(key) ?? 0) + 1
    last.set(key, occurrence)
    return { ...payment, occurrence }
  })
}
