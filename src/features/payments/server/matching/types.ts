/** The ways in which money arrives. `bank` is a transfer of unknown kind, `card` a payment through a processor. */
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
 * How much the source of a payment is trusted: `proven` by our own verification of the signature, `vouched` for by the mail server only, `stated` by a person
 * or a statement, `unproven`, or `forged`.
 */
export type Auth = 'proven' | 'vouched' | 'stated' | 'unproven' | 'forged'

/** A payment as one source reports it. Amounts are positive cents, instants are ISO 8601 in UTC, and days are `YYYY-MM-DD`. */
export type PaymentFacts = {
  rail: Rail
  direction: 'in' | 'reversal'
  amount: number
  fee: number | null
  currency: string
  /** False while the provider has not completed the payment, for example a pending eCheck. */
  final: boolean
  paidAt: string | null
  /** Set if only the day is known. */
  paidOn: string | null
  payerName: string | null
  payerHandle: string | null
  note: string | null
  providerReference: string | null
  /** The provider's reference of the payment that a reversal takes back. */
  reversesReference: string | null
}

/** What is known about the source of a payment. */
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
  /** The price in cents. `held` is the part of it that is already held from earlier payments. */
  amount: number
  held: number
  status: 'draft' | 'pending' | 'paid' | 'cancelled' | 'expired' | 'refunded'
  phrase: string | null
  method: 'cashapp' | 'venmo' | 'creditcard' | null
  confirmationCode: string | null
  submittedAt: string | null
  createdAt: string
  expiresAt: string
  /** Whether a discount of a few cents makes its price unique among the open invoices. */
  uniqueCents: boolean
  /** Whether a payment in the book is allocated to the invoice. */
  hasPayment: boolean
  /** Whether the invoice is a plan change whose price is outdated, because the subscription has changed in the meantime. */
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

/** How often payments of a payer were confirmed for one customer. `isTakenBack`: money that this payer sent was taken back later. */
export type PayerHistory = { customerId: number; confirmations: number; isTakenBack?: boolean }

/** An invoice that has or had a phrase. `until` is null for the current holder. `invoice` is null if the invoice is no longer known. */
export type PhraseHolder = { phrase: string; invoice: InvoiceCandidate | null; until: string | null }

/** The automatic confirmations of the current UTC day: count and cents in total, and the counts of one payer and of one customer. */
export type ConfirmedToday = { count: number; cents: number; ofPayer: number; ofCustomer: number }

type Answer<T> = T | Promise<T>

/** The lookups that the caller provides to the matcher. All of them are by key. */
export type Lookups = {
  /** Invoices of any status with these numbers (`ORD-7F3K2G`). */
  invoicesByNumber: (numbers: string[]) => Answer<InvoiceCandidate[]>
  /** All current and former holders of these phrases (`amber otter`). */
  phraseHolders: (phrases: string[]) => Answer<PhraseHolder[]>
  /** Invoices whose customer typed this provider reference as the confirmation code. */
  invoicesByCode: (providerReference: string) => Answer<InvoiceCandidate[]>
  /** Open invoices with identifying cents whose amount due is exactly this amount. */
  invoicesByUniqueCents: (amount: number) => Answer<InvoiceCandidate[]>
  /** Draft and pending invoices of these customers. */
  openInvoicesOf: (customerIds: number[]) => Answer<InvoiceCandidate[]>
  /** Customers who share at least two of these name tokens (`nameTokens`). */
  customersByName: (tokens: string[]) => Answer<CustomerCandidate[]>
  customersById: (ids: number[]) => Answer<CustomerCandidate[]>
  /** The customers for whom this payer paid before. The key is that of `payerKeyOf`. */
  payerHistory: (rail: Rail, payerKey: string) => Answer<PayerHistory[]>
  /** The invoice to which the payment with this provider reference is allocated. */
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
  /** The maximum amount of one automatic confirmation in cents, followed by the daily limits. */
  maxCents: number
  perDay: number
  perDayCents: number
  perPayerDay: number
  perCustomerDay: number
}

/** A reason for or against a candidate. Points only rank candidates. */
export type Reason = { points: number; sentence: string }

/** An invoice that the payment may belong to, or several for a split. */
export type ScoredCandidate = { invoices: InvoiceCandidate[]; score: number; reasons: Reason[] }

/** How a match would be resolved. `link` adds the payment as evidence to an invoice that was confirmed without one. */
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

export type ConditionCode =
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
export type UnmetCondition = { code: ConditionCode; sentence: string }

export type MatchResult = {
  matcherVersion: number
  level: 'exact' | 'suggest' | 'none'
  resolver: Resolver
  /** The first choice: several invoices for a split, none at level `none`. */
  invoices: InvoiceCandidate[]
  /** Other open invoices of the same customers. */
  alternatives: InvoiceCandidate[]
  /** The first choice and the candidates with at least 25 points, best first. */
  candidates: ScoredCandidate[]
  blockedBy: UnmetCondition[]
  /** Whether anything connects the payment with an order or a customer: its note, its transaction number, or an earlier payment of the payer. */
  isRelated: boolean
  /** Whether all conditions hold, whatever the mode. */
  wouldConfirm: boolean
  /** Whether the payment is confirmed automatically: all conditions hold and the mode is `on`. */
  auto: boolean
}
