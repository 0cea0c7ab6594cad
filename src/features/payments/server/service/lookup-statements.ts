import { type SQL, sql } from 'drizzle-orm'
import type { InvoiceStatus } from '#features/billing/contract.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { CustomerCandidate, InvoiceCandidate, PayerHistory } from '../matching/types.ts'

/** An invoice for the matcher, with the additional fields that the desk shows. */
export type FoundInvoice = InvoiceCandidate & { planName: string; username: string; fullName: string }

/** SQL for a query of invoices `i`: the cents that are held for the invoice. */
export const heldFor = sql<number>`(select coalesce(sum(amount), 0)::int from payment_allocations where invoice_id = i.id and target = 'hold')`
const hasPayment = sql<boolean>`((select coalesce(sum(amount), 0) from payment_allocations where invoice_id = i.id and target = 'invoice') > 0)`
const effective = sql<InvoiceStatus>`(case when i.status in ('draft', 'pending') and i.expires_at <= now() then 'expired' else i.status end)`

const columns = sql`i.id, i.invoice_number as number, i.user_id as "customerId", i.amount, ${heldFor} as held, ${effective} as status,
  i.payment_reference as phrase, i.payment_method as method, i.confirmation_code as "confirmationCode", i.submitted_at as "submittedAt",
  i.created_at as "createdAt", i.expires_at as "expiresAt", exists (select from identifying_amounts where invoice_id = i.id) as "uniqueCents", ${hasPayment} as "hasPayment", false as outdated,
  i.plan_name as "planName", u.username, coalesce(u.full_name, '') as "fullName"`

/** Loads the rows of many keys with one query. Returns a list for each key, in the order of the query. */
export type Load<Row> = (db: Db | Tx, keys: string[]) => Promise<Map<string, Row[]>>

/**
 * Creates a loader of invoices. `chosen` selects the invoice ids for the key `k.key`, a string. `offset 0` in a lateral query makes PostgreSQL read the rows of
 * each key with an index, instead of reading whole tables for a join.
 */
const invoicesBy =
  (chosen: SQL): Load<FoundInvoice> =>
  async (db, keys) => {
    const { rows } = await db.execute<FoundInvoice & { key: string }>(sql`
      select k.key, row.* from unnest(${sql.param(keys)}::text[]) k(key) cross join lateral (${chosen}) chosen
      cross join lateral (select ${columns} from invoices i join users u on u.id = i.user_id where i.id = chosen.id offset 0) row
      order by row.id desc`)
    return Map.groupBy(rows.map(withIsoTimes), ({ key }) => key)
  }
const iso = (value: string): string => new Date(value).toISOString()
const withIsoTimes = <Row extends FoundInvoice>(row: Row): Row => ({
  ...row,
  submittedAt: row.submittedAt && iso(row.submittedAt),
  createdAt: iso(row.createdAt),
  expiresAt: iso(row.expiresAt),
})

/**
 * Selects the newest of these rows. `offset 0` makes PostgreSQL find the rows with the index of their condition. Otherwise it would sort by id by scanning the
 * primary key backward, once for each key.
 */
const newest = (rows: SQL, limit: number): SQL =>
  sql`select id from (${rows} offset 0) found order by id desc limit ${limit}::int`

/** Creates a loader of customers. `chosen` selects at limit 50 customer ids for the key `k.key`, a string. */
const customersBy =
  (chosen: SQL): Load<CustomerCandidate> =>
  async (db, keys) => {
    const { rows } = await db.execute<CustomerCandidate & { key: string }>(sql`
      select k.key, row.* from unnest(${sql.param(keys)}::text[]) k(key) cross join lateral (${chosen}) chosen cross join lateral (
        select u.id, u.username, coalesce(u.full_name, '') as "fullName", u.role = 'admin' as "isAdmin", coalesce(r.role = 'admin', false) as "referrerMayNotApprove"
        from users u left join referral_claims c on c.referee_id = u.id and c.rewarded_invoice_id is null left join users r on r.id = c.referrer_id
        where u.id = chosen.id offset 0) row
      order by row.id`)
    return Map.groupBy(rows, ({ key }) => key)
  }

const openOfCustomer = newest(
  sql`select id from invoices where user_id = k.key::int and status in ('draft', 'pending') and expires_at > now()`,
  100,
)
/** The queries for the lookups. They return at limit 12 invoices per phrase or code, and 100 open invoices per customer. */
export const loads = {
  invoices: invoicesBy(sql`select k.key::int as id`),
  numbers: invoicesBy(sql`select id from invoices where invoice_number = k.key`),
  phrases: invoicesBy(newest(sql`select id from invoices where payment_reference = k.key`, 12)),
  codes: invoicesBy(newest(sql`select invoice_id as id from payment_codes where folded = folded_code(k.key)`, 12)),
  cents: invoicesBy(
    sql`select o.id from identifying_amounts a join invoices o on o.id = a.invoice_id where a.amount = k.key::int and o.status in ('draft', 'pending') and o.expires_at > now() offset 0`,
  ),
  open: invoicesBy(openOfCustomer),
  /** Returns the ids of the rows that `open` would load. */
  openIds: (async (db, keys) => {
    const { rows } = await db.execute<{ key: string; id: number }>(sql`
      select k.key, open.id from unnest(${sql.param(keys)}::text[]) k(key) cross join lateral (${openOfCustomer}) open order by open.id desc`)
    return Map.groupBy(rows, ({ key }) => key)
  }) satisfies Load<{ id: number }>,
  payers: (async (db, keys) => {
    const { rows } = await db.execute<PayerHistory & { key: string }>(sql`
      select k.key, y."customerId", y.confirmations, y."isTakenBack" from unnest(${sql.param(keys)}::text[]) k(key)
      cross join lateral (select user_id as "customerId", confirmations, taken_back > 0 as "isTakenBack" from payer_identities
        where rail = split_part(k.key, ' ', 1) and payer_key = substring(k.key from position(' ' in k.key) + 1) offset 0) y`)
    return Map.groupBy(rows, ({ key }) => key)
  }) satisfies Load<PayerHistory>,
  customers: customersBy(sql`select k.key::int as id`),
  names: customersBy(newest(sql`select id from users where lower(full_name) = k.key`, 50)),
}
