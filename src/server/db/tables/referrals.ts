import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bigId, createdAt, instant, oneOf } from '../columns.ts'

export const referralClaims = pgTable('referral_claims', {
  refereeId: integer('referee_id').primaryKey(),
  referrerId: integer('referrer_id').notNull(),
  rewardedInvoiceId: integer('rewarded_invoice_id'),
  /** The referrer's bonus for that invoice (cents), when it becomes available, and when it was booked as credit (null while it is pending). */
  bonusCents: integer('bonus_cents'),
  bonusAvailableAt: instant('bonus_available_at'),
  bonusBookedAt: instant('bonus_booked_at'),
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
