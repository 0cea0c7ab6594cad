/** The ways money arrives. `bank` is a transfer of unknown kind, `card` a processor's payment. */
export type Rail =
  | 'cashapp'
  | 'venmo'
  | 'zelle'
  | 'paypal'
  | 'chime'
  | 'wise'
  | 'bank'
  | 'card'
  | 'crypto'
  | 'cash'
  | 'other'

/**
 * How far the source of a payment is trusted: `proven` by our own verification of the signature, `vouched` for by the mailbox only, `stated` by a
 * person or a statement, `unproven`, or `forged`.
 */
export type Auth = 'proven' | 'vouched' | 'stated' | 'unproven' | 'forged'

/** What happened, as one source reports it. Amounts are positive cents, instants ISO 8601 in UTC, days `YYYY-MM-DD`. */
export type PaymentFacts = {
  rail: Rail
  direction: 'in' | 'reversal'
  amount: number
  fee: number | null
  currency: string
  /** False while the provider has not completed it, such as a pending eCheck. */
  final: boolean
  paidAt: string | null
  /** Set where only a day is known. */
  paidOn: string | null
  payerName: string | null
  payerHandle: string | null
  note: string | null
  providerReference: string | null
  /** The provider's reference of the payment that a reversal takes back. */
  reversesReference: string | null
}

/** What is known about the source of the facts. */
export type Evidence = {
  auth: Auth
  recipientIsOurs: boolean
  templateKnown: boolean
  /** When the message was signed; null for sources without a signature. */
  signedAt: string | null
}

export type InvoiceCandidate = {
  id: number
  number: string
  customerId: number
  /** The price in cents, and what earlier payments already hold for it. */
  amount: number
  held: number
  status: 'draft' | 'pending' | 'paid' | 'cancelled' | 'expired' | 'refunded'
  phrase: string | null
  method: 'cashapp' | 'venmo' | 'creditcard' | null
  confirmationCode: string | null
  submittedAt: string | null
  createdAt: string
  expiresAt: string
  /** Whether its last cents are an identifying discount. */
  uniqueCents: boolean
  /** Whether a payment of the book is allocated to it. */
  hasPayment: boolean
  /** Whether a plan change was priced from a subscription that has changed since. */
  outdated: boolean
}

export type CustomerCandidate = {
  id: number
  username: string
  fullName: string
  isAdmin: boolean
  /** Whether the referrer is an administrator who may not approve payments of referred customers. */
  referrerMayNotApprove: boolean
}

/** How often the payer's payments were confirmed for one customer. `isTakenBack`: money that this payer sent was taken back later. */
export type PayerHistory = { customerId: number; confirmations: number; isTakenBack?: boolean }

/** An invoice that has or had a phrase. `until` is null for the current holder; `invoice` is null when it is no longer known. */
export type PhraseHolder = { phrase: string; invoice: InvoiceCandidate | null; until: string | null }

/** Automatic confirmations of the current day: total count and cents, and the counts of this payer and this customer. */
export type ConfirmedToday = { count: number; cents: number; ofPayer: number; ofCustomer: number }

type Answer<T> = T | Promise<T>

/** The caller's access to invoices, customers and the book, by key only. */
export type Lookups = {
  /** Invoices of any status with these numbers (`ORD-7F3K2G`). */
  invoicesByNumber: (numbers: string[]) => Answer<InvoiceCandidate[]>
  /** All current and former holders of these phrases (`amber otter`). */
  phraseHolders: (phrases: string[]) => Answer<PhraseHolder[]>
  /** Invoices whose customer typed this provider reference as confirmation code. */
  invoicesByCode: (providerReference: string) => Answer<InvoiceCandidate[]>
  /** Open invoices whose identifying cents make them due exactly this amount. */
  invoicesByUniqueCents: (amount: number) => Answer<InvoiceCandidate[]>
  /** Draft and pending invoices of these customers. */
  openInvoicesOf: (customerIds: number[]) => Answer<InvoiceCandidate[]>
  /** Customers who share at least two of these name tokens (`nameTokens`). */
  customersByName: (tokens: string[]) => Answer<CustomerCandidate[]>
  customersById: (ids: number[]) => Answer<CustomerCandidate[]>
  /** Customers for whom this payer paid before; the key is `payerKeyOf`. */
  payerHistory: (rail: Rail, payerKey: string) => Answer<PayerHistory[]>
  /** The invoice that a payment of the book, named by its provider reference, is allocated to. */
  invoiceOfPayment: (rail: Rail, providerReference: string) => Answer<InvoiceCandidate | null>
  confirmedToday: (payerKey: string | null, customerId: number) => Answer<ConfirmedToday>
}

export type MatchSettings = {
  now: Date
  /** The prefix of payment notes, such as `SAUCE: `. */
  notePrefix: string
  currency: string
  mode: 'off' | 'shadow' | 'on'
  /** Rails on which payments may be confirmed automatically. */
  rails: readonly Rail[]
  /** The maximum cents of one automatic confirmation, and the daily limits. */
  maxCents: number
  perDay: number
  perDayCents: number
  perPayerDay: number
  perCustomerDay: number
}

/** A reason for or against a candidate. Points only sort; they decide nothing. */
export type Reason = { points: number; sentence: string }

/** One or, for a split, several invoices that the payment may belong to. */
export type ScoredCandidate = { invoices: InvoiceCandidate[]; score: number; reasons: Reason[] }

/** How a match would be resolved. `link` adds evidence to an invoice that was confirmed without a payment. */
export type Resolver =
  | 'confirm'
  | 'link'
  | 'part'
  | 'join'
  | 'over'
  | 'late'
  | 'duplicate'
  | 'split'
  | 'unknown'
  | 'reversal'

export type BlockCode =
  | 'not_proven'
  | 'other_recipient'
  | 'template_unknown'
  | 'reversal'
  | 'not_final'
  | 'currency'
  | 'reference_missing'
  | 'reference_corrected'
  | 'reference_ambiguous'
  | 'reference_reused'
  | 'amount_differs'
  | 'invoice_not_open'
  | 'payer_conflict'
  | 'code_twice'
  | 'own_invoice'
  | 'rail_off'
  | 'over_limit'
  | 'daily_limit'
  | 'too_old'

/** A condition of automatic confirmation that does not hold. */
export type Blocked = { code: BlockCode; sentence: string }

export type MatchResult = {
  matcherVersion: number
  level: 'exact' | 'suggest' | 'none'
  resolver: Resolver
  /** The first choice: several invoices for a split, none at level `none`. */
  invoices: InvoiceCandidate[]
  /** Other invoices that the resolver may offer. */
  alternatives: InvoiceCandidate[]
  /** The first choice and candidates with at least 25 points, best first; folded under "Maybe" unless the level says more. */
  candidates: ScoredCandidate[]
  blockedBy: Blocked[]
  /** Whether anything connects it to an order or a customer: its note, its number, or an earlier payment of the payer. */
  isRelated: boolean
  /** Whether all conditions hold, whatever the mode. */
  wouldConfirm: boolean
  /** Whether it is confirmed automatically: all conditions hold and the mode is `on`. */
  auto: boolean
}
