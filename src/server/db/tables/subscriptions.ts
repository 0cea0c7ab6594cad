import { boolean, integer, jsonb, pgTable } from 'drizzle-orm/pg-core'
import { bigId, createdAt, instant, oneOf } from '../columns.ts'

export type SubscriptionState = {
  planId: number | null
  status: 'active' | 'pending' | 'expired' | 'cancelled' | 'none'
  startDate: string | null
  endDate: string | null
  maxConnections: number | null
}

/** What each payment (or grant) did, so that exactly that can be undone. */
export const activations = pgTable('activations', {
  id: bigId(),
  userId: integer('user_id').notNull(),
  invoiceId: integer('invoice_id'),
  kind: oneOf('kind', ['purchase', 'plan_change', 'grant']),
  planId: integer('plan_id'),
  months: integer('months').notNull(),
  connections: integer('connections'),
  keepsPeriod: boolean('keeps_period').notNull().default(false),
  effectiveAt: instant('effective_at').notNull(),
  before: jsonb('before').$type<SubscriptionState>().notNull(),
  after: jsonb('after').$type<SubscriptionState>().notNull(),
  createdBy: integer('created_by'),
  createdAt: createdAt(),
  reversedAt: instant('reversed_at'),
  reversedBy: integer('reversed_by'),
})
