import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, createdAt, id, instant, oneOf } from '../columns.ts'

export const users = pgTable('users', {
  id: id(),
  username: text('username').notNull(),
  email: text('email').notNull(),
  emailVerifiedAt: instant('email_verified_at'),
  passwordHash: text('password_hash').notNull(),
  mustChangePassword: boolean('must_change_password').notNull().default(false),
  strongPassword: boolean('strong_password').notNull().default(false),
  fullName: text('full_name'),
  role: oneOf('role', ['user', 'admin']).default('user'),
  /** Null for customers and for owners. */
  staffRoleId: integer('staff_role_id'),
  planId: integer('plan_id'),
  createdAt: createdAt(),
  subscriptionStatus: oneOf('subscription_status', ['active', 'pending', 'expired', 'cancelled', 'none']).default(
    'none',
  ),
  subscriptionStartDate: instant('subscription_start_date'),
  subscriptionEndDate: instant('subscription_end_date'),
  stripeCustomerId: text('stripe_customer_id'),
  stripeSubscriptionId: text('stripe_subscription_id'),
  iptvUsername: text('iptv_username'),
  iptvPassword: text('iptv_password'),
  iptvSynced: boolean('iptv_synced').notNull().default(false),
  iptvSyncedAt: instant('iptv_synced_at'),
  iptvMaxConnections: integer('iptv_max_connections'),
  referralCode: text('referral_code').notNull(),
  referredBy: integer('referred_by'),
  accountCredit: integer('account_credit').notNull().default(0),
  /** Since when the user has wanted emails with news; null if they do not want any. */
  newsSince: instant('news_since'),
  /** Since when no watch history has been kept, as the user chose; null if it is kept. */
  noHistorySince: instant('no_history_since'),
  putOffSteps: jsonb('put_off_steps').$type<Record<string, string>>().notNull().default(sql`'{}'::jsonb`),
})

/** Where a user has logged in from, as a hash of device and network. */
export const loginPlaces = pgTable('login_places', {
  userId: integer('user_id').primaryKey(),
  place: bytes('place').primaryKey(),
  firstSeenAt: instant('first_seen_at').notNull().default(sql`now()`),
  lastSeenAt: instant('last_seen_at').notNull().default(sql`now()`),
})

/** The tokens in email links, with the purpose of the link and the address it was sent to. Each user has at most one valid token for each purpose. */
export const mailedTokens = pgTable('mailed_tokens', {
  tokenHash: bytes('token_hash').notNull(),
  userId: integer('user_id').primaryKey(),
  purpose: text('purpose', { enum: ['reset_password', 'verify_email'] }).primaryKey(),
  email: text('email').notNull(),
  createdAt: createdAt(),
  expiresAt: instant('expires_at').notNull(),
})
