import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bigId, createdAt, instant, oneOf, version } from '../columns.ts'

/** Payment processors whose events (webhooks) are received, one row each. */
export const paymentProcessors = pgTable('payment_processors', {
  name: text('name', { enum: ['stripe', 'btcpay'] }).primaryKey(),
  enabled: boolean('enabled').notNull().default(false),
  address: text('address').notNull().default(''),
  storeId: text('store_id').notNull().default(''),
  refusedAt: instant('refused_at'),
  refusal: text('refusal'),
  version: version(),
})

/** The secrets that verify the events of a processor. */
export const paymentProcessorSecrets = pgTable('payment_processor_secrets', {
  id: uuid('id').primaryKey(),
  processor: oneOf('processor', ['stripe', 'btcpay']),
  sealed: text('sealed').notNull(),
  ending: text('ending').notNull(),
  createdAt: createdAt(),
  createdBy: integer('created_by').notNull(),
  lastUsedAt: instant('last_used_at'),
})

/** The payment that an event reports. `amount` is cents. */
export type EventFacts = {
  rail: 'card' | 'crypto'
  direction: 'in' | 'reversal'
  amount: number
  currency: string
  paidAt: string
  payerName: string | null
  payerHandle: string | null
  note: string | null
  providerReference: string
  reversesReference: string | null
}

/** Verified events of processors, and their outcome. */
export const paymentEvents = pgTable('payment_events', {
  id: bigId(),
  processor: oneOf('processor', ['stripe', 'btcpay']),
  eventId: text('event_id').notNull(),
  type: text('type').notNull(),
  subject: text('subject').notNull().default(''),
  signedAt: instant('signed_at').notNull(),
  receivedAt: instant('received_at').notNull().default(sql`now()`),
  outcome: oneOf('outcome', ['payment', 'reversal', 'waiting', 'test', 'ignored', 'review']),
  reason: text('reason'),
  facts: jsonb('facts').$type<EventFacts>(),
  retriedAt: instant('retried_at').notNull().default(sql`now()`),
  reviewedAt: instant('reviewed_at'),
  reviewedBy: integer('reviewed_by'),
})

/** The payments that an event reports. */
export const paymentEventLinks = pgTable('payment_event_links', {
  eventId: bigint('event_id', { mode: 'number' }).primaryKey(),
  paymentId: bigint('payment_id', { mode: 'number' }).primaryKey(),
})
