import { nameTokens, payerKeyOf } from './names.ts'
import { dueOf, isOpen, type References } from './references.ts'
import type { ScoreContext } from './score.ts'
import type { CustomerCandidate, InvoiceCandidate, Lookups, MatchSettings, PaymentFacts } from './types.ts'

/** The invoices that a payment may be for, and the data that scoring needs. Each entry of `choices` is one invoice, or the invoices of a split. */
export type Candidates = { choices: InvoiceCandidate[][]; context: ScoreContext }

const maxSplitInvoices = 4
/** No splits are proposed for a customer with more open invoices, because too many sums would match by chance. */
const maxOpenInvoices = 12

/** Collects candidates by reference, typed code, known payer, identifying cents and name, but never by the amount alone. */
export async function findCandidates(
  facts: PaymentFacts,
  references: References,
  lookups: Lookups,
  settings: MatchSettings,
): Promise<Candidates> {
  const payerKey = payerKeyOf(facts)
  const tokens = nameTokens(facts.payerName)
  const history = payerKey ? await lookups.payerHistory(facts.rail, payerKey) : []
  const byCode = facts.providerReference ? await lookups.invoicesByCode(facts.providerReference) : []
  const byCents = facts.currency === settings.currency ? await lookups.invoicesByUniqueCents(facts.amount) : []
  const byName = tokens.length > 1 ? await lookups.customersByName(tokens) : []
  const payers = new Set([...history.map(({ customerId }) => customerId), ...byName.map(({ id }) => id)])
  const openOfPayers = payers.size > 0 ? await lookups.openInvoicesOf([...payers]) : []
  const open = openOfPayers.filter((invoice) => isOpen(invoice, settings.now))
  const single = unique([...references.named.map(({ invoice }) => invoice), ...byCode, ...byCents, ...open])
  const customers = await customersOf(single, byName, lookups)
  const splits = [...Map.groupBy(open, ({ customerId }) => customerId).values()].flatMap((invoices) =>
    sumsOf(invoices, facts.amount),
  )
  return {
    choices: [...single.map((invoice) => [invoice]), ...splits],
    context: { facts, settings, references, byCode, byCents, history, customers },
  }
}

const unique = (invoices: InvoiceCandidate[]): InvoiceCandidate[] => [
  ...new Map(invoices.map((invoice) => [invoice.id, invoice])).values(),
]

async function customersOf(
  invoices: InvoiceCandidate[],
  known: CustomerCandidate[],
  lookups: Lookups,
): Promise<Map<number, CustomerCandidate>> {
  const customers = new Map(known.map((customer) => [customer.id, customer]))
  const missing = new Set(invoices.map(({ customerId }) => customerId).filter((id) => !customers.has(id)))
  if (missing.size > 0)
    for (const customer of await lookups.customersById([...missing])) customers.set(customer.id, customer)
  return customers
}

/** Returns the sets of two to four invoices for which exactly `amount` cents are due in total. */
function sumsOf(invoices: InvoiceCandidate[], amount: number): InvoiceCandidate[][] {
  if (invoices.length < 2 || invoices.length > maxOpenInvoices) return []
  const found: InvoiceCandidate[][] = []
  const extend = (chosen: InvoiceCandidate[], from: number, left: number) => {
    if (left === 0 && chosen.length > 1) found.push(chosen)
    if (left <= 0 || chosen.length === maxSplitInvoices) return
    for (let index = from; index < invoices.length; index++)
      extend([...chosen, invoices[index]!], index + 1, left - dueOf(invoices[index]!))
  }
  extend([], 0, amount)
  return found
}
