import { sql } from 'drizzle-orm'
import { bigint, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bigId, instant, oneOf } from '../columns.ts'

/** The state of the payment mailbox, which all processes share, in one row: who reads it, how far, and what failed. */
export const mailboxReader = pgTable('mailbox_reader', {
  id: integer('id').primaryKey().default(1),
  holder: uuid('holder'),
  heldUntil: instant('held_until').notNull().default(sql`now()`),
  enabledAt: instant('enabled_at'),
  mailbox: text('mailbox').notNull().default(''),
  uidValidity: bigint('uid_validity', { mode: 'bigint' }),
  lastUid: bigint('last_uid', { mode: 'number' }),
  failedUid: bigint('failed_uid', { mode: 'number' }),
  failedTries: integer('failed_tries').notNull().default(0),
  checkedAt: instant('checked_at'),
  lastMailAt: instant('last_mail_at'),
  failures: integer('failures').notNull().default(0),
  restUntil: instant('rest_until').notNull().default(sql`now()`),
  failingSince: instant('failing_since'),
  lastFailure: text('last_failure'),
  pausedSince: instant('paused_since'),
})

/** Emails of payment providers, and what was found in them. */
export const paymentMails = pgTable('payment_mails', {
  id: bigId(),
  sourceKey: text('source_key').notNull(),
  mailbox: text('mailbox').notNull(),
  uidValidity: bigint('uid_validity', { mode: 'bigint' }).notNull(),
  uid: bigint('uid', { mode: 'number' }).notNull(),
  messageId: text('message_id').notNull(),
  sender: text('sender').notNull(),
  subject: text('subject').notNull(),
  bytes: integer('bytes').notNull(),
  receivedAt: instant('received_at').notNull(),
  auth: oneOf('auth', ['proven', 'vouched', 'unproven', 'forged']),
  signedBy: text('signed_by'),
  signedAt: instant('signed_at'),
  outcome: oneOf('outcome', ['payment', 'not_a_payment', 'refused', 'unreadable']),
  reason: text('reason'),
  template: text('template'),
  templateVersion: integer('template_version'),
  sealed: text('sealed'),
  retryUntil: instant('retry_until'),
  retriedAt: instant('retried_at').notNull().default(sql`now()`),
  readAt: instant('read_at').notNull().default(sql`now()`),
  reviewedAt: instant('reviewed_at'),
  reviewedBy: integer('reviewed_by'),
})

/** The payments that an email reports. */
export const paymentMailLinks = pgTable('payment_mail_links', {
  mailId: bigint('mail_id', { mode: 'number' }).primaryKey(),
  paymentId: bigint('payment_id', { mode: 'number' }).primaryKey(),
  /** The transaction number that the email names. */
  reference: text('reference'),
})
