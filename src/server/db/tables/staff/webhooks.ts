import { sql } from 'drizzle-orm'
import { bigint, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bigId, createdAt, instant, oneOf, version } from '../../columns.ts'

/** The URLs of other programs that receive notices for the staff. */
export const webhooks = pgTable('webhooks', {
  id: uuid('id').primaryKey(),
  type: oneOf('type', ['signed', 'telegram', 'discord']),
  name: text('name').notNull(),
  sealed: text('sealed').notNull(),
  kinds: text('kinds').array().notNull(),
  pausedAt: instant('paused_at'),
  pauseReason: text('pause_reason', { enum: ['owner', 'failures', 'gone'] }),
  failingSince: instant('failing_since'),
  version: version(),
  createdAt: createdAt(),
})

/** The secrets that sign the messages of a webhook. */
export const webhookSecrets = pgTable('webhook_secrets', {
  id: uuid('id').primaryKey(),
  webhookId: uuid('webhook_id').notNull(),
  sealed: text('sealed').notNull(),
  createdAt: createdAt(),
  expiresAt: instant('expires_at'),
})

/** Notices to one webhook, with the outcome of the last attempt. `queue_notice` inserts them. */
export const webhookDeliveries = pgTable('webhook_deliveries', {
  id: bigId(),
  webhookId: uuid('webhook_id').notNull(),
  messageId: uuid('message_id').notNull().defaultRandom(),
  kind: text('kind').notNull(),
  subjectId: bigint('subject_id', { mode: 'number' }),
  sourceKey: text('source_key'),
  status: oneOf('status', ['queued', 'sent', 'failed']).default('queued'),
  attempts: integer('attempts').notNull().default(0),
  dueAt: instant('due_at').notNull().default(sql`now()`),
  attemptedAt: instant('attempted_at'),
  responseStatus: integer('response_status'),
  reason: text('reason'),
  createdAt: createdAt(),
})
