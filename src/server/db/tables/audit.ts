import { sql } from 'drizzle-orm'
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bigId, instant } from '../columns.ts'

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
  /** The API key that acted for the actor. */
  apiKeyId: integer('api_key_id'),
  apiKeyName: text('api_key_name'),
  /** The customer that the entry is about. The database derives it from the target. */
  customerId: integer('customer_id'),
})
