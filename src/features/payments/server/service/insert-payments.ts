import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { changed } from '#server/live/notify.ts'
import type { PaymentComparison } from './compare-payment.ts'
import { compareGroup, groupsOf } from './compare-payments.ts'
import { fallbackKeyOf, identicalKeyOf, type NewPayment, payerKeyFor } from './record-payment.ts'

type StatementPayment = NewPayment & { source: 'statement' }

/**
 * Inserts new incoming payments of a statement with their cases, after comparing them with the open invoices, and stores the matches. The caller must hold
 * `lockBook` and must have left out the payments that are already in the book. Returns the ids of the payments in the same order.
 */
export async function insertPayments(tx: Tx, payments: StatementPayment[]): Promise<number[]> {
  const groups = groupsOf(payments)
  const ids: number[] = []
  const customers = new Set<number>()
  let compared = await compareGroup(tx, groups[0] ?? [])
  for (const [at, group] of groups.entries()) {
    // While the database stores one group, this process already compares the next one.
    const [inserted, next] = await bothOf(insertGroup(tx, group, compared), compareGroup(tx, groups[at + 1] ?? []))
    for (const { ready, top } of compared) if (ready && top) customers.add(top.customerId)
    ids.push(...inserted)
    compared = next
  }
  for (const user of customers) await changed(tx, 'payment', { user })
  await changed(tx, 'payment')
  return ids
}

/** Waits until both promises are settled, even if one is rejected, because neither may use the transaction after it has ended. */
async function bothOf<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other])
  return [await one, await other]
}

async function insertGroup(tx: Tx, group: StatementPayment[], compared: PaymentComparison[]): Promise<number[]> {
  const rows = await withOccurrences(
    tx,
    group.map((facts) => {
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
  const cases = compared.map(({ kind, level, ready, score, top, blockedBy }, at) => ({
    id: ids[at],
    cents: group[at]!.amount,
    alike: identicalKeyOf(group[at]!),
    ...{ kind, level, ready, score },
    top: top?.id ?? null,
    blocked: blockedBy.map(({ code }) => code),
  }))
  await tx.execute(sql`
    insert into payment_cases (payment_id, open_cents, kind, level, ready, score, top_invoice_id, blocked_by, alike)
    select r.id, r.cents, r.kind, r.level, r.ready, r.score, r.top, array(select jsonb_array_elements_text(r.blocked)), r.alike
    from jsonb_to_recordset(${JSON.stringify(cases)}::jsonb) as r(id bigint, cents int, kind text, level text, ready boolean, score int, top int, blocked jsonb, alike text)`)
  const matches = compared.flatMap(({ shown, level, top }, at) =>
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

/** Numbers identical payments without a transaction number. The numbers continue after those in the book. */
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
