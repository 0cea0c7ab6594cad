import { sql } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from '../columns.ts'

/** Actions that one administrator requested and that another one must request as well before they are performed. */
export const adminRequests = pgTable('admin_requests', {
  action: text('action', { enum: ['promote', 'payments', 'mail_server', 'reveal_mail', 'payment'] }).primaryKey(),
  target: text('target').primaryKey(),
  digest: bytes('digest').notNull(),
  requestedBy: integer('requested_by').notNull(),
  requestedAt: instant('requested_at').notNull().default(sql`now()`),
})
