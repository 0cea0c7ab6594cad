import { commonTokens, nameTokens } from './names.ts'
import { dueOf } from './references.ts'
import type {
  ConfirmedToday,
  CustomerCandidate,
  InvoiceCandidate,
  Lookups,
  PayerHistory,
  PhraseHolder,
  Rail,
} from './types.ts'

/** The data from which an in-memory index is built. Payers are identified by `payerKeyOf`, payments by their provider reference. */
export type IndexedRows = {
  invoices: InvoiceCandidate[]
  customers: CustomerCandidate[]
  formerPhrases: PhraseHolder[]
  payers: (PayerHistory & { rail: Rail; payerKey: string })[]
  payments: { rail: Rail; providerReference: string; invoiceId: number }[]
  confirmedToday: (payerKey: string | null, customerId: number) => ConfirmedToday
}

/** Normalizes a code for comparison: without case and separators. */
const foldedCode = (code: string): string =>
  code
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

const isUnpaid = ({ status }: InvoiceCandidate) => status === 'draft' || status === 'pending'

/** Creates lookups for the matcher that read from memory. */
export function buildCandidateIndex(rows: IndexedRows): Lookups {
  const byId = new Map(rows.invoices.map((invoice) => [invoice.id, invoice]))
  const byNumber = new Map(rows.invoices.map((invoice) => [invoice.number, invoice]))
  const byCode = grouped(rows.invoices, ({ confirmationCode }) => confirmationCode && foldedCode(confirmationCode))
  const open = rows.invoices.filter(isUnpaid)
  const byCents = grouped(open, (invoice) => (invoice.uniqueCents ? dueOf(invoice) : null))
  const openByCustomer = grouped(open, ({ customerId }) => customerId)
  const customersById = new Map(rows.customers.map((customer) => [customer.id, customer]))
  const customersByToken = new Map<string, CustomerCandidate[]>()
  for (const customer of rows.customers)
    for (const token of nameTokens(customer.fullName)) addTo(customersByToken, token, customer)
  const holders: PhraseHolder[] = [
    ...rows.invoices.flatMap((invoice) =>
      invoice.phrase ? { phrase: invoice.phrase.toLowerCase(), invoice, until: null } : [],
    ),
    ...rows.formerPhrases.map((holder) => ({ ...holder, phrase: holder.phrase.toLowerCase() })),
  ]
  const byPhrase = grouped(holders, ({ phrase }) => phrase)
  const payers = grouped(rows.payers, ({ rail, payerKey }) => `${rail} ${payerKey}`)
  const payments = new Map(rows.payments.map((row) => [`${row.rail} ${row.providerReference}`, row.invoiceId]))
  return {
    invoicesByNumber: (numbers) => numbers.flatMap((number) => byNumber.get(number) ?? []),
    phraseHolders: (phrases) => phrases.flatMap((phrase) => byPhrase.get(phrase) ?? []),
    invoicesByCode: (reference) => byCode.get(foldedCode(reference)) ?? [],
    invoicesByUniqueCents: (amount) => byCents.get(amount) ?? [],
    openInvoicesOf: (customerIds) => customerIds.flatMap((id) => openByCustomer.get(id) ?? []),
    customersByName: (tokens) => sharingTwo(tokens, customersByToken),
    customersById: (ids) => ids.flatMap((id) => customersById.get(id) ?? []),
    payerHistory: (rail, payerKey) => payers.get(`${rail} ${payerKey}`) ?? [],
    invoiceOfPayment: (rail, reference) => byId.get(payments.get(`${rail} ${reference}`) ?? 0) ?? null,
    confirmedToday: rows.confirmedToday,
  }
}

/** Returns the customers whose name has at least two of the tokens. */
function sharingTwo(tokens: string[], byToken: Map<string, CustomerCandidate[]>): CustomerCandidate[] {
  const lists = tokens.map((token) => byToken.get(token) ?? []).sort((one, other) => one.length - other.length)
  // A customer with two of n tokens is in at least one of any n - 1 lists, so the longest list is skipped.
  const some = new Set(lists.slice(0, -1).flat())
  const name = tokens.join(' ')
  return [...some].filter(({ fullName }) => commonTokens(name, fullName) >= 2)
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

function grouped<T, K>(rows: T[], keyOf: (row: T) => K | null | undefined): Map<K, T[]> {
  const lists = new Map<K, T[]>()
  for (const row of rows) {
    const key = keyOf(row)
    if (key !== null && key !== undefined) addTo(lists, key, row)
  }
  return lists
}
