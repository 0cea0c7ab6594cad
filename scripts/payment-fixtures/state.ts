import { buildCandidateIndex, type IndexedRows } from '#features/payments/server/matching/candidate-index.ts'
import { payerKeyOf } from '#features/payments/server/matching/names.ts'
import type {
  InvoiceCandidate,
  Lookups,
  MatchResult,
  MatchSettings,
  PaymentFacts,
  Rail,
} from '#features/payments/server/matching/types.ts'
import { type BookedPayment, identityOf, type Receipt } from '#features/receipts/server/read/identity.ts'
import type { World } from './folder.ts'

/** The state of the installation that a file is read in. Booking another file before changes it. */
export type State = {
  settings: MatchSettings
  timeZone: string
  lookups: () => Lookups
  book: BookedPayment[]
  /** The keys of the signed emails that were read. */
  messages: Set<string>
  add: (facts: PaymentFacts, receipt: Receipt, match: MatchResult | null) => void
}

/** Builds the state that a world describes. */
export function stateOf(world: World): State {
  const rows = rowsOf(world)
  const invoiceOf = new Map(rows.invoices.map((invoice) => [invoice.number, invoice]))
  const confirmed: { payerKey: string | null; customerId: number; cents: number }[] = []
  rows.confirmedToday = (payerKey, customerId) => ({
    count: confirmed.length,
    cents: confirmed.reduce((sum, { cents }) => sum + cents, 0),
    ofPayer: confirmed.filter((each) => payerKey !== null && each.payerKey === payerKey).length,
    ofCustomer: confirmed.filter((each) => each.customerId === customerId).length,
  })
  const state: State = {
    settings: {
      now: new Date(world.now),
      notePrefix: world.notePrefix,
      currency: world.currency,
      ...world.auto,
      rails: world.auto.rails as Rail[],
    },
    timeZone: world.timeZone,
    lookups: () => buildCandidateIndex(rows),
    book: [],
    messages: new Set(),
    add: (facts, receipt, match) => {
      state.book.push({ facts, receipts: [receipt] })
      const [invoice] = match?.invoices ?? []
      if (!invoice || match?.level !== 'exact' || facts.direction !== 'in') return
      if (match.resolver === 'part') holdAmount(invoice, facts, rows)
      if (!match.auto) return
      payInvoice(invoice, facts, rows)
      confirmed.push({ payerKey: payerKeyOf(facts), customerId: invoice.customerId, cents: facts.amount })
    },
  }
  for (const booked of world.book) {
    const facts = bookedFacts(booked)
    state.book.push({ facts, receipts: receiptsOf(facts, booked.source, world.timeZone) })
    const invoice = invoiceOf.get(booked.invoice ?? '')
    if (!invoice || facts.direction !== 'in') continue
    if (invoice.status === 'paid') payInvoice(invoice, facts, rows)
    else holdAmount(invoice, facts, rows)
  }
  return state
}

/** The receipt of a payment in the book of `world.json`: from the source that the payment names, otherwise from `unknown`. */
function receiptsOf(facts: PaymentFacts, source: string | null | undefined, timeZone: string): Receipt[] {
  const { key, isReference } = identityOf(facts, timeZone)
  return [{ source: source ?? 'unknown', key: isReference ? key : `${key}#1` }]
}

function holdAmount(invoice: InvoiceCandidate, facts: PaymentFacts, rows: IndexedRows): void {
  invoice.held += facts.amount
  allocate(invoice, facts, rows)
}

function payInvoice(invoice: InvoiceCandidate, facts: PaymentFacts, rows: IndexedRows): void {
  Object.assign(invoice, { status: 'paid', hasPayment: true })
  allocate(invoice, facts, rows)
}

function allocate(invoice: InvoiceCandidate, facts: PaymentFacts, rows: IndexedRows): void {
  const { rail, providerReference } = facts
  if (providerReference) rows.payments.push({ rail, providerReference, invoiceId: invoice.id })
}

const bookedFacts = (booked: World['book'][number]): PaymentFacts => ({
  rail: booked.rail as Rail,
  direction: booked.direction ?? 'in',
  amount: booked.amount,
  fee: null,
  currency: booked.currency ?? 'USD',
  final: true,
  paidAt: booked.paidAt ?? null,
  paidOn: booked.paidOn ?? null,
  payerName: booked.payerName ?? null,
  payerHandle: booked.payerHandle ?? null,
  note: booked.note ?? null,
  providerReference: booked.providerReference ?? null,
  reversesReference: null,
})

function rowsOf(world: World): IndexedRows {
  const ids = new Map(world.customers.map(({ username }, at) => [username, at + 1]))
  const admins = new Set(world.customers.filter(({ role }) => role === 'admin').map(({ username }) => username))
  const payments = world.invoices.flatMap(({ paidBy }, at) => {
    const [rail, providerReference] = /^(\w+):(.+)$/.exec(paidBy ?? '')?.slice(1) ?? []
    return rail && providerReference ? [{ rail: rail as Rail, providerReference, invoiceId: at + 1 }] : []
  })
  return {
    customers: world.customers.map(({ username, fullName, role, referrer }, at) => ({
      id: at + 1,
      username,
      fullName,
      isAdmin: role === 'admin',
      referrerMayNotApprove: admins.has(referrer ?? ''),
    })),
    invoices: world.invoices.map((invoice, at) => ({
      id: at + 1,
      number: invoice.number,
      customerId: ids.get(invoice.customer) ?? 0,
      amount: invoice.amount,
      held: 0,
      status: invoice.status,
      phrase: invoice.phrase ?? null,
      method: invoice.paymentMethod ?? null,
      confirmationCode: invoice.confirmationCode ?? null,
      submittedAt: invoice.submittedAt ?? null,
      createdAt: invoice.createdAt,
      expiresAt: invoice.expiresAt,
      uniqueCents: invoice.uniqueCents ?? false,
      hasPayment: Boolean(invoice.paidBy),
      outdated: invoice.outdated ?? false,
    })),
    formerPhrases: world.referenceHistory.flatMap(({ phrase, until }) =>
      phrase ? [{ phrase, invoice: null, until }] : [],
    ),
    payers: world.payers.map(({ rail, handle, name, customer, confirmations }) => ({
      rail: rail as Rail,
      payerKey: payerKeyOf({ payerHandle: handle ?? null, payerName: name ?? null }) ?? '',
      customerId: ids.get(customer) ?? 0,
      confirmations,
    })),
    payments,
    confirmedToday: () => ({ count: 0, cents: 0, ofPayer: 0, ofCustomer: 0 }),
  }
}
