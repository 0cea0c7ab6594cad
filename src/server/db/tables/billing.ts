import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bigId, createdAt, id, instant, oneOf, version } from '../columns.ts'

export const invoices = pgTable('invoices', {
  id: id(),
  invoiceNumber: text('invoice_number').notNull(),
  userId: integer('user_id').notNull(),
  kind: oneOf('kind', ['purchase', 'plan_change']).default('purchase'),
  planId: integer('plan_id').notNull(),
  planName: text('plan_name').notNull(),
  planMonths: integer('plan_months').notNull(),
  planConnections: integer('plan_connections').notNull(),
  keepsPeriod: boolean('keeps_period').notNull().default(false),
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
  pricedFrom: jsonb('priced_from').$type<{ planId: number; startDate: string; endDate: string }>(),
  version: version(),
})

export const invoiceLines = pgTable('invoice_lines', {
  id: bigId(),
  invoiceId: integer('invoice_id').notNull(),
  position: integer('position').notNull(),
  kind: oneOf('kind', ['plan', 'plan_change', 'referral_discount', 'credit']),
  description: text('description').notNull(),
  amount: integer('amount').notNull(),
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

/** Amounts are cents: what is paid back, and what was returned as account credit. */
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
