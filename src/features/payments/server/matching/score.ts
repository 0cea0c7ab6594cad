import { formatCents } from '#kit/money.ts'
import { withVisibleMarks } from '#kit/untrusted-text.ts'
import { commonTokens } from './names.ts'
import { dueOf, type NamedInvoice, type References } from './references.ts'
import type {
  CustomerCandidate,
  InvoiceCandidate,
  MatchSettings,
  PayerHistory,
  PaymentFacts,
  Reason,
  ScoredCandidate,
} from './types.ts'

export type ScoreContext = {
  facts: PaymentFacts
  settings: MatchSettings
  references: References
  /** The invoices whose customer typed the provider reference. `byCents` are the invoices whose identifying cents match the amount. */
  byCode: InvoiceCandidate[]
  byCents: InvoiceCandidate[]
  history: PayerHistory[]
  customers: ReadonlyMap<number, CustomerCandidate>
}

const toleranceMs = 10 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000
const methodOfRail: Partial<Record<PaymentFacts['rail'], InvoiceCandidate['method']>> = {
  cashapp: 'cashapp',
  venmo: 'venmo',
  card: 'creditcard',
}
const methodNames = { cashapp: 'Cash App', venmo: 'Venmo', creditcard: 'a credit card' }

/** Returns the points and reasons of one invoice, or of several invoices that are paid together. */
export function scoreOf(invoices: InvoiceCandidate[], context: ScoreContext): ScoredCandidate {
  const reasons = [
    ...invoices.flatMap((invoice) => noteReasons(invoice, context)),
    ...amountReasons(invoices, context),
    ...codeReasons(invoices[0]!, context),
    ...payerReasons(invoices[0]!, context),
    ...methodReasons(invoices[0]!, context),
    ...timeReasons(invoices, context),
  ]
  return { invoices, score: reasons.reduce((sum, { points }) => sum + points, 0), reasons }
}

const firstName = (invoice: InvoiceCandidate, { customers }: ScoreContext): string => {
  const customer = customers.get(invoice.customerId)
  return customer?.fullName.split(/\s+/, 1)[0] || customer?.username || 'The customer'
}

const noteSentence = {
  number: ({ written, isChecked }: NamedInvoice) =>
    `The note names ${written}${isChecked ? ', check character right' : ''}.`,
  phrase: ({ written }: NamedInvoice) => `The note names "${written}", given to this order only.`,
  reused: ({ written }: NamedInvoice) => `The note names "${written}", which another order had within 90 days.`,
  corrected: ({ written, invoice }: NamedInvoice) =>
    `The note says ${written}. One typo away: ${invoice.number}, which is open.`,
}
const notePoints = { number: 60, phrase: 55, reused: 30, corrected: 40 }

function noteReasons(invoice: InvoiceCandidate, { references }: ScoreContext): Reason[] {
  const own = references.named.find((named) => named.invoice.id === invoice.id)
  if (own) return [{ points: notePoints[own.by], sentence: noteSentence[own.by](own) }]
  const foreign = references.named.find((named) => named.invoice.customerId !== invoice.customerId)
  return foreign ? [{ points: -60, sentence: `The note names ${foreign.invoice.number} of another customer.` }] : []
}

function amountReasons(invoices: InvoiceCandidate[], { facts, settings, byCents }: ScoreContext): Reason[] {
  if (facts.currency !== settings.currency) return []
  const due = invoices.reduce((sum, invoice) => sum + dueOf(invoice), 0)
  if (due !== facts.amount) return []
  if (invoices.length > 1) {
    const parts = invoices.map((invoice) => `${invoice.number} ${formatCents(dueOf(invoice))}`).join(' + ')
    return [{ points: 15, sentence: `${formatCents(due)} = ${parts}, all of one customer.` }]
  }
  const isSingledOut = byCents.length === 1 && byCents[0]!.id === invoices[0]!.id
  return [
    { points: 25, sentence: `${formatCents(due)} is exactly what is due.` },
    ...(isSingledOut ? [{ points: 20, sentence: 'No other open order ends in these cents at this price.' }] : []),
  ]
}

function codeReasons(invoice: InvoiceCandidate, context: ScoreContext): Reason[] {
  if (!context.byCode.some(({ id }) => id === invoice.id)) return []
  const on = invoice.submittedAt ? ` on ${invoice.submittedAt.slice(0, 10)}` : ''
  return [{ points: 50, sentence: `${firstName(invoice, context)} typed this transaction number${on}.` }]
}

function payerReasons(invoice: InvoiceCandidate, context: ScoreContext): Reason[] {
  const { facts, history, customers } = context
  const customer = customers.get(invoice.customerId)
  const payer = withVisibleMarks(facts.payerHandle ?? facts.payerName ?? 'This payer')
  const times = history.find(({ customerId }) => customerId === invoice.customerId)?.confirmations ?? 0
  const reasons: Reason[] = []
  if (times > 0)
    reasons.push({
      points: times >= 3 ? 25 : 15,
      sentence: `${payer} paid for ${firstName(invoice, context)} ${times === 1 ? 'once' : `${times} times`} before.`,
    })
  else if (history.length > 0)
    reasons.push({ points: -30, sentence: `${payer} paid for other customers only, never for this one.` })
  if (customer && commonTokens(facts.payerName, customer.fullName) >= 2)
    reasons.push({ points: 12, sentence: 'The payer’s name is the customer’s.' })
  return reasons
}

function methodReasons(invoice: InvoiceCandidate, context: ScoreContext): Reason[] {
  if (!invoice.method) return []
  const name = firstName(invoice, context)
  return methodOfRail[context.facts.rail] === invoice.method
    ? [{ points: 4, sentence: `${name} chose ${methodNames[invoice.method]}.` }]
    : [{ points: -4, sentence: `${name} chose ${methodNames[invoice.method]}; this payment used another method.` }]
}

/** Returns the earliest and latest time of a payment in ms. If only the day is known, it includes that day in every time zone. */
function paidBetween({ paidAt, paidOn }: PaymentFacts): [number, number] | null {
  if (paidAt) return [Date.parse(paidAt), Date.parse(paidAt)]
  if (!paidOn) return null
  const day = Date.parse(`${paidOn}T00:00:00Z`)
  return [day - dayMs / 2, day + dayMs * 1.5]
}

function timeReasons(invoices: InvoiceCandidate[], { facts }: ScoreContext): Reason[] {
  const paid = paidBetween(facts)
  if (!paid) return []
  const [earliest, latest] = paid
  const createdAt = Math.max(...invoices.map((invoice) => Date.parse(invoice.createdAt)))
  const expiresAt = Math.min(...invoices.map((invoice) => Date.parse(invoice.expiresAt)))
  if (latest < createdAt - toleranceMs) return [{ points: -40, sentence: 'Paid before this order existed.' }]
  return earliest <= expiresAt ? [{ points: 6, sentence: 'Paid between the order and its deadline.' }] : []
}
