import { type SQL, sql } from 'drizzle-orm'
import type { InvoiceStatus } from '#features/billing/contract.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { batch } from '#server/overload/batch.ts'
import { commonTokens } from '../matching/names.ts'
import type { CustomerCandidate, InvoiceCandidate, Lookups, PayerHistory } from '../matching/types.ts'
import { confirmedToday } from './automation/read-automation.ts'

/** An invoice for the matcher, with what the desk shows of it. */
export type FoundInvoice = InvoiceCandidate & { planName: string; username: string; fullName: string }

/** In a query of invoices `i`: the cents that are held for it, and whether payments of the book settle it. */
export const heldFor = sql<number>`(select coalesce(sum(amount), 0)::int from payment_allocations where invoice_id = i.id and target = 'hold')`
const hasPayment = sql<boolean>`((select coalesce(sum(amount), 0) from payment_allocations where invoice_id = i.id and target = 'invoice') > 0)`
const effective = sql<InvoiceStatus>`(case when i.status in ('draft', 'pending') and i.expires_at <= now() then 'expired' else i.status end)`

const columns = sql`i.id, i.invoice_number as number, i.user_id as "customerId", i.amount, ${heldFor} as held, ${effective} as status,
  i.payment_reference as phrase, i.payment_method as method, i.confirmation_code as "confirmationCode", i.submitted_at as "submittedAt",
  i.created_at as "createdAt", i.expires_at as "expiresAt", false as "uniqueCents", ${hasPayment} as "hasPayment", false as outdated,
  i.plan_name as "planName", u.username, coalesce(u.full_name, '') as "fullName"`

/**
 * Loads the invoices of many keys in one statement: payments that are compared at the same time share it. `chosen` selects their ids for the
 * key `k.key`, a text. `offset 0` in a lateral query makes PostgreSQL read
 * the rows of a key by an index, instead of whole tables for a join.
 */
const invoicesBy = (chosen: SQL) =>
  batch(async (db: Db | Tx, keys: string[]) => {
    const { rows } = await db.execute<FoundInvoice & { key: string }>(sql`
      select k.key, row.* from unnest(${sql.param(keys)}::text[]) k(key) cross join lateral (${chosen}) chosen
      cross join lateral (select ${columns} from invoices i join users u on u.id = i.user_id where i.id = chosen.id offset 0) row
      order by row.id desc`)
    return Map.groupBy(rows.map(shaped), ({ key }) => key)
  })
const shaped = <Row extends FoundInvoice>(row: Row): Row => ({
  ...row,
  submittedAt: row.submittedAt && iso(row.submittedAt),
  createdAt: iso(row.createdAt),
  expiresAt: iso(row.expiresAt),
})

/**
 * The newest of these rows. `offset 0` makes PostgreSQL find them by their own index: to sort by id it would read the primary key from its end,
 * once for each key.
 */
const newest = (rows: SQL, most: number): SQL =>
  sql`select id from (${rows} offset 0) found order by id desc limit ${most}::int`

/** At most 12 holders of a phrase or a code and 100 open invoices of a customer are considered. */
const byId = invoicesBy(sql`select k.key::int as id`)
const byNumber = invoicesBy(sql`select id from invoices where invoice_number = k.key`)
const byPhrase = invoicesBy(newest(sql`select id from invoices where payment_reference = k.key`, 12))
const byCode = invoicesBy(newest(sql`select invoice_id as id from payment_codes where folded = folded_code(k.key)`, 12))
const openByCustomer = invoicesBy(
  newest(
    sql`select id from invoices where user_id = k.key::int and status in ('draft', 'pending') and expires_at > now()`,
    100,
  ),
)
const historyByPayer = batch(async (db: Db | Tx, keys: string[]) => {
  const { rows } = await db.execute<PayerHistory & { key: string }>(sql`
    select k.key, y."customerId", y.confirmations, y."isTakenBack" from unnest(${sql.param(keys)}::text[]) k(key)
    cross join lateral (select user_id as "customerId", confirmations, taken_back > 0 as "isTakenBack" from payer_identities
      where rail = split_part(k.key, ' ', 1) and payer_key = substring(k.key from position(' ' in k.key) + 1) offset 0) y`)
  return Map.groupBy(rows, ({ key }) => key)
})

/** The invoices with these ids. */
export const findInvoices = async (db: Db | Tx, ids: number[]): Promise<FoundInvoice[]> =>
  (await Promise.all(ids.map((id) => byId(db, String(id))))).flatMap((found) => found ?? [])

const all = async <T>(answers: Promise<T[] | undefined>[]): Promise<T[]> =>
  (await Promise.all(answers)).flatMap((found) => found ?? [])

