import { sql } from 'drizzle-orm'
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bigId, createdAt, id, instant, oneOf, version } from '../columns.ts'

/**
 * What the price of a plan change is based on: the time, the new plan's price (cents) and the remaining segments. The price is valid until the end of the
 * current segment (`periodEnd`) and the first deadline of the invoice (`validUntil`).
 */
export type PricedFrom = { at: string; price: number; segments: string; periodEnd: string; validUntil: string }

export const invoices = pgTable('invoices', {
  id: id(),
  invoiceNumber: text('invoice_number').notNull(),
  userId: integer('user_id').notNull(),
  kind: oneOf('kind', ['purchase', 'plan_change']).default('purchase'),
  planId: integer('plan_id').notNull(),
  planName: text('plan_name').notNull(),
  planMonths: integer('plan_months').notNull(),
  planConnections: integer('plan_connections').notNull(),
  description: text('description').notNull(),
  customerDetails: text('customer_details').notNull(),
  notes: text('notes'),
  amount: integer('amount').notNull(),
  creditOnApproval: integer('credit_on_approval').notNull().default(0),
  referralDiscount: integer('referral_discount').notNull().default(0),
  paymentMethod: text('payment_method', { enum: ['cashapp', 'venmo', 'creditcard'] }),
  paymentNote: text('payment_note'),
  confirmationCode: text('confirmation_code'),
  paymentLink: text('payment_link'),
  paymentReference: text('payment_reference'),
  rejectionReason: text('rejection_reason'),
  rejectedAt: instant('rejected_at'),
  status: oneOf('status', ['draft', 'pending', 'paid', 'cancelled', 'expired', 'refunded']).default('draft'),
  createdAt: createdAt(),
  submittedAt: instant('submitted_at'),
  paidAt: instant('paid_at'),
  expiresAt: instant('expires_at').notNull(),
  renewsEnd: instant('renews_end'),
  pricedFrom: jsonb('priced_from').$type<PricedFrom>(),
  version: version(),
})

/** The folded form of each invoice's confirmation code, used to compare codes. Triggers on `invoices` write it. */
export const paymentCodes = pgTable('payment_codes', {
  invoiceId: integer('invoice_id').primaryKey(),
  folded: text('folded').notNull(),
})

export const invoiceLines = pgTable('invoice_lines', {
  id: bigId(),
  invoiceId: integer('invoice_id').notNull(),
  position: integer('position').notNull(),
  kind: oneOf('kind', ['plan', 'plan_change', 'referral_discount', 'credit', 'adjustment', 'payment_cents']),
  description: text('description').notNull(),
  amount: integer('amount').notNull(),
})

/**
 * Amounts (cents) that identify the payment of one order. An amount can be assigned to another order once its order is cancelled or 14 days after it was
 * assigned.
 */
export const identifyingAmounts = pgTable('identifying_amounts', {
  invoiceId: integer('invoice_id').primaryKey(),
  amount: integer('amount').notNull(),
  givenAt: instant('given_at').notNull().default(sql`now()`),
})

export const refundRequests = pgTable('refund_requests', {
  id: id(),
  invoiceId: integer('invoice_id').notNull(),
  userId: integer('user_id').notNull(),
  reason: text('reason').notNull(),
  status: oneOf('status', ['pending', 'approved', 'declined']).default('pending'),
  createdAt: createdAt(),
  decidedAt: instant('decided_at'),
  decidedBy: integer('decided_by'),
  decisionReason: text('decision_reason'),
})

/** `amount` is what is paid back, and `creditReturned` is what was returned as account credit, both in cents. */
export const creditNotes = pgTable('credit_notes', {
  number: integer('number').primaryKey(),
  invoiceId: integer('invoice_id').notNull(),
  userId: integer('user_id').notNull(),
  amount: integer('amount').notNull(),
  creditReturned: integer('credit_returned').notNull(),
  paymentReference: text('payment_reference'),
  issuedAt: instant('issued_at').notNull().default(sql`now()`),
  issuedBy: integer('issued_by').notNull(),
})
