import { sql } from 'drizzle-orm'
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bigId, createdAt, instant, oneOf } from '../columns.ts'

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
