import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bigId, bytes, createdAt, id, instant, oneOf, version } from '../columns.ts'

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

/** Announcements on the site and by email. `perHour` is how many emails are sent per hour; `emailed`, `skipped` and `unsubscribed` count recipients. */
export const announcements = pgTable('announcements', {
  id: id(),
  kind: oneOf('kind', ['service', 'news']),
  title: text('title').notNull(),
  summary: text('summary').notNull(),
  body: text('body').notNull(),
  linkLabel: text('link_label').notNull().default(''),
  linkPath: text('link_path').notNull().default(''),
  audience: oneOf('audience', ['everyone', 'customers', 'active', 'ended', 'never', 'plans']),
  planIds: integer('plan_ids').array().notNull(),
  onSite: boolean('on_site').notNull(),
  siteUntil: instant('site_until'),
  ended: boolean('ended').notNull().default(false),
  emails: boolean('emails').notNull(),
  perHour: integer('per_hour').notNull(),
  state: oneOf('state', ['draft', 'published', 'withdrawn']).default('draft'),
  createdBy: integer('created_by').notNull(),
  createdAt: createdAt(),
  publishedBy: integer('published_by'),
  publishedAt: instant('published_at'),
  withdrawnBy: integer('withdrawn_by'),
  withdrawnAt: instant('withdrawn_at'),
  emailed: integer('emailed').notNull().default(0),
  skipped: integer('skipped').notNull().default(0),
  unsubscribed: integer('unsubscribed').notNull().default(0),
  version: version(),
})

/** Who gets an announcement by email. `tokenHash` is the SHA-256 of the token in the unsubscribe link. */
export const announcementRecipients = pgTable('announcement_recipients', {
  announcementId: integer('announcement_id').primaryKey(),
  userId: integer('user_id').primaryKey(),
  state: oneOf('state', ['waiting', 'emailed', 'skipped']).default('waiting'),
  tokenHash: bytes('token_hash'),
  unsubscribedAt: instant('unsubscribed_at'),
})
