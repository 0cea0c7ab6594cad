// Every table, a screenful a noun. Constraints, triggers and indexes stand in migrations/; a test holds the two against each other.
import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, instant, oneOf } from './columns.ts'

const id = () => integer('id').primaryKey().generatedAlwaysAsIdentity()
const bigId = () => bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()
const version = () => integer('version').notNull().default(1)
const createdAt = () => instant('created_at').notNull().default(sql`now()`)

// ---- accounts
export const users = pgTable('users', {
  id: id(),
  username: text('username').notNull(),
  email: text('email').notNull(),
  emailVerifiedAt: instant('email_verified_at'),
  passwordHash: text('password_hash').notNull(),
  mustChangePassword: boolean('must_change_password').notNull().default(false),
  fullName: text('full_name'),
  role: oneOf('role', ['user', 'admin']).default('user'),
  planId: integer('plan_id'),
  createdAt: createdAt(),
  subscriptionStatus: oneOf('subscription_status', ['active', 'pending', 'expired', 'cancelled', 'none']).default('none'),
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
})

export const sessions = pgTable('sessions', {
  id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  tokenHash: bytes('token_hash').primaryKey(),
  userId: integer('user_id').notNull(),
  createdAt: createdAt(),
  lastSeenAt: instant('last_seen_at').notNull().default(sql`now()`),
  expiresAt: instant('expires_at').notNull(),
  ip: text('ip'),
  userAgent: text('user_agent'),
  impersonatedBy: integer('impersonated_by'),
})

/** From where a user has logged in before: a hash of device and network. */
export const loginPlaces = pgTable('login_places', {
  userId: integer('user_id').primaryKey(),
  place: bytes('place').primaryKey(),
  firstSeenAt: instant('first_seen_at').notNull().default(sql`now()`),
  lastSeenAt: instant('last_seen_at').notNull().default(sql`now()`),
})

/** What a mailed link proves, and the address it was sent to: one live token a user and purpose. */
export const mailedTokens = pgTable('mailed_tokens', {
  tokenHash: bytes('token_hash').notNull(),
  userId: integer('user_id').primaryKey(),
  purpose: text('purpose', { enum: ['reset_password', 'verify_email'] }).primaryKey(),
  email: text('email').notNull(),
  createdAt: createdAt(),
  expiresAt: instant('expires_at').notNull(),
})

/** A second step at the login. `last_step` is the last time step whose code was taken: no code works twice. */
export const twoFactor = pgTable('two_factor', {
  userId: integer('user_id').primaryKey(),
  secret: text('secret').notNull(),
  createdAt: createdAt(),
  confirmedAt: instant('confirmed_at'),
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
})

export const recoveryCodes = pgTable('recovery_codes', {
  userId: integer('user_id').primaryKey(),
  codeHash: bytes('code_hash').primaryKey(),
  usedAt: instant('used_at'),
})

/** Logins whose password was right and whose code is still to come; not a session. */
export const pendingLogins = pgTable('pending_logins', {
  tokenHash: bytes('token_hash').primaryKey(),
  userId: integer('user_id').notNull(),
  createdAt: createdAt(),
  expiresAt: instant('expires_at').notNull(),
  failures: integer('failures').notNull().default(0),
})

export const passkeys = pgTable('passkeys', {
  id: id(),
  userId: integer('user_id').notNull(),
  credentialId: text('credential_id').notNull(),
  publicKey: bytes('public_key').notNull(),
  counter: bigint('counter', { mode: 'number' }).notNull().default(0),
  transports: jsonb('transports').$type<string[]>().notNull(),
  name: text('name').notNull(),
  createdAt: createdAt(),
  lastUsedAt: instant('last_used_at'),
})

/** What a device is asked to sign, once. */
export const passkeyChallenges = pgTable('passkey_challenges', {
  challengeHash: bytes('challenge_hash').primaryKey(),
  userId: integer('user_id'),
  createdAt: createdAt(),
  expiresAt: instant('expires_at').notNull(),
})

// ---- catalog
export const plans = pgTable('plans', {
  id: id(),
  name: text('name').notNull(),
  tier: integer('tier').notNull(),
  months: integer('months').notNull(),
  connections: integer('connections').notNull(),
  price: integer('price').notNull(),
  billing: text('billing').notNull(),
  features: jsonb('features').$type<string[]>().notNull(),
  popular: boolean('popular').notNull().default(false),
  hidden: boolean('hidden').notNull().default(false),
  version: version(),
})

export const channels = pgTable('channels', {
  id: id(),
  name: text('name').notNull(),
  category: oneOf('category', ['entertainment', 'movies', 'sports', 'nba_teams', 'nfl_teams', 'nhl_teams', 'soccer', 'news', 'kids', 'international']),
  logo: text('logo').notNull(),
  previewUrl: text('preview_url'),
  featured: boolean('featured').notNull().default(false),
  hidden: boolean('hidden').notNull().default(false),
  version: version(),
})