/** The lookups of one payment, and the invoices that they found. */
export type FindingLookups = Lookups & { found: Map<number, FoundInvoice> }

/**
 * The matcher's access to the database for one payment, by index only. What is asked in one turn of the event loop is loaded by one statement, and
 * the open invoices of a customer are loaded once.
 */
export function databaseLookups(db: Db | Tx): FindingLookups {
  const found = new Map<number, FoundInvoice>()
  const open = new Map<number, Promise<FoundInvoice[] | undefined>>()
  const noted = (invoices: FoundInvoice[]): FoundInvoice[] => {
    for (const invoice of invoices) found.set(invoice.id, invoice)
    return invoices
  }
  const openOf = (customerId: number) => {
    const known = open.get(customerId) ?? openByCustomer(db, String(customerId))
    open.set(customerId, known)
    return known
  }
  return {
    found,
    invoicesByNumber: async (numbers) => noted(await all(numbers.map((number) => byNumber(db, number)))),
    phraseHolders: async (phrases) =>
      noted(await all(phrases.map((phrase) => byPhrase(db, phrase)))).map((invoice) => ({
        phrase: invoice.phrase!,
        invoice,
        until: invoice.status === 'draft' || invoice.status === 'pending' ? null : invoice.expiresAt,
      })),
    invoicesByCode: async (reference) => noted((await byCode(db, reference)) ?? []),
    // No invoice has identifying cents yet.
    invoicesByUniqueCents: () => [],
    openInvoicesOf: async (customerIds) => noted(await all(customerIds.map(openOf))),
    ...otherLookups(db, noted),
  }
}

const otherLookups = (
  db: Db | Tx,
  noted: (invoices: FoundInvoice[]) => FoundInvoice[],
): Pick<Lookups, 'customersByName' | 'customersById' | 'payerHistory' | 'invoiceOfPayment' | 'confirmedToday'> => ({
  customersByName: (tokens) => customersNamed(db, tokens),
  customersById: (customerIds) => all(customerIds.map((id) => customersById(db, String(id)))),
  payerHistory: async (rail, payerKey) => (await historyByPayer(db, `${rail} ${payerKey}`)) ?? [],
  invoiceOfPayment: async (rail, reference) => {
    const { rows } = await db.execute<{ id: number }>(sql`
      select a.invoice_id as id from payments p join payment_allocations a on a.payment_id = p.id
      where p.rail = ${rail} and p.provider_reference = ${reference} and a.target = 'invoice' order by a.invoice_id desc limit 1`)
    const [invoice] = noted(
      await findInvoices(
        db,
        rows.map(({ id }) => id),
      ),
    )
    return invoice ?? null
  },
  confirmedToday: (payerKey, customerId) => confirmedToday(db, payerKey, customerId),
})

/** Loads the customers of many keys. `chosen` selects at most 50 ids for the key `k.key`, a text. */
const customersBy = (chosen: SQL) =>
  batch(async (db: Db | Tx, keys: string[]) => {
    const { rows } = await db.execute<CustomerCandidate & { key: string }>(sql`
      select k.key, row.* from unnest(${sql.param(keys)}::text[]) k(key) cross join lateral (${chosen}) chosen cross join lateral (
        select u.id, u.username, coalesce(u.full_name, '') as "fullName", u.role = 'admin' as "isAdmin", coalesce(r.role = 'admin', false) as "referrerMayNotApprove"
        from users u left join referral_claims c on c.referee_id = u.id and c.rewarded_invoice_id is null left join users r on r.id = c.referrer_id
        where u.id = chosen.id offset 0) row
      order by row.id`)
    return Map.groupBy(rows, ({ key }) => key)
  })
const customersById = customersBy(sql`select k.key::int as id`)
const customersByFullName = customersBy(newest(sql`select id from users where lower(full_name) = k.key`, 50))

const mostNameTokens = 4
/** The customers whose full name consists of two to four of these words, in any order: that is an index lookup of each order. */
async function customersNamed(db: Db | Tx, tokens: string[]): Promise<CustomerCandidate[]> {
  if (tokens.length > mostNameTokens) return []
  const found = await all(ordersOf(tokens).map((name) => customersByFullName(db, name)))
  return found.filter(({ fullName }) => commonTokens(fullName, tokens.join(' ')) >= 2)
}

/** Every order of two or more of the words. */
function ordersOf(words: string[], begun: string[] = []): string[] {
  const rest = words.filter((word) => !begun.includes(word))
  return [...(begun.length > 1 ? [begun.join(' ')] : []), ...rest.flatMap((word) => ordersOf(words, [...begun, word]))]
}

const iso = (value: string): string => new Date(value).toISOString()
