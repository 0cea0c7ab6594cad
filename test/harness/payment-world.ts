import type { IndexedRows } from '#features/payments/server/matching/candidate-index.ts'
import { buildCandidateIndex } from '#features/payments/server/matching/candidate-index.ts'
import type {
  CustomerCandidate,
  Evidence,
  InvoiceCandidate,
  MatchSettings,
  PaymentFacts,
} from '#features/payments/server/matching/types.ts'

const now = new Date('2026-11-20T18:00:00Z')

/** Creates settings that allow everything, at the time at which the made-up payments are read. */
export const matchSettings = (changes: Partial<MatchSettings> = {}): MatchSettings => ({
  now,
  notePrefix: 'SAUCE: ',
  currency: 'USD',
  mode: 'on',
  rails: ['cashapp', 'venmo', 'zelle', 'paypal'],
  maxCents: 10_000,
  perDay: 50,
  perDayCents: 250_000,
  perPayerDay: 2,
  perCustomerDay: 1,
  ...changes,
})

export const provenEvidence = (changes: Partial<Evidence> = {}): Evidence => ({
  auth: 'proven',
  recipientIsOurs: true,
  templateKnown: true,
  signedAt: '2026-11-20T12:00:00Z',
  ...changes,
})

export const paymentFacts = (changes: Partial<PaymentFacts> = {}): PaymentFacts => ({
  rail: 'cashapp',
  direction: 'in',
  amount: 3149,
  fee: null,
  currency: 'USD',
  final: true,
  paidAt: '2026-11-20T12:00:00Z',
  paidOn: null,
  payerName: 'Ana Ruiz',
  payerHandle: '$anar',
  note: null,
  providerReference: 'D-TEST0001',
  reversesReference: null,
  ...changes,
})

let lastId = 0

export const customerCandidate = (fullName: string, changes: Partial<CustomerCandidate> = {}): CustomerCandidate => ({
  id: ++lastId,
  username: fullName.toLowerCase().replaceAll(' ', ''),
  fullName,
  isAdmin: false,
  referrerMayNotApprove: false,
  ...changes,
})

export const invoiceCandidate = (
  number: string,
  customer: CustomerCandidate,
  changes: Partial<InvoiceCandidate> = {},
): InvoiceCandidate => ({
  id: ++lastId,
  number,
  customerId: customer.id,
  amount: 3149,
  held: 0,
  status: 'pending',
  phrase: null,
  method: null,
  confirmationCode: null,
  submittedAt: null,
  createdAt: '2026-11-19T12:00:00Z',
  expiresAt: '2026-11-26T12:00:00Z',
  uniqueCents: false,
  hasPayment: false,
  outdated: false,
  ...changes,
})

/** Creates an index of these rows, with no payments confirmed today. */
export const paymentIndex = (rows: Partial<IndexedRows>) =>
  buildCandidateIndex({
    invoices: [],
    customers: [],
    formerPhrases: [],
    payers: [],
    payments: [],
    confirmedToday: () => ({ count: 0, cents: 0, ofPayer: 0, ofCustomer: 0 }),
    ...rows,
  })
