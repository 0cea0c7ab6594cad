import { sql } from 'drizzle-orm'
import { bigint, boolean, date, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bigId, createdAt, instant, oneOf, version } from '../columns.ts'

const bigRef = (name: string) => bigint(name, { mode: 'number' })

/** Received and returned payments, append-only. `amount` and `fee` are cents. */
export const payments = pgTable('payments', {
  id: bigId(),
  rail: oneOf('rail', [
    'cashapp',
    'venmo',
    'zelle',
    'paypal',
    'chime',
    'wise',
    'bank',
    'card',
    'crypto',
    'cash',
    'other',
  ]),
  account: text('account').notNull().default(''),
  direction: oneOf('direction', ['in', 'out', 'reversal']).default('in'),
  source: oneOf('source', ['typed', 'mail', 'statement', 'event']),
  amount: integer('amount').notNull(),
  fee: integer('fee').notNull().default(0),
  currency: text('currency').notNull().default('USD'),
  final: boolean('final').notNull().default(true),
  paidAt: instant('paid_at'),
  paidOn: date('paid_on').notNull(),
  payerName: text('payer_name').notNull().default(''),
  payerHandle: text('payer_handle').notNull().default(''),
  payerKey: text('payer_key').notNull().default(''),
  note: text('note').notNull().default(''),
  providerReference: text('provider_reference'),
  fallbackKey: text('fallback_key').notNull(),
  occurrence: integer('occurrence').notNull().default(1),
  reversesId: bigRef('reverses_id'),
  recordedBy: integer('recorded_by'),
  requestKey: uuid('request_key'),
  createdAt: createdAt(),
  /** When its statement was withdrawn. From then on the row is not counted anywhere. */
  withdrawnAt: instant('withdrawn_at'),
})

/** The state of a payment or reversal on the payment desk. `openCents` is the part that is not allocated. */
export const paymentCases = pgTable('payment_cases', {
  paymentId: bigRef('payment_id').primaryKey(),
  status: oneOf('status', ['open', 'held', 'done', 'set_aside']).default('open'),
  openCents: integer('open_cents').notNull(),
  kind: oneOf('kind', [
    'exact',
    'join',
    'linked',
    'part',
    'over',
    'late',
    'double',
    'split',
    'likely',
    'unknown',
    'reversal',
  ]).default('unknown'),
  level: oneOf('level', ['exact', 'suggest', 'none']).default('none'),
  ready: boolean('ready').notNull().default(false),
  topInvoiceId: integer('top_invoice_id'),
  score: integer('score').notNull().default(0),
  blockedBy: text('blocked_by').array().notNull(),
  setAsideUntil: date('set_aside_until'),
  setAsideReason: text('set_aside_reason'),
  version: version(),
  createdAt: createdAt(),
  changedAt: instant('changed_at').notNull().default(sql`now()`),
  matchedAt: instant('matched_at').notNull().default(sql`now()`),
  /** Rail, amount and currency, by which payments of unknown senders are grouped. */
  alike: text('alike').notNull().default(''),
})

export const paymentMatches = pgTable('payment_matches', {
  paymentId: bigRef('payment_id').primaryKey(),
  invoiceId: integer('invoice_id').primaryKey(),
  score: integer('score').notNull(),
  level: oneOf('level', ['exact', 'suggest', 'maybe']),
  reasons: jsonb('reasons').$type<string[]>().notNull(),
})

/** The data needed to undo a decision: the case and the invoices as they were before. */
export type UndoFacts = {
  case: { status: 'open' | 'held' | 'set_aside'; setAsideUntil: string | null; setAsideReason: string | null }
  invoices: {
    id: number
    status: 'draft' | 'pending' | 'paid' | 'expired' | 'cancelled' | 'refunded'
    expiresAt: string
    /** Set for an invoice that the decision made unpaid. */
    paidAt?: string | null
  }[]
  /** The other payments whose holds the decision used. */
  joined: number[]
  /** The customers for whom the payer's identity was confirmed. */
  learned: number[]
  /** Whether account credit covered what was missing. */
  coveredByCredit?: true
}

/** Decisions about payments and their undos, append-only. */
export const paymentDecisions = pgTable('payment_decisions', {
  id: bigId(),
  paymentId: bigRef('payment_id').notNull(),
  action: oneOf('action', [
    'confirm',
    'link',
    'hold',
    'credit',
    'refund',
    'refund_sent',
    'not_ours',
    'release',
    'take_back',
    'bear',
    'undo',
  ]),
  undoFacts: jsonb('undo_facts').$type<UndoFacts>().notNull(),
  reason: text('reason'),
  decidedBy: integer('decided_by'),
  undoesId: bigRef('undoes_id'),
  createdAt: createdAt(),
})

/** Where the money went, in cents, append-only. A reversal has the opposite amount. */
export const paymentAllocations = pgTable('payment_allocations', {
  id: bigId(),
  paymentId: bigRef('payment_id').notNull(),
  decisionId: bigRef('decision_id').notNull(),
  amount: integer('amount').notNull(),
  target: oneOf('target', [
    'invoice',
    'hold',
    'credit',
    'refund_due',
    'refund_sent',
    'not_ours',
    'taken_back',
    'borne',
  ]),
  invoiceId: integer('invoice_id'),
  userId: integer('user_id'),
  activationId: bigRef('activation_id'),
  creditTransactionId: bigRef('credit_transaction_id'),
  refundReference: text('refund_reference'),
  reversesId: bigRef('reverses_id'),
  createdAt: createdAt(),
})

/** The payers of each customer's confirmed payments. */
export const payerIdentities = pgTable('payer_identities', {
  rail: text('rail').primaryKey(),
  payerKey: text('payer_key').primaryKey(),
  userId: integer('user_id').primaryKey(),
  confirmations: integer('confirmations').notNull(),
  lastAt: instant('last_at').notNull(),
  /** How many payments of this payer were taken back. */
  takenBack: integer('taken_back').notNull().default(0),
})

/** The mode of automatic confirmation and its limits, in one row. Amounts are cents, days are UTC days. */
export const paymentAutomation = pgTable('payment_automation', {
  id: integer('id').primaryKey().default(1),
  mode: oneOf('mode', ['off', 'shadow', 'on']).default('off'),
  since: instant('since').notNull().default(sql`now()`),
  reason: text('reason'),
  changedBy: integer('changed_by'),
  rails: text('rails')
    .array()
    .notNull()
    .default(
      sql`ARRAY['cashapp'::text, 'venmo'::text, 'zelle'::text, 'paypal'::text, 'chime'::text, 'wise'::text, 'card'::text]`,
    ),
  maxCents: integer('max_cents').notNull().default(10_000),
  perDay: integer('per_day').notNull().default(50),
  perDayCents: integer('per_day_cents').notNull().default(250_000),
  perPayerDay: integer('per_payer_day').notNull().default(2),
  perCustomerDay: integer('per_customer_day').notNull().default(1),
  version: version(),
})

/** Payments for which every condition of automatic confirmation held. */
export const paymentRuleResults = pgTable('payment_rule_results', {
  paymentId: bigRef('payment_id').primaryKey(),
  invoiceId: integer('invoice_id').notNull(),
  state: oneOf('state', ['waiting', 'confirmed', 'shadow', 'refused']),
  refusal: text('refusal'),
  decisionId: bigRef('decision_id'),
  createdAt: createdAt(),
})
