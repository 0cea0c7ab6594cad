import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bigId, createdAt, oneOf } from '../columns.ts'

export const referralClaims = pgTable('referral_claims', {
  refereeId: integer('referee_id').primaryKey(),
  referrerId: integer('referrer_id').notNull(),
  rewardedInvoiceId: integer('rewarded_invoice_id'),
  createdAt: createdAt(),
})

export const creditTransactions = pgTable('credit_transactions', {
  id: bigId(),
  userId: integer('user_id').notNull(),
  amount: integer('amount').notNull(),
  description: text('description').notNull(),
  type: oneOf('type', ['referral_bonus', 'admin_adjustment', 'payment', 'refund']),
  relatedInvoiceId: integer('related_invoice_id'),
  activationId: bigint('activation_id', { mode: 'number' }),
  reversesId: bigint('reverses_id', { mode: 'number' }),
  createdAt: createdAt(),
  createdBy: integer('created_by'),
})