export const deviceCategories = pgTable('device_categories', {
  id: id(),
  name: text('name').notNull(),
  icon: text('icon').notNull(),
  devices: jsonb('devices').$type<string[]>().notNull(),
  position: integer('position').notNull().default(0),
  hidden: boolean('hidden').notNull().default(false),
  version: version(),
})

export const faqs = pgTable('faqs', {
  id: id(),
  question: text('question').notNull(),
  answer: text('answer').notNull(),
  order: integer('order').notNull().default(0),
  hidden: boolean('hidden').notNull().default(false),
  version: version(),
})

// ---- watchlist
export const watchlist = pgTable('watchlist', {
  userId: integer('user_id').primaryKey(),
  channelId: integer('channel_id').primaryKey(),
  addedAt: instant('added_at').notNull().default(sql`now()`),
})

// ---- inquiries
export const inquiries = pgTable('inquiries', {
  id: id(),
  name: text('name').notNull(),
  email: text('email').notNull(),
  planId: integer('plan_id'),
  message: text('message').notNull(),
  newsletterOpt: boolean('newsletter_opt').notNull().default(false),
  createdAt: createdAt(),
  status: oneOf('status', ['open', 'answered']).default('open'),
  adminNotes: text('admin_notes'),
  answeredAt: instant('answered_at'),
  version: integer('version').notNull().default(1),
})

// ---- billing
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
  status: oneOf('status', ['draft', 'pending', 'paid', 'cancelled', 'expired']).default('draft'),
  createdAt: createdAt(),
  submittedAt: instant('submitted_at'),
  paidAt: instant('paid_at'),
  expiresAt: instant('expires_at').notNull(),
  renewsEnd: instant('renews_end'),
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

// ---- subscriptions: what each payment (or grant) did, so that exactly that can be undone
export type SubscriptionState = {
  planId: number | null
  status: 'active' | 'pending' | 'expired' | 'cancelled' | 'none'
  startDate: string | null
  endDate: string | null
  maxConnections: number | null
}
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

// ---- referrals and credit
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

// ---- reports, trials
export const reports = pgTable('reports', {
  id: id(),
  userId: integer('user_id').notNull(),
  contentType: oneOf('content_type', ['channel', 'movie', 'tvshow']),
  contentName: text('content_name').notNull(),
  issue: oneOf('issue', ['not_working', 'poor_quality', 'wrong_content', 'buffering', 'other']),
  description: text('description'),
  status: oneOf('status', ['pending', 'reviewing', 'resolved', 'dismissed']).default('pending'),
  createdAt: createdAt(),
  resolvedAt: instant('resolved_at'),
  adminNotes: text('admin_notes'),
  version: integer('version').notNull().default(1),
})

export const trialRequests = pgTable('trial_requests', {
  id: id(),
  userId: integer('user_id').notNull(),
  requestDate: instant('request_date').notNull().default(sql`now()`),
  status: oneOf('status', ['pending', 'approved', 'denied']).default('pending'),
  message: text('message').notNull(),
  device: text('device').notNull(),
  responseDate: instant('response_date'),
  adminId: integer('admin_id'),
  trialUsername: text('trial_username'),
  trialPassword: text('trial_password'),
  trialServer: text('trial_server'),
  adminNotes: text('admin_notes'),
  expiryDate: instant('expiry_date'),
  endedAt: instant('ended_at'),
  version: integer('version').notNull().default(1),
})

// ---- settings, audit, mail
export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: jsonb('value').$type<unknown>().notNull(),
  updatedAt: instant('updated_at').notNull().default(sql`now()`),
  updatedBy: integer('updated_by'),
})

export const auditLog = pgTable('audit_log', {
  id: bigId(),
  at: instant('at').notNull().default(sql`now()`),
  actorId: integer('actor_id'),
  action: text('action').notNull(),
  targetType: text('target_type').notNull(),
  targetId: text('target_id').notNull(),
  before: jsonb('before').$type<Record<string, unknown>>(),
  after: jsonb('after').$type<Record<string, unknown>>(),
  requestId: text('request_id'),
})

export const mails = pgTable('mails', {
  id: bigId(),
  dedupeKey: text('dedupe_key').notNull(),
  userId: integer('user_id'),
  recipient: text('recipient').notNull(),
  template: text('template').notNull(),
  data: jsonb('data').$type<Record<string, unknown>>().notNull(),
  status: oneOf('status', ['queued', 'sent', 'failed', 'kept']).default('queued'),
  attempts: integer('attempts').notNull().default(0),
  createdAt: createdAt(),
  sentAt: instant('sent_at'),
  sealed: text('sealed'),
  dueAt: instant('due_at').notNull().default(sql`now()`),
  lastError: text('last_error'),
  resends: integer('resends').notNull().default(0),
})

// ---- presence: unlogged, one row a process while somebody looks
export const presence = pgTable('presence', {
  process: uuid('process').primaryKey(),
  visitors: text('visitors').notNull(),
  publishedAt: instant('published_at').notNull().default(sql`now()`),
})
