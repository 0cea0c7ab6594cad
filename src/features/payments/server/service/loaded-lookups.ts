import { invoiceNumberOf } from '#features/billing/rules.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { nameTokens, payerKeyOf } from '../matching/names.ts'
import { readNote } from '../matching/note.ts'
import type { CustomerCandidate, PaymentFacts } from '../matching/types.ts'
import { type FoundInvoice, type Load, loads } from './lookup-statements.ts'
import { databaseReads, type FindingLookups, lookupsOf, namesOf, type Read } from './lookups.ts'

/**
 * Creates lookups for many payments. The invoices and customers that the payments refer to are loaded in advance, each only once. Keys that were not loaded,
 * such as the corrections of a mistyped number, are read from the database when they are needed.
 */
export async function loadLookups(db: Db | Tx, payments: PaymentFacts[], notePrefix: string): Promise<FindingLookups> {
  const load = async <Row>(from: Load<Row>, keys: Iterable<string>): Promise<Map<string, Row[]>> => {
    const wanted = [...new Set(keys)]
    const rows = wanted.length > 0 ? await from(db, wanted) : new Map<string, Row[]>()
    return new Map(wanted.map((key) => [key, rows.get(key) ?? []]))
  }
  const notes = payments.map(({ note }) => readNote(note, notePrefix))
  const numbers = await load(
    loads.numbers,
    notes.flatMap((note) => note.numbers.map(({ six }) => invoiceNumberOf(six))),
  )
  const phrases = await load(
    loads.phrases,
    notes.flatMap(({ wordPairs }) => wordPairs),
  )
  const codes = await load(
    loads.codes,
    payments.flatMap(({ providerReference }) => providerReference ?? []),
  )
  const cents = await load(
    loads.cents,
    payments.map(({ amount }) => String(amount)),
  )
  const names = await load(
    loads.names,
    payments.flatMap(({ payerName }) => namesOf(nameTokens(payerName))),
  )
  const payers = await load(loads.payers, payments.flatMap(payerOf))
  const named = invoicesIn(numbers, phrases, codes, cents)
  const people = new Set([
    ...[...named.values()].map(({ customerId }) => customerId),
    ...[...payers.values()].flat().map(({ customerId }) => customerId),
    ...[...names.values()].flat().map(({ id }) => id),
  ])
  const keysOfPeople = [...people].map(String)
  const openIds = await load(loads.openIds, keysOfPeople)
  const others = [...openIds.values()].flat().filter(({ id }) => !named.has(id))
  const invoices = invoicesIn(
    await load(
      loads.invoices,
      others.map(({ id }) => String(id)),
    ),
  )
  const invoiceOf = (id: number) => named.get(id) ?? invoices.get(id)
  const known = new Map<number, CustomerCandidate>(
    [...names.values()].flat().map((customer) => [customer.id, customer]),
  )
  const customers = await load(
    loads.customers,
    keysOfPeople.filter((key) => !known.has(Number(key))),
  )
  for (const customer of known.values()) customers.set(String(customer.id), [customer])
  const open = new Map([...openIds].map(([key, ids]) => [key, ids.flatMap(({ id }) => invoiceOf(id) ?? [])]))
  const byId = new Map([...named.values(), ...invoices.values()].map((invoice) => [String(invoice.id), [invoice]]))
  const otherwise = databaseReads(db)
  return lookupsOf(db, {
    invoices: from(byId, otherwise.invoices),
    numbers: from(numbers, otherwise.numbers),
    phrases: from(phrases, otherwise.phrases),
    codes: from(codes, otherwise.codes),
    cents: from(cents, otherwise.cents),
    open: from(open, otherwise.open),
    customers: from(customers, otherwise.customers),
    names: from(names, otherwise.names),
    payers: from(payers, otherwise.payers),
  })
}

const payerOf = (facts: PaymentFacts): string[] => {
  const payerKey = payerKeyOf(facts)
  return payerKey ? [`${facts.rail} ${payerKey}`] : []
}

const invoicesIn = (...loaded: Map<string, FoundInvoice[]>[]): Map<number, FoundInvoice> =>
  new Map(loaded.flatMap((rows) => [...rows.values()].flat().map((invoice) => [invoice.id, invoice])))

/** Reads from the loaded rows, or with `otherwise` if any of the keys was not loaded. */
const from =
  <Row>(loaded: Map<string, Row[]>, otherwise: Read<Row>): Read<Row> =>
  (keys) =>
    keys.every((key) => loaded.has(key)) ? keys.flatMap((key) => loaded.get(key)!) : otherwise(keys)
