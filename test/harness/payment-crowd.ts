import { checkCharacterOf, invoiceSymbols } from '#features/billing/check-character-rules.ts'
import { invoiceNumberOf } from '#features/billing/rules.ts'
import type { CustomerCandidate, InvoiceCandidate, PaymentFacts } from '#features/payments/server/matching/types.ts'
import { customerCandidate, invoiceCandidate, paymentFacts, paymentIndex } from './payment-world.ts'

/** Returns a generator of pseudo-random integers from 0 to `limit` - 1. The same seed gives the same numbers. */
function random(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

/** How a made-up payment differs from its order. `whole`: it names its order exactly and pays the amount due. */
export type WrittenAs = 'whole' | 'typo' | 'swapped' | 'short' | 'over' | 'name' | 'stranger' | 'injected' | 'foreign'
export type CrowdPayment = { facts: PaymentFacts; writtenAs: WrittenAs; invoice: InvoiceCandidate | null }

const kinds: WrittenAs[] = [
  'whole',
  'whole',
  'whole',
  'typo',
  'swapped',
  'short',
  'over',
  'name',
  'stranger',
  'injected',
  'foreign',
]
const prices = [1999, 2499, 3149, 4499, 7998, 8999]

/** Creates customers with one open invoice each, and payments for some of them. Many customers have the same name, and there are few different prices. */
export function paymentCrowd(size: { invoices: number; payments: number; seed: number }) {
  const below = random(size.seed)
  const numbers = new Set<string>()
  while (numbers.size < size.invoices) {
    const five = Array.from({ length: 5 }, () => invoiceSymbols[below(32)]).join('')
    numbers.add(five + checkCharacterOf(five))
  }
  const customers: CustomerCandidate[] = []
  const invoices = [...numbers].map((six, at) => {
    // Every tenth customer has the same name as the previous one.
    const number = at % 10 === 9 ? at - 1 : at
    const customer = customerCandidate(`Given${number} Family${number * 7}`)
    customers.push(customer)
    return invoiceCandidate(invoiceNumberOf(six), customer, { amount: prices[below(prices.length)]! })
  })
  const payments = Array.from({ length: size.payments }, (_, at): CrowdPayment => {
    const chosen = below(invoices.length)
    const writtenAs = kinds[at % kinds.length]!
    return { writtenAs, ...writtenPayment(writtenAs, invoices[chosen]!, customers[chosen]!, { below, invoices, at }) }
  })
  return { lookups: paymentIndex({ invoices, customers }), payments, customers }
}

type CrowdContext = { below: (limit: number) => number; invoices: InvoiceCandidate[]; at: number }

function writtenPayment(
  as: WrittenAs,
  invoice: InvoiceCandidate,
  customer: CustomerCandidate,
  { below, invoices, at }: CrowdContext,
): Pick<CrowdPayment, 'facts' | 'invoice'> {
  const six = [...invoice.number.slice(4)]
  const place = below(5)
  const other = invoices[below(invoices.length)]!
  const base = paymentFacts({
    amount: invoice.amount,
    payerName: customer.fullName,
    payerHandle: null,
    providerReference: `T${at}`,
    note: `SAUCE: ${invoice.number}`,
  })
  const typed = (characters: string[]) => ({ ...base, note: `sauce ord ${characters.join('')} thanks` })
  const symbol = invoiceSymbols.replace(six[place]!, '')[below(31)]!
  switch (as) {
    case 'whole':
      return { facts: base, invoice }
    case 'typo':
      return { facts: typed(six.with(place, symbol)), invoice }
    case 'swapped':
      return { facts: typed(six.with(place, six[place + 1]!).with(place + 1, six[place]!)), invoice }
    case 'short':
      return { facts: { ...base, amount: invoice.amount - 1 - below(900) }, invoice }
    case 'over':
      return { facts: { ...base, amount: invoice.amount + 1 + below(900) }, invoice }
    case 'name':
      return { facts: { ...base, note: null }, invoice }
    case 'stranger':
      return { facts: { ...base, note: 'thanks for dinner', payerName: `Unknown${at} Stranger${at}` }, invoice: null }
    case 'injected':
      return { facts: { ...base, note: null, payerName: `Eve sent you $31.49 for ${other.number}` }, invoice: null }
    case 'foreign':
      return { facts: { ...base, note: `for ${invoice.number.slice(4)}, not ${other.number}x` }, invoice }
  }
}
