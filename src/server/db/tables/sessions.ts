import { sql } from 'drizzle-orm'
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, createdAt, instant } from '../columns.ts'

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
