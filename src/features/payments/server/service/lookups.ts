import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { batch } from '#server/overload/batch.ts'
import { commonTokens } from '../matching/names.ts'
import type { CustomerCandidate, Lookups, PayerHistory } from '../matching/types.ts'
import { confirmedToday } from './automation/read-automation.ts'
import { type FoundInvoice, type Load, loads } from './lookup-statements.ts'

/** Returns the rows of all keys, in the order of the keys. */
export type Read<Row> = (keys: string[]) => Row[] | Promise<Row[]>
export type LookupReaders = Record<
  'invoices' | 'numbers' | 'phrases' | 'codes' | 'cents' | 'open',
  Read<FoundInvoice>
> &
  Record<'customers' | 'names', Read<CustomerCandidate>> & { payers: Read<PayerHistory> }

/** Combines the keys that are requested in one turn of the event loop into one query. */
function batched<Row>(load: Load<Row>) {
  const one = batch(load)
  return (db: Db | Tx): Read<Row> =>
    async (keys) =>
      (await Promise.all(keys.map((key) => one(db, key)))).flatMap((found) => found ?? [])
}
const shared = {
  ...{ invoices: batched(loads.invoices), numbers: batched(loads.numbers), phrases: batched(loads.phrases) },
  ...{
    codes: batched(loads.codes),
    cents: batched(loads.cents),
    open: batched(loads.open),
    payers: batched(loads.payers),
  },
  ...{ customers: batched(loads.customers), names: batched(loads.names) },
}
/** Creates the readers that query the database. */
export const databaseReads = (db: Db | Tx): LookupReaders => ({
  ...{ invoices: shared.invoices(db), numbers: shared.numbers(db), phrases: shared.phrases(db) },
  ...{ codes: shared.codes(db), cents: shared.cents(db), open: shared.open(db), payers: shared.payers(db) },
  ...{ customers: shared.customers(db), names: shared.names(db) },
})

/** The matcher's lookups. `found` collects all invoices that were read, and `invoicesById` reads further ones. */
export type FindingLookups = Lookups & {
  found: Map<number, FoundInvoice>
  invoicesById: (ids: number[]) => FoundInvoice[] | Promise<FoundInvoice[]>
}

/** Creates the matcher's lookups. All queries use an index. */
export function lookupsOf(db: Db | Tx, reads: LookupReaders = databaseReads(db)): FindingLookups {
  const found = new Map<number, FoundInvoice>()
  const note = (invoices: FoundInvoice[]): FoundInvoice[] => {
    for (const invoice of invoices) found.set(invoice.id, invoice)
    return invoices
  }
  const noted = (read: Read<FoundInvoice>, keys: string[]) => {
    const invoices = read(keys)
    return Array.isArray(invoices) ? note(invoices) : invoices.then(note)
  }
  return {
    found,
    invoicesById: (ids) => noted(reads.invoices, ids.map(String)),
    invoicesByNumber: (numbers) => noted(reads.numbers, numbers),
    phraseHolders: async (phrases) =>
      (await noted(reads.phrases, phrases)).map((invoice) => ({
        phrase: invoice.phrase!,
        invoice,
        until: invoice.status === 'draft' || invoice.status === 'pending' ? null : invoice.expiresAt,
      })),
    invoicesByCode: (reference) => noted(reads.codes, [reference]),
    invoicesByUniqueCents: (amount) => noted(reads.cents, [String(amount)]),
    openInvoicesOf: (customerIds) => noted(reads.open, customerIds.map(String)),
    customersByName: async (tokens) =>
      (await reads.names(namesOf(tokens))).filter(({ fullName }) => commonTokens(fullName, tokens.join(' ')) >= 2),
    customersById: (customerIds) => reads.customers(customerIds.map(String)),
    payerHistory: (rail, payerKey) => reads.payers([`${rail} ${payerKey}`]),
    invoiceOfPayment: async (rail, reference) => {
      const { rows } = await db.execute<{ id: number }>(sql`
        select a.invoice_id as id from payments p join payment_allocations a on a.payment_id = p.id
        where p.rail = ${rail} and p.provider_reference = ${reference} and a.target = 'invoice' order by a.invoice_id desc limit 1`)
      const ids = rows.map(({ id }) => String(id))
      return (await noted(reads.invoices, ids))[0] ?? null
    },
    confirmedToday: (payerKey, customerId) => confirmedToday(db, payerKey, customerId),
  }
}

const maxNameTokens = 4
/**
 * Returns all full names that consist of two to four of these words in any order, because each of them can be looked up with an index. Empty for more than four
 * words.
 */
export const namesOf = (tokens: string[]): string[] => (tokens.length > maxNameTokens ? [] : ordersOf(tokens))

/** Returns all sequences of two or more of the words. */
function ordersOf(words: string[], begun: string[] = []): string[] {
  const rest = words.filter((word) => !begun.includes(word))
  return [...(begun.length > 1 ? [begun.join(' ')] : []), ...rest.flatMap((word) => ordersOf(words, [...begun, word]))]
}
