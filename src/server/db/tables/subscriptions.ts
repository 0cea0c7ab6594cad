import { bigint, boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bigId, createdAt, id, instant, oneOf } from '../columns.ts'

export type SubscriptionState = {
  planId: number | null
  status: 'active' | 'pending' | 'expired' | 'cancelled' | 'none'
  startDate: string | null
  endDate: string | null
  maxConnections: number | null
}

/** The effect of each payment, and of each edit by an administrator, on a subscription. The time that an activation added is in its segments. */
export const activations = pgTable('activations', {
  id: bigId(),
  userId: integer('user_id').notNull(),
  invoiceId: integer('invoice_id'),
  kind: oneOf('kind', ['purchase', 'plan_change', 'grant']),
  planId: integer('plan_id'),
  /** The payment date, or when the edit was made. */
  effectiveAt: instant('effective_at').notNull(),
  /** The subscription that the customer saw right after it. */
  after: jsonb('after').$type<SubscriptionState>().notNull(),
  /** Account credit (cents) that was granted without a payment by releases that had no paid-time segments yet. */
  legacyCreditCents: integer('legacy_credit_cents').notNull().default(0),
  createdBy: integer('created_by'),
  createdAt: createdAt(),
  reversedAt: instant('reversed_at'),
  reversedBy: integer('reversed_by'),
})

/** Paid time: the segments of subscriptions. `features/subscriptions/server/paid-time/segment.ts` explains each field. */
export const segments = pgTable('segments', {
  id: bigId(),
  userId: integer('user_id').notNull(),
  activationId: bigint('activation_id', { mode: 'number' }).notNull(),
  replacedBy: bigint('replaced_by', { mode: 'number' }),
  planId: integer('plan_id').notNull(),
  months: integer('months').notNull(),
  connections: integer('connections').notNull(),
  startsAt: instant('starts_at').notNull(),
  endsAt: instant('ends_at').notNull(),
  periodDays: integer('period_days').notNull(),
  listCents: integer('list_cents').notNull(),
  paidCents: integer('paid_cents').notNull(),
  closed: boolean('closed').notNull().default(false),
  withdrawn: boolean('withdrawn').notNull().default(false),
  begun: boolean('begun').notNull(),
})

/** Days that administrators gave to customers. `reason` is shown to them. */
export const timeGifts = pgTable('time_gifts', {
  id: id(),
  days: integer('days').notNull(),
  reason: text('reason').notNull(),
  incidentId: integer('incident_id'),
  emails: boolean('emails').notNull(),
  state: oneOf('state', ['giving', 'given', 'undoing', 'undone']).default('giving'),
  createdBy: integer('created_by').notNull(),
  createdAt: createdAt(),
  undoneBy: integer('undone_by'),
  undoneAt: instant('undone_at'),
})

/** Subscriptions that an administrator moved to another account: the edit that withdrew the time, and the one that granted it. */
export const subscriptionMoves = pgTable('subscription_moves', {
  id: id(),
  fromUserId: integer('from_user_id').notNull(),
  toUserId: integer('to_user_id').notNull(),
  fromActivation: bigint('from_activation', { mode: 'number' }).notNull(),
  toActivation: bigint('to_activation', { mode: 'number' }).notNull(),
  createdBy: integer('created_by').notNull(),
  createdAt: createdAt(),
  undoneAt: instant('undone_at'),
})

/** The customers who get a gift, each with the activation of the gift. */
export const timeGiftCustomers = pgTable('time_gift_customers', {
  giftId: integer('gift_id').primaryKey(),
  userId: integer('user_id').primaryKey(),
  incidentId: integer('incident_id'),
  state: oneOf('state', ['waiting', 'added', 'skipped', 'undone', 'kept']).default('waiting'),
  reason: text('reason'),
  activationId: bigint('activation_id', { mode: 'number' }),
})
