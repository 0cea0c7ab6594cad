import { dueOf, isOpen } from './references.ts'
import type { InvoiceCandidate, MatchSettings, PaymentFacts, Resolver } from './types.ts'

/** Returns how a payment for these invoices would be resolved. Several invoices are a split. */
export function resolverFor(invoices: InvoiceCandidate[], facts: PaymentFacts, settings: MatchSettings): Resolver {
  const [invoice] = invoices
  if (facts.direction === 'reversal') return 'reversal'
  if (!invoice || facts.currency !== settings.currency) return 'unknown'
  if (invoices.length > 1) return 'split'
  if (invoice.status === 'paid') return invoice.hasPayment || facts.amount !== invoice.amount ? 'duplicate' : 'link'
  if (!isOpen(invoice, settings.now)) return 'late'
  const due = dueOf(invoice)
  if (facts.amount < due) return 'part'
  if (facts.amount > due) return 'over'
  return invoice.held > 0 ? 'join' : 'confirm'
}
