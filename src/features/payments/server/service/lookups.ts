import { type SQL, sql } from 'drizzle-orm'
import type { InvoiceStatus } from '#features/billing/contract.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { commonTokens } from '../matching/names.ts'
import type { CustomerCandidate, InvoiceCandidate, Lookups, PayerHistory } from '../matching/types.ts'

/** An invoice for the matcher, with what the desk shows of it. */
export type FoundInvoice = InvoiceCandidate & { planName: string; username: string; fullName: string }

/** In a query of invoices `i`: the cents that are held for it, and whether payments of the book settle it. */
export const heldFor = sql<number>`(select coalesce(sum(amount), 0)::int from payment_allocations where invoice_id = i.id and target = 'hold')`
const hasPayment = sql<boolean>`((select coalesce(sum(amount), 0) from payment_allocations where invoice_id = i.id and target = 'invoice') > 0)`
const effective = sql<InvoiceStatus>`(case when i.status in ('draft', 'pending') and i.expires_at <= now() then 'expired' else i.status end)`

/** The most invoices of one customer, and the most holders of a phrase, that are considered. */
const mostFound = 12

/** The invoices that match a condition on invoices `i`, newest first. */
export async function findInvoices(db: Db | Tx, where: SQL, most = 100): Promise<FoundInvoice[]> {
  const { rows } = await db.execute<FoundInvoice>(sql`
    select i.id, i.invoice_number as number, i.user_id as "customerId", i.amount, ${heldFor} as held, ${effective} as status, i.payment_reference as phrase,
      i.payment_method as method, i.confirmation_code as "confirmationCode", i.submitted_at as "submittedAt", i.created_at as "createdAt",
      i.expires_at as "expiresAt", false as "uniqueCents", ${hasPayment} as "hasPayment", false as outdated, i.plan_name as "planName", u.username,
      coalesce(u.full_name, '') as "fullName"
    from invoices i join users u on u.id = i.user_id where ${where} order by i.id desc limit ${most}`)
  return rows.map((row) => ({
    ...row,
    submittedAt: row.submittedAt && iso(row.submittedAt),
    createdAt: iso(row.createdAt),
    expiresAt: iso(row.expiresAt),
  }))
}

/** The matcher's access to the database, by index only. */
export const databaseLookups = (db: Db | Tx): Lookups => ({
  invoicesByNumber: (numbers) => findInvoices(db, sql`i.invoice_number = any(${texts(numbers)})`),
  phraseHolders: async (phrases) =>
    (await findInvoices(db, sql`i.payment_reference = any(${texts(phrases)})`, mostFound)).map((invoice) => ({
      phrase: invoice.phrase!,
      invoice,
      until: invoice.status === 'draft' || invoice.status === 'pending' ? null : invoice.expiresAt,
    })),
  invoicesByCode: (reference) =>
    findInvoices(
      db,
      sql`i.id in (select invoice_id from payment_codes where folded = folded_code(${reference}) limit ${mostFound})`,
    ),
  // No invoice has identifying cents yet.
  invoicesByUniqueCents: () => [],
  openInvoicesOf: (customerIds) =>
    findInvoices(
      db,
      sql`i.user_id = any(${ids(customerIds)}) and i.status in ('draft', 'pending') and i.expires_at > now()`,
    ),
  customersByName: (tokens) => customersNamed(db, tokens),
  customersById: (customerIds) => findCustomers(db, sql`u.id = any(${ids(customerIds)})`),
  payerHistory: async (rail, payerKey) =>
    (
      await db.execute<PayerHistory>(
        sql`select user_id as "customerId", confirmations from payer_identities where rail = ${rail} and payer_key = ${payerKey}`,
      )
    ).rows,
  invoiceOfPayment: async (rail, reference) =>
    (
      await findInvoices(
        db,
        sql`i.id in (select a.invoice_id from payments p join payment_allocations a on a.payment_id = p.id
          where p.rail = ${rail} and p.provider_reference = ${reference} and a.target = 'invoice')`,
        1,
      )
    )[0] ?? null,
  // Nothing is confirmed automatically yet.
  confirmedToday: () => ({ count: 0, cents: 0, ofPayer: 0, ofCustomer: 0 }),
})

async function findCustomers(db: Db | Tx, where: SQL): Promise<CustomerCandidate[]> {
  const { rows } = await db.execute<CustomerCandidate>(sql`
    select u.id, u.username, coalesce(u.full_name, '') as "fullName", u.role = 'admin' as "isAdmin", coalesce(r.role = 'admin', false) as "referrerMayNotApprove"
    from users u left join referral_claims c on c.referee_id = u.id and c.rewarded_invoice_id is null left join users r on r.id = c.referrer_id
    where ${where} order by u.id limit 50`)
  return rows
}

const mostNameTokens = 4
/** The customers whose full name consists of two to four of these words, in any order: that is an index lookup of each order. */
async function customersNamed(db: Db | Tx, tokens: string[]): Promise<CustomerCandidate[]> {
  if (tokens.length > mostNameTokens) return []
  const found = await findCustomers(db, sql`lower(u.full_name) = any(${texts(ordersOf(tokens))})`)
  return found.filter(({ fullName }) => commonTokens(fullName, tokens.join(' ')) >= 2)
}

/** Every order of two or more of the words. */
function ordersOf(words: string[], begun: string[] = []): string[] {
  const rest = words.filter((word) => !begun.includes(word))
  return [...(begun.length > 1 ? [begun.join(' ')] : []), ...rest.flatMap((word) => ordersOf(words, [...begun, word]))]
}

const iso = (value: string): string => new Date(value).toISOString()
const texts = (values: string[]): SQL =>
  sql`${sql.param(`{${values.map((value) => JSON.stringify(value)).join(',')}}`)}::text[]`
const ids = (values: number[]): SQL => sql`${sql.param(`{${values.join(',')}}`)}::int[]`
